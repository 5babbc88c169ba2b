import { describe, expect, test } from 'vitest';
import { NEVER_BUSY } from '#server/availability/rules/busy-minutes.ts';
import { AircraftLevels, packLevels } from '#server/availability/rules/aircraft-levels.ts';
import { createRoster } from '#server/availability/rules/roster.ts';
import { createPilotPacking, rosterSlot, type RosterPilot } from '#server/availability/rules/roster-pilot.ts';
import { minutesOf, timeOf } from '#server/time/time.ts';
import type { ProficiencyLevel } from '#shared/vocabulary.ts';

describe('AircraftLevels', () => {
  const list = new Map<number, ProficiencyLevel>([
    [1_001, 'expert'],
    [2, 'basic'],
    [32_767, 'learning'],
    [5, 'proficient'],
  ]);

  test('answers as the map that it was made of', () => {
    const levels = new AircraftLevels(packLevels(list));
    expect(levels.size).toBe(list.size);
    expect(new Map(levels)).toEqual(list);
    expect(new Set(levels.keys())).toEqual(new Set(list.keys()));
    expect(levels.values().toArray().sort()).toEqual(list.values().toArray().sort());
    for (const id of [...list.keys(), 1, 3, 4, 6, 4_004]) {
      expect(levels.get(id)).toBe(list.get(id));
      expect(levels.has(id)).toBe(list.has(id));
    }
    const visited = new Map<number, ProficiencyLevel>();
    levels.forEach((level, id) => visited.set(id, level));
    expect(visited).toEqual(list);
  });
});

const idOf = (at: number): string => `01992c34-7e00-7000-8000-${at.toString(16).padStart(12, '0')}`;

const given = (at: number, slots: RosterPilot['slots'], more: Partial<RosterPilot> = {}): RosterPilot => ({
  id: idOf(at),
  name: `Pilot ${at}`,
  timeZone: 'Asia/Tokyo',
  isActive: true,
  status: { state: 'available', minutes: null, expiresAtMs: null },
  leaveDates: null,
  leave: null,
  overrides: [],
  busy: NEVER_BUSY,
  seats: [],
  levels: new AircraftLevels(packLevels([[2, 'basic']])),
  slots,
  ...more,
});

describe('createRoster', () => {
  test('keeps each weekly window once: presence and absence are read from the same columns', () => {
    const [pilots, evenings] = [5_000, [1, 3, 5]];
    const roster = createRoster();
    const week = evenings.map((weekday) =>
      rosterSlot({ weekday, startLocal: '18:00', endLocal: '22:00', aircraftId: null, notes: null }),
    );
    for (let pilot = 0; pilot < pilots; pilot += 1) roster.put(given(pilot, week));
    const { present, absent } = roster.presence();
    const [day, minutes] = [Date.UTC(2026, 0, 7) / 60_000, 1_440];
    const [there, away] = [new Int32Array(minutes), new Int32Array(minutes)];
    present.addCounts(day, 60, there);
    absent.addCounts(day, 60, away);
    // the evening of a Wednesday in Tokyo
    expect([there[540], away[540], there[0], away[0]]).toEqual([pilots, 0, 0, pilots]);
    const counters = 100_000;
    // 10 bytes a window, and room to grow
    expect(roster.bytes()).toBeLessThan(pilots * evenings.length * 12 + counters);
  });
});

describe('createPilotPacking', () => {
  /** more different slots than a character has values */
  const slots = Array.from({ length: 70_000 }, (_, at) => {
    const startLocal = timeOf(at % 1_440);
    const endLocal = timeOf((minutesOf(startLocal) + 30) % 1_440);
    return rosterSlot({ weekday: at % 7, startLocal, endLocal, aircraftId: at, notes: null });
  });

  test('gives back each pilot with the same slots', () => {
    const { pack, unpack } = createPilotPacking();
    const seat = { startMs: 1, endMs: 2, expiresAtMs: null };
    const pilots = [
      given(7_001, []),
      ...Array.from({ length: 7_000 }, (_, at) => given(at, slots.slice(at * 10, at * 10 + 10))),
      given(7_002, slots.slice(-2), {
        leaveDates: { firstDate: '2026-01-01', lastDate: '2026-01-02' },
        seats: [seat],
      }),
    ];
    const unpacked = pilots.map(pack).map(unpack);
    for (const [at, pilot] of pilots.entries()) {
      expect({ id: pilot.id, ...unpacked[at] }).toEqual(pilot);
      expect(unpacked[at]?.slots.every((slot, index) => slot === pilot.slots[index])).toBe(true);
    }
  });
});
