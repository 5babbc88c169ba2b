import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AIRCRAFT_CATALOGUE } from '#server/accounts/pilots/rules/aircraft-catalogue.ts';
import { allocateCallsign } from '#server/planning/rules/callsigns.ts';
import { missionTimeline, planMission, type PlanSlot, splitFlights } from '#server/planning/rules/mission-plan.ts';
import { allocateFrequency } from '#server/planning/rules/radio.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { MISSION_ROLES, THEATERS } from '#shared/vocabulary.ts';

const START = Date.UTC(2026, 6, 1, 19);
const NONE: ReadonlySet<string> = new Set();

function aircraft(code: string) {
  const found = AIRCRAFT_CATALOGUE.find((one) => one.code === code);
  if (!found) throw new Error(`no aircraft ${code}`);
  return found;
}
function slot(code: string, slotCount: number, role: PlanSlot['role'], side: 0 | 1 = 0): PlanSlot {
  return { aircraft: aircraft(code), slotCount, role, side, additionalNotes: null };
}
function plan(slots: PlanSlot[], hours = 3, taken: { callsigns?: Set<string>; frequencies?: Set<string> } = {}) {
  return planMission({
    theater: 'Syria',
    startMs: START,
    endMs: START + hours * 60 * MINUTE_MS,
    slots,
    takenCallsigns: taken.callsigns ?? NONE,
    takenFrequencies: taken.frequencies ?? NONE,
  }).packages;
}

describe('the aircraft catalogue', () => {
  test('numbers 35 types from 1 without gaps, with unique codes and names and at most two crew seats', () => {
    expect(AIRCRAFT_CATALOGUE.map(({ id }) => id)).toEqual(Array.from({ length: 35 }, (_, index) => index + 1));
    expect(new Set(AIRCRAFT_CATALOGUE.map(({ code }) => code)).size).toBe(35);
    expect(new Set(AIRCRAFT_CATALOGUE.map(({ name }) => name)).size).toBe(35);
    expect(AIRCRAFT_CATALOGUE.every(({ seats, roles }) => [1, 2].includes(seats) && roles.length > 0)).toBe(true);
  });

  test.each([
    [1, 'FA-18C_hornet'],
    [2, 'F-16C_50'],
    [14, 'Su-27'],
    [28, 'SA342M'],
    [34, 'GCI'],
    [35, 'OTHER'],
  ])('id %i is always %s', (id, code) => expect(aircraft(code).id).toBe(id));

  test('every role has an aircraft, and Other can fly all roles', () => {
    for (const role of MISSION_ROLES) expect(AIRCRAFT_CATALOGUE.some(({ roles }) => roles.includes(role))).toBe(true);
    expect(aircraft('OTHER').roles).toEqual(MISSION_ROLES);
  });
});

describe('flights', () => {
  test.each([
    [1, [1]],
    [2, [2]],
    [3, [3]],
    [4, [4]],
    [5, [3, 2]],
    [6, [4, 2]],
    [7, [4, 3]],
    [8, [4, 4]],
    [9, [4, 3, 2]],
    [13, [4, 4, 3, 2]],
    [16, [4, 4, 4, 4]],
  ])('%i aircraft fly as %j', (n, sizes) => expect(splitFlights(n)).toEqual(sizes));

  test('are as few as possible, never with a single aircraft', () => {
    for (let n = 1; n <= 64; n++) {
      const sizes = splitFlights(n);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(n);
      expect(sizes.length).toBe(Math.ceil(n / 4));
      expect(sizes.every((size) => size >= (n === 1 ? 1 : 2) && size <= 4)).toBe(true);
    }
  });
});

