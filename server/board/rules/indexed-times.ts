/** The board's figures from the availability index: recommended times, and pilots who are free or present. */
import { RECOMMENDED_HOURS_MAX, RECOMMENDED_STEP_MINUTES } from '#shared/limits.ts';
import type { FreeLayer, Roster } from '#server/availability/rules/roster.ts';
import { type Interval, overlaps } from '#server/time/intervals.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import type { RecommendationRequest } from './recommendation.ts';

/** A time, and the numbers of its pilots in the roster. */
export type IndexedTime = Interval & { readonly pilots: readonly number[] };

type Crowd = { readonly pilots: readonly number[]; readonly until: number };
/** [from, to) in minutes since 1970. */
type Candidate = Crowd & { readonly from: number; readonly to: number; readonly missions: number };

/** The first minute at which a time may start. */
const firstStart = ({ startsAfterMs }: FreeLayer): number => Math.floor(startsAfterMs / MINUTE_MS) + 1;

/**
 * Pilots who are free for the whole duration from each minute on.
 * @param from minutes since 1970
 * @param duration minutes
 */
export function countFree(layers: readonly FreeLayer[], from: number, minutes: number, duration: number): Int32Array {
  const counts = new Int32Array(minutes);
  for (const layer of layers) {
    const skipped = Math.max(0, firstStart(layer) - from);
    if (skipped < minutes) layer.index.addCounts(from + skipped, duration, counts.subarray(skipped));
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
    return countFree(layers, startMs / MINUTE_MS, 1, minutes)[0] ?? 0;
  });
}

function crowdOf(layers: readonly FreeLayer[], from: number, to: number): Crowd {
  const pilots: number[] = [];
  let until = Infinity;
  for (const layer of layers) {
    if (from < firstStart(layer)) continue;
    const crowd = layer.index.crowd(from, to);
    for (const pilot of crowd.pilots) pilots.push(pilot);
    until = Math.min(until, crowd.until);
  }
  return { pilots, until };
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
  const counts = countFree(layers, from, minutes, duration);
  const [begins, ends] = [new Int32Array(minutes), new Int32Array(minutes)];
  for (const { index } of layers) index.addEdges(from, begins, ends, from + duration);
  const startsByCount = new Map<number, number[]>();
  for (let at = 0; at < minutes; at += 1) {
    const count = counts[at] ?? 0;
    const isStart =
      (from + at - dayFrom) % RECOMMENDED_STEP_MINUTES === 0 || (begins[at] ?? 0) > 0 || (ends[at] ?? 0) > 0;
    if (count === 0 || !isStart) continue;
    const starts = startsByCount.get(count);
    if (starts) starts.push(from + at);
    else startsByCount.set(count, [from + at]);
  }
  const toCandidate = (start: number): Candidate => {
    const crowd = crowdOf(layers, start, start + duration);
    const to = Math.min(crowd.until, start + longest);
    const time = { startMs: start * MINUTE_MS, endMs: to * MINUTE_MS };
    return { ...crowd, from: start, to, missions: missions.filter((mission) => overlaps(mission, time)).length };
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
  return chosen.map(({ pilots, from: start, to }) => ({ startMs: start * MINUTE_MS, endMs: to * MINUTE_MS, pilots }));
}

/** True if the better time covers at least half of the candidate with all of its pilots. */
function repeats(layers: readonly FreeLayer[], candidate: Candidate, better: Candidate): boolean {
  const shared = Math.min(candidate.to, better.to) - Math.max(candidate.from, better.from);
  if (shared * 2 < candidate.to - candidate.from) return false;
  // their windows have gaps between them: who is there at both times never leaves between
  const both = crowdOf(layers, Math.min(candidate.from, better.from), Math.max(candidate.to, better.to));
  return both.pilots.length === candidate.pilots.length;
}

/** The number of pilots who could fly at any time of the day. */
export function countPresentOn(layers: readonly FreeLayer[], { startMs, endMs }: Interval): number {
  const seen = new Set<number>();
  for (const { index, startsAfterMs } of layers) {
    const from = Math.floor(Math.max(startMs, startsAfterMs) / MINUTE_MS);
    if (from < endMs / MINUTE_MS) index.visitPresent(from, endMs / MINUTE_MS, (pilot) => seen.add(pilot));
  }
  return seen.size;
}

/**
 * Pilots per time bucket, from the indexes of presence and absence: those present for the whole of it, and those present
 * for a part.
 * @param from minutes since 1970
 * @param bucket minutes
 */
export function countPresence(
  { present, absent }: ReturnType<Roster['presence']>,
  { from, buckets, bucket }: { from: number; buckets: number; bucket: number },
): { whole: number[]; part: number[] } {
  // the last bucket is looked up at its first minute only
  const minutes = buckets === 0 ? 0 : (buckets - 1) * bucket + 1;
  const [there, away] = [new Int32Array(minutes), new Int32Array(minutes)];
  present.addCounts(from, bucket, there);
  absent.addCounts(from, bucket, away);
  const whole = Array.from({ length: buckets }, (_, index) => there[index * bucket] ?? 0);
  const size = present.size();
  return { whole, part: whole.map((count, index) => size - count - (away[index * bucket] ?? 0)) };
}
