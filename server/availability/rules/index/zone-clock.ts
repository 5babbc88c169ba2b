/** A time zone's clock by UTC days: its offset where it does not change, and the days around a change. */
import { DAY_MS, MINUTE_MS, MINUTES_PER_DAY } from '#server/time/time.ts';
import { MINUTES_PER_WEEK } from './week-windows.ts';

/**
 * A change of the clock counts for this long before and after it: a count looks two days ahead, and a slot in the skipped
 * time keeps its length and so ends after the change.
 */
const AFTER_DAYS = 2;
const AHEAD_DAYS = 3;
const KNOWN_MAX = 2_000;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 4;

export interface ZoneClock {
  /**
   * The minute of the week at the beginning of a UTC day.
   * @param day days since 1970-01-01
   * @returns null when the clock changes near this day, or is not at whole minutes from UTC
   */
  minuteOfWeek: (day: number) => number | null;
}

export function createZoneClock(timeZone: string): ZoneClock {
  const known = new Map<number, number | null>();

  function find(day: number): number | null {
    const from = Temporal.Instant.fromEpochMilliseconds((day - AFTER_DAYS) * DAY_MS).toZonedDateTimeISO(timeZone);
    const change = from.getTimeZoneTransition('next');
    if (change && change.epochMilliseconds < (day + AHEAD_DAYS) * DAY_MS) return null;
    const offsetMinutes = from.offsetNanoseconds / 1e6 / MINUTE_MS;
    if (!Number.isInteger(offsetMinutes)) return null;
    const minute = (day + FIRST_WEEKDAY) * MINUTES_PER_DAY + offsetMinutes;
    return ((minute % MINUTES_PER_WEEK) + MINUTES_PER_WEEK) % MINUTES_PER_WEEK;
  }

  return {
    minuteOfWeek(day) {
      const held = known.get(day);
      if (held !== undefined) return held;
      if (known.size >= KNOWN_MAX) known.clear();
      const found = find(day);
      known.set(day, found);
      return found;
    },
  };
}
