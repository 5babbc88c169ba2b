import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SeatingPilot } from '#server/orders/seating/rules/one-mission/seating.ts';
import { PROFICIENCY_LEVELS, type ProficiencyLevel } from '#shared/vocabulary.ts';
import { flight, HORNET, HOURS, pilot, present, solve, VIPER } from './seating-given.ts';

const anyHour = fc.integer({ min: -1, max: HOURS + 1 });
const anyPresence = fc
  .tuple(anyHour, anyHour, fc.constantFrom(null, null, VIPER, HORNET))
  .map(([a, b, aircraftId]) => present(Math.min(a, b), Math.max(a, b), aircraftId));
const fullPresence = fc.constantFrom(present(0, HOURS), present(0, HOURS, VIPER), present(-1, HOURS + 1, HORNET));
const anyLevels = fc
  .tuple(fc.option(fc.constantFrom(...PROFICIENCY_LEVELS)), fc.option(fc.constantFrom(...PROFICIENCY_LEVELS)))
  .map(([viper, hornet]) => {
    const rows = [
      [VIPER, viper],
      [HORNET, hornet],
    ] as const;
    return new Map(rows.flatMap(([id, level]) => (level === null ? [] : [[id, level] as const])));
  });
/** Eighths and quarters are exact in binary and in the code's steps, so that sums can be compared directly. */
const anyPilots = (max: number) =>
  fc
    .array(
      fc.record({
        active: fc.constantFrom(true, true, true, true, false),
        presences: fc.oneof(fc.tuple(fullPresence), fc.array(fc.oneof(fullPresence, anyPresence), { maxLength: 3 })),
        commitments: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, fc.tuple(anyPresence)),
        state: fc.constantFrom('available' as const, 'now' as const, 'dnd' as const),
        levels: anyLevels,
        debt: fc.integer({ min: -4, max: 4 }).map((quarters) => quarters / 4),
        reliability: fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8),
        goesFirst: fc.constantFrom(false, false, false, true),
      }),
      { maxLength: max },
    )
    .map((pilots) => pilots.map((one, index): SeatingPilot => ({ id: `p${index}`, ...one })));
const anySeats = (maxFlights: number) =>
  fc
    .array(
      fc.record({
        size: fc.integer({ min: 1, max: 4 }),
        aircraftId: fc.constantFrom(VIPER, HORNET),
        role: fc.constantFrom('CAP' as const, 'Tanker' as const, 'SEAD' as const),
      }),
      { maxLength: maxFlights },
    )
    .map((flights) => flights.flatMap(({ size, ...rest }, index) => flight(`f${index}`, size, rest)));

