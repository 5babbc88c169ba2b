/** Sample weeks for tests and benchmarks of the seating. */
import fc from 'fast-check';
import type { Presence } from '#server/availability/rules/dated-windows.ts';
import type { SeatingPilot } from '#server/orders/seating/rules/one-mission/seating.ts';
import type { Interval } from '#server/time/intervals.ts';
import { HOUR_MS } from '#server/time/time.ts';
import type { WeekMission } from '#server/orders/seating/rules/week/week-seating.ts';
import { type MissionRole, PROFICIENCY_LEVELS } from '#shared/vocabulary.ts';
import { seeded } from '#tests/harness/seeded.ts';
import { EARLY, flight, HORNET, pilot, START, VIPER } from './seating-given.ts';

const TOMCAT = 3;

export const missionAt = (id: string, from: number, to: number, seats: WeekMission['seats']): WeekMission => ({
  mission: { id, startMs: START + from * HOUR_MS, endMs: START + to * HOUR_MS },
  seats,
});

const span = (from: number, to: number, aircraftId: number | null): Presence => ({
  startMs: START + from * HOUR_MS,
  endMs: START + to * HOUR_MS,
  aircraftId,
  source: 'template',
  notes: null,
});

const anyAircraft = fc.constantFrom(VIPER, HORNET, TOMCAT);
const anyLevels = fc
  .array(fc.tuple(anyAircraft, fc.constantFrom(...PROFICIENCY_LEVELS)), { maxLength: 3 })
  .map((levels) => new Map(levels));

/** A window on half hours, up to `hours` after the mission start. */
const anySpan = (hours: number, aircraft: fc.Arbitrary<number | null>) =>
  fc
    .tuple(fc.integer({ min: -1, max: hours }), fc.integer({ min: 1, max: hours + 1 }), aircraft)
    .map(([from, length, aircraftId]) => span(from, from + length, aircraftId));

/** The parts of a presence before and after a leave: the presences of a pilot never touch it. */
const outside =
  (leave: Interval | null) =>
  (one: Presence): Presence[] =>
    leave === null
      ? [one]
      : [
          { ...one, endMs: Math.min(one.endMs, leave.startMs) },
          { ...one, startMs: Math.max(one.startMs, leave.endMs) },
        ].filter(({ startMs, endMs }) => startMs < endMs);

/** Quarters and eighths are exact in binary and in the code's steps, so that sums can be compared directly. */
export function anyWeekPilots(hours: number, max: number): fc.Arbitrary<SeatingPilot[]> {
  const aircraft = fc.option(anyAircraft, { freq: 2 });
  const whole = aircraft.map((aircraftId) => span(-1, hours + 2, aircraftId));
  return fc
    .array(
      fc.record({
        active: fc.constantFrom(true, true, true, true, true, true, true, false),
        presences: fc.oneof(
          fc.array(whole, { minLength: 1, maxLength: 2 }),
          fc.array(fc.oneof(whole, anySpan(hours, aircraft)), { minLength: 1, maxLength: 4 }),
        ),
        commitments: fc.oneof(
          { weight: 7, arbitrary: fc.constant([]) },
          fc.tuple(anySpan(1, fc.constant(null)).map(({ startMs, endMs }) => ({ startMs, endMs }))),
        ),
        state: fc.constantFrom('available' as const, 'now' as const, 'dnd' as const),
        levels: anyLevels,
        debt: fc.integer({ min: -4, max: 4 }).map((quarters) => quarters / 4),
        reliability: fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8),
        leave: fc.option(
          anySpan(hours, fc.constant(null)).map(({ startMs, endMs }) => ({ startMs, endMs, lastDate: '2026-12-05' })),
          { freq: 5 },
        ),
        goesFirst: fc.constantFrom(false, false, false, true),
      }),
      { minLength: 1, maxLength: max },
    )
    .map((pilots) =>
      pilots.map((one, index) => pilot(`p${index}`, { ...one, presences: one.presences.flatMap(outside(one.leave)) })),
    );
}

