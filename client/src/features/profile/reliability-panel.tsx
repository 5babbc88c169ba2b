import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { StandingView } from '#client/domain-ui/standing-view.tsx';
import { standingCopy } from '#client/domain-ui/standing-text.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';

/** How the pilot stands with the community. Read anew whenever it is shown: an admin's mark changes it. */
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
