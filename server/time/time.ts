/**
 * Calendar and clock: time zone arithmetic with Temporal.
 * Everywhere else instants are epoch milliseconds, dates are `YYYY-MM-DD`, wall times are `HH:mm`.
 */
import { isCalendarDate } from '#shared/calendar-date.ts';
import { isKnownTimeZone } from '#shared/schemas/common.ts';
import type { Interval } from './intervals.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const MINUTES_PER_DAY = 24 * 60;

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/**
 * True for the name of an IANA time zone. Aliases such as US/Eastern count; bare offsets such as +05:00 do not, because
 * they ignore daylight saving.
 */
export function isTimeZone(zone: unknown): zone is string {
  return typeof zone === 'string' && isKnownTimeZone(zone);
}

/** True for a calendar date, `YYYY-MM-DD`, within the supported years. */
export function isDate(text: unknown): text is string {
  return typeof text === 'string' && isCalendarDate(text);
}

/** True for a wall time `HH:mm`, 00:00 to 23:59. */
export function isTime(text: unknown): text is string {
  return typeof text === 'string' && TIME.test(text);
}

/**
 * The instant of a wall time. A time that the clock skips moves forward by the skip; a time that it repeats is the first
 * of the two (Temporal's "compatible").
 * @param timeLocal `HH:mm`, or `24:00` for the midnight that ends the date
 * @throws RangeError for a malformed date, time or zone
 */
export function toInstantMs(dateLocal: string, timeLocal: string, timeZone: string): number {
  if (timeLocal === '24:00') return toInstantMs(addDays(dateLocal, 1), '00:00', timeZone);
  return Temporal.PlainDateTime.from(`${dateLocal}T${timeLocal}`).toZonedDateTime(timeZone).epochMilliseconds;
}

function toZoned(ms: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
}

/** The date of an instant in a zone. */
export function localDate(ms: number, timeZone: string): string {
  return toZoned(ms, timeZone).toPlainDate().toString();
}

/** The wall time of an instant in a zone, truncated to the minute. */
export function localTime(ms: number, timeZone: string): string {
  return toZoned(ms, timeZone).toPlainTime().toString({ smallestUnit: 'minute' });
}

/** `YYYY-MM-DDTHH:mm` of an instant in a zone, truncated to the minute. */
export function localDateTime(ms: number, timeZone: string): string {
  return toZoned(ms, timeZone).toPlainDateTime().toString({ smallestUnit: 'minute' });
}

/**
 * The start and end of a local date, 23, 24 or 25 h apart. It starts at 01:00 where the clock skips midnight. A date that
 * the zone skipped altogether (Samoa, 2011-12-30) is empty.
 */
export function dayBounds(dateLocal: string, timeZone: string): Interval {
  const date = Temporal.PlainDate.from(dateLocal);
  return {
    startMs: date.toZonedDateTime(timeZone).epochMilliseconds,
    endMs: date.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds,
  };
}

/**
 * The hours of a local date, each an hour of elapsed time: 23, 24 or 25. Where a zone's clock moves by half an hour, the
 * last one is shorter.
 * @returns their starts, and the end of the last
 */
export function listHours(dateLocal: string, timeZone: string): { readonly starts: number[]; readonly endMs: number } {
  const { startMs, endMs } = dayBounds(dateLocal, timeZone);
  const starts: number[] = [];
  for (let ms = startMs; ms < endMs; ms += HOUR_MS) starts.push(ms);
  return { starts, endMs };
}

/** The date `days` later (or earlier, when negative). */
export function addDays(dateLocal: string, days: number): string {
  return Temporal.PlainDate.from(dateLocal).add({ days }).toString();
}

/** 0 is Sunday. */
export function weekdayOf(dateLocal: string): number {
  return Temporal.PlainDate.from(dateLocal).dayOfWeek % 7;
}

/** `days` consecutive dates, starting with `fromLocal`. */
export function listDates(fromLocal: string, days: number): string[] {
  return Array.from({ length: days }, (_, index) => addDays(fromLocal, index));
}

/** ISO 8601 in UTC, with Z: the form of every `…Utc` field. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

const ZERO = '0'.charCodeAt(0);

/** Minutes since midnight of `HH:mm`; 1440 for `24:00`. */
export function minutesOf(timeLocal: string): number {
  // without pieces of text to parse: rosters ask for every slot
  const digit = (at: number): number => timeLocal.charCodeAt(at) - ZERO;
  return (digit(0) * 10 + digit(1)) * 60 + digit(3) * 10 + digit(4);
}

/** `HH:mm` of minutes since midnight, modulo a day: 1440 is `00:00` and 1500 is `01:00`. */
export function timeOf(minutes: number): string {
  const ofDay = minutes % MINUTES_PER_DAY;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`;
}
