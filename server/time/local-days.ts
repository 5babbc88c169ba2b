/** Consecutive local dates of one zone, for many lookups in the same weeks: the zone's rules are read only once. */
import { DAY_MS, MINUTE_MS, timeOf, toInstantMs, weekdayOf } from './time.ts';

const DAYS_PER_WEEK = 7;

export type LocalDay = {
  readonly dateLocal: string;
  /** 0 is Sunday */
  readonly weekday: number;
  /** The instant of a wall time on this date, in minutes since midnight (0 to 1439), by the rules of `toInstantMs`. */
  readonly instantOf: (minutes: number) => number;
};

/** Instants at which the zone's clock changes within the dates, and perhaps a few around them. */
function listTransitions(firstLocal: string, lastLocal: string, timeZone: string): number[] {
  // every zone is less than a day from UTC
  const from = Temporal.Instant.fromEpochMilliseconds(Date.parse(firstLocal) - DAY_MS);
  const toMs = Date.parse(lastLocal) + 2 * DAY_MS;
  const found: number[] = [];
  let at = from.toZonedDateTimeISO(timeZone).getTimeZoneTransition('next');
  while (at && at.epochMilliseconds <= toMs) {
    found.push(at.epochMilliseconds);
    at = at.getTimeZoneTransition('next');
  }
  return found;
}

/**
 * Instants are computed on demand.
 * @returns the dates from the first to the last, both included
 */
export function listLocalDays(firstLocal: string, lastLocal: string, timeZone: string): LocalDay[] {
  let transitions: number[] | null = null;

  const createDay = (date: Temporal.PlainDate, weekday: number): LocalDay => {
    const dateLocal = date.toString();
    const known = new Map<number, number>();
    /** midnight of a date without a clock change; null for a date with one */
    let midnightMs: number | null | undefined;
    const instantOf = (minutes: number): number => {
      if (midnightMs === undefined) {
        const startMs = date.toZonedDateTime(timeZone).epochMilliseconds;
        transitions ??= listTransitions(firstLocal, lastLocal, timeZone);
        midnightMs = transitions.some((ms) => ms >= startMs && ms < startMs + DAY_MS) ? null : startMs;
      }
      if (midnightMs !== null) return midnightMs + minutes * MINUTE_MS;
      const ms = known.get(minutes) ?? toInstantMs(dateLocal, timeOf(minutes), timeZone);
      known.set(minutes, ms);
      return ms;
    };
    return { dateLocal, weekday, instantOf };
  };

  const days: LocalDay[] = [];
  const last = Temporal.PlainDate.from(lastLocal);
  let date = Temporal.PlainDate.from(firstLocal);
  let weekday = weekdayOf(firstLocal);
  while (Temporal.PlainDate.compare(date, last) <= 0) {
    days.push(createDay(date, weekday));
    date = date.add({ days: 1 });
    weekday = (weekday + 1) % DAYS_PER_WEEK;
  }
  return days;
}
