import { Panel } from '#client/components/panel.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { formatShortDate } from '#client/lib/time.ts';
import { FLIGHT_SIZE_MAX } from '#shared/limits.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { SIDES } from '#shared/vocabulary.ts';
import { LongList } from './folded.tsx';
import { countSeats, countSlots, readTimes, type MissionDraft } from './mission-draft.ts';
import { localDate } from '#shared/clock.ts';
import { count } from '#shared/plural.ts';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import classes from './mission-preview.module.css';

interface MissionPreviewProps {
  draft: MissionDraft;
  aircraft: readonly AircraftDto[];
  timeZone: string;
}

/** Preview of the mission that the form would create. */
export function MissionPreview({ draft, aircraft, timeZone }: MissionPreviewProps) {
  const times = readTimes(draft.startLocal, draft.endLocal, timeZone);
  const names = new Map(aircraft.map(({ id, name }) => [String(id), name]));
  return (
    <Panel title="Preview">
      <p className={classes.name}>{draft.name.trim() === '' ? 'Unnamed mission' : draft.name}</p>
      <p className={classes.line}>{draft.theater === '' ? 'No theater yet' : draft.theater}</p>
      {times !== undefined && (
        <p className={classes.line}>
          {formatShortDate(times.start, timeZone)}{' '}
          <ZSpan start={times.start} end={times.end} timeZone={timeZone} date={localDate(times.start, timeZone)} />
        </p>
      )}
      {[SIDES.blue, SIDES.red].map((side) => {
        const slots = draft.aircraftSlots.filter((slot) => slot.side === side);
        const seats = countSeats(slots);
        return (
          slots.length > 0 && (
            <section key={side} className={classes.side}>
              <h3 className={classes.sideTitle}>
                <SideFlag side={side} />
                <span>{count(seats, 'seat')}</span>
              </h3>
              <LongList length={draft.aircraftSlots.length} summary={count(slots.length, 'aircraft slot')}>
                <ul className={classes.slots}>
                  {slots.map(({ key, aircraftId, slotCount, role }) => {
                    const planes = countSlots(slotCount);
                    const flights = Math.ceil(planes / FLIGHT_SIZE_MAX);
                    return (
                      <li key={key}>
                        <span>
                          {planes} × {names.get(aircraftId)}
                        </span>
                        <span className={classes.role}>
                          {role}, {count(flights, 'flight')}
                        </span>
                      </li>
                    );
                  })}
                </ul>
              </LongList>
            </section>
          )
        );
      })}
    </Panel>
  );
}
