import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { seatCopy } from '#client/features/order/seat-text.ts';
import { WayOn } from '#client/features/order/way-on.tsx';
import { useKeptFocus } from '#client/features/order/use-kept-focus.ts';
import { polled } from '#client/lib/polling.ts';
import { trpc } from '#client/lib/trpc.ts';
import { OPENINGS_POLL_MS } from '#shared/limits.ts';
import type { OpeningsDto } from '#shared/schemas/seats.ts';
import { FullMissions } from './full-missions.tsx';
import { NearMisses } from './near-misses.tsx';
import { TakeableMissions } from './open-seats-panel.tsx';
import classes from './open-seats-panel.module.css';

/** The open seats of one mission that the pilot can take, or why there is none. */
export function MissionSeats({ missionId }: { missionId: string }) {
  const openings = trpc.pilot.seats.openings.useQuery(undefined, polled(OPENINGS_POLL_MS));
  return (
    <Panel title="Open seats" flush>
      <div className={openings.data === undefined ? classes.waiting : undefined}>
        <Loaded query={openings} loading={seatCopy.loadingOpenings} failure={seatCopy.openingsFailed} rows={3}>
          {(all) => <Seats openings={all} missionId={missionId} />}
        </Loaded>
      </div>
    </Panel>
  );
}

function Seats({ openings: { open, closed }, missionId }: { openings: OpeningsDto; missionId: string }) {
  const { ref, onFocus } = useKeptFocus();
  const missed = closed.find((mission) => mission.missionId === missionId);
  const isOpen = open.some((mission) => mission.missionId === missionId);
  return (
    <div ref={ref} tabIndex={-1} className={classes.list} onFocus={onFocus}>
      <TakeableMissions missions={open.filter((mission) => mission.missionId === missionId)} isNamed />
      {missed !== undefined && missed.nearMiss !== null && <NearMisses missions={[missed]} />}
      {missed?.standby === 'open' && <FullMissions missions={[missed]} />}
      {!isOpen && (missed === undefined || (missed.nearMiss === null && missed.standby !== 'open')) && (
        <div className={classes.nothing}>
          <p>{missed?.sentence ?? seatCopy.noneHere}</p>
          {missed !== undefined && <WayOn mission={missed} />}
        </div>
      )}
    </div>
  );
}
