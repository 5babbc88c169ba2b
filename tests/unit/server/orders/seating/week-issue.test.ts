/** Missions that are issued together: ties depend on their plans, not on ids. */
import { describe, expect, test } from 'vitest';
import { seatForIssue } from '#server/orders/seating/rules/one-mission/stable-seating.ts';
import type { SeatingPilot } from '#server/orders/seating/rules/eligibility.ts';
import { type FreeMission, seatTogether, solveWeek } from '#server/orders/seating/rules/week/week-issue.ts';
import { createWeekSolver } from '#server/orders/seating/week-solver.ts';
import { seeded } from '#tests/harness/seeded.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 20, 12);
const START_MS = NOW_MS + 50 * HOUR_MS;

/** The same numbers for the same seed. @returns a whole number below `n` */
function dice(seed: number): (n: number) => number {
  const { between } = seeded(seed);
  return (n) => between(0, n - 1);
}

function mission(id: string, hours: number, aircraftIds: readonly number[]): FreeMission {
  const startMs = START_MS + hours * HOUR_MS;
  const seats = aircraftIds.map((aircraftId, index) => ({
    flightId: `${id} ${index >> 1}`,
    seatIndex: index % 2,
    aircraftId,
    aircraftName: `Aircraft ${aircraftId}`,
    role: 'CAP' as const,
    flightSize: 2,
  }));
  return { id, startMs, endMs: startMs + 3 * HOUR_MS, seats };
}

function crowd(size: number, pick: (n: number) => number): SeatingPilot[] {
  return Array.from({ length: size }, (_, index) => ({
    id: `pilot ${index}`,
    active: true,
    presences: [
      {
        startMs: START_MS - pick(3) * HOUR_MS,
        endMs: START_MS + (2 + pick(9)) * HOUR_MS,
        aircraftId: pick(3) === 0 ? null : 1 + pick(3),
        source: 'template' as const,
        notes: null,
      },
    ],
    commitments: [],
    state: 'available' as const,
    levels: new Map(),
    debt: 0,
    reliability: 0.8,
  }));
}

/** The pilots by mission, in the given order, and by position of the seat. */
const placesOf = (missions: readonly FreeMission[], pilots: readonly SeatingPilot[]) => {
  const { seatingOf } = seatTogether({ missions, nowMs: NOW_MS, pilots });
  return missions.map(({ id, seats }) =>
    seats.map(
      (seat) =>
        seatingOf.get(id)?.seated.find((one) => one.flightId === seat.flightId && one.seatIndex === seat.seatIndex)
          ?.pilotId ?? null,
    ),
  );
};

describe('missions that are seated together', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('community %i: ids and order do not affect the seating', (seed) => {
    const pick = dice(seed);
    const plans = Array.from({ length: 2 + pick(3) }, () => ({
      hours: pick(4),
      aircraftIds: Array.from({ length: 1 + pick(6) }, () => 1 + pick(3)),
    }));
    const pilots = crowd(6 + pick(20), pick);
    const named = (prefix: string) => plans.map((one, n) => mission(`${prefix}${n}`, one.hours, one.aircraftIds));
    const first = placesOf(named('draft '), pilots);
    expect(first.flat().some((pilot) => pilot !== null)).toBe(true);
    expect(placesOf(named('stored '), pilots.toReversed())).toEqual(first);
    expect(placesOf(named('draft ').toReversed(), pilots).toReversed()).toEqual(first);
  });

  test('two identical missions are both seated, with each pilot once', () => {
    const twins = [mission('a', 0, [1, 2]), mission('b', 0, [1, 2])];
    const seated = placesOf(twins, crowd(30, dice(3))).flat();
    expect(seated).not.toContain(null);
    expect(new Set(seated).size).toBe(4);
  });

  test.each([1, 2, 3])('community %i: a single mission is seated as when it is issued', (seed) => {
    const one = mission('only', 0, [1, 2, 3, 1]);
    const pilots = crowd(12, dice(seed));
    const { seatingOf } = seatTogether({ missions: [one], nowMs: NOW_MS, pilots });
    expect(seatingOf.get('only')).toEqual(seatForIssue({ seats: one.seats, times: one, nowMs: NOW_MS, pilots }));
  });

  test('a worker thread gives the same answer as the main thread', async () => {
    const pick = dice(5);
    const missions = [0, 1, 2].map((n) =>
      mission(
        `m${n}`,
        n,
        Array.from({ length: 8 }, () => 1 + pick(3)),
      ),
    );
    const problem = { missions, nowMs: NOW_MS, pilots: crowd(300, pick) };
    const options = { withOneByOne: true };
    expect(await createWeekSolver().solve(problem, options)).toEqual(solveWeek(problem, options));
    // a week that takes too long is refused with a time to retry, not with an internal error
    await expect(createWeekSolver({ limitMs: 1 }).solve(problem, options)).rejects.toMatchObject({
      status: 503,
      message: 'The server is busy. Please try again in a moment.',
    });
  });
});
