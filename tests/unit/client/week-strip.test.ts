import { expect, test } from 'vitest';
import { barsOf } from '#client/features/pilots/week-strip.ts';

const entry = (dayOfWeek: number, startLocal: string, endLocal: string) => ({
  dayOfWeek,
  timeRange: '',
  startLocal,
  endLocal,
  aircraftCodeId: 0,
  notes: null,
});

test.each([
  ['an evening is one bar', entry(1, '18:00', '22:00'), [[1, 1080, 1320]]],
  ['an end at midnight stays on its day', entry(1, '18:00', '24:00'), [[1, 1080, 1440]]],
  [
    'a night goes on on the next day',
    entry(5, '22:00', '01:30'),
    [
      [5, 1320, 1440],
      [6, 0, 90],
    ],
  ],
  [
    'Saturday night goes on on Sunday',
    entry(6, '20:00', '20:00'),
    [
      [0, 0, 1200],
      [6, 1200, 1440],
    ],
  ],
  ['an end at 00:00 leaves nothing for the next day', entry(2, '20:00', '00:00'), [[2, 1200, 1440]]],
])('%s', (_rule, one, bars) => {
  expect(barsOf([one]).flatMap((day, index) => day.map(({ start, end }) => [index, start, end]))).toEqual(bars);
});
