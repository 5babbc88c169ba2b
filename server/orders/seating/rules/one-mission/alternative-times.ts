/** Alternative times for a mission at which more of its seats would be filled. */
import { BETTER_TIMES } from '#shared/limits.ts';
import { countFillable, type Demand, type FillPilot } from './fill-count.ts';
import type { Interval } from '#server/time/intervals.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/time/time.ts';

export type BetterTime = Interval & { readonly filled: number };

const STEP_MS = BETTER_TIMES.stepMinutes * MINUTE_MS;

/**
 * The starts to try: every half hour from a week before the requested start to a week after, except starts in the past or
 * too soon for anybody to answer. They keep the requested minutes, so half past stays half past.
 */
function betterStarts({ startMs }: Interval, nowMs: number): Float64Array {
  const fromMs = Math.max(startMs - BETTER_TIMES.daysAround * DAY_MS, nowMs + BETTER_TIMES.minutesAhead * MINUTE_MS);
  const firstMs = startMs + Math.ceil((fromMs - startMs) / STEP_MS) * STEP_MS;
  const lastMs = startMs + BETTER_TIMES.daysAround * DAY_MS;
  const length = Math.max(0, Math.floor((lastMs - firstMs) / STEP_MS) + 1);
  return Float64Array.from({ length }, (_, index) => firstMs + index * STEP_MS);
}

/** The range that missions at the starts could cover, for which pilots have to be loaded. */
export function betterRange(times: Interval, nowMs: number): Interval {
  const starts = betterStarts(times, nowMs);
  const [firstMs = times.startMs] = starts;
  return { startMs: firstMs, endMs: (starts.at(-1) ?? firstMs) + (times.endMs - times.startMs) };
}

/**
 * Times of the same length that fill more seats: most seats first, then nearest to the requested time, then earlier. Any two
 * are at least half a day apart, since times close to each other are the same advice.
 * @param filled number of seats that the requested time fills
 * @param pilots with presences and commitments within `betterRange`
 */
export function findBetterTimes({
  times,
  filled,
  demand,
  pilots,
  nowMs,
}: {
  readonly times: Interval;
  readonly filled: number;
  readonly demand: readonly Demand[];
  readonly pilots: readonly FillPilot[];
  readonly nowMs: number;
}): BetterTime[] {
  const lengthMs = times.endMs - times.startMs;
  const starts = betterStarts(times, nowMs);
  const candidates = countFillable({ demand, pilots, starts, lengthMs, nowMs })
    .map((count, index) => ({ count, startMs: starts[index] ?? times.startMs }))
    .filter(({ count }) => count > filled)
    .sort(
      (a, b) =>
        b.count - a.count ||
        Math.abs(a.startMs - times.startMs) - Math.abs(b.startMs - times.startMs) ||
        a.startMs - b.startMs,
    );
  const chosen: BetterTime[] = [];
  for (const { count, startMs } of candidates) {
    if (chosen.length === BETTER_TIMES.max) break;
    const isNear = chosen.some((other) => Math.abs(other.startMs - startMs) < BETTER_TIMES.hoursApart * HOUR_MS);
    if (!isNear) chosen.push({ startMs, endMs: startMs + lengthMs, filled: count });
  }
  return chosen;
}
