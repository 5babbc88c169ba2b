/** Missions as admins write them in Discord: seats, dates, times and lengths in many forms. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { englishTexts } from '#shared/discord-texts/catalogue.ts';
import { readDate, readLength, readSeats, readTime, readTimes } from '#server/discord/rules/mission-request.ts';
import { AIRCRAFT_CATALOGUE } from '#server/accounts/pilots/rules/aircraft-catalogue.ts';
import { MISSION_ROLES } from '#shared/vocabulary.ts';

const CATALOGUE = AIRCRAFT_CATALOGUE.map((aircraft) => ({ ...aircraft, active: true }));

/** `4 F-16C Viper CAP blue`, or the problem. */
function seats(text: string): string[] | string {
  const read = readSeats(text, CATALOGUE, englishTexts);
  if ('problem' in read) return read.problem;
  return read.value.map(
    ({ aircraft, slotCount, role, side }) => `${slotCount} ${aircraft.name} ${role} ${side === 0 ? 'blue' : 'red'}`,
  );
}

describe('seats', () => {
  test.each([
    ['4 F-16C CAP, 2 A-10C CAS red', ['4 F-16C Viper CAP blue', '2 A-10C II Warthog CAS red']],
    ['4x F-16C CAP; 2 × A-10C CAS (red)', ['4 F-16C Viper CAP blue', '2 A-10C II Warthog CAS red']],
    ['4 f16c sead and 2 hornets strike', ['4 F-16C Viper SEAD blue', '2 F/A-18C Hornet Strike blue']],
    ['2 F-18s CAP + 1 F-14 Recon', ['2 F/A-18C Hornet CAP blue', '1 F-14B Tomcat Recon blue']],
    ['F-16C x4 CAP', ['4 F-16C Viper CAP blue']],
    ['F-16C CAP x4', ['4 F-16C Viper CAP blue']],
    ['2 red Su-27 CAP\n2 blue F-15C', ['2 Su-27 Flanker CAP red', '2 F-15C Eagle CAP blue']],
    ['2 CAP F-16C', ['2 F-16C Viper CAP blue']],
    // a role word that is part of the aircraft's name
    ['2 F-15E Strike Eagle', ['2 F-15E Strike Eagle Strike blue']],
    ['2 F-15E Strike Eagle CAS', ['2 F-15E Strike Eagle CAS blue']],
    ['1 AWACS', ['1 AWACS / GCI controller AWACS blue']],
    ['1 C-130J Tanker', ['1 C-130J Hercules Tanker blue']],
    // the aircraft's most usual role
    ['3 A-10C', ['3 A-10C II Warthog CAS blue']],
    // the same aircraft twice stays two entries, each with its role
    ['2 F-16C CAP, 2 F-16C SEAD', ['2 F-16C Viper CAP blue', '2 F-16C Viper SEAD blue']],
  ])('%s', (text, wanted) => {
    expect(seats(text)).toEqual(wanted);
  });

  test.each([
    ['', 'Write seats like this: 4 F-16C CAP, 2 A-10C CAS red.'],
    [' , ,', 'Write seats like this: 4 F-16C CAP, 2 A-10C CAS red.'],
    ['F-16C CAP', '“F-16C CAP” has no number of seats. Write seats like this: 4 F-16C CAP, 2 A-10C CAS red.'],
    ['4 red', '“4 red” names no aircraft. Write seats like this: 4 F-16C CAP, 2 A-10C CAS red.'],
    ['2 Tomcta CAP', "“Tomcta” isn't an aircraft that Marshal knows."],
    ['2 F-14C CAP', "“F-14C” isn't an aircraft that Marshal knows. Did you mean F-14B?"],
    ['2 F-15 CAP', '“F-15” can be F-15E Strike Eagle or F-15C Eagle. Write the whole name.'],
    ['2 F-16C blue red', '“2 F-16C blue red” is blue and red. Write each side as an entry of its own.'],
  ])('%j is answered with a sentence', (text, problem) => expect(seats(text)).toContain(problem));

  test('one bad entry is named among good ones', () => {
    expect(seats('4 F-16C CAP, 2 Spitfires CAS')).toContain('“Spitfires”');
  });

  test('any list of whole names, roles and sides is read as it was written', () => {
    const entry = fc.record({
      count: fc.integer({ min: 1, max: 64 }),
      name: fc.constantFrom(...CATALOGUE.map(({ name }) => name)),
      role: fc.constantFrom(...MISSION_ROLES),
      side: fc.constantFrom('blue', 'red'),
      times: fc.constantFrom(' ', 'x ', ' × '),
    });
    const separator = fc.constantFrom(', ', ';', ' and ', '\n', ' + ');
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 6 }), separator, (entries, between) => {
        const text = entries.map(({ count, times, name, role, side }) => `${count}${times}${name} ${role} ${side}`);
        expect(seats(text.join(between))).toEqual(
          entries.map(({ count, name, role, side }) => `${count} ${name} ${role} ${side}`),
        );
      }),
    );
  });

  test('any text is read or answered with a short sentence', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const read = seats(text);
        expect(read.length).toBeGreaterThan(0);
        expect(read.length).toBeLessThan(400);
      }),
    );
  });

  test('an aircraft that is switched off is still found by its whole name, for the form to refuse', () => {
    const off = CATALOGUE.map((aircraft) => ({ ...aircraft, active: aircraft.id !== 2 }));
    expect(readSeats('2 F-16C Viper CAP', off, englishTexts)).toMatchObject({ value: [{ aircraft: { id: 2 } }] });
    expect(readSeats('2 F-16 CAP', off, englishTexts)).toHaveProperty('problem');
  });
});

