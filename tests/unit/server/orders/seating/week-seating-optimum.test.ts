import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seatMission, type SeatingPilot } from '#server/orders/seating/rules/one-mission/seating.ts';
import { HOUR_MS } from '#server/time/time.ts';
import { seatWeek, type WeekMission, type WeekSeating } from '#server/orders/seating/rules/week/week-seating.ts';
import { EARLY, START } from './seating-given.ts';
import { anyMissions, anyWeekPilots } from './week-given.ts';
import { bestScore, isTogether, scoreOf } from './week-oracle.ts';

const LATE = START - 5 * HOUR_MS;

/** The pilot of each seat. Fails if a pilot has two at the same time, or if a seat or pilot is not listed exactly once. */
function holders(missions: readonly WeekMission[], pilots: readonly SeatingPilot[], week: WeekSeating) {
  const flown = new Map<string, WeekMission[]>();
  const given = missions.map((one, place) => {
    const { seated = [], open = [], ineligible = [] } = week.seatings[place] ?? {};
    expect([...seated, ...open].map(({ flightId, seatIndex }) => `${flightId} ${seatIndex}`).toSorted()).toEqual(
      one.seats.map(({ flightId, seatIndex }) => `${flightId} ${seatIndex}`).toSorted(),
    );
    expect([...seated, ...ineligible].map(({ pilotId }) => pilotId).toSorted()).toEqual(
      pilots.map(({ id }) => id).toSorted(),
    );
    for (const { pilotId } of seated) flown.set(pilotId, [...(flown.get(pilotId) ?? []), one]);
    return one.seats.map((seat) => {
      const holder = seated.find((at) => at.flightId === seat.flightId && at.seatIndex === seat.seatIndex);
      return pilots.find(({ id }) => id === holder?.pilotId) ?? null;
    });
  });
  for (const one of flown.values()) {
    one.forEach((a, index) => one.slice(0, index).forEach((b) => expect(isTogether(a, b)).toBe(false)));
  }
  expect(week.filled).toBe(given.flat().filter((pilot) => pilot !== null).length);
  return given;
}

const anySpan = fc
  .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 4 }))
  .map(([from, length]) => [from, from + length] as const);
const anyTimes = fc.oneof(
  fc.array(anySpan, { minLength: 2, maxLength: 4 }),
  fc.constantFrom(
    [
      [0, 3],
      [2, 5],
      [4, 7],
    ] as const,
    [
      [0, 3],
      [2, 5],
      [4, 7],
      [6, 9],
    ] as const,
    [
      [0, 6],
      [0, 3],
      [3, 6],
      [2, 4],
    ] as const,
  ),
);
const clique = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 3, max: 5 })), { minLength: 2, maxLength: 3 })
  .map((spans) => spans.map(([from, to]) => [from, to] as const));

describe('a week seated together', () => {
  test.each([
    ['days ahead', EARLY],
    ['hours ahead', LATE],
  ])('fills as many seats as exhaustive search: %s', (_rule, nowMs) => {
    fc.assert(
      fc.property(anyMissions(anyTimes, 7), anyWeekPilots(8, 7), (missions, pilots) => {
        const week = seatWeek({ missions, nowMs, pilots });
        const given = holders(missions, pilots, week);
        expect(scoreOf(missions, given, nowMs)[0]).toBe(bestScore(missions, pilots, nowMs)[0]);
        expect(week.isBest).toBe(true);
      }),
      { numRuns: 800 },
    );
  });

  test.each([
    ['days ahead', EARLY],
    ['hours ahead', LATE],
  ])('is the best by all priorities where all missions overlap: %s', (_rule, nowMs) => {
    fc.assert(
      fc.property(anyMissions(clique, 7), anyWeekPilots(5, 7), (missions, pilots) => {
        const week = seatWeek({ missions, nowMs, pilots });
        expect(scoreOf(missions, holders(missions, pilots, week), nowMs)).toEqual(bestScore(missions, pilots, nowMs));
        expect(week.isBest).toBe(true);
      }),
      { numRuns: 800 },
    );
  });

  test('does not depend on the order of missions, seats and pilots', () => {
    const shuffled = anyMissions(anyTimes, 9).chain((missions) =>
      anyWeekPilots(8, 9).chain((pilots) =>
        fc.record({
          missions: fc.constant(missions),
          pilots: fc.constant(pilots),
          mixed: fc
            .tuple(
              ...missions.map(({ mission, seats }) =>
                fc
                  .shuffledSubarray([...seats], { minLength: seats.length })
                  .map((mixed) => ({ mission, seats: mixed })),
              ),
            )
            .chain((list) => fc.shuffledSubarray([...list], { minLength: list.length })),
          crowd: fc.shuffledSubarray(pilots, { minLength: pilots.length }),
        }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ({ missions, pilots, mixed, crowd }) => {
        const week = seatWeek({ missions, nowMs: EARLY, pilots });
        const again = seatWeek({ missions: mixed, nowMs: EARLY, pilots: crowd });
        const byId = (list: readonly WeekMission[], { seatings }: WeekSeating) =>
          new Map(list.map(({ mission }, index) => [mission.id, seatings[index]]));
        expect(byId(mixed, again)).toEqual(byId(missions, week));
        expect(again.filled).toBe(week.filled);
      }),
      { numRuns: 500 },
    );
  });

  test('of one mission is the seating of that mission', () => {
    fc.assert(
      fc.property(anyMissions(fc.constant([[0, 3]] as const), 8), anyWeekPilots(4, 8), ([one], pilots) => {
        if (!one) throw new Error('no mission');
        const alone = seatMission({ ...one, nowMs: LATE, pilots });
        expect(seatWeek({ missions: [one], nowMs: LATE, pilots })).toEqual({
          seatings: [alone],
          filled: alone.seated.length,
          isBest: true,
        });
      }),
      { numRuns: 500 },
    );
  });

  test('fills no fewer seats than seating one mission after the other', () => {
    fc.assert(
      fc.property(anyMissions(anyTimes, 16), anyWeekPilots(8, 14), (missions, pilots) => {
        let crowd = pilots;
        let filled = 0;
        for (const { mission, seats } of missions) {
          const { seated } = seatMission({ mission, seats, nowMs: EARLY, pilots: crowd });
          filled += seated.length;
          const flying = new Set(seated.map(({ pilotId }) => pilotId));
          crowd = crowd.map((one) =>
            flying.has(one.id) ? { ...one, commitments: [...one.commitments, mission] } : one,
          );
        }
        expect(seatWeek({ missions, nowMs: EARLY, pilots }).filled).toBeGreaterThanOrEqual(filled);
      }),
      { numRuns: 500 },
    );
  });
});
