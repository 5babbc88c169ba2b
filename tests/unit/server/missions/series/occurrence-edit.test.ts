/** The edit that brings a mission to its series: seats by kind, details of flights, names in use. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editToContent, type OccurrenceFlight } from '#server/missions/series/rules/occurrence-edit.ts';
import { splitFlights } from '#server/planning/rules/mission-plan.ts';
import type { MissionContent } from '#shared/mission-content.ts';

const NONE = { takenCallsigns: new Set<string>(), takenFrequencies: new Set<string>() };
const slot = (aircraftId: number, slotCount: number) =>
  ({ aircraftId, aircraftName: 'Jet', slotCount, role: 'CAP', side: 0, additionalNotes: null }) as const;
const contentOf = (slots: MissionContent['slots'], rest: Partial<MissionContent> = {}): MissionContent => ({
  name: 'Op',
  theater: 'Syria',
  startLocal: '19:00',
  minutes: 120,
  timeZone: 'UTC',
  notes: null,
  links: [],
  guildIds: null,
  secretSides: null,
  flights: [],
  packages: [],
  ...rest,
  slots,
});
let count = 0;
const flightOf = (aircraftId: number, sizeCap: number): OccurrenceFlight => {
  count += 1;
  return {
    id: `f${count}`,
    aircraftId,
    role: 'CAP',
    side: 0,
    notes: null,
    sizeCap,
    callsign: `Jet ${count}`,
    radioFreq: null,
  };
};
const flightsFor = (aircraftId: number, seats: number) => splitFlights(seats).map((size) => flightOf(aircraftId, size));
const edit = (content: MissionContent, flights: readonly OccurrenceFlight[], taken = NONE) =>
  editToContent('m', content, [{ id: 'p', callsign: 'ALPHA', flights }], taken);

test('each kind of seat gets its number, and no more flights change than need to', () => {
  const seats = fc.integer({ min: 0, max: 20 });
  fc.assert(
    fc.property(fc.tuple(seats, seats), fc.tuple(seats, seats), (before, after) => {
      const flights = before.flatMap((number, index) => (number === 0 ? [] : flightsFor(index + 1, number)));
      const slots = after.flatMap((number, index) => (number === 0 ? [] : [slot(index + 1, number)]));
      const { removeFlightIds = [], addAircraftSlots = [], flights: edits = [] } = edit(contentOf(slots), flights);
      const sizeOf = (flight: OccurrenceFlight) => edits.find(({ id }) => id === flight.id)?.sizeCap ?? flight.sizeCap;
      for (const [index, number] of after.entries()) {
        const own = flights.filter(({ aircraftId }) => aircraftId === index + 1);
        const kept = own.filter(({ id }) => !removeFlightIds.includes(id));
        const added = addAircraftSlots.filter(({ aircraftId }) => aircraftId === index + 1);
        const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);
        expect(sum(kept.map(sizeOf)) + sum(added.map(({ slotCount }) => slotCount))).toBe(number);
        // never both
        expect(added.length === 0 || kept.length === own.length).toBe(true);
      }
    }),
  );
});

test('flights take the details of their kind in order; a callsign or frequency in use stays', () => {
  const flights = [...flightsFor(1, 4), ...flightsFor(1, 4), flightOf(2, 2)];
  const detail = (aircraftId: number, callsign: string, radioFreq: string | null) =>
    ({ aircraftId, role: 'CAP', side: 0, callsign, radioFreq, launchMinutes: 50, totMinutes: null }) as const;
  const content = contentOf([slot(1, 8), slot(2, 2)], {
    flights: [detail(1, 'Reaper 1', '251.000 AM'), detail(1, 'Taken 1', '252.000 AM')],
    packages: [{ role: 'CAP', side: 0, callsign: 'HAMMER', objective: 'Bridge' }],
  });
  const taken = { takenCallsigns: new Set(['Taken 1']), takenFrequencies: new Set(['252.000 AM']) };
  const { flights: edits, packages } = edit(content, flights, taken);
  const [first, second, third] = flights;
  expect(edits).toEqual([
    { id: first?.id, callsign: 'Reaper 1', radioFreq: '251.000', launchMinutes: 50, totMinutes: null },
    { id: second?.id, launchMinutes: 50, totMinutes: null },
    { id: third?.id },
  ]);
  expect(packages).toEqual([{ id: 'p', callsign: 'HAMMER', objective: 'Bridge' }]);
});