// a Wednesday
const TODAY = '2026-11-25';
test.each([
  ['2026-12-01', '2026-12-01'],
  ['today', TODAY],
  ['Tomorrow', '2026-11-26'],
  ['wednesday', TODAY],
  ['sat', '2026-11-28'],
  ['Tuesday', '2026-12-01'],
  ['28.11.2026', '2026-11-28'],
  ['1.12.2026', '2026-12-01'],
  ['01. 12. 2026', '2026-12-01'],
  ['28.11.26', '2026-11-28'],
  ['28.11.', '2026-11-28'],
  ['25.11', TODAY],
  // without a year it is the next one
  ['24.11.', '2027-11-24'],
  ['29.2.', '2028-02-29'],
  ['30.2.', null],
  ['31.11.2026', null],
  ['28.13.2026', null],
  ['11/28/2026', null],
  ['2026-02-30', null],
  ['s', null],
  ['soon', null],
  ['', null],
])('the date %j', (text, date) => {
  const read = readDate(text, TODAY, englishTexts);
  expect('value' in read ? read.value : null).toBe(date);
});

test.each([
  ['19:00', '19:00'],
  ['1900', '19:00'],
  ['19', '19:00'],
  ['7 pm', '19:00'],
  ['7:30pm', '19:30'],
  ['12 am', '00:00'],
  ['12pm', '12:00'],
  ['1900Z', '19:00Z'],
  ['2005L', '20:05'],
  ['24:00', null],
  ['19:60', null],
  ['13 pm', null],
  ['noon', null],
])('the time %j', (text, wanted) => {
  const read = readTime(text, englishTexts);
  expect('value' in read ? `${read.value.time}${read.value.isZulu ? 'Z' : ''}` : null).toBe(wanted);
});

test.each([
  ['3h', 180],
  ['3', 180],
  ['90', 90],
  ['90 min', 90],
  ['2:30', 150],
  ['2h30', 150],
  ['2h 30m', 150],
  ['1.5 hours', 90],
  ['1,5h', 90],
  ['0', null],
  ['', null],
  ['long', null],
])('the length %j', (text, minutes) => {
  const read = readLength(text, englishTexts);
  expect('value' in read ? read.value : null).toBe(minutes);
});

describe('times', () => {
  const NOW = Date.parse('2026-10-20T12:00:00Z');
  const read = (date: string, time: string, duration: string, zone = 'Europe/Berlin') =>
    readTimes({ date, time, duration }, zone, NOW, englishTexts);

  test('are in the zone of the admin, and over midnight', () => {
    expect(read('2026-10-21', '22:00', '3h')).toEqual({
      value: {
        startLocal: '2026-10-21T22:00',
        endLocal: '2026-10-22T01:00',
        timeZone: 'Europe/Berlin',
        skipped: null,
      },
    });
  });

  test('are in UTC when they are written as Zulu, today too', () => {
    expect(read('today', '1900Z', '2h', 'Pacific/Auckland')).toMatchObject({
      value: { startLocal: '2026-10-20T19:00', endLocal: '2026-10-20T21:00', timeZone: 'UTC' },
    });
    expect(read('today', '19:00', '2h', 'Pacific/Auckland')).toMatchObject({
      value: { startLocal: '2026-10-21T19:00', timeZone: 'Pacific/Auckland' },
    });
  });

  test('that the clocks skip move forward, and say so', () => {
    expect(read('2027-03-28', '02:30', '1h')).toMatchObject({
      value: { startLocal: '2027-03-28T03:30', endLocal: '2027-03-28T04:30', skipped: '02:30' },
    });
  });

  test('have their elapsed length when the clocks go back', () => {
    // 02:00 happens twice on this date
    expect(read('2026-10-25', '01:30', '3h')).toMatchObject({
      value: { startLocal: '2026-10-25T01:30', endLocal: '2026-10-25T03:30', timeZone: 'Europe/Berlin' },
    });
    expect(read('2026-10-25', '01:30', '2h')).toMatchObject({
      value: { startLocal: '2026-10-24T23:30', endLocal: '2026-10-25T01:30', timeZone: 'UTC' },
    });
  });

  test.each([
    ['someday', '19:00', '2h', 'Write the date as'],
    ['today', 'late', '2h', 'Write the time as'],
    ['today', '19:00', 'long', 'Write the length as'],
  ])('%s %s %s is answered with a sentence', (date, time, duration, problem) =>
    expect(read(date, time, duration)).toEqual({ problem: expect.stringContaining(problem) }),
  );
});