const anyFlights = (prefix: string, max: number): fc.Arbitrary<WeekMission['seats']> =>
  fc
    .array(
      fc.record({
        size: fc.integer({ min: 1, max: 4 }),
        aircraftId: anyAircraft,
        role: fc.constantFrom<MissionRole>('CAP', 'SEAD', 'Tanker'),
      }),
      { minLength: 1, maxLength: 2 },
    )
    .map((flights) =>
      flights.flatMap(({ size, ...rest }, index) => flight(`${prefix}${index}`, size, rest)).slice(0, max),
    );

type Span = readonly [from: number, to: number];

/** Missions at these hours, with at most `seatsMax` seats in total. */
export function anyMissions(times: fc.Arbitrary<readonly Span[]>, seatsMax: number): fc.Arbitrary<WeekMission[]> {
  return times.chain((spans) =>
    fc.tuple(...spans.map((_, index) => anyFlights(`m${index} f`, 4))).map((flights) => {
      let left = seatsMax;
      return spans.map(([from, to], index) => {
        const seats = (flights[index] ?? []).slice(0, Math.max(0, left - (spans.length - 1 - index)));
        left -= seats.length;
        return missionAt(`m${index}`, from, to, seats);
      });
    }),
  );
}

/** Evenings of `givenWeek`, in hours after the first: some missions all overlap, some overlap in a chain. */
const EVENINGS: readonly (readonly Span[])[] = [
  [
    [0, 3],
    [1, 4],
    [2, 5],
  ],
  [
    [0, 3],
    [2, 5],
    [4, 7],
  ],
  [
    [0, 3],
    [0, 3],
    [1, 4],
  ],
  [
    [-1, 2],
    [1, 4],
    [3, 6],
  ],
  [
    [0, 3],
    [1, 4],
    [2, 5],
  ],
  [
    [0, 2],
    [1, 5],
    [4, 7],
  ],
  [
    [0, 3],
    [3, 6],
  ],
];
const KINDS = 12;
const SEATS_EACH = 64;

/**
 * The week of the seating benchmarks: 20 missions of 64 seats on seven evenings, and pilots who are available on some
 * evenings for some of twelve kinds of aircraft, of which the last are rare; those who list none are mostly there for any.
 * The same for the same seed.
 */
export function givenWeek({ seed, pilots: count }: { seed: number; pilots: number }) {
  const random = seeded(seed);
  const missions = EVENINGS.flatMap((spans, day) =>
    spans.map(([from, to], index): WeekMission => {
      const id = `m${day}${index}`;
      const seats = Array.from({ length: SEATS_EACH / 4 }, (_, place) =>
        flight(`${id} f${String(place).padStart(2, '0')}`, 4, {
          aircraftId: 1 + random.between(0, KINDS - 1),
          role: random.pick(['CAP', 'SEAD', 'CAS', 'Tanker']),
        }),
      ).flat();
      return missionAt(id, day * 24 + from, day * 24 + to, seats);
    }),
  );
  /** the lower, the more pilots fly it */
  const anyKind = () => 1 + Math.floor(KINDS * random.next() * random.next());
  const busy = (from: number) => span(from, from + 3, null);
  const pilots = Array.from({ length: count }, (_, index): SeatingPilot => {
    const kinds = Array.from({ length: random.between(1, 3) }, anyKind);
    const isListing = !random.chance(0.1);
    const presences = EVENINGS.flatMap((_spans, day): Presence[] => {
      if (!random.chance(0.35)) return [];
      const from = day * 24 + random.between(-6, 8) / 2;
      const to = from + random.between(4, 14) / 2;
      if (random.chance(isListing ? 0.05 : 0.8)) return [span(from, to, null)];
      return [...new Set(kinds)].map((aircraftId) => span(from, to, aircraftId));
    });
    return pilot(`p${String(index).padStart(6, '0')}`, {
      active: !random.chance(0.03),
      presences,
      commitments: random.chance(0.1) ? [busy(random.between(0, 160))] : [],
      state: random.chance(0.05) ? 'dnd' : 'available',
      levels: new Map(isListing ? kinds.map((kind) => [kind, random.pick(PROFICIENCY_LEVELS)]) : []),
      debt: random.between(-300, 300) / 100,
      reliability: random.between(40, 100) / 100,
    });
  });
  return { missions, pilots, nowMs: EARLY };
}
