/** A pilot's weekly schedule as a list of times, in the pilot's own time zone or the reader's. */
import { expandSlots, type WeeklySlot } from './dated-windows.ts';
import { addDays, DAY_MS, localDate, localTime, minutesOf, weekdayOf } from '#server/time/time.ts';

/** A weekly time in some zone; an end at midnight is `24:00`. */
export type ScheduleEntry = {
  /** 0 is Sunday */
  readonly dayOfWeek: number;
  readonly startLocal: string;
  readonly endLocal: string;
  /** runs past midnight, into the next day */
  readonly endsNextDay: boolean;
  readonly aircraftId: number | null;
  readonly notes: string | null;
};

/** Every weekly slot occurs within eight days, even across a clock change. */
const LOOK_AHEAD_MS = 8 * DAY_MS;

function readAsWritten(slot: WeeklySlot): ScheduleEntry {
  const endsAtMidnight = slot.endLocal === '00:00';
  return {
    dayOfWeek: slot.weekday,
    startLocal: slot.startLocal,
    endLocal: endsAtMidnight ? '24:00' : slot.endLocal,
    endsNextDay: !endsAtMidnight && minutesOf(slot.endLocal) <= minutesOf(slot.startLocal),
    aircraftId: slot.aircraftId,
    notes: slot.notes,
  };
}

/** Converts the slot's next occurrence: in another zone the weekday may differ, and so may the hour half a year later. */
function readElsewhere(slot: WeeklySlot, pilotZone: string, timeZone: string, nowMs: number): ScheduleEntry[] {
  const [next] = expandSlots([slot], pilotZone, nowMs, nowMs + LOOK_AHEAD_MS);
  if (!next) return [];
  const startDate = localDate(next.startMs, timeZone);
  const endDate = localDate(next.endMs, timeZone);
  const endLocal = localTime(next.endMs, timeZone);
  const endsAtMidnight = endLocal === '00:00' && endDate === addDays(startDate, 1);
  return [
    {
      dayOfWeek: weekdayOf(startDate),
      startLocal: localTime(next.startMs, timeZone),
      endLocal: endsAtMidnight ? '24:00' : endLocal,
      endsNextDay: !endsAtMidnight && endDate > startDate,
      aircraftId: slot.aircraftId,
      notes: slot.notes,
    },
  ];
}

/**
 * The weekly times of a pilot in a time zone.
 * @param slots wall times in `pilotZone`
 * @param timeZone the reader's; in the pilot's own zone the times stay as they were entered
 * @returns by weekday, start, aircraft (any first)
 */
export function scheduleIn(
  slots: readonly WeeklySlot[],
  pilotZone: string,
  timeZone: string,
  nowMs: number,
): ScheduleEntry[] {
  const entries = slots.flatMap((slot) =>
    timeZone === pilotZone ? [readAsWritten(slot)] : readElsewhere(slot, pilotZone, timeZone, nowMs),
  );
  return entries.toSorted(
    (a, b) =>
      a.dayOfWeek - b.dayOfWeek ||
      minutesOf(a.startLocal) - minutesOf(b.startLocal) ||
      (a.aircraftId ?? 0) - (b.aircraftId ?? 0),
  );
}

/** `18:00 - 22:00`, with `+1` after an end on the next day. */
export function timeRange({ startLocal, endLocal, endsNextDay }: ScheduleEntry): string {
  return `${startLocal} - ${endLocal}${endsNextDay ? ' +1' : ''}`;
}
