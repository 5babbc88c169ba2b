import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { TrackRecordView } from '#client/domain-ui/track-record-view.tsx';
import { trackRecordCopy } from '#client/domain-ui/track-record-text.ts';
import { trpc } from '#client/lib/trpc.ts';

/** Panel of a pilot's track record for admins. Refetched whenever it is shown, because attendance changes it. */
export function TrackRecordPanel({ pilotId }: { pilotId: string }) {
  const trackRecord = trpc.pilot.standing.useQuery({ id: pilotId }, { staleTime: 0 });
  return (
    <Panel title={trackRecordCopy.title}>
      <Loaded query={trackRecord} loading={trackRecordCopy.loading} failure={trackRecordCopy.loadFailed} rows={4}>
        {(data) => <TrackRecordView trackRecord={data} reader="admin" />}
      </Loaded>
    </Panel>
  );
}
