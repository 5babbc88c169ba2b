/**
 * Benchmark of the seating's solver beside others on the same costs: `npm run bench -- match-solvers`. Few pilots, because
 * `munkres-js` takes minutes for as many as in `match-one`. All of them must find the same total cost.
 */
import computeMunkres from 'munkres-js';
import { assignByKind } from '#server/orders/seating/rules/solver/kind-assignment.ts';
import { seatMission } from '#server/orders/seating/rules/one-mission/seating.ts';
import { EARLY, mission } from '#tests/unit/server/orders/seating/seating-given.ts';
import { type Constraint, maximize, type Terms } from './lp.ts';
import { givenMatch, pilotsOf } from './match-given.ts';
import { baselineCost, costsOf, problemOf, totalCost } from './match-one.ts';
import { figure, hashAnswer, type Report, type Size, timed } from './report.ts';
import { calls, inRounds, ratioOf } from './rounds.ts';

const SEED = 66;
const KINDS = 4;

/** The pairs of `munkres-js` cost this much in total. */
const munkresCost = (costs: number[][]): number =>
  computeMunkres(costs).reduce((sum, [row, column]) => sum + (costs[row]?.[column] ?? Infinity), 0);

/**
 * The assignment as a linear program, whose vertices are whole. Pairs that do not fit are left out, and costs are scaled,
 * because its numbers are not exact.
 */
async function highsCost(costs: number[][]): Promise<{ cost: number; tookMs: number }> {
  const forbidden = Math.max(...costs.flat());
  const edges = costs.flatMap((line, row) =>
    line.flatMap((cost, column) => (cost < forbidden ? [{ row, column, cost, name: `x${row}_${column}` }] : [])),
  );
  const most = edges.reduce((max, { cost }) => Math.max(max, cost), 1);
  const objective: Terms = edges.map(({ cost, name }) => [(most - cost) / most, name] as const);
  const once = (groups: Iterable<readonly (typeof edges)[number][]>, sense: Constraint['sense']) =>
    Array.from(groups, (group): Constraint => ({
      terms: group.map(({ name }) => [1, name] as const),
      sense,
      bound: 1,
    }));
  const { value, tookMs } = await maximize(objective, [
    ...once(Map.groupBy(edges, ({ row }) => row).values(), '='),
    ...once(Map.groupBy(edges, ({ column }) => column).values(), '<='),
  ]);
  return { cost: (costs.length - value) * most, tookMs };
}

export async function matchSolvers(size: Size): Promise<Report[]> {
  const [flights, pilots, rounds, runs] = size === 'full' ? [16, 200, 21, 500] : [2, 20, 1, 2];
  const match = givenMatch({ seed: SEED, flights, kinds: KINDS, pilots }, { own: 3, any: 0.3, none: 0 });
  const { problem } = problemOf(match);
  const costs = costsOf(match);
  const { own, munkres, lsa, highs } = await inRounds(rounds, {
    own: calls(runs, () => assignByKind(problem)),
    munkres: calls(1, () => munkresCost(costs)),
    lsa: calls(Math.ceil(runs / 25), () => baselineCost(costs)),
    highs: { warmUp: () => highsCost(costs), round: async () => [(await highsCost(costs)).tookMs] },
  });
  const holders = pilotsOf(match, seatMission({ ...match, mission, nowMs: EARLY }));
  const cost = totalCost(match, costs, holders);
  const byHighs = (await highsCost(costs)).cost;
  // HiGHS computes with tolerances: its total is compared to a millionth
  const wrongHighs = Math.abs(byHighs - cost) > cost * 1e-6 ? 1 : 0;
  const gap = Math.max(Math.abs(cost - baselineCost(costs)), Math.abs(cost - munkresCost(costs)), wrongHighs);
  return [
    {
      name: 'match-solvers',
      seed: SEED,
      size: `${match.seats.length} seats x ${pilots} pilots, ${problem.kinds.length} kinds of seats`,
      ...timed(own, 'munkres-js (npm)', munkres),
      gap,
      more: {
        linearSumAssignmentMedian: figure(lsa.median),
        linearSumAssignmentRatio: figure(ratioOf(lsa, own)),
        highsMedian: figure(highs.median),
        highsRatio: figure(ratioOf(highs, own)),
      },
      answerHash: hashAnswer(holders.map((holder) => holder?.id)),
      bar: 'the same total cost by all four',
      barMet: gap === 0,
      ok: gap === 0,
    },
  ];
}
