/** The week of a digest: from 18:00 on a Sunday to 18:00 on the next, by the pilot's own clock. */
import type { Interval } from '#server/time/intervals.ts';
import { addDays, localDate, localTime, toInstantMs, weekdayOf } from '#server/time/time.ts';

const SUNDAY = 0;
const SENT_FROM = '18:00';

/** The date of this Sunday evening, from 18:00 to midnight in the zone; null at any other time. */
export function sundayEvening(nowMs: number, timeZone: string): string | null {
  const dateLocal = localDate(nowMs, timeZone);
  return weekdayOf(dateLocal) === SUNDAY && localTime(nowMs, timeZone) >= SENT_FROM ? dateLocal : null;
}

/** The 7 days that follow a Sunday evening; an hour more or less where the clock changes. */
export const digestWeek = (sunday: string, timeZone: string): Interval => ({
  startMs: toInstantMs(sunday, SENT_FROM, timeZone),
  endMs: toInstantMs(addDays(sunday, 7), SENT_FROM, timeZone),
});
