/** Recommended times: the times at which a mission would find the most pilots, or fill the most of its seats. */
import { RECOMMENDED_HOURS_MAX, RECOMMENDED_STEP_MINUTES } from '#shared/limits.ts';
import { freeWindows, type PilotWindows } from '#server/availability/rules/free-time.ts';
import { presentIn } from '#server/seating/rules/eligibility.ts';
import { countFillable, type Demand, type FillPilot } from '#server/seating/rules/one-mission/fill-count.ts';
import { type Interval, lowerBound, overlaps } from '#server/time/intervals.ts';
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
  /** how many of the requested seats would be filled; only if seats were requested */
  readonly fillableSeats?: number;
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
  const { minDurationMs } = request;
  const starts = listStarts(pilots, request);
  const { counts, ends } = countFree(pilots, starts, minDurationMs);
  const longestMs = Math.max(RECOMMENDED_HOURS_MAX * HOUR_MS, minDurationMs);
  const ranked = listCandidates(starts, counts, request.missions, (startMs, index) =>
    Math.min(ends[index] ?? startMs, startMs + longestMs),
  ).sort((a, b) => b.count - a.count || lengthOf(b) - lengthOf(a) || a.missions - b.missions || a.startMs - b.startMs);
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

/**
 * Rank the times of exactly the minimum duration that start on one day by the number of seats that the exact seating would
 * fill; on a tie by the number of pilots who are free throughout, then the one that overlaps fewer missions, then the
 * earlier. A time is left out if a better one covers at least half of it.
 * @param pilots distinct
 * @param demand the seats: distinct aircraft
 * @returns at most `limit`; [] when no seat could be filled
 */
export function recommendTimesToFill<Pilot extends PilotWindows & FillPilot>(
  pilots: readonly Pilot[],
  request: RecommendationRequest,
  demand: readonly Demand[],
): RecommendedTime<Pilot>[] {
  const { minDurationMs, nowMs, missions, limit } = request;
  // The best time starts or ends with a pilot's time in one of the aircraft, if not on a quarter of an hour.
  const starts = listStarts(
    pilots.flatMap((pilot) =>
      demand.map(({ aircraftId }) => ({ windows: freeWindows(presentIn(pilot, aircraftId), pilot.commitments) })),
    ),
    request,
  );
  const fillable = countFillable({ demand, pilots, starts, lengthMs: minDurationMs, nowMs });
  const { counts } = countFree(pilots, starts, minDurationMs);
  const seatsAt = new Map(Array.from(starts, (startMs, index) => [startMs, fillable[index] ?? 0]));
  const seatsOf = ({ startMs }: Interval): number => seatsAt.get(startMs) ?? 0;
  const ranked = listCandidates(starts, counts, missions, (startMs) => startMs + minDurationMs)
    .filter((time) => seatsOf(time) > 0)
    .sort((a, b) => seatsOf(b) - seatsOf(a) || b.count - a.count || a.missions - b.missions || a.startMs - b.startMs);
  const chosen: Candidate[] = [];
  for (const candidate of ranked) {
    if (chosen.length === limit) break;
    if (!chosen.some((better) => overlapOf(better, candidate) * 2 >= minDurationMs)) chosen.push(candidate);
  }
  return chosen.map(({ startMs, endMs }) => ({
    startMs,
    endMs,
    pilots: pilots.filter((pilot) => canFly(pilot, { startMs, endMs })),
    fillableSeats: seatsOf({ startMs, endMs }),
  }));
}

const lengthOf = ({ startMs, endMs }: Interval): number => endMs - startMs;

const overlapOf = (a: Interval, b: Interval): number => Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);

const canFly = ({ windows, startsAfterMs }: PilotWindows, { startMs, endMs }: Interval): boolean =>
  startMs > startsAfterMs && windows.some((window) => window.startMs <= startMs && endMs <= window.endMs);

/** Possible starts: every quarter of an hour, and for every window its start and the latest start that fits into it. */
function listStarts(
  pilots: readonly Pick<PilotWindows, 'windows'>[],
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

/** For each start: the number of pilots who are free for the minimum duration, and when the first of them leaves. */
function countFree(
  pilots: readonly PilotWindows[],
  starts: Float64Array,
  minDurationMs: number,
): { counts: Int32Array; ends: Float64Array } {
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
  return { counts, ends };
}

/** The times that start at these starts and find any pilots. */
function listCandidates(
  starts: Float64Array,
  counts: Int32Array,
  missions: readonly Interval[],
  endOf: (startMs: number, index: number) => number,
): Candidate[] {
  return Array.from(starts, (startMs, index): Candidate => {
    const time = { startMs, endMs: endOf(startMs, index) };
    return {
      ...time,
      count: counts[index] ?? 0,
      missions: missions.filter((mission) => overlaps(mission, time)).length,
    };
  }).filter(({ count }) => count > 0);
}