describe('callsigns', () => {
  test.each([
    ['the type’s first', 'F-16C_50', 'CAP', 0, [], 'Viper 1'],
    ['the next when it is taken', 'F-16C_50', 'CAP', 0, ['Viper 1'], 'Venom 1'],
    ['a type without names is generic', 'JF-17', 'CAP', 0, [], 'Enfield 1'],
    ['the red side is generic', 'F-16C_50', 'CAP', 1, [], 'Enfield 1'],
    ['a red tanker too', 'C-130J-30', 'Tanker', 1, [], 'Enfield 1'],
    ['a tanker', 'C-130J-30', 'Tanker', 0, [], 'Texaco 1'],
    ['an AWACS', 'GCI', 'AWACS', 0, ['Overlord 1'], 'Magic 1'],
    ['own names, then generic', 'A-10C_2', 'CAS', 0, ['Hawg 1', 'Boar 1', 'Pig 1', 'Tusk 1'], 'Enfield 1'],
  ] as const)('%s', (_rule, code, role, side, taken, callsign) => {
    expect(allocateCallsign({ code, role, side }, new Set(taken))).toBe(callsign);
  });

  test('get the next number when every name is in use', () => {
    const taken = new Set<string>();
    const given = Array.from({ length: 23 }, () => {
      const callsign = allocateCallsign({ code: 'C-130J-30', role: 'Tanker', side: 0 }, taken);
      taken.add(callsign);
      return callsign;
    });
    expect(given.slice(0, 4)).toEqual(['Texaco 1', 'Arco 1', 'Shell 1', 'Enfield 1']);
    expect(given.slice(10, 13)).toEqual(['Pontiac 1', 'Texaco 2', 'Arco 2']);
    expect(given.at(-1)).toBe('Texaco 3');
  });
});

describe('radio', () => {
  test.each(['F-15C', 'Su-27', 'Su-33', 'MiG-29S', 'J-11A', 'Su-25T'])('%s has no settable radio', (code) => {
    expect(aircraft(code).code).toBe(code);
    expect(allocateFrequency(code, 'x', NONE)).toBeNull();
  });

  const khzOf = (text: string | null) => {
    expect(text).toMatch(/^\d{3}\.\d{3} AM$/);
    return Math.round(Number(text?.slice(0, 7)) * 1000);
  };

  test.each([
    ['F-16C_50', 225_000, 389_975, [242_975, 243_000, 243_025]],
    ['SA342M', 118_000, 143_975, [121_500]],
    ['MosquitoFBMkVI', 118_000, 143_975, [121_500]],
  ])(
    '%s: every channel of its band once, guard never, then none',
    (code, from, to, guards) => {
      const taken = new Set<string>();
      const next = () => allocateFrequency(code, `seed ${taken.size}`, taken);
      for (let text = next(); text !== null; text = next()) taken.add(text);
      const khz = [...taken].map(khzOf).sort((a, b) => a - b);
      const band = Array.from({ length: (to - from) / 25 + 1 }, (_, index) => from + index * 25);
      expect(khz).toEqual(band.filter((channel) => !guards.includes(channel)));
    },
    20_000,
  );

  test('missions do not share one channel', () => {
    const given = Array.from({ length: 200 }, (_, index) =>
      allocateFrequency('F-16C_50', `Syria ${index} Viper 1`, NONE),
    );
    expect(new Set(given).size).toBeGreaterThan(185);
  });
});

describe('launch and time on target, in minutes after mission start', () => {
  test.each([
    ['Training', 180, 35, null],
    ['CAP', 180, 30, 60],
    ['Intercept', 180, 30, 60],
    ['Strike', 180, 35, 65],
    ['DEAD', 180, 35, 65],
    ['Recon', 180, 35, 65],
    ['SEAD', 180, 35, 63],
    ['CAS', 180, 35, 55],
    ['Tanker', 180, 25, 55],
    ['AWACS', 180, 25, 55],
    ['EW', 180, 25, 55],
    ['Strike', 65, 35, 65],
    ['Strike', 60, 20, 40],
    ['SEAD', 60, 20, 40],
    ['Tanker', 15, 5, 10],
    ['Training', 45, 15, null],
    ['Strike', 1, 0, 1],
  ] as const)('%s in a mission of %i min: %j, %j', (role, minutes, launch, tot) => {
    const { launchMs, totMs } = missionTimeline(role, START, START + minutes * MINUTE_MS);
    expect((launchMs - START) / MINUTE_MS).toBe(launch);
    expect(totMs === null ? null : (totMs - START) / MINUTE_MS).toBe(tot);
  });
});

