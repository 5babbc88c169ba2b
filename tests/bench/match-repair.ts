/**
 * Benchmark of a repair after one of 64 pilots drops out: `npm run bench -- match-repair`. All seats are assigned again
 * without that pilot's costs, which is fast enough to reuse no earlier result. Compared with a full seating of the others.
 */
import { assignByKind } from '#server/seating/rules/solver/kind-assignment.ts';
import { seatMission } from '#server/seating/rules/one-mission/seating.ts';
import { compareSeats } from '#server/seating/rules/eligibility.ts';
import { EARLY, mission } from '#tests/unit/server/seating/seating-given.ts';
import { givenMatch, type Match, pilotsOf } from './match-given.ts';
import { baselineCost, costsOf, problemOf, totalCost } from './match-one.ts';
import { figure, hashAnswer, median, quantile, type Report, type Size, timeRuns } from './report.ts';

const SEED = 65;
const KINDS = 4;
const BAR_MS = 2;

export function matchRepair(size: Size): Report[] {
  const [flights, pilots, runs] = size === 'full' ? [16, 10_000, 300] : [3, 60, 3];
  const match = givenMatch({ seed: SEED, flights, kinds: KINDS, pilots }, { own: 3, any: 0.3, none: 0 });
  const full = () => seatMission({ ...match, mission, nowMs: EARLY });
  const seated = full().seated;
  const { problem, pilots: columns } = problemOf(match);
  const rows = match.seats.toSorted(compareSeats);
  let gap = 0;
  const answers: (string | null)[][] = [];
  const times: number[] = [];
  const fullTimes: number[] = [];
  // Every eighth of the seated pilots, one at a time.
  for (const { pilotId } of seated.filter((_, index) => index % 8 === 0)) {
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
    times.push(...timeRuns(Math.ceil(runs / 8), repair));
    const again = () => seatMission({ ...others, mission, nowMs: EARLY });
    fullTimes.push(...timeRuns(size === 'full' ? 3 : 1, again, 1));

    const columnOfRow = repair();
    const byId = new Map(match.pilots.map((one) => [one.id, one]));
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
    answers.push(holders.map((holder) => holder?.id ?? null));
  }
  times.sort((a, b) => a - b);
  fullTimes.sort((a, b) => a - b);
  // Like backfill: the free seat, and all pilots without one.
  const holding = new Set(seated.slice(1).map(({ pilotId }) => pilotId));
  const freed = match.seats.filter(
    ({ flightId, seatIndex }) => flightId === seated[0]?.flightId && seatIndex === seated[0].seatIndex,
  );
  const waiting = match.pilots.filter(({ id }) => !holding.has(id) && id !== seated[0]?.pilotId);
  const oneSeat = timeRuns(Math.ceil(runs / 10), () =>
    seatMission({ seats: freed, pilots: waiting, mission, nowMs: EARLY }),
  );
  return [
    {
      name: 'match-repair',
      seed: SEED,
      size: `${match.seats.length} seats x ${pilots} pilots, one of the seated drops out`,
      runs: times.length,
      median: figure(median(times)),
      fastest: figure(quantile(times, 0)),
      p99: figure(quantile(times, 0.99)),
      baseline: 'seatMission of the others, from their windows on',
      baselineMedian: figure(median(fullTimes)),
      ratio: figure(median(fullTimes) / median(times)),
      gap,
      more: { freedSeatAloneMedian: figure(median(oneSeat)) },
      answerHash: hashAnswer(answers),
      bar: `< ${BAR_MS} ms, the seating of a full solve`,
      barMet: median(times) < BAR_MS,
      ok: gap === 0,
    },
  ];
}
