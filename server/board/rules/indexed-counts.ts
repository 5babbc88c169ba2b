/** The board's figures from the availability index: pilots who are free or present. */
import type { Crowd } from '#server/availability/rules/index/crowd.ts';
import type { FreeLayer, Presences } from '#server/availability/rules/roster.ts';
import type { Interval } from '#server/time/intervals.ts';
import { MINUTE_MS } from '#server/time/time.ts';

/** The first minute at which a time may start. */
export const firstStart = ({ startsAfterMs }: FreeLayer): number => Math.floor(startsAfterMs / MINUTE_MS) + 1;

/**
 * Pilots who are free for the whole duration from each of some minutes on.
 * @param starts minutes since 1970: `size` of them from `from` on, `step` apart
 * @param duration minutes
 */
export function countFree(
  layers: readonly FreeLayer[],
  { from, size, step }: { from: number; size: number; step: number },
  duration: number,
): Int32Array {
  const counts = new Int32Array(size);
  for (const layer of layers) {
    const skipped = Math.max(0, Math.ceil((firstStart(layer) - from) / step));
    if (skipped < size) layer.index.addCounts(from + skipped * step, duration, counts.subarray(skipped), step);
  }
  return counts;
}

/**
 * Pilots who are free for the whole of each step.
 * @param edges ascending whole minutes, epoch milliseconds; step i lasts from edge i to edge i + 1, at most a day
 */
export function countFreeThroughout(layers: readonly FreeLayer[], edges: Float64Array): number[] {
  return Array.from(edges.subarray(0, -1), (startMs, index) => {
    const minutes = ((edges[index + 1] ?? startMs) - startMs) / MINUTE_MS;
    return countFree(layers, { from: startMs / MINUTE_MS, size: 1, step: 1 }, minutes)[0] ?? 0;
  });
}

/** Make a crowd the pilots who are free throughout a time of whole minutes, at most a day. */
export function gatherFree(layers: readonly FreeLayer[], { startMs, endMs }: Interval, crowd: Crowd): void {
  const from = startMs / MINUTE_MS;
  crowd.clear();
  for (const layer of layers) if (from >= firstStart(layer)) layer.index.collectFree(from, endMs / MINUTE_MS, crowd);
}

/** The number of pilots who could fly at any time of the day. */
export function countPresentOn(layers: readonly FreeLayer[], { startMs, endMs }: Interval): number {
  let count = 0;
  for (const { index, startsAfterMs } of layers) {
    const from = Math.floor(Math.max(startMs, startsAfterMs) / MINUTE_MS);
    // a pilot is in one layer only
    if (from < endMs / MINUTE_MS) count += index.countPresent(from, endMs / MINUTE_MS);
  }
  return count;
}

/**
 * Pilots per time bucket, from the indexes of presence and absence: those present for the whole of it, and those present
 * for a part.
 * @param from minutes since 1970
 * @param bucket minutes
 */
export function countPresence(
  { present, absent }: Presences,
  { from, buckets, bucket }: { from: number; buckets: number; bucket: number },
): { whole: number[]; part: number[] } {
  const [there, away] = [new Int32Array(buckets), new Int32Array(buckets)];
  present.addCounts(from, bucket, there, bucket);
  absent.addCounts(from, bucket, away, bucket);
  const whole = Array.from(there);
  const size = present.size();
  return { whole, part: whole.map((count, index) => size - count - (away[index] ?? 0)) };
}
