/** Weeks that tests and benches seat. */
import fc from 'fast-check';
import type { Presence } from '#server/domain/availability.ts';
import type { SeatingPilot } from '#server/domain/seating.ts';
import { HOUR_MS } from '#server/domain/time.ts';
import type { WeekMission } from '#server/domain/week-seating.ts';
import { type MissionRole, PROFICIENCY_LEVELS } from '#shared/vocabulary.ts';
import { flight, HORNET, pilot, START, VIPER } from './seating-given.ts';

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

/** Half hours from mission start on; the last of them is `hours` later. */
const anySpan = (hours: number, aircraft: fc.Arbitrary<number | null>) =>
  fc
    .tuple(fc.integer({ min: -1, max: hours }), fc.integer({ min: 1, max: hours + 1 }), aircraft)
    .map(([from, length, aircraftId]) => span(from, from + length, aircraftId));

/** Quarters and eighths are exact in binary and in the code's steps, so that sums can be compared as they are. */
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
        goesFirst: fc.constantFrom(false, false, false, true),
      }),
      { minLength: 1, maxLength: max },
    )
    .map((pilots) => pilots.map((one, index) => pilot(`p${index}`, one)));
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

/** Missions at these hours, of `seatsMax` seats in all at most. */
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
