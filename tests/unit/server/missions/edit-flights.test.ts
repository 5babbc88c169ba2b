import { describe, expect, test } from 'vitest';
import { AIRCRAFT_CATALOGUE } from '#server/accounts/pilots/rules/aircraft-catalogue.ts';
import {
  describeRequest,
  planEdit,
  type EditFlight,
  type EditRequest,
  type FlightEdit,
  type MissionEdit,
  type MissionState,
} from '#server/missions/rules/edit-flights.ts';
import { planMission, type PlanSlot } from '#server/planning/rules/mission-plan.ts';
import { HOUR_MS } from '#server/time/time.ts';
import type { MissionRole, Side } from '#shared/vocabulary.ts';

const START = Date.UTC(2026, 10, 28, 19);
const END = START + 3 * HOUR_MS;
const NONE: ReadonlySet<string> = new Set();

function aircraft(code: string) {
  const found = AIRCRAFT_CATALOGUE.find((one) => one.code === code);
  if (!found) throw new Error(`no aircraft ${code}`);
  return found;
}

const slot = (
  code: string,
  slotCount: number,
  role: MissionRole,
  side: Side = 0,
  notes: string | null = null,
): PlanSlot => ({
  aircraft: aircraft(code),
  slotCount,
  role,
  side,
  additionalNotes: notes,
});

/** A mission as the planner makes it, with ids: packages are P0, P1 …; flights have their callsigns. */
function made(...slots: PlanSlot[]): MissionState {
  const { packages } = planMission({
    theater: 'Syria',
    startMs: START,
    endMs: END,
    slots,
    takenCallsigns: NONE,
    takenFrequencies: NONE,
  });
  return {
    theater: 'Syria',
    startMs: START,
    endMs: END,
    packages: packages.map(({ callsign, objective }, index) => ({
      id: `P${index}`,
      callsign,
      objective,
      ownObjective: null,
    })),
    flights: packages.flatMap(({ flights }, index) =>
      flights.map((flight): EditFlight => {
        const type = AIRCRAFT_CATALOGUE.find(({ id }) => id === flight.aircraftId);
        if (!type) throw new Error('the planner made up an aircraft');
        const own = { launchMinutes: null, totMinutes: null };
        return { ...flight, ...own, id: flight.callsign, packageId: `P${index}`, aircraft: type };
      }),
    ),
  };
}

function edit(before: MissionState, flights: Record<string, FlightEdit>, more: Partial<EditRequest> = {}) {
  return planEdit(before, {
    theater: before.theater,
    startMs: START,
    endMs: END,
    flightEdits: new Map(Object.entries(flights)),
    packageEdits: new Map(),
    removedFlightIds: NONE,
    added: [],
    takenCallsigns: NONE,
    takenFrequencies: NONE,
    ...more,
  });
}

function planned(...args: Parameters<typeof edit>): MissionEdit {
  const plan = edit(...args);
  if (!plan.ok) throw new Error(`refused: ${plan.problem}`);
  return plan;
}

const flightsOf = (plan: MissionEdit) => plan.packages.flatMap(({ flights }) => flights);

test('an edit that changes nothing leaves everything as the planner made it', () => {
  const slots = [slot('F-16C_50', 9, 'CAP'), slot('A-10C_2', 1, 'CAS', 0, 'Low'), slot('Su-27', 5, 'CAP', 1)];
  const before = made(...slots);
  const plan = planned(before, {});
  expect(flightsOf(plan)).toMatchObject(before.flights);
  expect(plan.packages.map(({ id }) => id)).toEqual(['P0', 'P1', 'P2']);
  expect(plan.slots).toEqual(
    slots.map((one) => ({
      aircraftId: one.aircraft.id,
      slotCount: one.slotCount,
      role: one.role,
      side: one.side,
      additionalNotes: one.additionalNotes,
    })),
  );
});

