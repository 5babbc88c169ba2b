/** Free windows of a pilot: availability for any aircraft, merged, minus the seats already held. */
import { DO_NOT_DISTURB_HOURS } from '#shared/limits.ts';
import { effectiveStatus, type StoredStatus } from '#shared/pilot-status.ts';
import type { StatusState } from '#shared/vocabulary.ts';
import { type Interval, mergeIntervals, subtractIntervals } from '#server/time/intervals.ts';
import { HOUR_MS, MINUTE_MS } from '#server/time/time.ts';

export type PilotWindows = {
  /** merged, ascending */
  readonly windows: readonly Interval[];
  /** the pilot can only fly missions that start after this instant */
  readonly startsAfterMs: number;
};

/**
 * Merged windows minus held seats. Windows shrink to whole minutes, on which missions start and end, because a live status
 * begins in the middle of a minute.
 * @param windows any order, may overlap
 * @param commitments pending and accepted seats, any order
 */
export function freeWindows(windows: readonly Interval[], commitments: readonly Interval[]): Interval[] {
  const merged = mergeIntervals(windows);
  const free = commitments.length === 0 ? merged : subtractIntervals(merged, commitments);
  return free.flatMap(({ startMs, endMs }) => {
    const from = Math.ceil(startMs / MINUTE_MS) * MINUTE_MS;
    const to = Math.floor(endMs / MINUTE_MS) * MINUTE_MS;
    return from < to ? [{ startMs: from, endMs: to }] : [];
  });
}

/**
 * The rule of Do Not Disturb: such a pilot is only asked, and told, about missions that start more than 24 h from now.
 * Reminders of held seats do not ask this rule, and always arrive.
 */
export function startsAfter(state: StatusState, nowMs: number): number {
  return state === 'dnd' ? nowMs + DO_NOT_DISTURB_HOURS * HOUR_MS : -Infinity;
}

/** The same by the status as it is stored: missions that start until then are not told of. */
export const quietUntil = (stored: StoredStatus, nowMs: number): number =>
  startsAfter(effectiveStatus(stored, nowMs).effectiveState, nowMs);
