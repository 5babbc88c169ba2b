/** Free windows of a pilot: availability for any aircraft, merged, minus the seats already held. */
import { type Interval, mergeIntervals, subtractIntervals } from '#server/time/intervals.ts';
import { MINUTE_MS } from '#server/time/time.ts';

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
