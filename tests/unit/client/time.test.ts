import { describe, expect, test } from 'vitest';
import { dateShift, formatDate, formatDay, formatLocal, formatSpan, formatTime, formatZulu } from '#shared/clock.ts';
import {
  discordTimestamp,
  formatCalendarDate,
  formatDuration,
  formatExpiry,
  formatShortDate,
  zoneOffsetMinutes,
  zuluOfWallTime,
} from '#client/lib/time.ts';

// Offsets of the IANA database in winter and in summer.
test.each([
  ['2026-11-20T19:05:00Z', 'UTC', '1905Z', '1905L', 0],
  ['2026-11-20T19:05:00Z', 'Europe/Berlin', '1905Z', '2005L', 0],
  ['2026-07-20T19:05:00Z', 'Europe/Berlin', '1905Z', '2105L', 0],
  ['2026-11-20T19:05:00Z', 'Asia/Tokyo', '1905Z', '0405L', 1],
  ['2026-11-20T02:30:00Z', 'America/Los_Angeles', '0230Z', '1830L', -1],
  ['2026-11-20T00:00:00Z', 'America/New_York', '0000Z', '1900L', -1],
  ['2026-12-31T23:00:00Z', 'Australia/Sydney', '2300Z', '1000L', 1],
] as const)('%s in %s reads %s %s, date shifted by %i', (instant, zone, zulu, local, shift) => {
  expect([formatZulu(instant), formatLocal(instant, zone), dateShift(instant, zone)]).toEqual([zulu, local, shift]);
});

test.each([
  ['2026-11-20T19:05:00Z', 'Europe/Berlin', '1905Z 2005L'],
  ['2026-11-20T23:05:00Z', 'Europe/Berlin', '2305Z 0005L+1'],
  ['2026-11-20T02:30:00Z', 'America/Los_Angeles', '0230Z 1830L−1'],
  ['2026-11-20T19:05:00Z', 'UTC', '1905Z'],
  ['2026-11-20T19:05:00Z', 'Etc/UTC', '1905Z'],
  ['2026-11-20T19:05:00Z', 'Europe/London', '1905Z 1905L'],
])('%s in %s is shown as %s', (instant, zone, text) => expect(formatTime(instant, zone)).toBe(text));

test.each([
  ['19:00', '22:00', 'Europe/Berlin', undefined, '1900–2200Z 2000–2300L'],
  ['22:30', '23:30', 'Europe/Berlin', undefined, '2230–2330Z 2330–0030L+1'],
  ['22:30', '23:30', 'Europe/Berlin', '2026-11-21', '2230–2330Z−1 2330−1–0030L'],
  ['21:00', '23:00', 'Europe/Berlin', undefined, '2100–2300Z 2200–0000L+1'],
  ['02:00', '04:00', 'America/Los_Angeles', '2026-11-19', '0200–0400Z+1 1800–2000L'],
  ['19:00', '22:00', 'UTC', undefined, '1900–2200Z'],
])('from %s to %s in %s, on %s, is shown as %s', (start, end, zone, date, text) =>
  expect(formatSpan(`2026-11-20T${start}:00Z`, `2026-11-20T${end}:00Z`, zone, date)).toBe(text),
);

test('a span over a Zulu midnight marks both ends', () => {
  expect(formatSpan('2026-11-20T22:30:00Z', '2026-11-21T00:30:00Z', 'Europe/Berlin')).toBe('2230–0030Z+1 2330–0130L+1');
});

test.each([
  ['2026-11-20T12:00:00Z', 'Europe/Berlin', 60],
  ['2026-07-20T12:00:00Z', 'Europe/Berlin', 120],
  ['2026-11-20T12:00:00.999Z', 'America/New_York', -300],
  ['2026-11-20T12:00:00Z', 'Asia/Kolkata', 330],
  ['2026-01-20T12:00:00Z', 'Australia/Sydney', 660],
] as const)('at %s %s is %i minutes ahead of UTC', (instant, zone, minutes) => {
  expect(zoneOffsetMinutes(zone, new Date(instant))).toBe(minutes);
});

test('dates read as Intl writes them, in each zone and month', () => {
  const options = { month: 'short', day: 'numeric' } as const;
  for (const timeZone of ['UTC', 'Europe/Berlin', 'Pacific/Kiritimati', 'America/Los_Angeles']) {
    const write = (more: Intl.DateTimeFormatOptions, instant: Date): string =>
      new Intl.DateTimeFormat('en-US', { ...options, ...more, timeZone }).format(instant);
    for (let day = 0; day < 400; day += 9) {
      const instant = new Date(Date.UTC(2027, 0, day, day % 24));
      expect(formatShortDate(instant, timeZone)).toBe(write({ weekday: 'short' }, instant));
      expect(formatDay(instant, timeZone)).toBe(write({ year: 'numeric' }, instant));
      expect(formatDate(instant, timeZone)).toBe(write({ weekday: 'short', year: 'numeric' }, instant));
    }
  }
});

describe('the Zulu time of a wall time', () => {
  const winter = new Date('2026-11-20T12:00:00Z');
  test.each([
    ['18:00', 'Europe/Berlin', '1700Z'],
    ['00:30', 'Europe/Berlin', '2330Z'],
    ['22:00', 'America/New_York', '0300Z'],
    ['09:15', 'UTC', '0915Z'],
    ['', 'UTC', ''],
  ])('%s in %s is %s', (wall, zone, zulu) => {
    expect(zuluOfWallTime(wall, zone, winter)).toBe(zulu);
  });
});

test.each([
  ['2026-11-21T09:30:00Z', 'expires in 21 h'],
  ['2026-11-20T14:05:00Z', 'expires in 2 h'],
  ['2026-11-20T13:12:00Z', 'expires in 1 h 12 min'],
  ['2026-11-20T12:47:00Z', 'expires in 47 min'],
  ['2026-11-20T12:00:30Z', 'expires in under a minute'],
  ['2026-11-22T12:00:00Z', 'expires in 2 d'],
  ['2026-11-20T12:00:00Z', 'expired'],
])('at noon an order that expires at %s says "%s"', (expiresAt, words) => {
  expect(formatExpiry(expiresAt, new Date('2026-11-20T12:00:00Z'))).toBe(words);
});

test.each([
  [3 * 3_600_000 + 12 * 60_000, '3 h 12 min'],
  [2 * 86_400_000 + 3 * 3_600_000 + 59 * 60_000, '2 d 3 h'],
  [60 * 60_000, '1 h'],
  [59_999, 'under a minute'],
])('%i ms last "%s"', (milliseconds, words) => {
  expect(formatDuration(milliseconds)).toBe(words);
});

test('a Discord timestamp carries whole epoch seconds and the long format', () => {
  expect(discordTimestamp('2026-11-20T19:05:00.900Z')).toBe('<t:1795201500:F>');
});

test('a calendar date has no zone, so its day never shifts', () => {
  expect(formatCalendarDate('2026-11-20')).toBe('Fri, Nov 20');
});
