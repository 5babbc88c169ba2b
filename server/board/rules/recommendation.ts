/** Recommended times: the times at which a mission would find the most pilots. */
import { RECOMMENDED_HOURS_MAX, RECOMMENDED_STEP_MINUTES } from '#shared/limits.ts';
import type { PilotWindows } from '#server/availability/rules/free-time.ts';
import { type Interval, overlaps } from '#server/time/intervals.ts';
import { lowerBound } from './tallies.ts';
import { HOUR_MS, MINUTE_MS } from '#server/time/time.ts';

export type RecommendationRequest = {
  /** the local day on which the times start: 23, 24 or 25 h */
  readonly day: Interval;
  /** no time starts before this */
  readonly nowMs: number;
  readonly minDurationMs: number;
  readonly limit: number;
  /** missions already scheduled, any order */
  readonly missions: readonly Interval[];
};

export type RecommendedTime<Pilot> = Interval & {
  /** in the order they were given; each is free for the whole time */
  readonly pilots: readonly Pilot[];
};

type Candidate = Interval & { readonly count: number; readonly missions: number };

/**
 * Rank the times that start on one day by the number of pilots who are free throughout; on a tie the longer, then the one
 * that overlaps fewer missions, then the earlier. A time lasts as long as all pilots of its minimum duration stay, at most
 * 6 h (or the minimum duration, if that is longer). A time is left out if a better one covers at least half of it with all
 * of its pilots.
 * @param pilots distinct
 * @returns at most `limit`; [] when nobody is free
 */
export function recommendTimes<Pilot extends PilotWindows>(
  pilots: readonly Pilot[],
  request: RecommendationRequest,
): RecommendedTime<Pilot>[] {
  const ranked = listCandidates(pilots, request).sort(
    (a, b) => b.count - a.count || lengthOf(b) - lengthOf(a) || a.missions - b.missions || a.startMs - b.startMs,
  );
  const chosen: RecommendedTime<Pilot>[] = [];
  const crowds: ReadonlySet<Pilot>[] = [];
  for (const candidate of ranked) {
    if (chosen.length === request.limit) break;
    const { startMs, endMs } = candidate;
    const present = pilots.filter((pilot) => canFly(pilot, candidate));
    const isRepeated = chosen.some(
      (better, index) =>
        overlapOf(better, candidate) * 2 >= lengthOf(candidate) && present.every((pilot) => crowds[index]?.has(pilot)),
    );
    if (isRepeated) continue;
    chosen.push({ startMs, endMs, pilots: present });
    crowds.push(new Set(present));
  }
  return chosen;
}

const lengthOf = ({ startMs, endMs }: Interval): number => endMs - startMs;

const overlapOf = (a: Interval, b: Interval): number => Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);

const canFly = ({ windows, startsAfterMs }: PilotWindows, { startMs, endMs }: Interval): boolean =>
  startMs > startsAfterMs && windows.some((window) => window.startMs <= startMs && endMs <= window.endMs);

/** Possible starts: every quarter of an hour, and for every window its start and the latest start that fits into it. */
function listStarts(
  pilots: readonly PilotWindows[],
  { day, nowMs, minDurationMs }: RecommendationRequest,
): Float64Array {
  const starts = new Set<number>();
  for (let ms = day.startMs; ms < day.endMs; ms += RECOMMENDED_STEP_MINUTES * MINUTE_MS) starts.add(ms);
  for (const { windows } of pilots) {
    for (const { startMs, endMs } of windows) starts.add(startMs).add(endMs - minDurationMs);
  }
  const fromMs = Math.max(day.startMs, nowMs);
  return Float64Array.from(starts)
    .filter((ms) => ms >= fromMs && ms < day.endMs)
    .sort();
}

/** Each start with the number of pilots who are free for the minimum duration, and the time until the first one leaves. */
function listCandidates(pilots: readonly PilotWindows[], request: RecommendationRequest): Candidate[] {
  const { minDurationMs, missions } = request;
  const starts = listStarts(pilots, request);
  const counts = new Int32Array(starts.length);
  const ends = new Float64Array(starts.length).fill(Infinity);
  for (const { windows, startsAfterMs } of pilots) {
    for (const { startMs, endMs } of windows) {
      const first = lowerBound(starts, Math.max(startMs, startsAfterMs + 1));
      const beyond = lowerBound(starts, endMs - minDurationMs + 1);
      for (let index = first; index < beyond; index += 1) {
        counts[index] = (counts[index] ?? 0) + 1;
        ends[index] = Math.min(ends[index] ?? Infinity, endMs);
      }
    }
  }
  const longestMs = Math.max(RECOMMENDED_HOURS_MAX * HOUR_MS, minDurationMs);
  return Array.from(starts, (startMs, index): Candidate => {
    const time = { startMs, endMs: Math.min(ends[index] ?? startMs, startMs + longestMs) };
    return {
      ...time,
      count: counts[index] ?? 0,
      missions: missions.filter((mission) => overlaps(mission, time)).length,
    };
  }).filter(({ count }) => count > 0);
}