describe('packages', () => {
  test('one per side and role group, in entry order, with their flights', () => {
    const packages = plan([
      slot('F-16C_50', 5, 'SEAD'),
      slot('F-15ESE', 2, 'CAP'),
      slot('FA-18C_hornet', 2, 'Strike'),
      slot('MiG-29S', 2, 'CAP', 1),
      slot('F-16C_50', 2, 'SEAD'),
    ]);
    expect(
      packages.map(({ callsign, objective, side, group, sortOrder }) => [callsign, objective, side, group, sortOrder]),
    ).toEqual([
      ['ALPHA', 'SEAD/Strike, Syria', 0, 'Strike', 0],
      ['BRAVO', 'CAP, Syria', 0, 'Air superiority', 1],
      ['CHARLIE', 'CAP, Syria', 1, 'Air superiority', 2],
    ]);
    expect(
      packages[0]?.flights.map(({ callsign, sizeCap, slotIndex, sortOrder }) => [
        callsign,
        sizeCap,
        slotIndex,
        sortOrder,
      ]),
    ).toEqual([
      ['Viper 1', 3, 0, 0],
      ['Venom 1', 2, 0, 1],
      ['Hornet 1', 2, 2, 2],
      ['Lobo 1', 2, 4, 3],
    ]);
    expect(packages[2]?.flights[0]).toMatchObject({ callsign: 'Enfield 1', radioFreq: null, side: 1 });
    expect(
      packages.map(({ launchMs, totMs }) => [launchMs, totMs].map((ms) => ((ms ?? 0) - START) / MINUTE_MS)),
    ).toEqual([
      [35, 65],
      [30, 60],
      [30, 60],
    ]);
  });

  test('a training package has no time on target', () => {
    expect(plan([slot('L-39ZA', 4, 'Training')])[0]?.totMs).toBeNull();
  });

  const anySlot = fc
    .record({
      aircraft: fc.constantFrom(...AIRCRAFT_CATALOGUE),
      slotCount: fc.integer({ min: 1, max: 20 }),
      role: fc.constantFrom(...MISSION_ROLES),
      side: fc.constantFrom(0 as const, 1 as const),
      additionalNotes: fc.constantFrom(null, 'night'),
    })
    .map((one): PlanSlot => one);
  const anyRequest = fc.record({
    theater: fc.constantFrom(...THEATERS),
    startMs: fc.integer({ min: 0, max: 1e6 }).map((minutes) => START + minutes * MINUTE_MS),
    minutes: fc.integer({ min: 1, max: 1440 }),
    slots: fc.array(anySlot, { minLength: 1, maxLength: 12 }),
  });

  test('every seat is planned once; names and frequencies are unique, also against a mission at the same time', () => {
    fc.assert(
      fc.property(anyRequest, ({ theater, startMs, minutes, slots }) => {
        const base = { theater, startMs, endMs: startMs + minutes * MINUTE_MS, slots };
        const first = planMission({ ...base, takenCallsigns: NONE, takenFrequencies: NONE });
        const flightsOf = (one: typeof first) => one.packages.flatMap(({ flights }) => flights);
        const second = planMission({
          ...base,
          takenCallsigns: new Set(flightsOf(first).map(({ callsign }) => callsign)),
          takenFrequencies: new Set(flightsOf(first).flatMap(({ radioFreq }) => radioFreq ?? [])),
        });
        const all = [...flightsOf(first), ...flightsOf(second)];
        expect(new Set(all.map(({ callsign }) => callsign)).size).toBe(all.length);
        const radios = all.flatMap(({ radioFreq }) => radioFreq ?? []);
        expect(new Set(radios).size).toBe(radios.length);
        slots.forEach((asked, index) => {
          const own = flightsOf(first).filter(({ slotIndex }) => slotIndex === index);
          expect(own.reduce((sum, { sizeCap }) => sum + sizeCap, 0)).toBe(asked.slotCount);
          for (const flight of own) {
            expect(flight).toMatchObject({
              aircraftId: asked.aircraft.id,
              role: asked.role,
              notes: asked.additionalNotes,
            });
            expect(flight.launchMs).toBeGreaterThanOrEqual(startMs);
            expect(flight.totMs ?? base.endMs).toBeLessThanOrEqual(base.endMs);
          }
        });
        for (const { side, flights } of first.packages)
          expect(flights.every((flight) => flight.side === side)).toBe(true);
        expect(planMission({ ...base, takenCallsigns: NONE, takenFrequencies: NONE })).toEqual(first);
      }),
      { numRuns: 60 },
    );
  });
});