describe('a callsign and a frequency', () => {
  const before = made(slot('F-16C_50', 2, 'CAP'));
  const [viper] = before.flights;
  const after = (change: FlightEdit, more: Partial<EditRequest> = {}) =>
    flightsOf(planned(before, { 'Viper 1': change }, more))[0];

  test.each<[string, FlightEdit, string]>([
    ['do not change with the role', { role: 'Strike' }, 'Viper 1'],
    ['change to those of a new type', { aircraft: aircraft('A-10C_2') }, 'Hawg 1'],
    ['change to those of a tanker', { role: 'Tanker' }, 'Texaco 1'],
    ['are generic on the red side', { side: 1 }, 'Enfield 1'],
  ])('%s', (_rule, change, callsign) => expect(after(change)?.callsign).toBe(callsign));

  test('move to VHF for a type with VHF only, and are removed for one without a settable radio', () => {
    const frequency = (code: string) => after({ aircraft: aircraft(code) })?.radioFreq;
    expect(Number.parseFloat(frequency('MosquitoFBMkVI') ?? '')).toBeLessThan(144);
    expect(frequency('F-15C')).toBeNull();
    expect(frequency('FA-18C_hornet')).toBe(viper?.radioFreq);
  });

  test('change when other missions use them at the new time', () => {
    const moved = after(
      {},
      {
        takenCallsigns: new Set(['Viper 1']),
        takenFrequencies: new Set([viper?.radioFreq ?? '']),
        startMs: START + HOUR_MS,
      },
    );
    expect(moved?.callsign).toBe('Venom 1');
    expect(moved?.radioFreq).not.toBe(viper?.radioFreq);
  });

  test('a callsign set by an admin is kept, also with a new type, and refused when in use', () => {
    expect(after({ callsign: 'Reaper 7' })?.callsign).toBe('Reaper 7');
    expect(after({ callsign: 'viper 1' })?.callsign).toBe('viper 1');
    expect(after({ callsign: 'Reaper 7', aircraft: aircraft('A-10C_2') })?.callsign).toBe('Reaper 7');
    const refusal = { ok: false, problem: 'callsign taken', flightId: 'Viper 1' };
    expect(edit(before, { 'Viper 1': { callsign: 'DUDE 1' } }, { takenCallsigns: new Set(['Dude 1']) })).toEqual({
      ...refusal,
      callsign: 'DUDE 1',
    });
    const two = made(slot('F-16C_50', 2, 'CAP'), slot('A-10C_2', 2, 'CAS'));
    expect(edit(two, { 'Viper 1': { callsign: 'Hawg 1' } })).toEqual({ ...refusal, callsign: 'Hawg 1' });
    expect(edit(two, { 'Viper 1': { callsign: 'Reaper 7' }, 'Hawg 1': { callsign: 'REAPER 7' } })).toEqual({
      ...refusal,
      callsign: 'REAPER 7',
      flightId: 'Hawg 1',
    });
  });

  test('set by an admin are kept, and refused when in use', () => {
    expect(after({ radioFreq: '251.000 AM' })?.radioFreq).toBe('251.000 AM');
    expect(after({ radioFreq: null })?.radioFreq).toBeNull();
    expect(
      edit(before, { 'Viper 1': { radioFreq: '251.000 AM' } }, { takenFrequencies: new Set(['251.000 AM']) }),
    ).toEqual({
      ok: false,
      problem: 'frequency taken',
      radioFreq: '251.000 AM',
      flightId: 'Viper 1',
    });
  });

  test('can be swapped between two flights, but not shared', () => {
    const two = made(slot('F-16C_50', 8, 'CAP'));
    const [a, b] = two.flights;
    if (!a || !b) throw new Error('two flights were expected');
    const swapped = planned(two, { 'Viper 1': { radioFreq: b.radioFreq }, 'Venom 1': { radioFreq: a.radioFreq } });
    expect(flightsOf(swapped).map(({ radioFreq }) => radioFreq)).toEqual([b.radioFreq, a.radioFreq]);
    expect(edit(two, { 'Viper 1': { radioFreq: b.radioFreq } }).ok).toBe(false);
  });
});

