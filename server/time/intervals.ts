/** Half-open intervals of instants: ones that only touch do not overlap. */

/** [startMs, endMs) in epoch milliseconds. */
export type Interval = { readonly startMs: number; readonly endMs: number };

/** True if two intervals have time in common; an empty one has none. */
export function overlaps(a: Interval, b: Interval): boolean {
  return Math.max(a.startMs, b.startMs) < Math.min(a.endMs, b.endMs);
}

/** The first of the intervals that overlaps a range: a pilot's seat in another mission at that time, if there is one. */
export function firstOverlap<T extends Interval>(intervals: readonly T[], range: Interval): T | undefined {
  return intervals
    .filter((one) => overlaps(one, range))
    .toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)[0];
}

/**
 * The same time as disjoint intervals in ascending order, with a gap between any two.
 * @param intervals any order; empty ones are dropped
 */
export function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const merged: { startMs: number; endMs: number }[] = [];
  const sorted = intervals.filter((interval) => interval.startMs < interval.endMs);
  sorted.sort((a, b) => a.startMs - b.startMs);
  for (const { startMs, endMs } of sorted) {
    const last = merged.at(-1);
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else merged.push({ startMs, endMs });
  }
  return merged;
}

/** The part of an interval within bounds; null for none. */
export function clip<T extends Interval>(interval: T, bounds: Interval): T | null {
  const startMs = Math.max(interval.startMs, bounds.startMs);
  const endMs = Math.min(interval.endMs, bounds.endMs);
  return startMs < endMs ? { ...interval, startMs, endMs } : null;
}

/**
 * The intervals without the cuts; every remaining piece keeps the other fields of its interval.
 * @param cuts any order, may overlap
 */
export function subtractIntervals<T extends Interval>(intervals: readonly T[], cuts: readonly Interval[]): T[] {
  const holes = mergeIntervals(cuts);
  return intervals.flatMap((interval) => {
    const pieces: T[] = [];
    let startMs = interval.startMs;
    for (const hole of holes) {
      if (hole.endMs <= startMs) continue;
      if (hole.startMs >= interval.endMs) break;
      if (hole.startMs > startMs) pieces.push({ ...interval, startMs, endMs: hole.startMs });
      startMs = hole.endMs;
    }
    if (startMs < interval.endMs) pieces.push({ ...interval, startMs });
    return pieces;
  });
}

/** The index of the first element that is not below `value`; the length if there is none. */
export function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
