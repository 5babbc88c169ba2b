/**
 * Benchmark of one mission with many pilots: `npm run bench -- match-one`. Measures only the assignment, from given costs,
 * against the npm package `linear-sum-assignment` with the same costs except the tie-breaker, which only ours considers.
 */
import { linearSumAssignment } from 'linear-sum-assignment';
import { assessPilot, compareSeats, compareText } from '#server/seating/rules/eligibility.ts';
import { assignByKind } from '#server/seating/rules/solver/kind-assignment.ts';
import { seatMission, type SeatingPilot } from '#server/seating/rules/one-mission/seating.ts';
import { buildSeatingProblem } from '#server/seating/rules/solver/seating-costs.ts';
import { EARLY, mission } from '#tests/unit/server/seating/seating-given.ts';
import { costOf, gainsOf, givenMatch, type Match, pilotsOf } from './match-given.ts';
import { figure, hashAnswer, median, quantile, type Report, type Size, timeRuns } from './report.ts';

const SEED = 64;
const KINDS = 4;
const BAR_MS = 1;
const BAR_RATIO = 150;

/** The same assignment problem as in `seatMission`. */
export function problemOf({ seats, pilots }: Match) {
  const assessed = pilots
    .toSorted((a, b) => compareText(a.id, b.id))
    .map((pilot) => assessPilot(pilot, mission, EARLY))
    .filter(({ reason }) => reason === null);
  return buildSeatingProblem(seats.toSorted(compareSeats), assessed, mission);
}

/** The cost of each pilot on each seat, by the rules; for one who does not fit, more than all other costs together. */
export function costsOf({ seats, pilots }: Match): number[][] {
  const costs = seats.map((seat) =>
    pilots.map((pilot) => {
      const gains = gainsOf(seat, pilot);
      return gains ? costOf(gains, seats.length) : Infinity;
    }),
  );
  const most = costs.flat().reduce((max, cost) => (cost < Infinity ? Math.max(max, cost) : max), 0);
  const forbidden = most * seats.length + 1;
  if (forbidden * seats.length > Number.MAX_SAFE_INTEGER) throw new Error('The costs do not add up exactly.');
  return costs.map((row) => row.map((cost) => (cost < Infinity ? cost : forbidden)));
}

/** @param holders the pilot of each seat, all filled */
export function totalCost(
  { seats, pilots }: Match,
  costs: number[][],
  holders: readonly (SeatingPilot | null)[],
): number {
  const numberOf = new Map(pilots.map(({ id }, index) => [id, index]));
  return seats.reduce((sum, _, row) => sum + (costs[row]?.[numberOf.get(holders[row]?.id ?? '') ?? -1] ?? Infinity), 0);
}

/** The total cost of the package's assignment. */
export function baselineCost(costs: number[][]): number {
  const { rowAssignments } = linearSumAssignment(costs, { maximaze: false });
  return costs.reduce((sum, row, index) => sum + (row[rowAssignments[index] ?? -1] ?? Infinity), 0);
}

export function matchOne(size: Size): Report[] {
  const [flights, pilots, runs] = size === 'full' ? [16, 10_000, 300] : [3, 60, 3];
  const match = givenMatch({ seed: SEED, flights, kinds: KINDS, pilots }, { own: 3, any: 0.3, none: 0 });
  const { problem } = problemOf(match);
  const own = timeRuns(runs, () => assignByKind(problem));
  const seat = () => seatMission({ ...match, mission, nowMs: EARLY });
  const whole = timeRuns(Math.ceil(runs / 10), seat);
  const costs = costsOf(match);
  const baseline = timeRuns(size === 'full' ? 5 : 1, () => baselineCost(costs), 1);
  const holders = pilotsOf(match, seat());
  const gap = totalCost(match, costs, holders) - baselineCost(costs);
  const ratio = median(baseline) / median(own);
  return [
    {
      name: 'match-one',
      seed: SEED,
      size: `${match.seats.length} seats x ${pilots} pilots, ${problem.kinds.length} kinds of seats`,
      runs,
      median: figure(median(own)),
      fastest: figure(quantile(own, 0)),
      p99: figure(quantile(own, 0.99)),
      baseline: 'linear-sum-assignment (npm), without the lot',
      baselineMedian: figure(median(baseline)),
      ratio: figure(ratio),
      gap,
      more: { seatMissionMedian: figure(median(whole)), seatMissionP99: figure(quantile(whole, 0.99)) },
      answerHash: hashAnswer(holders.map((holder) => holder?.id)),
      bar: `< ${BAR_MS} ms, >= ${BAR_RATIO} x, gap 0`,
      barMet: median(own) < BAR_MS && ratio >= BAR_RATIO,
      ok: gap === 0,
    },
  ];
}