describe('packages', () => {
  const before = made(slot('F-16C_50', 8, 'CAP'), slot('FA-18C_hornet', 4, 'SEAD'));
  const shape = (plan: MissionEdit) =>
    plan.packages.map(({ id, callsign, objective, flights }) => [
      id,
      callsign,
      objective,
      flights.map((one) => one.id),
    ]);

  test.each<[string, Record<string, FlightEdit>, unknown[]]>([
    [
      'take a flight that changes to their group',
      { 'Venom 1': { role: 'DEAD' } },
      [
        ['P0', 'ALPHA', 'CAP, Syria', ['Viper 1']],
        ['P1', 'BRAVO', 'DEAD/SEAD, Syria', ['Venom 1', 'Hornet 1']],
      ],
    ],
    [
      'vanish when they are empty',
      { 'Hornet 1': { role: 'Intercept' } },
      [['P0', 'ALPHA', 'CAP/Intercept, Syria', ['Viper 1', 'Venom 1', 'Hornet 1']]],
    ],
    [
      'move with all of their flights',
      { 'Viper 1': { side: 1 }, 'Venom 1': { side: 1 } },
      [
        ['P0', 'ALPHA', 'CAP, Syria', ['Viper 1', 'Venom 1']],
        ['P1', 'BRAVO', 'SEAD, Syria', ['Hornet 1']],
      ],
    ],
    [
      'are new for a flight that leaves the others, under a name that is free',
      { 'Viper 1': { role: 'AWACS' } },
      [
        ['P0', 'ALPHA', 'CAP, Syria', ['Venom 1']],
        ['P1', 'BRAVO', 'SEAD, Syria', ['Hornet 1']],
        [null, 'CHARLIE', 'AWACS, Syria', ['Viper 1']],
      ],
    ],
  ])('%s', (_rule, change, expected) => expect(shape(planned(before, change))).toEqual(expected));
});

describe('the request behind the flights', () => {
  test.each<[string, number[], number[]]>([
    ['stays one entry if splitting it gives the same flights', [4, 3, 2], [9]],
    ['has an entry for each flight otherwise', [4, 1], [4, 1]],
    ['has at most 64 aircraft in an entry', Array.from({ length: 17 }, () => 4), Array.from({ length: 17 }, () => 4)],
  ])('%s', (_rule, sizes, counts) => {
    const [flight] = made(slot('F-16C_50', 4, 'CAP')).flights;
    if (!flight) throw new Error('a flight was expected');
    const { entries, slotIndexOf } = describeRequest(sizes.map((sizeCap) => ({ ...flight, sizeCap })));
    expect(entries.map(({ slotCount }) => slotCount)).toEqual(counts);
    expect(slotIndexOf).toEqual(counts.length === 1 ? sizes.map(() => 0) : sizes.map((_, index) => index));
  });

  test('creates the same flights again, whatever was edited', () => {
    const before = made(slot('F-16C_50', 9, 'CAP'), slot('A-10C_2', 5, 'CAS'), slot('Su-27', 3, 'CAP', 1));
    const plan = planned(
      before,
      { 'Venom 1': { role: 'Strike', sizeCap: 2, notes: 'Low' }, 'Hawg 1': { sizeCap: 4 }, 'Enfield 1': { side: 0 } },
      { added: [slot('FA-18C_hornet', 6, 'SEAD')] },
    );
    const again = made(
      ...plan.slots.map(({ aircraftId, slotCount, role, side, additionalNotes }) => {
        const type = AIRCRAFT_CATALOGUE.find(({ id }) => id === aircraftId);
        return slot(type?.code ?? '', slotCount, role, side, additionalNotes);
      }),
    );
    const shape = (flights: readonly EditFlight[]) =>
      flights
        .map(({ aircraft: { code }, role, side, sizeCap, notes }) => [code, role, side, sizeCap, notes].join(' '))
        .toSorted();
    expect(shape(again.flights)).toEqual(shape(flightsOf(plan)));
  });
});

