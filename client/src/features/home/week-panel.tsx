import { Loaded, type Loadable } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import { zoneOfLocalTimes } from '#shared/clock.ts';
import { formatCalendarDate } from '#client/lib/time.ts';
import { spanOfWallTimes } from '#client/lib/wall-time.ts';
import { ANY_AIRCRAFT_ID, HOME_DAYS_SHOWN } from '#shared/limits.ts';
import type { AircraftDto, AvailabilityWindowDto } from '#shared/schemas/availability.ts';
import { useHomeLinks } from '#client/features/order/home-links.tsx';
import { homeCopy } from './home-text.ts';
import classes from './week-panel.module.css';

type Day = AvailabilityWindowDto['days'][number];
type Slot = Day['slots'][number];

interface WeekPanelProps {
  window: Loadable<AvailabilityWindowDto>;
  /** names of the aircraft in slots */
  aircraft: readonly AircraftDto[];
  /** then the days are empty for that, and not for want of times */
  isOnLeave?: boolean;
}

/** Panel of the pilot's availability in the next days. */
export function WeekPanel({ window, aircraft, isOnLeave = false }: WeekPanelProps) {
  const { AvailabilityButton } = useHomeLinks();
  return (
    <Panel
      title="Next 7 Days"
      actions={
        <AvailabilityButton size="xs" className={classes.edit}>
          Edit Availability
        </AvailabilityButton>
      }
    >
      <Loaded query={window} loading={homeCopy.loadingWindow} failure={homeCopy.windowFailed} rows={3}>
        {({ days, timeZone }) => <Days days={days} timeZone={timeZone} aircraft={aircraft} isOnLeave={isOnLeave} />}
      </Loaded>
    </Panel>
  );
}

interface DaysProps {
  days: Day[];
  timeZone: string;
  aircraft: readonly AircraftDto[];
  isOnLeave: boolean;
}

function Days({ days, timeZone, aircraft, isOnLeave }: DaysProps) {
  const more = days.length - HOME_DAYS_SHOWN;
  const names = new Map(aircraft.map(({ id, name }) => [id, name]));
  return (
    <>
      {!isOnLeave && days.every(({ slots, busy }) => slots.length === 0 && busy.length === 0) && (
        <p className={classes.nothing}>Add your times so we can match you to missions.</p>
      )}
      <dl className={classes.days}>
        {days.slice(0, HOME_DAYS_SHOWN).map(({ dateLocal, slots, busy }) => (
          <div key={dateLocal} className={classes.day}>
            <dt>{formatCalendarDate(dateLocal)}</dt>
            {slots.length === 0 && (
              <dd className={classes.none}>{busy.length === 0 ? 'not available' : 'busy, from your calendar'}</dd>
            )}
            {slots.map((slot) => (
              <dd key={`${slot.startLocal}-${slot.endLocal}-${slot.aircraftCodeId}-${slot.source}`}>
                <SlotTimes date={dateLocal} slot={slot} timeZone={timeZone} />
                {slot.source === 'status' && <Badge signal="green">Find Flight</Badge>}
                {slot.aircraftCodeId !== ANY_AIRCRAFT_ID && (
                  <span className={classes.aircraft}>{names.get(slot.aircraftCodeId)}</span>
                )}
              </dd>
            ))}
          </div>
        ))}
      </dl>
      <p className={classes.foot}>
        {more > 0 && <span>+{more} more days</span>}
        <span>{zoneOfLocalTimes(timeZone)}</span>
      </p>
    </>
  );
}

function SlotTimes({ date, slot, timeZone }: { date: string; slot: Slot; timeZone: string }) {
  const span = spanOfWallTimes(date, slot, timeZone);
  return span && <ZSpan {...span} timeZone={timeZone} date={date} />;
}
