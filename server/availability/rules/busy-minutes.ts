/**
 * Busy time of a pilot's calendars: whole minutes since 1970-01-01 UTC, each start followed by its end, disjoint and ascending.
 * Numbers side by side, because a community has millions of them.
 */
import type { Interval } from '#server/time/intervals.ts';
import { MINUTE_MS } from '#server/time/time.ts';

export type BusyMinutes = Int32Array;

export const NEVER_BUSY: BusyMinutes = new Int32Array(0);

/** @param ranges as PostgreSQL writes an `int4multirange`: `{[29400000,29400060),[29401440,29401500)}`; null for none */
export function parseBusy(ranges: string | null): BusyMinutes {
  const numbers = ranges?.match(/\d+/g);
  return numbers ? Int32Array.from(numbers, Number) : NEVER_BUSY;
}

/** The same for PostgreSQL. */
export function formatBusy(busy: BusyMinutes): string {
  const ranges: string[] = [];
  for (let at = 0; at < busy.length; at += 2) ranges.push(`[${busy[at]},${busy[at + 1]})`);
  return `{${ranges.join()}}`;
}

/**
 * Merge times to whole minutes: a minute that is busy in part is busy.
 * @param times any order, may overlap
 */
export function toBusy(times: readonly Interval[]): BusyMinutes {
  const merged: number[] = [];
  for (const { startMs, endMs } of times.toSorted((a, b) => a.startMs - b.startMs)) {
    const [from, to] = [Math.floor(startMs / MINUTE_MS), Math.ceil(endMs / MINUTE_MS)];
    const last = merged.at(-1);
    if (from >= to) continue;
    if (last !== undefined && from <= last) merged[merged.length - 1] = Math.max(last, to);
    else merged.push(from, to);
  }
  return Int32Array.from(merged);
}

/** The busy times that overlap a range, not clipped. */
export function busyDuring(busy: BusyMinutes, { startMs, endMs }: Interval): Interval[] {
  let [low, high] = [0, busy.length / 2];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((busy[2 * middle + 1] ?? 0) * MINUTE_MS <= startMs) low = middle + 1;
    else high = middle;
  }
  const found: Interval[] = [];
  for (let at = 2 * low; at < busy.length; at += 2) {
    const from = (busy[at] ?? 0) * MINUTE_MS;
    if (from >= endMs) break;
    found.push({ startMs: from, endMs: (busy[at + 1] ?? 0) * MINUTE_MS });
  }
  return found;
}
