import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { StandingView } from '#client/domain-ui/standing-view.tsx';
import { standingCopy } from '#client/domain-ui/standing-text.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';

/** Panel of the pilot's own track record. Refetched whenever it is shown, because attendance changes it. */
export function ReliabilityPanel() {
  const { id } = useSignedInViewer();
  const standing = trpc.pilot.standing.useQuery({ id }, { staleTime: 0 });
  return (
    <Panel title={standingCopy.title}>
      <Loaded query={standing} loading={standingCopy.loading} failure={standingCopy.loadFailed} rows={4}>
        {(data) => <StandingView standing={data} reader="pilot" />}
      </Loaded>
    </Panel>
  );
}
