/** Dates of a series: its weekdays, every so many weeks, between its first and last date. */
import type { Interval } from '#server/time/intervals.ts';
import { addDays, DAY_MS, HOUR_MS, localDate, MINUTE_MS, toInstantMs, weekdayOf } from '#server/time/time.ts';

export interface DateRule {
  /** 0 is Sunday */
  readonly weekdays: readonly number[];
  readonly everyWeeks: number;
  readonly firstDate: string;
  /** null for no end */
  readonly lastDate: string | null;
}

const DAYS_PER_WEEK = 7;

/** The Monday of a date's week, as a number of weeks. */
function weekOf(date: string): number {
  const days = Date.parse(`${date}T00:00:00Z`) / DAY_MS;
  // 1970-01-01 was a Thursday
  return Math.floor((days + 3) / DAYS_PER_WEEK);
}

export function isDateOf(rule: DateRule, date: string): boolean {
  if (date < rule.firstDate || (rule.lastDate !== null && date > rule.lastDate)) return false;
  const weeks = weekOf(date) - weekOf(rule.firstDate);
  return weeks % rule.everyWeeks === 0 && rule.weekdays.includes(weekdayOf(date));
}

/** The dates of a rule from one date to another, both included. */
export function datesBetween(rule: DateRule, from: string, to: string): string[] {
  const dates: string[] = [];
  for (let date = from > rule.firstDate ? from : rule.firstDate; date <= to; date = addDays(date, 1)) {
    if (isDateOf(rule, date)) dates.push(date);
  }
  return dates;
}

/**
 * The instants of the mission of a date, by the rule for every mission's start: a wall time that the clock skips moves
 * forward by the skip, one that it repeats is the first of the two. The length is elapsed time.
 */
export function timesOn(
  date: string,
  { startLocal, minutes, timeZone }: { startLocal: string; minutes: number; timeZone: string },
): Interval {
  const startMs = toInstantMs(date, startLocal, timeZone);
  return { startMs, endMs: startMs + minutes * MINUTE_MS };
}

/** The dates whose missions should exist: those that have not started, up to `horizonWeeks` from today. */
export function dueDates(
  rule: DateRule & { readonly horizonWeeks: number },
  content: { startLocal: string; minutes: number; timeZone: string },
  today: string,
  nowMs: number,
): string[] {
  return datesBetween(rule, today, addDays(today, rule.horizonWeeks * DAYS_PER_WEEK)).filter(
    (date) => timesOn(date, content).startMs > nowMs,
  );
}

/** In the morning, so that nobody is woken by an order. */
const PUBLISH_AT = '08:00';
const HOURS_AHEAD = 2;

/**
 * From when a mission is published automatically: the morning of the day so many days before its own, in the zone of the
 * series, but two hours before the start at the latest.
 */
export function publishFromMs(startMs: number, publishDays: number, timeZone: string): number {
  const morning = toInstantMs(addDays(localDate(startMs, timeZone), -publishDays), PUBLISH_AT, timeZone);
  return Math.min(morning, startMs - HOURS_AHEAD * HOUR_MS);
}
