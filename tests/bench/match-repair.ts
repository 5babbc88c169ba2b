/**
 * Benchmark of a repair after one of 64 pilots drops out: `npm run bench -- match-repair`. All seats are assigned again
 * without that pilot's costs, which is fast enough to reuse no earlier result. Compared with a full seating of the others.
 */
import { assignByKind } from '#server/orders/seating/rules/solver/kind-assignment.ts';
import { type Seating, seatMission } from '#server/orders/seating/rules/one-mission/seating.ts';
import { compareSeats } from '#server/orders/seating/rules/eligibility.ts';
import { EARLY, mission } from '#tests/unit/server/orders/seating/seating-given.ts';
import { givenMatch, type Match, pilotsOf } from './match-given.ts';
import { baselineCost, costsOf, problemOf, totalCost } from './match-one.ts';
import { figure, hashAnswer, type Report, type Size, timed } from './report.ts';
import { calls, inRounds, timeCalls } from './rounds.ts';

const SEED = 65;
const KINDS = 4;
const BAR_MS = 2;

/** Rounds that are not measured. */
const WARM_UPS = 4;

/** One drop-out: the repair, and a full seating of the others. */
type DropOut = { readonly others: Match; readonly repair: () => Int32Array; readonly again: () => Seating };

export async function matchRepair(size: Size): Promise<Report[]> {
  const [flights, pilots, rounds, runs] = size === 'full' ? [16, 10_000, 15, 16] : [3, 60, 1, 1];
  const match = givenMatch({ seed: SEED, flights, kinds: KINDS, pilots }, { own: 3, any: 0.3, none: 0 });
  const seated = seatMission({ ...match, mission, nowMs: EARLY }).seated;
  const { problem, pilots: columns } = problemOf(match);
  // Every eighth of the seated pilots, one at a time.
  const dropOuts = seated
    .filter((_, index) => index % 8 === 0)
    .map(({ pilotId }): DropOut => {
      const others: Match = { ...match, pilots: match.pilots.filter(({ id }) => id !== pilotId) };
      const dropped = columns.findIndex(({ pilot }) => pilot.id === pilotId);
      const repair = () => {
        const before = problem.kinds.map(
          ({ word0, order }) => [word0[dropped] ?? Infinity, order[dropped] ?? Infinity] as const,
        );
        for (const { word0, order } of problem.kinds) word0[dropped] = order[dropped] = Infinity;
        const columnOfRow = assignByKind(problem);
        problem.kinds.forEach(({ word0, order }, kind) => {
          [word0[dropped], order[dropped]] = before[kind] ?? [Infinity, Infinity];
        });
        return columnOfRow;
      };
      return { others, repair, again: () => seatMission({ ...others, mission, nowMs: EARLY }) };
    });
  // Like backfill: the free seat, and all pilots without one.
  const holding = new Set(seated.slice(1).map(({ pilotId }) => pilotId));
  const freed = match.seats.filter(
    ({ flightId, seatIndex }) => flightId === seated[0]?.flightId && seatIndex === seated[0].seatIndex,
  );
  const waiting = match.pilots.filter(({ id }) => !holding.has(id) && id !== seated[0]?.pilotId);
  const ofEach = (count: number, act: (one: DropOut) => unknown) => {
    const round = () => dropOuts.flatMap((one) => timeCalls(count, () => act(one)));
    return { warmUp: () => Array.from({ length: WARM_UPS }, round), round, isComputing: true as const };
  };
  const { own, full, oneSeat } = await inRounds(rounds, {
    own: ofEach(runs, ({ repair }) => repair()),
    full: ofEach(Math.ceil(runs / 5), ({ again }) => again()),
    oneSeat: calls(runs, () => seatMission({ seats: freed, pilots: waiting, mission, nowMs: EARLY })),
  });
  const { gap, answers } = judge(match, columns, dropOuts);
  return [
    {
      name: 'match-repair',
      seed: SEED,
      size: `${match.seats.length} seats x ${pilots} pilots, one of the seated drops out`,
      ...timed(own, 'seatMission of the others, from their windows on', full),
      gap,
      more: { freedSeatAloneMedian: figure(oneSeat.median) },
      answerHash: hashAnswer(answers),
      bar: `< ${BAR_MS} ms, the seating of a full solve`,
      barMet: own.median < BAR_MS,
      ok: gap === 0,
    },
  ];
}

/** Compares each repair with the full seating of the others, and its cost with the baseline's. */
function judge(match: Match, columns: ReturnType<typeof problemOf>['pilots'], dropOuts: readonly DropOut[]) {
  const rows = match.seats.toSorted(compareSeats);
  const byId = new Map(match.pilots.map((one) => [one.id, one]));
  let gap = 0;
  const answers = dropOuts.map(({ others, repair, again }) => {
    const columnOfRow = repair();
    const bySeat = new Map(
      rows.map((seat, row) => [`${seat.flightId} ${seat.seatIndex}`, columns[columnOfRow[row] ?? -1]?.pilot.id ?? '']),
    );
    const holders = match.seats.map(
      ({ flightId, seatIndex }) => byId.get(bySeat.get(`${flightId} ${seatIndex}`) ?? '') ?? null,
    );
    const expected = pilotsOf(others, again());
    const isSame = holders.every((holder, index) => holder?.id === expected[index]?.id);
    const costs = costsOf(others);
    const worse = totalCost(others, costs, holders) - baselineCost(costs);
    gap = Math.max(gap, Math.abs(worse), isSame ? 0 : 1);
    return holders.map((holder) => holder?.id ?? null);
  });
  return { gap, answers };
}
