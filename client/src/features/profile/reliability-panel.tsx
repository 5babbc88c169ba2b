import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { MissionStrip } from '#client/domain-ui/mission-strip.tsx';
import { TrackRecordView } from '#client/domain-ui/track-record-view.tsx';
import { trackRecordCopy } from '#client/domain-ui/track-record-text.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';

/** Panel of the pilot's own track record. Refetched whenever it is shown, because attendance changes it. */
export function ReliabilityPanel() {
  const { id, timeZone } = useSignedInViewer();
  const trackRecord = trpc.pilot.standing.useQuery({ id }, { staleTime: 0 });
  const history = trpc.pilot.missionOutcomes.useQuery({ id }, { staleTime: 0 });
  return (
    <Panel anchor="reliability" title={trackRecordCopy.title}>
      <Loaded query={trackRecord} loading={trackRecordCopy.loading} failure={trackRecordCopy.loadFailed} rows={4}>
        {(data) => (
          <TrackRecordView
            trackRecord={data}
            reader="pilot"
            strip={
              <Loaded
                query={history}
                loading={trackRecordCopy.outcomesLoading}
                failure={trackRecordCopy.outcomesFailed}
                rows={3}
              >
                {(outcomes) => <MissionStrip history={outcomes} timeZone={timeZone} />}
              </Loaded>
            }
          />
        )}
      </Loaded>
    </Panel>
  );
}
