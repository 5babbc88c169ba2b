import { describe, expect, test } from 'vitest';
import { listLocalDays } from '#server/time/local-days.ts';
import { listHours, timeOf, toInstantMs } from '#server/time/time.ts';
import { TIME_ZONES } from '#shared/vocabulary.ts';
import { seeded } from '#tests/harness/seeded.ts';

/** Local days in unusual zones: clock changes of half an hour or two hours, at midnight, in Ramadan, and a skipped date. */
const ODD_ZONES = [
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'America/Havana',
  'America/Santiago',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Pacific/Apia',
  'Pacific/Kiritimati',
];

describe('a date of a row', () => {
  test.each([...TIME_ZONES, ...ODD_ZONES])('has the instants of the calendar, every day of a year: %s', (zone) => {
    const random = seeded(zone.length);
    for (const year of [2011, 2026]) {
      const days = listLocalDays(`${year}-01-01`, `${year}-12-31`, zone);
      expect(days).toHaveLength(365);
      for (const { dateLocal, weekday, instantOf } of days) {
        expect(weekday).toBe(new Date(`${dateLocal}T00:00:00Z`).getUTCDay());
        for (const minutes of [0, 30, 60, 90, 120, 150, 180, random.between(181, 1_439)]) {
          const instant = toInstantMs(dateLocal, timeOf(minutes), zone);
          if (instantOf(minutes) !== instant) expect.fail(`${zone} ${dateLocal} ${timeOf(minutes)}`);
        }
      }
    }
  });
});

describe('the hours of a date', () => {
  test.each([
    ['an ordinary day', '2026-07-01', 'Europe/Berlin', 24, '2026-06-30T22:00Z'],
    ['the clock goes forward', '2026-03-29', 'Europe/Berlin', 23, '2026-03-28T23:00Z'],
    ['the clock goes back', '2026-10-25', 'Europe/Berlin', 25, '2026-10-24T22:00Z'],
    ['the clock goes forward in the south', '2026-10-04', 'Australia/Sydney', 23, '2026-10-03T14:00Z'],
    ['a date without a midnight begins at one', '2026-04-24', 'Africa/Cairo', 23, '2026-04-23T22:00Z'],
    ['half an hour less still takes 24', '2026-10-04', 'Australia/Lord_Howe', 24, '2026-10-03T13:30Z'],
    ['a date that a zone left out has none', '2011-12-30', 'Pacific/Apia', 0, undefined],
  ])('%s', (_rule, date, zone, hours, first) => {
    const { starts } = listHours(date, zone);
    expect([starts.length, starts[0]]).toEqual([hours, first === undefined ? undefined : Date.parse(first)]);
  });
});
