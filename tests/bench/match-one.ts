/**
 * Benchmark of one mission with many pilots: `npm run bench -- match-one`. Measures only the assignment, from given costs,
 * against the npm package `linear-sum-assignment` with the same costs except the tie-breaker, which only ours considers.
 */
import { linearSumAssignment } from 'linear-sum-assignment';
import { compareText } from '#server/availability/rules/name-order.ts';
import { assessPilot, compareSeats } from '#server/orders/seating/rules/eligibility.ts';
import { assignByKind } from '#server/orders/seating/rules/solver/kind-assignment.ts';
import { seatMission, type SeatingPilot } from '#server/orders/seating/rules/one-mission/seating.ts';
import { buildSeatingProblem } from '#server/orders/seating/rules/solver/seating-costs.ts';
import { EARLY, mission } from '#tests/unit/server/orders/seating/seating-given.ts';
import { costOf, gainsOf, givenMatch, type Match, pilotsOf } from './match-given.ts';
import { figure, hashAnswer, type Report, type Size, timed } from './report.ts';
import { calls, inRounds, ratioOf } from './rounds.ts';

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

export async function matchOne(size: Size): Promise<Report[]> {
  const [flights, pilots, rounds, runs] = size === 'full' ? [16, 10_000, 15, 100] : [3, 60, 1, 3];
  const match = givenMatch({ seed: SEED, flights, kinds: KINDS, pilots }, { own: 3, any: 0.3, none: 0 });
  const { problem } = problemOf(match);
  const seat = () => seatMission({ ...match, mission, nowMs: EARLY });
  const costs = costsOf(match);
  const { own, whole, baseline } = await inRounds(rounds, {
    own: calls(runs, () => assignByKind(problem)),
    whole: calls(Math.ceil(runs / 10), seat),
    baseline: calls(1, () => baselineCost(costs)),
  });
  const holders = pilotsOf(match, seat());
  const gap = totalCost(match, costs, holders) - baselineCost(costs);
  return [
    {
      name: 'match-one',
      seed: SEED,
      size: `${match.seats.length} seats x ${pilots} pilots, ${problem.kinds.length} kinds of seats`,
      ...timed(own, 'linear-sum-assignment (npm), without the lot', baseline),
      gap,
      more: { seatMissionMedian: figure(whole.median), seatMissionP99: figure(whole.p99) },
      answerHash: hashAnswer(holders.map((holder) => holder?.id)),
      bar: `< ${BAR_MS} ms, >= ${BAR_RATIO} x, gap 0`,
      barMet: own.median < BAR_MS && ratioOf(baseline, own) >= BAR_RATIO,
      ok: gap === 0,
    },
  ];
}