test.each<[string, number, Partial<EditRequest>, string]>([
  ['no seats', 1, { removedFlightIds: new Set(['Viper 1']) }, 'no seats'],
  ['more than 256 seats', 4, { added: Array.from({ length: 4 }, () => slot('F-16C_50', 64, 'CAP')) }, 'too many seats'],
])('a mission of %s is refused', (_rule, seats, request, problem) => {
  expect(edit(made(slot('F-16C_50', seats, 'CAP')), {}, request)).toEqual({ ok: false, problem });
});

describe("an admin's own times and package names", () => {
  const before = made(slot('F-16C_50', 2, 'CAP'), slot('F-15ESE', 2, 'Strike'));
  const minutes = (ms: number | null) => (ms === null ? null : (ms - START) / 60_000);
  const times = (flights: Record<string, FlightEdit>, more: Partial<EditRequest> = {}) =>
    flightsOf(planned(before, flights, more)).map(({ callsign, launchMs, totMs }) => [
      callsign,
      minutes(launchMs - (more.startMs ?? START) + START),
      minutes(totMs === null ? null : totMs - (more.startMs ?? START) + START),
    ]);

  test('replace those of the role, keep the time to the target, and move with the start', () => {
    expect(times({})[0]).toEqual(['Viper 1', 30, 60]);
    expect(times({ 'Viper 1': { launchMinutes: 50 } })[0]).toEqual(['Viper 1', 50, 80]);
    expect(times({ 'Viper 1': { launchMinutes: 50, totMinutes: 55 } })[0]).toEqual(['Viper 1', 50, 55]);
    const later = { startMs: START + 2 * HOUR_MS, endMs: END + 2 * HOUR_MS };
    expect(times({ 'Viper 1': { launchMinutes: 50 } }, later)[0]).toEqual(['Viper 1', 50, 80]);
    // a launch late in the mission is on target when it ends, at the latest
    expect(times({ 'Viper 1': { launchMinutes: 170 } })[0]).toEqual(['Viper 1', 170, 180]);
  });

  test.each<[FlightEdit, string | null]>([
    [{ launchMinutes: 180 }, null],
    [{ launchMinutes: 181 }, 'launchMinutes'],
    [{ totMinutes: 181 }, 'totMinutes'],
    [{ totMinutes: 29 }, 'totMinutes'],
    [{ totMinutes: 30 }, null],
  ])('%o: refused for %s', (change, field) => {
    const plan = edit(before, { 'Viper 1': change });
    expect(plan).toMatchObject(
      field === null ? { ok: true } : { ok: false, problem: 'time outside', field, flightId: 'Viper 1' },
    );
  });

  test('a package keeps its own callsign and objective whatever its flights become; a callsign is there once', () => {
    const named = new Map([['P0', { callsign: 'HAMMER', objective: 'Hold the line' }]]);
    const [first] = planned(before, { 'Viper 1': { role: 'Intercept' } }, { packageEdits: named }).packages;
    expect(first).toMatchObject({
      id: 'P0',
      callsign: 'HAMMER',
      objective: 'Hold the line',
      ownObjective: 'Hold the line',
    });
    const blank = new Map([['P0', { objective: null }]]);
    expect(planned(before, {}, { packageEdits: blank }).packages[0]?.objective).toBe('CAP, Syria');
    const [, second] = before.packages;
    const twice = new Map([['P0', { callsign: second?.callsign.toLowerCase() ?? '' }]]);
    expect(edit(before, {}, { packageEdits: twice })).toMatchObject({ problem: 'package taken', packageId: 'P0' });
    const swapped = new Map([
      ['P0', { callsign: 'BRAVO' }],
      ['P1', { callsign: 'ALPHA' }],
    ]);
    expect(planned(before, {}, { packageEdits: swapped }).packages.map(({ callsign }) => callsign)).toEqual([
      'BRAVO',
      'ALPHA',
    ]);
  });
});
