import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  dayBounds,
  HOUR_MS,
  isDate,
  isTime,
  isTimeZone,
  listDates,
  localDate,
  localDateTime,
  localTime,
  minutesOf,
  timeOf,
  toInstantMs,
  toIso,
  weekdayOf,
} from '#server/time/time.ts';
import { TIME_ZONES } from '#shared/vocabulary.ts';

const ODD_ZONES = [
  ...TIME_ZONES,
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Pacific/Apia',
  'Pacific/Chatham',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Africa/Casablanca',
];
const anyZone = fc.constantFrom(...ODD_ZONES);
const anyInstant = fc.integer({ min: Date.UTC(2001, 0, 1), max: Date.UTC(2099, 0, 1) });

/** The time by Intl, an independent implementation of the zone rules. */
function printed(ms: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(ms);
  const part = (type: string) => parts.find((found) => found.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

describe('a time zone', () => {
  test.each([...ODD_ZONES, 'US/Eastern', 'Etc/GMT+5', 'GMT'])('%s is one', (zone) => {
    expect(isTimeZone(zone)).toBe(true);
  });

  test.each([
    '',
    ' UTC',
    'UTC ',
    '+05:00',
    '-0800',
    'EVIL-3',
    'Z',
    'GMT+5',
    'Mars/Olympus',
    'America/',
    '2025-01-01T00:00Z[UTC]',
    'x'.repeat(100_000),
    null,
    undefined,
    0,
    ['UTC'],
    {},
  ])('%j is none', (zone) => expect(isTimeZone(zone)).toBe(false));
});

describe('dates and times', () => {
  test.each([
    ['2024-02-29', true],
    ['2025-02-29', false],
    ['2025-04-31', false],
    ['2000-01-01', true],
    ['2100-12-31', true],
    ['1999-12-31', false],
    ['2101-01-01', false],
    ['2025-1-1', false],
    ['2025-01-01T00:00', false],
    ['2025-00-10', false],
    ['2025-13-10', false],
    ['2025-01-00', false],
    ['', false],
    [20250101, false],
    [null, false],
  ])('isDate(%j) is %j', (text, valid) => expect(isDate(text)).toBe(valid));

  test.each([
    ['00:00', true],
    ['23:59', true],
    ['24:00', false],
    ['19:60', false],
    ['7:30', false],
    ['19:30:00', false],
    [' 19:30', false],
    [1930, false],
  ])('isTime(%j) is %j', (text, valid) => expect(isTime(text)).toBe(valid));

  test.each([
    ['2026-11-01', 0],
    ['2026-11-02', 1],
    ['2024-02-29', 4],
    ['2000-01-01', 6],
  ])('%s is weekday %i', (date, weekday) => expect(weekdayOf(date)).toBe(weekday));

  test('days continue across months, leap days and years, both ways', () => {
    expect(listDates('2024-02-28', 3)).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
    expect(listDates('2025-12-31', 2)).toEqual(['2025-12-31', '2026-01-01']);
    expect(addDays('2025-03-01', -1)).toBe('2025-02-28');
    expect(listDates('2025-01-01', 0)).toEqual([]);
  });

  test('minutes of the day and wall times convert both ways', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1439 }), (minutes) => {
        expect(isTime(timeOf(minutes))).toBe(true);
        expect(minutesOf(timeOf(minutes))).toBe(minutes);
      }),
    );
    expect(timeOf(1440)).toBe('00:00');
    expect(timeOf(1500)).toBe('01:00');
    expect(minutesOf('24:00')).toBe(1440);
  });
});

describe('wall times become instants', () => {
  test.each([
    ['a plain time', '2026-07-01', '19:00', 'America/New_York', '2026-07-01T23:00:00.000Z'],
    ['the hour DST skips moves forward', '2026-03-08', '02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
    ['the hour DST repeats is its first pass', '2026-11-01', '01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['24:00 is the next midnight', '2026-12-31', '24:00', 'Europe/Paris', '2026-12-31T23:00:00.000Z'],
    ['a skipped midnight moves forward', '2018-11-04', '00:00', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['24:00 before a skipped midnight', '2018-11-03', '24:00', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    [
      'a half-hour change moves by half an hour',
      '2026-10-04',
      '02:15',
      'Australia/Lord_Howe',
      '2026-10-03T15:45:00.000Z',
    ],
    ['a quarter-hour offset', '2026-01-01', '00:00', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
  ])('%s', (_rule, date, time, zone, instant) => expect(toIso(toInstantMs(date, time, zone))).toBe(instant));

  test('malformed input throws', () => {
    expect(() => toInstantMs('2025-02-30', '19:00', 'UTC')).toThrow(RangeError);
    expect(() => toInstantMs('2025-02-20', '25:00', 'UTC')).toThrow(RangeError);
    expect(() => toInstantMs('2025-02-20', '19:00', 'EVIL-3')).toThrow(RangeError);
  });

  test('local times agree with Intl, in any zone', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (ms, zone) => {
        expect(localDateTime(ms, zone)).toBe(printed(ms, zone));
        expect(`${localDate(ms, zone)}T${localTime(ms, zone)}`).toBe(printed(ms, zone));
      }),
      { numRuns: 300 },
    );
  });

  test('the wall time of an instant maps back to it, or to its first pass', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (ms, zone) => {
        const minute = ms - (ms % 60_000);
        const back = toInstantMs(localDate(minute, zone), localTime(minute, zone), zone);
        expect(localDateTime(back, zone)).toBe(localDateTime(minute, zone));
        expect(back).toBeLessThanOrEqual(minute);
        expect(minute - back).toBeLessThanOrEqual(HOUR_MS);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a local day', () => {
  test.each([
    ['has 24 h', '2026-07-01', 'America/New_York', 24],
    ['has 23 h in spring', '2026-03-08', 'America/New_York', 23],
    ['has 25 h in autumn', '2026-11-01', 'America/New_York', 25],
    ['has 23.5 h on Lord Howe', '2026-10-04', 'Australia/Lord_Howe', 23.5],
    ['has 23 h where midnight is skipped', '2018-11-04', 'America/Sao_Paulo', 23],
    ['has 25 h where midnight would repeat', '2018-02-17', 'America/Sao_Paulo', 25],
    ['has none where the date was left out', '2011-12-30', 'Pacific/Apia', 0],
  ])('%s', (_rule, date, zone, hours) => {
    const { startMs, endMs } = dayBounds(date, zone);
    expect((endMs - startMs) / HOUR_MS).toBe(hours);
  });

  test('contains exactly the instants of its date, and days follow without gaps', () => {
    fc.assert(
      fc.property(anyInstant, anyZone, (ms, zone) => {
        const date = localDate(ms, zone);
        const day = dayBounds(date, zone);
        expect(ms >= day.startMs && ms < day.endMs).toBe(true);
        expect(localDate(day.startMs, zone)).toBe(date);
        expect(localDate(day.startMs - 1, zone) < date).toBe(true);
        expect(dayBounds(addDays(date, 1), zone).startMs).toBe(day.endMs);
      }),
      { numRuns: 300 },
    );
  });
});
