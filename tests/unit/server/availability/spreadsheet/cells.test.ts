/** The cells of a pilot's row: weekly times, aircraft, zone, Discord id, and one sentence for a bad one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AIRCRAFT_CATALOGUE } from '#server/accounts/pilots/rules/aircraft-catalogue.ts';
import { createAircraftNames } from '#server/availability/spreadsheet/rules/aircraft-names.ts';
import { readPilot, writeAircraft } from '#server/availability/spreadsheet/rules/pilot-cells.ts';
import { readWeek, writeWeek } from '#server/availability/spreadsheet/rules/week-cell.ts';
import type { PilotCells } from '#shared/pilot-sheet.ts';
import { PROFICIENCY_LEVELS } from '#shared/vocabulary.ts';
import { startProcessorTime } from '#tests/harness/processor-time.ts';

const CATALOGUE = AIRCRAFT_CATALOGUE.map((aircraft) => ({ ...aircraft, active: aircraft.name !== 'F-5E Tiger II' }));
const names = createAircraftNames(CATALOGUE);
const BLANK: PilotCells = { callSign: '', email: '', timeZone: '', aircraft: '', weeklyTimes: '', discordId: '' };
const read = (cells: Partial<PilotCells>) => readPilot({ ...BLANK, email: 'v@example.org', ...cells }, names);

describe('weekly times', () => {
  const slot = (weekday: number, startLocal: string, endLocal: string, aircraftId: number | null = null) => ({
    weekday,
    startLocal,
    endLocal,
    aircraftId,
    notes: null,
  });
  test.each([
    ['Mon 19:00-22:00', [slot(1, '19:00', '22:00')]],
    ['monday 1900 - 2200', [slot(1, '19:00', '22:00')]],
    ['Mon 7pm-10pm', [slot(1, '19:00', '22:00')]],
    ['Mon 12am – 12pm', [slot(1, '00:00', '12:00')]],
    ['Sat 20:00-01:00', [slot(6, '20:00', '01:00')]],
    ['Sun 18-24', [slot(0, '18:00', '00:00')]],
    ['Sun 18:00-20:00 F-16C', [slot(0, '18:00', '20:00', 2)]],
    ['Sun 18:00-20:00 (Hornet)', [slot(0, '18:00', '20:00', 1)]],
    ['Fri-Sun 20:00-21:00', [slot(0, '20:00', '21:00'), slot(5, '20:00', '21:00'), slot(6, '20:00', '21:00')]],
    ['Tue, Thurs and Sat 20-21', [slot(2, '20:00', '21:00'), slot(4, '20:00', '21:00'), slot(6, '20:00', '21:00')]],
    ['weekends 10:00-12:00', [slot(0, '10:00', '12:00'), slot(6, '10:00', '12:00')]],
    ['Mon 19:00-21:00; Mon 20:00-22:00', [slot(1, '19:00', '22:00')]],
    ['Wed 00:00-24:00', [slot(3, '00:00', '12:00'), slot(3, '12:00', '00:00')]],
    ['Mon 19:00-22:00;\n', [slot(1, '19:00', '22:00')]],
    [`Mon${' '.repeat(200)}19:00 \t- 22:00`, [slot(1, '19:00', '22:00')]],
  ])('%s', (cell, slots) => expect(readWeek(cell, names)).toEqual(slots));

  test.each([
    ['Mon', "“Mon” isn't a weekly time. Write it like Mon 19:00-22:00."],
    ['Mon 19:00-25:00', "“Mon 19:00-25:00” isn't a weekly time. Write it like Mon 19:00-22:00."],
    ['Mo 19:70-22:00', "“Mo 19:70-22:00” isn't a weekly time. Write it like Mon 19:00-22:00."],
    ['Funday 19:00-22:00', "“Funday 19:00-22:00” isn't a weekly time. Write it like Mon 19:00-22:00."],
    ['Mon 19:00-19:00', '“Mon 19:00-19:00” ends when it starts. Write it like Mon 19:00-22:00.'],
    ['Mon 19:00-22:00 F-15', '“F-15” can be F-15E Strike Eagle or F-15C Eagle. Write the whole name.'],
    [Array.from({ length: 13 }, (_, hour) => `Tue ${hour}:00-${hour}:30`).join(';'), 'Tuesday has more than 12 times.'],
    [`Mon ${'1'.repeat(500)}`, `“Mon ${'1'.repeat(36)}…” isn't a weekly time. Write it like Mon 19:00-22:00.`],
  ])('%s is refused', (cell, problem) => expect(readWeek(cell, names)).toEqual({ problem }));

  test('a file of 5,000 cells of spaces and digits is refused soon', () => {
    // the longest entry that is read, with the most ways to divide its spaces
    const tabs = '\t'.repeat(27);
    const cell = `P${tabs}0\t${tabs}–0\t${tabs}${tabs.slice(2)}(0(`;
    const used = startProcessorTime();
    for (let row = 0; row < 5_000; row += 1) expect(readWeek(cell, names)).toHaveProperty('problem');
    // 0.3 s for each cell where all ways are tried
    expect(used()).toBeLessThan(5_000);
  });

  test('what is written is read back as the same week', () => {
    const time = fc.integer({ min: 0, max: 1439 });
    const clock = (minutes: number) =>
      `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    const anySlot = fc
      .record({
        weekday: fc.integer({ min: 0, max: 6 }),
        start: time,
        end: time,
        aircraft: fc.option(fc.constantFrom(...CATALOGUE)),
      })
      .filter(({ start, end }) => start !== end)
      .map(({ weekday, start, end, aircraft }) => slot(weekday, clock(start), clock(end), aircraft?.id ?? null));
    fc.assert(
      fc.property(fc.array(anySlot, { maxLength: 10 }), (slots) => {
        const cell = writeWeek(slots, names);
        const again = readWeek(cell, names);
        expect('problem' in again ? again.problem : writeWeek(again, names)).toBe(cell);
      }),
      { numRuns: 500 },
    );
  });
});

describe('aircraft', () => {
  test.each([
    ['F-16C: expert; A-10C II: learning', [2, 'expert', 3, 'learning']],
    ['FA-18C_hornet:Proficient', [1, 'proficient']],
    ['f/a-18c, tomcat', [1, null, 4, null]],
    ['F-5E Tiger II', [8, null]],
    ['F-15C', [6, null]],
    ['Mi-24P Hind=basic', [22, 'basic']],
  ])('%s', (cell, flown) =>
    expect(read({ aircraft: cell })).toMatchObject({
      aircraft: Array.from({ length: flown.length / 2 }, (_, index) => ({
        id: flown[2 * index],
        level: flown[2 * index + 1],
      })),
    }),
  );

  test.each([
    ['F-16C: ace', "“ace” isn't a level. It is basic, learning, proficient or expert."],
    ['F-16C Vpier', "“F-16C Vpier” isn't an aircraft that Marshal knows. Did you mean F-16C Viper?"],
    ['Concorde', "“Concorde” isn't an aircraft that Marshal knows."],
    ['Tiger', "“Tiger” isn't an aircraft that Marshal knows."],
    ['Mirage', '“Mirage” can be Mirage 2000C or Mirage F1CE. Write the whole name.'],
    ['F-16C; Viper', 'F-16C Viper is listed twice.'],
  ])('%s is refused', (cell, problem) => expect(read({ aircraft: cell })).toEqual({ problem }));

  test('every aircraft and level is read back as written', () => {
    const flown = CATALOGUE.map(({ id }, index) => ({ id, level: PROFICIENCY_LEVELS[index % 4] ?? 'basic' }));
    const again = read({ aircraft: writeAircraft(flown, names) });
    expect('aircraft' in again && again.aircraft?.toSorted((a, b) => a.id - b.id)).toEqual(flown);
  });

  test('a name that would not be read back gives way to the code', () => {
    const odd = createAircraftNames([
      { id: 1, code: 'FW190', name: 'Fw 190: the long one', active: true },
      { id: 2, code: 'A', name: 'Same', active: true },
      { id: 3, code: 'B', name: 'Same', active: true },
    ]);
    expect([1, 2, 3, 4].map(odd.write)).toEqual(['FW190', 'A', 'B', null]);
  });
});

test.each([
  [{ timeZone: 'europe/berlin' }, { timeZone: 'Europe/Berlin' }],
  [{ timeZone: 'America/New York' }, { timeZone: 'America/New_York' }],
  [{ timeZone: 'US/Eastern' }, { timeZone: 'US/Eastern' }],
  [{ discordId: "'700800900100200300" }, { discordId: '700800900100200300' }],
  [{ callSign: 'Älv' }, { callSign: 'Älv', timeZone: null, aircraft: null, week: null, discordId: null }],
  [
    { email: '', discordId: '700800900100200300' },
    { email: null, callSign: null },
  ],
])('%o is read', (cells, wish) => expect(read(cells)).toMatchObject(wish));

test.each([
  [{ email: '' }, 'This pilot needs an email or a Discord id.'],
  [{ email: 'viper' }, "“viper” isn't an email address."],
  [
    { email: 'viper@discord.invalid' },
    "“viper@discord.invalid” can't receive email. Enter another address, or leave the cell blank if there is a Discord id.",
  ],
  [{ callSign: '\u200b' }, 'Call sign needs at least one visible character.'],
  [{ callSign: 'x'.repeat(201) }, 'Call sign too long.'],
  [{ timeZone: 'Europe/Berln' }, "“Europe/Berln” isn't a time zone. Did you mean Europe/Berlin?"],
  [{ timeZone: 'Berlin' }, "“Berlin” isn't a time zone. Did you mean Europe/Berlin?"],
  [{ timeZone: '+01:00' }, "“+01:00” isn't a time zone. Write it like Europe/Berlin."],
  [{ discordId: 'viper#1234' }, "“viper#1234” isn't a Discord id. It has 17 to 20 digits."],
  [
    { discordId: '7.008009E+17' },
    "“7.008009E+17” isn't a Discord id. The spreadsheet has rounded it: make that column text and enter it again.",
  ],
])('%o is refused', (cells, problem) => expect(read(cells)).toEqual({ problem }));
