/** The times that the buttons below `/availability` add, at any hour of the week, and the ids of "Undo". */
import { describe, expect, test } from 'vitest';
import { packIds, quickTimes, unpackIds } from '#server/discord/rules/quick-times.ts';
import { parseButtonId, writeButtonId } from '#shared/discord-button-ids.ts';

const at = (which: 'tonight' | 'weekend', local: string, zone = 'Europe/Berlin') => {
  const nowMs = Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;
  return quickTimes(which, nowMs, zone).map(
    ({ dateLocal, startLocal, endLocal }) => `${dateLocal} ${startLocal}-${endLocal}`,
  );
};

describe('tonight', () => {
  test.each([
    ['2026-11-25T08:00', '2026-11-25 19:00-23:00'],
    ['2026-11-25T19:00', '2026-11-25 19:00-23:00'],
    ['2026-11-25T20:07', '2026-11-25 20:15-23:00'],
    ['2026-11-25T22:30', '2026-11-25 22:30-23:00'],
    ['2026-11-25T22:31', '2026-11-26 19:00-23:00'],
    ['2026-11-25T23:59', '2026-11-26 19:00-23:00'],
  ])('at %s', (now, wanted) => expect(at('tonight', now)).toEqual([wanted]));
});

describe('this weekend', () => {
  test.each([
    ['2026-11-25T08:00', ['2026-11-28 10:00-00:00', '2026-11-29 10:00-00:00']],
    ['2026-11-28T15:20', ['2026-11-28 15:30-00:00', '2026-11-29 10:00-00:00']],
    ['2026-11-28T23:50', ['2026-11-29 10:00-00:00']],
    ['2026-11-29T09:00', ['2026-11-29 10:00-00:00']],
    ['2026-11-29T21:00', ['2026-11-29 21:00-00:00']],
    ['2026-11-29T23:40', ['2026-12-05 10:00-00:00', '2026-12-06 10:00-00:00']],
  ])('at %s', (now, wanted) => expect(at('weekend', now)).toEqual(wanted));
});

test('follow the date of the pilot', () => {
  const nowMs = Date.parse('2026-11-25T20:00:00Z');
  expect(quickTimes('tonight', nowMs, 'Pacific/Auckland')[0]?.dateLocal).toBe('2026-11-26');
  expect(quickTimes('tonight', nowMs, 'America/New_York')[0]).toEqual({
    dateLocal: '2026-11-25',
    startLocal: '19:00',
    endLocal: '23:00',
  });
});

test('are wall times on days on which the clocks change', () => {
  expect(at('weekend', '2026-10-24T09:00')).toEqual(['2026-10-24 10:00-00:00', '2026-10-25 10:00-00:00']);
  expect(at('tonight', '2027-03-28T01:59')).toEqual(['2027-03-28 19:00-23:00']);
});

test('two ids fit into the id of a button and are read back', () => {
  const ids = ['0198c0de-0000-7000-8000-000000000007', 'ffffffff-ffff-7fff-bfff-ffffffffffff'];
  const id = writeButtonId({ action: 'undo-times', subject: packIds(ids), seenMs: null });
  expect(unpackIds(parseButtonId(id)?.subject ?? '')).toEqual(ids);
  expect(unpackIds('nonsense')).toEqual([]);
});
