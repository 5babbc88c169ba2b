/** Conversion of wall times to instants with Intl. The server uses Temporal with the same rule, and its result counts. */
import { localDate } from '#shared/clock.ts';
import { zoneOffsetMinutes } from './time.ts';

const DAY_MS = 86_400_000;
const WALL_TIME = /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;
const TYPED_TIME = /^(\d{1,2})(?:[:.]?(\d{2}))?$/;

/**
 * A typed or pasted time of day: `1900`, `19:00`, `19.00` (a phone's number keys have no colon), `0730`, `730`, `7`; also in
 * the full-width characters of East Asian keyboards.
 * @returns `HH:mm`; undefined when the text is no time
 */
export function readWallTime(text: string): string | undefined {
  const [, hours = '', minutes = '00'] = TYPED_TIME.exec(text.normalize('NFKC').trim()) ?? [];
  const isTime = hours !== '' && Number(hours) < 24 && Number(minutes) < 60;
  return isTime ? `${hours.padStart(2, '0')}:${minutes}` : undefined;
}

/**
 * The instant of a local date and time in `timeZone`. A time that a clock change skips moves forward; for one that it
 * repeats, the first occurrence counts.
 * @param date `YYYY-MM-DD`
 * @param time `HH:mm`; `24:00` is the end of the date
 * @returns undefined for a malformed date or time
 */
export function instantOfWallTime(date: string, time: string, timeZone: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || !WALL_TIME.test(time)) {
    return undefined;
  }
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const wall = Date.UTC(year, month - 1, day, hour, minute);
  const read = (offset: number): Date => new Date(wall - offset * 60_000);
  const before = zoneOffsetMinutes(timeZone, new Date(wall - DAY_MS));
  const after = zoneOffsetMinutes(timeZone, new Date(wall + DAY_MS));
  const fits = (offset: number): boolean => zoneOffsetMinutes(timeZone, read(offset)) === offset;
  return read(!fits(before) && fits(after) ? after : before);
}

/** The calendar date `days` later; `YYYY-MM-DD` in and out. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Weekday of a `YYYY-MM-DD` date; 0 is Sunday. */
export function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** The next date of a weekday in `timeZone`, today included. */
export function nextDateOf(weekday: number, timeZone: string, now: Date): string {
  const today = localDate(now, timeZone);
  return addDays(today, (weekday - weekdayOf(today) + 7) % 7);
}

/**
 * The instants of a local span that starts on a date; an end at or before the start is on the next date.
 * @param times `HH:mm`; an end of `24:00` is the end of the date
 * @returns undefined for a malformed date or time
 */
export function spanOfWallTimes(
  date: string,
  { startLocal, endLocal }: { startLocal: string; endLocal: string },
  timeZone: string,
): { start: Date; end: Date } | undefined {
  const start = instantOfWallTime(date, startLocal, timeZone);
  const end = instantOfWallTime(endLocal > startLocal ? date : addDays(date, 1), endLocal, timeZone);
  return start && end && { start, end };
}
