import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findBetterTimes } from '#server/orders/seating/rules/one-mission/alternative-times.ts';
import { countFillable } from '#server/orders/seating/rules/one-mission/fill-count.ts';
import { seatForIssue } from '#server/orders/seating/rules/one-mission/stable-seating.ts';
import type { SeatingPilot } from '#server/orders/seating/rules/one-mission/seating.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/time/time.ts';
import { flight, HORNET, HOURS, pilot, present, solve, START, VIPER } from './seating-given.ts';

const TOMCAT = 4;
const WEEK_BEFORE = START - 7 * DAY_MS;

describe('countFillable', () => {
  const anyPresence = fc
    .tuple(
      fc.integer({ min: -6, max: 6 }),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(null, VIPER, HORNET, TOMCAT),
    )
    .map(([from, hours, aircraftId]) => present(from, from + hours, aircraftId));
  const anyPilots = fc
    .array(
      fc.record({
        active: fc.constantFrom(true, true, true, false),
        presences: fc.array(anyPresence, { maxLength: 4 }),
        commitments: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.tuple(anyPresence)),
        state: fc.constantFrom('available' as const, 'now' as const, 'dnd' as const),
      }),
      { maxLength: 14 },
    )
    .map((pilots) => pilots.map((one, index): SeatingPilot => pilot(`p${index}`, one)));
  const anyDemand = fc
    .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }))
    .map(([viper, hornet, tomcat]) =>
      [
        { aircraftId: VIPER, seats: viper },
        { aircraftId: HORNET, seats: hornet },
        { aircraftId: TOMCAT, seats: tomcat },
      ].filter(({ seats }) => seats > 0),
    );

  test('counts the seats that the exact seating fills, at every start', () => {
    fc.assert(
      fc.property(anyPilots, anyDemand, fc.integer({ min: 0, max: 30 }), (pilots, demand, hoursBefore) => {
        const nowMs = START - hoursBefore * HOUR_MS;
        const starts = Float64Array.from({ length: 12 }, (_, index) => START + (index / 2 - 3) * HOUR_MS);
        const seats = demand.flatMap(({ aircraftId, seats: size }) =>
          flight(`f${aircraftId}`, size, { aircraftId, flightSize: size }),
        );
        const counted = countFillable({ demand, pilots, starts, lengthMs: HOURS * HOUR_MS, nowMs });
        const seated = Array.from(starts, (startMs) => {
          const times = { startMs, endMs: startMs + HOURS * HOUR_MS };
          return seatForIssue({ seats, times, nowMs, pilots }).seated.length;
        });
        expect(counted).toEqual(seated);
      }),
      { numRuns: 300 },
    );
  });
});

describe('findBetterTimes', () => {
  const times = { startMs: START, endMs: START + HOURS * HOUR_MS };
  const demand = [{ aircraftId: VIPER, seats: 2 }];
  /** Pilots who are free for three hours from this many hours after the start, so for one start of the grid only. */
  const freeAt = (...hours: number[]): SeatingPilot[] =>
    hours.map((hour) => pilot(`at ${hour}`, { presences: [present(hour, hour + HOURS)] }));
  const starts = (pilots: SeatingPilot[], filled = 0, nowMs = WEEK_BEFORE) =>
    findBetterTimes({ times, filled, demand, pilots, nowMs }).map((time) => [
      (time.startMs - START) / HOUR_MS,
      time.filled,
    ]);

  test.each([
    [
      'the most seats come first, then the nearest',
      [24, 24, -48, 72],
      0,
      [
        [24, 2],
        [-48, 1],
        [72, 1],
      ],
    ],
    [
      'at most three are offered',
      [24, 48, 72, 96],
      0,
      [
        [24, 1],
        [48, 1],
        [72, 1],
      ],
    ],
    ['each fills more seats than the requested time', [24, 48, 48], 1, [[48, 2]]],
    [
      'of starts less than twelve hours apart only the best is offered',
      [24, 24, 30, 35.5, 36],
      0,
      [
        [24, 2],
        [36, 1],
      ],
    ],
    ['half hours are tried', [24.5], 0, [[24.5, 1]]],
    ['quarter hours are not tried', [24.25], 0, []],
    ['times more than a week away are not tried', [168, 168.5], 0, [[168, 1]]],
    ['without pilots there are none', [], 0, []],
  ] as const)('%s', (_rule, hours, filled, expected) => {
    expect(starts(freeAt(...hours), filled)).toEqual(expected);
  });

  test('a start is at least half an hour from now', () => {
    const pilots = freeAt(-5, -24);
    expect(starts(pilots, 0, START - 5.5 * HOUR_MS)).toEqual([[-5, 1]]);
    expect(starts(pilots, 0, START - 5.5 * HOUR_MS + MINUTE_MS)).toEqual([]);
  });

  test('a whole free evening is offered once', () => {
    expect(starts([pilot('evening', { presences: [present(20, 28)] })])).toEqual([[20, 1]]);
  });
});

describe('seatForIssue', () => {
  test('ids of flights do not affect the seating, only their positions, aircraft and times', () => {
    const pilots = Array.from({ length: 12 }, (_, index) => pilot(`p${index}`));
    const times = { startMs: START, endMs: START + HOURS * HOUR_MS };
    const seat = (first: string, second: string) =>
      seatForIssue({ seats: [...flight(first, 4), ...flight(second, 2)], times, nowMs: WEEK_BEFORE, pilots }).seated;
    const who = (seated: ReturnType<typeof seat>) => seated.map(({ pilotId }) => pilotId);
    expect(who(seat('b', 'a'))).toEqual(who(seat('x', 'y')));
    // with ids as tie-breakers the flights would change places
    expect(seat('b', 'a').map(({ flightId }) => flightId)).toEqual(['b', 'b', 'b', 'b', 'a', 'a']);
    expect(solve([...flight('b', 4), ...flight('a', 2)], pilots).seated[0]?.flightId).toBe('a');
  });

  test('ties break differently at another time, so that the same pilots do not always win', () => {
    const pilots = Array.from({ length: 40 }, (_, index) => pilot(`p${index}`, { presences: [present(-500, 500)] }));
    const winners = Array.from({ length: 20 }, (_, day) => {
      const startMs = START + day * HOUR_MS;
      const times = { startMs, endMs: startMs + HOUR_MS };
      return seatForIssue({ seats: flight('f', 1), times, nowMs: WEEK_BEFORE, pilots }).seated[0]?.pilotId;
    });
    expect(new Set(winners).size).toBeGreaterThan(10);
  });
});
