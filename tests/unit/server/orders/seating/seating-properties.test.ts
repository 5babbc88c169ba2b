/** Properties of the seating, tested on thousands of random cases. */
import { describe, expect, test } from 'vitest';
import type { Seating, SeatingPilot } from '#server/orders/seating/rules/one-mission/seating.ts';
import { HOUR_MS } from '#server/time/time.ts';
import { PROFICIENCY_LEVELS } from '#shared/vocabulary.ts';
import { seeded } from '#tests/harness/seeded.ts';
import { HORNET, solve, START, VIPER } from './seating-given.ts';
import {
  bestSeating,
  fits,
  PRIORITIES,
  type Priority,
  randomCase,
  type SeatingCase,
  shuffleCase,
} from './seating-oracle.ts';

const SEED = 20_260_701;
const MAX_SEATS = 7;
const MAX_PILOTS = 7;
/** Cases of each size at each of the two times. */
const CASES_PER_SIZE = 80;
const DAYS_AHEAD = START - 72 * HOUR_MS;
const HOURS_AHEAD = START - 5 * HOUR_MS;

const sizes = Array.from({ length: MAX_SEATS }, (_, more) => more + 1).flatMap((seats) =>
  Array.from({ length: MAX_PILOTS + 1 }, (_, pilots) => [seats, pilots] as const),
);

function holdersOf({ seats }: SeatingCase, { seated }: Seating): (string | null)[] {
  const holders = new Map(seated.map(({ flightId, seatIndex, pilotId }) => [`${flightId} ${seatIndex}`, pilotId]));
  return seats.map(({ flightId, seatIndex }) => holders.get(`${flightId} ${seatIndex}`) ?? null);
}

describe('every size up to 7 seats and 7 pilots', () => {
  test.each([
    ['days ahead', DAYS_AHEAD],
    ['hours ahead', HOURS_AHEAD],
  ])('has the same seating as exhaustive search, for any order of the input: %s', (_rule, nowMs) => {
    const random = seeded(SEED + nowMs / HOUR_MS);
    const decided = new Map<Priority, number>(PRIORITIES.map((priority) => [priority, 0]));
    for (const [seatCount, pilotCount] of sizes) {
      for (let round = 0; round < CASES_PER_SIZE; round++) {
        const one = randomCase(random, seatCount, pilotCount);
        const { holders, decisive } = bestSeating(one, nowMs);
        const seating = solve(one.seats, one.pilots, nowMs);
        expect(holdersOf(one, seating)).toEqual(holders);
        expect(seating.open).toHaveLength(holders.filter((holder) => holder === null).length);
        const named = [...seating.seated, ...seating.ineligible].map(({ pilotId }) => pilotId);
        expect(named.sort()).toEqual(one.pilots.map(({ id }) => id).sort());
        for (const { pilotId, reason } of seating.ineligible) {
          const pilot = one.pilots.find(({ id }) => id === pilotId);
          const isFit = one.seats.some(({ aircraftId }) => pilot && fits(pilot, aircraftId, nowMs));
          expect(reason === 'OUTRANKED').toBe(isFit);
        }
        const other = shuffleCase(random, one);
        expect(solve(other.seats, other.pilots, nowMs)).toEqual(seating);
        for (const priority of decisive) decided.set(priority, (decided.get(priority) ?? 0) + 1);
      }
    }
    // Every priority was decisive many times.
    for (const priority of PRIORITIES) expect([priority, decided.get(priority) ?? 0]).toEqual([priority, atLeast(50)]);
  });
});

describe('a pilot who gets a higher level', () => {
  const raise = (one: SeatingPilot, aircraftId: number): SeatingPilot | null => {
    const level = one.levels.get(aircraftId);
    const next = level && PROFICIENCY_LEVELS[PROFICIENCY_LEVELS.indexOf(level) + 1];
    return next ? { ...one, levels: new Map([...one.levels, [aircraftId, next]]) } : null;
  };

  test.each([
    [7, 7, 250],
    [5, 7, 150],
    [16, 24, 40],
  ])('never loses the seat: %i seats, %i pilots', (seatCount, pilotCount, cases) => {
    const random = seeded(SEED + seatCount);
    let steps = 0;
    let moved = 0;
    let seatedAnew = 0;
    for (let round = 0; round < cases; round++) {
      const one = randomCase(random, seatCount, pilotCount);
      const before = solve(one.seats, one.pilots);
      for (const pilot of one.pilots) {
        for (const aircraftId of [VIPER, HORNET]) {
          let seating = before;
          for (let better = raise(pilot, aircraftId); better; better = raise(better, aircraftId)) {
            const risen = better;
            const after = solve(
              one.seats,
              one.pilots.map((each) => (each.id === pilot.id ? risen : each)),
            );
            const [was, is] = [seatOf(seating, pilot.id), seatOf(after, pilot.id)];
            if (was !== null) expect(is).not.toBeNull();
            steps += 1;
            if (was !== null && was !== is) moved += 1;
            if (was === null && is !== null) seatedAnew += 1;
            seating = after;
          }
        }
      }
    }
    // The level mattered: some pilots moved to another seat, and some without a seat got one.
    expect([steps, moved, seatedAnew]).toEqual([atLeast(1000), atLeast(20), atLeast(5)]);
  });
});

describe('a pilot who lists another aircraft', () => {
  test('never loses a seat, unless the first entry of the list is for another aircraft', () => {
    const random = seeded(SEED);
    let [firsts, seatedAnew, ruledOut] = [0, 0, 0];
    for (let round = 0; round < 400; round++) {
      const one = randomCase(random, 5, 7);
      const before = solve(one.seats, one.pilots);
      for (const pilot of one.pilots) {
        for (const aircraftId of [VIPER, HORNET].filter((id) => !pilot.levels.has(id))) {
          const listing = { ...pilot, levels: new Map([...pilot.levels, [aircraftId, 'basic' as const]]) };
          const after = solve(
            one.seats,
            one.pilots.map((each) => (each.id === pilot.id ? listing : each)),
          );
          const [was, is] = [seatOf(before, pilot.id), seatOf(after, pilot.id)];
          const own = one.seats.find(({ flightId, seatIndex }) => `${flightId} ${seatIndex}` === was);
          if (pilot.levels.size === 0) firsts += 1;
          if (was === null && is !== null) seatedAnew += 1;
          if (was !== null && is === null) ruledOut += 1;
          if (pilot.levels.size > 0 || own?.aircraftId === aircraftId) expect(was !== null && is === null).toBe(false);
        }
      }
    }
    expect([firsts, seatedAnew, ruledOut]).toEqual([atLeast(500), atLeast(20), atLeast(20)]);
  });
});

function seatOf({ seated }: Seating, pilotId: string): string | null {
  const held = seated.find((one) => one.pilotId === pilotId);
  return held ? `${held.flightId} ${held.seatIndex}` : null;
}

function atLeast(least: number): unknown {
  return expect.toSatisfy((value: number) => value >= least, `at least ${least}`);
}