describe('the optimum', () => {
  /**
   * Eight single seats in a row, each for a different aircraft. Each crew member is best in one seat and can move up to
   * the next one, so a newcomer in the first seat makes all of them move: a gain of one against a loss of eight.
   */
  describe('never trades a higher priority for many lower ones', () => {
    const row = Array.from({ length: 8 }, (_, index) => flight(`f${index}`, 1, { aircraftId: index + 1 })).flat();
    const crewman = (index: number, next: ProficiencyLevel, more: Partial<SeatingPilot>) =>
      pilot(`crew${index}`, {
        presences: [present(0, HOURS, index + 1), present(0, HOURS, index + 2)],
        levels: new Map([
          [index + 1, 'proficient' as const],
          [index + 2, next],
        ]),
        ...more,
      });
    const newcomer = (more: Partial<SeatingPilot>) => pilot('new', { presences: [present(0, HOURS, 1)], ...more });
    const isSeated = (pilots: SeatingPilot[]) => solve(row, pilots).seated.some(({ pilotId }) => pilotId === 'new');

    test('a filled seat for proficient leads', () => {
      const crew = Array.from({ length: 7 }, (_, index) => crewman(index, 'basic', {}));
      expect(isSeated([...crew, newcomer({})])).toBe(true);
    });

    test('a pilot who goes first for proficient leads', () => {
      const crew = Array.from({ length: 8 }, (_, index) => crewman(index, 'basic', { goesFirst: index < 7 }));
      expect(isSeated([...crew, newcomer({ goesFirst: true })])).toBe(true);
    });

    test('a better lead for exact aircraft', () => {
      const crew = Array.from({ length: 8 }, (_, index) =>
        crewman(index, 'proficient', {
          debt: index < 7 ? 1 : 0,
          presences: [present(0, HOURS, index + 1), present(0, HOURS)],
        }),
      );
      expect(isSeated([...crew, newcomer({ levels: new Map([[1, 'expert']]) })])).toBe(true);
    });
  });

  test('does not depend on the order of seats, pilots or windows', () => {
    fc.assert(
      fc.property(anySeats(8), anyPilots(30), fc.integer(), (seats, pilots, seed) => {
        const shuffle = <T>(items: readonly T[]): T[] =>
          items
            .map((item, index) => ({ item, key: Math.sin(seed + index * 7919) }))
            .sort((a, b) => a.key - b.key)
            .map(({ item }) => item);
        const shuffled = shuffle(pilots.map((one) => ({ ...one, presences: shuffle(one.presences) })));
        expect(solve(shuffle(seats), shuffled)).toEqual(solve(seats, pilots));
      }),
      { numRuns: 150 },
    );
  });

  /** The size of a maximum matching by augmenting paths. */
  function largestMatching(fitting: readonly (readonly number[])[], pilots: number): number {
    const seatOf = Array.from({ length: pilots }, () => -1);
    const augment = (seat: number, seen: Set<number>): boolean =>
      (fitting[seat] ?? []).some((one) => {
        if (seen.has(one)) return false;
        seen.add(one);
        const held = seatOf[one] ?? -1;
        if (held >= 0 && !augment(held, seen)) return false;
        seatOf[one] = seat;
        return true;
      });
    return fitting.filter((_, seat) => augment(seat, new Set())).length;
  }

  test('fills the maximum number of seats when pilots are scarce', () => {
    const kinds = [1, 2, 3, 4, 5, 6];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...kinds), fc.integer({ min: 1, max: 4 })), { maxLength: 12 }),
        fc.array(fc.tuple(fc.subarray(kinds, { maxLength: 3 }), fc.integer({ min: -8, max: 8 })), { maxLength: 36 }),
        (flights, crews) => {
          const seats = flights.flatMap(([aircraftId, size], index) => flight(`f${index}`, size, { aircraftId }));
          const pilots = crews.map(([own, debt], index) =>
            pilot(`p${index}`, { debt, presences: own.map((aircraftId) => present(0, HOURS, aircraftId)) }),
          );
          const fitting = seats.map(({ aircraftId }) =>
            crews.flatMap(([own], index) => (own.includes(aircraftId) ? [index] : [])),
          );
          expect(solve(seats, pilots).seated.length).toBe(largestMatching(fitting, pilots.length));
        },
      ),
      { numRuns: 400 },
    );
  });

  /** Pilots who differ in everything, since ties would make it easy. */
  function crowd(count: number): SeatingPilot[] {
    let state = 1;
    const next = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    return Array.from({ length: count }, (_, index) =>
      pilot(`p${index}`, {
        presences: [
          present(-1, 4, 1 + next(6)),
          present(0, 3, 1 + next(6)),
          present(0, 3, next(5) ? 1 + next(6) : null),
        ],
        levels: new Map([1, 2, 3, 4, 5, 6].map((id) => [id, PROFICIENCY_LEVELS[next(4)] ?? 'basic'])),
        debt: next(3_000_000) / 1_000_000 - 1,
        reliability: next(1000) / 1000,
      }),
    );
  }

  test.each([
    [256, 500],
    [256, 200],
    [64, 1000],
  ])('of %i seats and %i pilots takes well under a second', (count, crew) => {
    const seats = Array.from({ length: count / 4 }, (_, index) =>
      flight(`f${index}`, 4, { aircraftId: 1 + (index % 6) }),
    ).flat();
    const pilots = crowd(crew);
    // the best of three, because other load can only add time
    const took = [1, 2, 3].map(() => {
      const before = performance.now();
      expect(solve(seats, pilots).seated.length).toBe(Math.min(count, crew));
      return performance.now() - before;
    });
    expect(Math.min(...took)).toBeLessThan(1000);
  });
});
