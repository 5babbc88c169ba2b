import { expect, test } from 'vitest';
import { joinDates, spanOfDates, spanOfTimes } from '#client/features/availability/override-runs.ts';
import type { OverrideDto } from '#shared/schemas/availability.ts';

const away = (id: string, dateLocal: string, more: Partial<OverrideDto> = {}): OverrideDto => ({
  id,
  dateLocal,
  kind: 'unavailable',
  startLocal: '00:00',
  endLocal: '00:00',
  aircraftCodeId: 0,
  notes: null,
  ...more,
});

test('adjacent dates of one exception are one run, across the end of a month and past other exceptions', () => {
  const runs = joinDates([
    away('a', '2027-02-27'),
    away('b', '2027-02-28'),
    away('x', '2027-02-28', { kind: 'available', startLocal: '18:00', endLocal: '01:00' }),
    away('c', '2027-03-01'),
    away('d', '2027-03-03'),
    away('e', '2027-03-04', { notes: 'Holiday' }),
  ]);
  expect(runs.map(({ ids }) => ids)).toEqual([['a', 'b', 'c'], ['x'], ['d'], ['e']]);
  expect(runs.map(spanOfDates)).toEqual(['Sat, Feb 27 to Mon, Mar 1', 'Sun, Feb 28', 'Wed, Mar 3', 'Thu, Mar 4']);
  expect(runs.map((run) => spanOfTimes(run, 'Europe/Berlin'))).toEqual([
    'whole day',
    '1700–0000Z+1 1800–0100L+1',
    'whole day',
    'whole day',
  ]);
  expect(runs.slice(1, 2).map((run) => spanOfTimes(run, 'UTC'))).toEqual(['1800–0100Z+1']);
});
