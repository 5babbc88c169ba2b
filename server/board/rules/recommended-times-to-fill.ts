/** Recommended times for requested seats: the times at which a mission would fill the most of them. */
import { RECOMMENDED_STEP_MINUTES } from '#shared/limits.ts';
import { freeWindows, type PilotWindows } from '#server/availability/rules/pilot-presences.ts';
import { presentIn } from '#server/orders/seating/rules/eligibility.ts';
import { countFillable, type Demand, type FillPilot } from '#server/orders/seating/rules/one-mission/fill-count.ts';
import { type Interval, lowerBound, overlaps } from '#server/time/intervals.ts';
import { MINUTE_MS } from '#server/time/time.ts';

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
  /** how many of the requested seats would be filled */
  readonly fillableSeats: number;
};

type Candidate = Interval & { readonly count: number; readonly missions: number };

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
  const { minDurationMs, nowMs, limit } = request;
  // The best time starts or ends with a pilot's time in one of the aircraft, if not on a quarter of an hour.
  const starts = listStarts(
    pilots.flatMap((pilot) =>
      demand.map(({ aircraftId }) => ({ windows: freeWindows(presentIn(pilot, aircraftId), pilot.commitments) })),
    ),
    request,
  );
  const fillable = countFillable({ demand, pilots, starts, lengthMs: minDurationMs, nowMs });
  const counts = countFree(pilots, starts, minDurationMs);
  const seatsAt = new Map(Array.from(starts, (startMs, index) => [startMs, fillable[index] ?? 0]));
  const seatsOf = ({ startMs }: Interval): number => seatsAt.get(startMs) ?? 0;
  const ranked = listCandidates(starts, counts, request)
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

/** For each start: the number of pilots who are free for the minimum duration. */
function countFree(pilots: readonly PilotWindows[], starts: Float64Array, minDurationMs: number): Int32Array {
  const counts = new Int32Array(starts.length);
  for (const { windows, startsAfterMs } of pilots) {
    for (const { startMs, endMs } of windows) {
      const first = lowerBound(starts, Math.max(startMs, startsAfterMs + 1));
      const beyond = lowerBound(starts, endMs - minDurationMs + 1);
      for (let index = first; index < beyond; index += 1) counts[index] = (counts[index] ?? 0) + 1;
    }
  }
  return counts;
}

/** The times that start at these starts and find any pilots. */
function listCandidates(
  starts: Float64Array,
  counts: Int32Array,
  { minDurationMs, missions }: RecommendationRequest,
): Candidate[] {
  return Array.from(starts, (startMs, index): Candidate => {
    const time = { startMs, endMs: startMs + minDurationMs };
    return {
      ...time,
      count: counts[index] ?? 0,
      missions: missions.filter((mission) => overlaps(mission, time)).length,
    };
  }).filter(({ count }) => count > 0);
}
