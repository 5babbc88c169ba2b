import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { TrackRecordView } from '#client/domain-ui/track-record-view.tsx';
import { trackRecordCopy } from '#client/domain-ui/track-record-text.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';

/** Panel of the pilot's own track record. Refetched whenever it is shown, because attendance changes it. */
export function ReliabilityPanel() {
  const { id } = useSignedInViewer();
  const trackRecord = trpc.pilot.standing.useQuery({ id }, { staleTime: 0 });
  return (
    <Panel title={trackRecordCopy.title}>
      <Loaded query={trackRecord} loading={trackRecordCopy.loading} failure={trackRecordCopy.loadFailed} rows={4}>
        {(data) => <TrackRecordView trackRecord={data} reader="pilot" />}
      </Loaded>
    </Panel>
  );
}
