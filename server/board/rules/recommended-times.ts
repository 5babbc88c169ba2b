/** Recommended times of a day: those at which the most pilots are free, from the availability index. */
import { RECOMMENDED_HOURS_MAX, RECOMMENDED_STEP_MINUTES } from '#shared/limits.ts';
import type { AvailabilityReads } from '#server/availability/rules/index/availability-index.ts';
import type { MinuteSpan } from '#server/availability/rules/index/pilot-weeks.ts';
import type { FreeLayer } from '#server/availability/rules/roster.ts';
import { type Interval, overlaps } from '#server/time/intervals.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { countFree, firstStart } from './indexed-counts.ts';
import type { RecommendationRequest } from './recommended-times-to-fill.ts';

/** A time, and how many pilots are free throughout. */
export type IndexedTime = Interval & { readonly count: number };

/** [from, to) in minutes since 1970. */
type Candidate = MinuteSpan & { readonly count: number; readonly missions: number };

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
  const step = RECOMMENDED_STEP_MINUTES;
  if (duration % step !== 0) {
    const firstEnd = dayFrom + Math.ceil((from + duration - dayFrom) / step) * step;
    addQuarterEnds(layers, { from, duration, firstEnd }, ends);
  }
  const starts: number[] = [];
  let isOdd = false;
  let quarter = (dayFrom - from) % step;
  for (let at = 0; at < minutes; at += 1) {
    if (at > quarter) quarter += step;
    if (at !== quarter && (begins[at] ?? 0) <= 0 && (ends[at] ?? 0) <= 0) continue;
    starts.push(at);
    isOdd ||= at !== quarter;
  }
  return { starts, step: isOdd ? 1 : step };
}

/**
 * Add the windows that end on quarters of an hour, for a duration with which the starts before them are on none.
 * @param firstEnd the first quarter that counts
 */
function addQuarterEnds(
  layers: readonly FreeLayer[],
  { from, duration, firstEnd }: { from: number; duration: number; firstEnd: number },
  ends: Int32Array,
): void {
  const step = RECOMMENDED_STEP_MINUTES;
  const size = Math.max(0, Math.ceil((from + duration + ends.length - firstEnd) / step));
  const [until, beyond] = [new Int32Array(size), new Int32Array(size)];
  for (const { index } of layers) {
    index.addCounts(firstEnd - 1, 1, until, step);
    // who is there for the minute before, but not for the one after it
    index.addCounts(firstEnd - 1, 2, beyond, step);
  }
  for (const [quarter, there] of until.entries()) {
    ends[firstEnd + quarter * step - duration - from] = there - (beyond[quarter] ?? 0);
  }
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
