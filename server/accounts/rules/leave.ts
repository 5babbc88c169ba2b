/** A leave of absence as time: from the start of its first date to the end of its last one, by the pilot's own calendar. */
import type { Interval } from '#server/time/intervals.ts';
import { dayBounds } from '#server/time/time.ts';

/** The dates of a leave, both included. */
export type LeaveDates = { readonly firstDate: string; readonly lastDate: string };

/** The time of a leave, with its last date for the sentences about it. */
export type LeaveTime = Interval & { readonly lastDate: string };

/** @param timeZone the pilot's */
export function leaveTime({ firstDate, lastDate }: LeaveDates, timeZone: string): LeaveTime {
  return { startMs: dayBounds(firstDate, timeZone).startMs, endMs: dayBounds(lastDate, timeZone).endMs, lastDate };
}

/** True if the leave covers the instant. */
export const coversNow = (leave: Interval, nowMs: number): boolean => leave.startMs <= nowMs && nowMs < leave.endMs;
