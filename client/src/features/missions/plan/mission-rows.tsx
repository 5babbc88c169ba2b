import { Link } from '@tanstack/react-router';
import { Mark, type Shape } from '#client/components/marks.tsx';
import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import type { Signal } from '#client/theme/tokens.ts';
import type { PilotMissionDto } from '#shared/schemas/mission-lists.ts';
import { missionState, stateWords } from './plan-text.ts';
import classes from './mission-rows.module.css';

/** Answers have the shapes of their badges. */
const MARKS: Record<ReturnType<typeof missionState>, { signal: Signal; shape: Shape; filled?: true }> = {
  accepted: { signal: 'green', shape: 'triangle', filled: true },
  pending: { signal: 'yellow', shape: 'circle' },
  standby: { signal: 'yellow', shape: 'bar' },
  open: { signal: 'cyan', shape: 'square' },
  full: { signal: 'gray', shape: 'square' },
  cancelled: { signal: 'red', shape: 'cross' },
};

/** The mark of what a mission is to the reader; words beside it say the same. */
export function MissionMark({ mission }: { mission: PilotMissionDto }) {
  const { signal, shape, filled = false } = MARKS[missionState(mission)];
  return (
    <span className={classes.mark} style={{ color: `var(--${signal}-text)` }}>
      <Mark shape={shape} filled={filled} size={14} />
    </span>
  );
}

/** Missions in rows: each links to its page and says the reader's seat, place on standby, or the open seats. */
export function MissionRows({ missions }: { missions: readonly PilotMissionDto[] }) {
  return (
    <ul className={classes.rows}>
      {missions.map((mission) => {
        const { id, name, theater, startUtc, endUtc, startLocal, timeZone, status, mine } = mission;
        const isOff = status === 'cancelled';
        return (
          <li key={id} className={classes.row} data-off={isOff || undefined}>
            <div className={classes.what}>
              <Link to="/missions/$missionId" params={{ missionId: id }} className={classes.name}>
                {name}
              </Link>
              <span className={classes.when}>
                <ZSpan start={startUtc} end={endUtc} timeZone={timeZone} date={startLocal.slice(0, 10)} /> · {theater}
              </span>
            </div>
            <span className={classes.state}>
              {!isOff && (
                <>
                  <MissionMark mission={mission} /> {stateWords(mission)}
                </>
              )}
            </span>
            <span className={classes.badge}>
              {mine !== null && !isOff ? (
                <StatusBadge kind="rsvp" value={mine.rsvp} />
              ) : (
                status !== 'scheduled' && <StatusBadge kind="mission" value={status} />
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
