/** Weekly times in Zulu, compared with Temporal. */
import { describe, expect, test } from 'vitest';
import {
  clockOf,
  eveningOffsets,
  nextInstants,
  offsetName,
  zuluRange,
} from '#client/features/availability/week-times.ts';
import { readWeekSearch } from '#client/features/availability/week-view.ts';
import { TIME_ZONES } from '#shared/vocabulary.ts';

const evening = (weekday: number) => ({ weekday, startLocal: '18:00', endLocal: '22:00' });

describe('a slot in Zulu', () => {
  // A Friday; in Berlin clocks go back on Sunday, 2026-10-25.
  const now = new Date('2026-10-23T10:00:00Z');
  test.each([
    ['before the change of the clock', evening(6), 'Europe/Berlin', '1600–2000Z'],
    ['after it', evening(0), 'Europe/Berlin', '1700–2100Z'],
    ['across it', { weekday: 6, startLocal: '22:00', endLocal: '04:00' }, 'Europe/Berlin', '2000–0300Z+1'],
    ['to midnight', { weekday: 1, startLocal: '18:00', endLocal: '00:00' }, 'Europe/Berlin', '1700–2300Z'],
    [
      'where Zulu is still on the day before',
      { weekday: 2, startLocal: '06:00', endLocal: '08:00' },
      'Asia/Tokyo',
      'Mon 2100–2300Z',
    ],
    ['where Zulu is on the next day already', evening(6), 'America/Los_Angeles', 'Sun 0100–0500Z'],
    ['to the Zulu day after', { weekday: 1, startLocal: '22:00', endLocal: '02:00' }, 'Europe/Berlin', '2100–0100Z+1'],
    ['where the fields are Zulu', evening(6), 'UTC', ''],
    ['without an end', { weekday: 2, startLocal: '06:00', endLocal: '' }, 'Europe/Berlin', ''],
  ])('%s', (_rule, slot, zone, expected) => expect(zuluRange(slot, zone, now)).toBe(expected));

  test('that is over today is shown for next week', () => {
    const friday = { weekday: 5, startLocal: '08:00', endLocal: '09:00' };
    expect(nextInstants(friday, 'UTC', now)?.start.toISOString()).toBe('2026-10-30T08:00:00.000Z');
    expect(nextInstants({ ...friday, endLocal: '10:30' }, 'UTC', now)?.start.toISOString()).toBe(
      '2026-10-23T08:00:00.000Z',
    );
  });
});

test.each([
  ['02:30', '03:00', '2027-03-28T01:30:00.000Z', '2027-03-28T02:00:00.000Z'],
  ['02:45', '03:15', '2027-03-28T01:45:00.000Z', '2027-03-28T02:15:00.000Z'],
  ['02:00', '02:30', '2027-03-28T01:00:00.000Z', '2027-03-28T01:30:00.000Z'],
  ['01:30', '03:30', '2027-03-28T00:30:00.000Z', '2027-03-28T01:30:00.000Z'],
])(
  'a slot from %s to %s in the skipped hour of spring never ends before it starts',
  (startLocal, endLocal, start, end) => {
    const next = nextInstants({ weekday: 0, startLocal, endLocal }, 'Europe/Berlin', new Date('2027-03-26T10:00:00Z'));
    expect([next?.start.toISOString(), next?.end.toISOString()]).toEqual([start, end]);
  },
);

test.each(TIME_ZONES)('in the weeks of both clock changes each evening of %s has the offset from Temporal', (zone) => {
  for (const day of ['2026-03-06', '2026-03-27', '2026-04-03', '2026-10-02', '2026-10-23', '2026-10-30']) {
    const now = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: '09:00' });
    const offsets = eveningOffsets(zone, new Date(now.epochMilliseconds));
    for (let ahead = 0; ahead < 7; ahead += 1) {
      const date = now.add({ days: ahead }).with({ hour: 18 });
      expect(offsets[date.dayOfWeek % 7]).toBe(date.offsetNanoseconds / 60e9);
    }
  }
});

test('the grid shows the time of the zone, in zones a day apart', () => {
  const now = new Date('2026-11-20T23:30:00Z');
  expect(clockOf('UTC', now)).toEqual({ day: 5, minutes: 1410 });
  expect(clockOf('Asia/Tokyo', now)).toEqual({ day: 6, minutes: 510 });
  expect(clockOf('America/Los_Angeles', now)).toEqual({ day: 5, minutes: 930 });
});

test.each([
  [0, 'UTC'],
  [120, 'UTC+2'],
  [-210, 'UTC−3:30'],
])('an offset of %i minutes is called %s', (minutes, name) => expect(offsetName(minutes)).toBe(name));

test.each([
  [{ view: 'grid' }, 'grid'],
  [{ view: 'list' }, 'list'],
  [{ view: 'x' }, undefined],
  [{ view: 3 }, undefined],
  [{}, undefined],
])('the search parameters %j show the view %s', (search, view) => expect(readWeekSearch(search)).toEqual({ view }));
