/** The seat that home begins with, and the word for its day on the reader's clock. */
import { expect, test } from 'vitest';
import { dayWord, findNextSeat } from '#client/features/home/next-seat.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const order = (id: string, start: string, expires = '2026-11-21T12:00:00Z') => ({
  id,
  startUtc: `2026-11-${start}:00Z`,
  endUtc: new Date(Date.parse(`2026-11-${start}:00Z`) + 3 * 3_600_000).toISOString(),
  expiresAt: expires,
});

test.each([
  ['the first start wins, offered or accepted', [order('a', '20T19:00')], [order('b', '20T18:00')], 'b'],
  [
    'an offer that has expired is none',
    [order('a', '20T19:00')],
    [order('b', '20T18:00', '2026-11-20T12:00:00Z')],
    'a',
  ],
  ['a seat under way stays until its end', [order('a', '20T09:01'), order('b', '20T19:00')], [], 'a'],
  ['then the next one follows', [order('a', '20T09:00'), order('b', '20T19:00')], [], 'b'],
  ['an offer of a mission that has begun cannot be taken', [], [order('a', '20T11:59')], undefined],
  ['a day ahead is too far', [order('a', '21T12:00')], [], undefined],
  ['a minute less is not', [order('a', '21T11:59')], [], 'a'],
])('%s', (_rule, accepted, pending, expected) => {
  expect(findNextSeat(accepted, pending, NOW)?.id).toBe(expected);
});

test.each([
  ['2026-11-20T12:00:00Z', 'UTC', 'Now'],
  ['2026-11-20T16:59:00Z', 'UTC', 'Today'],
  ['2026-11-20T17:00:00Z', 'UTC', 'Tonight'],
  ['2026-11-21T04:59:00Z', 'UTC', 'Tonight'],
  ['2026-11-21T05:00:00Z', 'UTC', 'Tomorrow'],
  // 20:00 in New York, on the 20th there
  ['2026-11-21T01:00:00Z', 'America/New_York', 'Tonight'],
  // 01:30 on the 21st in Berlin
  ['2026-11-21T00:30:00Z', 'Europe/Berlin', 'Tonight'],
  // 09:00 on the 21st in Tokyo, where it is 21:00 on the 20th
  ['2026-11-21T00:00:00Z', 'Asia/Tokyo', 'Tomorrow'],
])('%s in %s is %s', (startUtc, zone, word) => expect(dayWord(startUtc, NOW, zone)).toBe(word));
