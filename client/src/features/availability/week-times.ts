/** Weekly times in Zulu, computed for their next date, so that a clock change in the coming week is included. */
import { formatSpan, isZuluZone, localDate } from '#shared/clock.ts';
import { zoneOffsetMinutes } from '#client/lib/time.ts';
import { addDays, instantOfWallTime, nextDateOf, spanOfWallTimes, weekdayOf } from '#client/lib/wall-time.ts';
import type { SlotRow } from './week.ts';
import { DAY_MINUTES, minutesOf } from './week-spans.ts';

const DAY_NAMES = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** Current weekday and minutes since midnight in `timeZone`. */
export function clockOf(timeZone: string, now: Date): { day: number; minutes: number } {
  const minutes = Math.floor(now.getTime() / 60_000) + zoneOffsetMinutes(timeZone, now);
  return { day: weekdayOf(localDate(now, timeZone)), minutes: ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES };
}

interface SlotInstants {
  start: Date;
  end: Date;
}

/**
 * The slot's next occurrence; in a week if today's is over. A slot within the hour that a clock change skips keeps its start
 * and its nominal length, as on the server. Undefined when a time is missing.
 */
export function nextInstants(
  { weekday, startLocal, endLocal }: Pick<SlotRow, 'weekday' | 'startLocal' | 'endLocal'>,
  timeZone: string,
  now: Date,
): SlotInstants | undefined {
  const [from, to] = [minutesOf(startLocal), minutesOf(endLocal)];
  if (from === undefined || to === undefined) {
    return undefined;
  }
  const minutes = to > from ? to - from : to - from + DAY_MINUTES;
  const on = (date: string): SlotInstants | undefined => {
    const span = spanOfWallTimes(date, { startLocal, endLocal }, timeZone);
    return span && span.start >= span.end ? { ...span, end: new Date(span.start.getTime() + minutes * 60_000) } : span;
  };
  const date = nextDateOf(weekday, timeZone, now);
  const next = on(date);
  return next && next.end <= now ? on(addDays(date, 7)) : next;
}

/**
 * `1700–2100Z`, or `Mon 2300–0100Z+1` when the Zulu weekday of the start differs; '' when a time is missing, and in UTC,
 * where the fields show it.
 */
export function zuluRange(
  row: Pick<SlotRow, 'weekday' | 'startLocal' | 'endLocal'>,
  timeZone: string,
  now: Date,
): string {
  const next = isZuluZone(timeZone) ? undefined : nextInstants(row, timeZone, now);
  if (!next) {
    return '';
  }
  const zuluDay = next.start.getUTCDay();
  const day = zuluDay === row.weekday ? '' : `${DAY_NAMES[zuluDay] ?? ''} `;
  return `${day}${formatSpan(next.start, next.end, 'UTC')}`;
}

/** The zone's offset from UTC in minutes at 18:00 of each weekday's next date, Sunday first. */
export function eveningOffsets(timeZone: string, now: Date): number[] {
  return DAY_NAMES.map((_name, weekday) => {
    const evening = instantOfWallTime(nextDateOf(weekday, timeZone, now), '18:00', timeZone);
    return evening ? zoneOffsetMinutes(timeZone, evening) : 0;
  });
}

/** `UTC+2`, `UTC−3:30`, `UTC` */
export function offsetName(minutes: number): string {
  if (minutes === 0) {
    return 'UTC';
  }
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}
