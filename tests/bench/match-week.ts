/**
 * Benchmark of a week of 20 missions with 64 seats each: `npm run bench -- match-week`. The number of filled seats must be
 * the maximum by HiGHS, which is also the baseline for the time.
 */
import type { SeatingPilot } from '#server/orders/seating/rules/one-mission/seating.ts';
import { seatWeek, type WeekMission, type WeekSeating } from '#server/orders/seating/rules/week/week-seating.ts';
import { givenWeek } from '#tests/unit/server/orders/seating/week-given.ts';
import { fits, isTogether } from '#tests/unit/server/orders/seating/week-oracle.ts';
import { type Constraint, maximize, type Terms } from './lp.ts';
import { figure, hashAnswer, type Report, type Size, timed } from './report.ts';
import { calls, inRounds } from './rounds.ts';

const SEED = 20;
/** The code for many pilots is compiled anew a few times. */
const WARM_UPS = 12;

type Week = { readonly missions: WeekMission[]; readonly pilots: SeatingPilot[]; readonly nowMs: number };

/** By mission and aircraft: the pilots who fit. */
function fittingPilots({ missions, pilots, nowMs }: Week): Map<number, number[]>[] {
  return missions.map((one) => {
    const aircraft = [...new Set(one.seats.map(({ aircraftId }) => aircraftId))];
    return new Map(
      aircraft.map((id) => [id, pilots.flatMap((pilot, index) => (fits(pilot, one, id, nowMs) ? [index] : []))]),
    );
  });
}

function seatsOf({ seats }: WeekMission, aircraft: number): number {
  return seats.filter(({ aircraftId }) => aircraftId === aircraft).length;
}

/** The maximum number of filled seats if a pilot could be divided among aircraft, with a total of one at any moment. */
function bestFilled({ missions }: Week, fitting: readonly Map<number, number[]>[]) {
  const objective: (readonly [number, string])[] = [];
  const constraints: Constraint[] = [];
  /** by mission and pilot */
  const named: Map<number, string[]>[] = missions.map(() => new Map());
  fitting.forEach((byAircraft, mission) => {
    for (const [aircraft, pilots] of byAircraft) {
      const terms: Terms = pilots.map((pilot) => [1, `x${mission}_${aircraft}_${pilot}`] as const);
      objective.push(...terms);
      const one = missions[mission];
      if (one && terms.length > 0) constraints.push({ terms, sense: '<=', bound: seatsOf(one, aircraft) });
      terms.forEach(([, name], index) => {
        const pilot = pilots[index] ?? -1;
        named[mission]?.set(pilot, [...(named[mission].get(pilot) ?? []), name]);
      });
    }
  });
  missions.forEach(({ mission }) => {
    // all missions that run when this one starts
    const running = missions.flatMap((other, index) =>
      other.mission.startMs <= mission.startMs && mission.startMs < other.mission.endMs ? [index] : [],
    );
    for (const pilot of new Set(running.flatMap((index) => [...(named[index]?.keys() ?? [])]))) {
      const names = running.flatMap((index) => named[index]?.get(pilot) ?? []);
      if (names.length > 1) constraints.push({ terms: names.map((name) => [1, name] as const), sense: '<=', bound: 1 });
    }
  });
  return maximize(objective, constraints);
}

/** The number of filled seats; throws if a pilot does not fit, or has two seats in a mission or at the same time. */
function countFilled({ missions, pilots }: Week, { seatings }: WeekSeating, fitting: readonly Map<number, number[]>[]) {
  const numberOf = new Map(pilots.map(({ id }, index) => [id, index]));
  const flown = new Map<string, number[]>();
  seatings.forEach(({ seated, open }, mission) => {
    const seats = new Map(missions[mission]?.seats.map((seat) => [`${seat.flightId} ${seat.seatIndex}`, seat]));
    for (const { flightId, seatIndex, pilotId } of seated) {
      const seat = seats.get(`${flightId} ${seatIndex}`);
      const isFit = fitting[mission]?.get(seat?.aircraftId ?? -1)?.includes(numberOf.get(pilotId) ?? -1);
      if (!isFit || !seats.delete(`${flightId} ${seatIndex}`)) throw new Error(`${pilotId} cannot have that seat.`);
      flown.set(pilotId, [...(flown.get(pilotId) ?? []), mission]);
    }
    if (open.length !== seats.size) throw new Error('A seat is neither held nor open.');
  });
  for (const [pilotId, list] of flown) {
    list.forEach((a, index) => {
      const clash = list.slice(0, index).some((b) => {
        const [one, other] = [missions[a], missions[b]];
        return a === b || (one && other && isTogether(one, other));
      });
      if (clash) throw new Error(`${pilotId} flies two missions at once.`);
    });
  }
  return [...flown.values()].reduce((sum, { length }) => sum + length, 0);
}

type Measure = { readonly pilots: number; readonly missions: number; readonly rounds: number; readonly runs: number };

async function measureWeek({ pilots, missions, rounds, runs }: Measure, barMs: number): Promise<Report> {
  const given = givenWeek({ seed: SEED, pilots });
  const week: Week = { ...given, missions: given.missions.slice(0, missions) };
  const seat = () => seatWeek(week);
  const fitting = fittingPilots(week);
  const { own, highs } = await inRounds(rounds, {
    own: calls(runs, seat, WARM_UPS),
    highs: { warmUp: () => undefined, round: async () => [(await bestFilled(week, fitting)).tookMs] },
  });
  const answer = seat();
  const filled = countFilled(week, answer, fitting);
  const { value } = await bestFilled(week, fitting);
  // Undivided pilots cannot fill more seats.
  const gap = Math.floor(value + 1e-6) - filled;
  const seats = week.missions.reduce((sum, one) => sum + one.seats.length, 0);
  return {
    name: 'match-week',
    seed: SEED,
    size: `${week.missions.length} missions, ${seats} seats, ${pilots} pilots`,
    ...timed(own, 'HiGHS (wasm), filled seats only', highs),
    gap,
    more: { filled, filledByHighs: figure(value), isBest: String(answer.isBest) },
    answerHash: hashAnswer(answer.seatings.map(({ seated }) => seated.map(({ pilotId }) => pilotId))),
    bar: `< ${barMs} ms, gap 0`,
    barMet: own.median < barMs && gap === 0,
    ok: gap === 0,
  };
}

export async function matchWeek(size: Size): Promise<Report[]> {
  if (size === 'tiny') return [await measureWeek({ pilots: 400, missions: 6, rounds: 1, runs: 1 }, 60)];
  return [
    await measureWeek({ pilots: 5_000, missions: 20, rounds: 9, runs: 6 }, 60),
    await measureWeek({ pilots: 20_000, missions: 20, rounds: 11, runs: 4 }, 250),
  ];
}
