/** The board's figures from the availability index: recommended times, and pilots who are free or present. */
import { RECOMMENDED_HOURS_MAX, RECOMMENDED_STEP_MINUTES } from '#shared/limits.ts';
import type { AvailabilityReads } from '#server/availability/rules/index/availability-index.ts';
import type { MinuteSpan } from '#server/availability/rules/index/pilot-weeks.ts';
import type { Crowd } from '#server/availability/rules/index/crowd.ts';
import type { FreeLayer, Presences } from '#server/availability/rules/roster.ts';
import { type Interval, overlaps } from '#server/time/intervals.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import type { RecommendationRequest } from './recommendation.ts';

/** A time, and how many pilots are free throughout. */
export type IndexedTime = Interval & { readonly count: number };

/** [from, to) in minutes since 1970. */
type Candidate = MinuteSpan & { readonly count: number; readonly missions: number };

/** The first minute at which a time may start. */
const firstStart = ({ startsAfterMs }: FreeLayer): number => Math.floor(startsAfterMs / MINUTE_MS) + 1;

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

/** When the first of the pilots leaves who are free from a minute on for a duration, at most `longest` minutes after it. */
function firstLeave(layers: readonly FreeLayer[], { from, to }: MinuteSpan, longest: number): number {
  let first = from + longest;
  for (const { index } of layers.filter((layer) => from >= firstStart(layer))) {
    index.visitFree(from, to, (_pilot, _begin, end) => {
      if (end < first) first = end;
      return first === to;
    });
  }
  return first;
}

/** Make a crowd the pilots who are free throughout a time of whole minutes, at most a day. */
export function gatherFree(layers: readonly FreeLayer[], { startMs, endMs }: Interval, crowd: Crowd): void {
  const from = startMs / MINUTE_MS;
  crowd.clear();
  for (const layer of layers) if (from >= firstStart(layer)) layer.index.collectFree(from, endMs / MINUTE_MS, crowd);
}

/**
 * Rank the times that start on one day by the number of pilots who are free throughout; on a tie the longer, then the one
 * that overlaps fewer missions, then the earlier. A time lasts as long as all pilots of its minimum duration stay, at most
 * 6 h (or the minimum duration, if that is longer). A time is left out if a better one covers at least half of it with all
 * of its pilots. A time starts on a quarter of an hour, with a window, or as late as it fits into a window.
 * @param request with a day that begins and ends on a minute
 * @param layers of a roster whose time is the request's
 */
export function recommendTimes(request: RecommendationRequest, layers: readonly FreeLayer[]): IndexedTime[] {
  const { day, nowMs, limit, missions } = request;
  const duration = request.minDurationMs / MINUTE_MS;
  const longest = Math.max(RECOMMENDED_HOURS_MAX * 60, duration);
  const dayFrom = day.startMs / MINUTE_MS;
  const from = Math.max(dayFrom, Math.ceil(nowMs / MINUTE_MS));
  const minutes = day.endMs / MINUTE_MS - from;
  if (minutes <= 0) return [];
  const { starts, step } = listStarts(layers, { from, minutes, duration, dayFrom });
  const first = starts[0] ?? 0;
  const counts = countFree(layers, { from: from + first, size: Math.ceil((minutes - first) / step), step }, duration);
  const countOf = (start: number): number => counts[(start - from - first) / step] ?? 0;
  const startsByCount = new Map<number, number[]>();
  for (const at of starts) {
    const start = from + at;
    const count = countOf(start);
    const tied = startsByCount.get(count);
    if (tied) tied.push(start);
    else if (count > 0) startsByCount.set(count, [start]);
  }
  const toCandidate = (start: number): Candidate => {
    const to = firstLeave(layers, { from: start, to: start + duration }, longest);
    const time = { startMs: start * MINUTE_MS, endMs: to * MINUTE_MS };
    const count = countOf(start);
    return { from: start, to, count, missions: missions.filter((mission) => overlaps(mission, time)).length };
  };
  const chosen: Candidate[] = [];
  for (const count of [...startsByCount.keys()].sort((a, b) => b - a)) {
    const tied = (startsByCount.get(count) ?? [])
      .map(toCandidate)
      .sort((a, b) => b.to - b.from - (a.to - a.from) || a.missions - b.missions || a.from - b.from);
    for (const candidate of tied) {
      if (chosen.length === limit) break;
      if (!chosen.some((better) => repeats(layers, candidate, better))) chosen.push(candidate);
    }
    if (chosen.length === limit) break;
  }
  return chosen.map(({ count, from: start, to }) => ({ startMs: start * MINUTE_MS, endMs: to * MINUTE_MS, count }));
}

/**
 * The possible starts in minutes from `from`, and a step on whose multiples from the first they all are.
 * @param dayFrom on a quarter of an hour in UTC, as the local days of all zones begin
 */
function listStarts(
  layers: readonly FreeLayer[],
  { from, minutes, duration, dayFrom }: { from: number; minutes: number; duration: number; dayFrom: number },
): { starts: number[]; step: number } {
  const [begins, ends] = [new Int32Array(minutes), new Int32Array(minutes)];
  for (const { index } of layers) {
    index.addOddEdges('start', from, begins);
    index.addOddEdges('end', from + duration, ends);
  }
  const starts: number[] = [];
  let isOdd = false;
  let quarter = (dayFrom - from) % RECOMMENDED_STEP_MINUTES;
  for (let at = 0; at < minutes; at += 1) {
    if (at > quarter) quarter += RECOMMENDED_STEP_MINUTES;
    if (at !== quarter && (begins[at] ?? 0) <= 0 && (ends[at] ?? 0) <= 0) continue;
    starts.push(at);
    isOdd ||= at !== quarter;
  }
  return { starts, step: isOdd ? 1 : RECOMMENDED_STEP_MINUTES };
}

/** True if the better time covers at least half of the candidate with all of its pilots. */
function repeats(layers: readonly FreeLayer[], candidate: Candidate, better: Candidate): boolean {
  const shared = Math.min(candidate.to, better.to) - Math.max(candidate.from, better.from);
  if (shared * 2 < candidate.to - candidate.from) return false;
  return layers
    .filter((layer) => candidate.from >= firstStart(layer))
    .every((layer) =>
      better.from >= firstStart(layer) ? layer.index.isKeptBy(candidate, better) : isNobodyFree(layer.index, candidate),
    );
}

function isNobodyFree(index: AvailabilityReads, { from, to }: MinuteSpan): boolean {
  let isNobody = true;
  index.visitFree(from, to, () => {
    isNobody = false;
    return true;
  });
  return isNobody;
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
