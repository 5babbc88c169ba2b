import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { MissionStrip } from '#client/domain-ui/mission-strip.tsx';
import { TrackRecordView } from '#client/domain-ui/track-record-view.tsx';
import { trackRecordCopy } from '#client/domain-ui/track-record-text.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { FairnessBars } from './fairness-bars.tsx';
import { pilotCopy } from './pilot-text.ts';
import classes from './track-record-panel.module.css';

/** A pilot's track record for admins, beside that of peers. Refetched whenever it is shown, because attendance changes it. */
export function TrackRecordPanel({ pilotId }: { pilotId: string }) {
  const { timeZone } = useSignedInViewer();
  const trackRecord = trpc.pilot.standing.useQuery({ id: pilotId }, { staleTime: 0 });
  const history = trpc.pilot.missionOutcomes.useQuery({ id: pilotId }, { staleTime: 0 });
  const fairness = trpc.admin.pilot.fairness.useQuery({ id: pilotId }, { staleTime: 0 });
  const { outcomesLoading, outcomesFailed } = trackRecordCopy;
  const strip = (
    <Loaded query={history} loading={outcomesLoading} failure={outcomesFailed} rows={3}>
      {(outcomes) => <MissionStrip history={outcomes} timeZone={timeZone} />}
    </Loaded>
  );
  return (
    <div className={classes.panels}>
      <Panel title={trackRecordCopy.title}>
        <Loaded query={trackRecord} loading={trackRecordCopy.loading} failure={trackRecordCopy.loadFailed} rows={4}>
          {(data) => <TrackRecordView trackRecord={data} reader="admin" strip={strip} />}
        </Loaded>
      </Panel>
      <Panel title={pilotCopy.fairnessTitle}>
        <Loaded query={fairness} loading={pilotCopy.fairnessLoading} failure={pilotCopy.fairnessFailed} rows={6}>
          {(data) => <FairnessBars fairness={data} pilotId={pilotId} />}
        </Loaded>
      </Panel>
    </div>
  );
}
