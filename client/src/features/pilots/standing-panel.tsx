import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { StandingView } from '#client/domain-ui/standing-view.tsx';
import { standingCopy } from '#client/domain-ui/standing-text.ts';
import { trpc } from '#client/lib/trpc.ts';

/** Panel of a pilot's track record for admins. Refetched whenever it is shown, because attendance changes it. */
export function StandingPanel({ pilotId }: { pilotId: string }) {
  const standing = trpc.pilot.standing.useQuery({ id: pilotId }, { staleTime: 0 });
  return (
    <Panel title={standingCopy.title}>
      <Loaded query={standing} loading={standingCopy.loading} failure={standingCopy.loadFailed} rows={4}>
        {(data) => <StandingView standing={data} reader="admin" />}
      </Loaded>
    </Panel>
  );
}
