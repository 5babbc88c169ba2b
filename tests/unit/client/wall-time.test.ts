import { expect, test } from 'vitest';
import { addDays, instantOfWallTime, readWallTime } from '#client/lib/wall-time.ts';
import { TIME_ZONES } from '#shared/vocabulary.ts';

test.each([
  ['1900', '19:00'],
  ['19:00', '19:00'],
  ['19.00', '19:00'],
  ['0730', '07:30'],
  ['730', '07:30'],
  ['7:30', '07:30'],
  ['7', '07:00'],
  ['23', '23:00'],
  ['0', '00:00'],
  [' 19:00 ', '19:00'],
  ['2359', '23:59'],
  ['１９：００', '19:00'],
  ['０７３０', '07:30'],
])('"%s" is typed for %s', (typed, time) => expect(readWallTime(typed)).toBe(time));

test.each([
  '',
  ' ',
  '24',
  '2400',
  '24:00',
  '25:00',
  '1960',
  '19:5',
  '19:',
  ':30',
  '190',
  '19000',
  '7pm',
  '1905Z',
  '-1',
])('"%s" is no time', (typed) => expect(readWallTime(typed)).toBeUndefined());

test.each(['25:00', '19:60', '24:01', '7:30', '1900'])('no instant has %s on the wall', (time) =>
  expect(instantOfWallTime('2026-11-20', time, 'UTC')).toBeUndefined(),
);

/** Temporal's "compatible" rule, which the server follows. */
function expected(date: string, time: string, timeZone: string): string {
  return Temporal.PlainDateTime.from(`${date}T${time}`)
    .toZonedDateTime(timeZone, { disambiguation: 'compatible' })
    .toInstant()
    .toString();
}

/** Dates around every change of clocks that a zone of the product makes in a year, and some plain ones. */
const DATES = [
  '2026-01-15',
  '2026-03-07',
  '2026-03-08',
  '2026-03-09',
  '2026-03-28',
  '2026-03-29',
  '2026-03-30',
  '2026-04-04',
  '2026-04-05',
  '2026-04-06',
  '2026-07-15',
  '2026-10-03',
  '2026-10-04',
  '2026-10-05',
  '2026-10-24',
  '2026-10-25',
  '2026-10-26',
  '2026-10-31',
  '2026-11-01',
  '2026-11-02',
  '2028-02-29',
];
const HALF_HOURS = Array.from(
  { length: 48 },
  (_half, index) => `${String(Math.floor(index / 2)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`,
);

test.each([...TIME_ZONES, 'Australia/Lord_Howe', 'Asia/Kolkata'])(
  'in %s every half hour around the clock changes is the instant the server finds',
  (timeZone) => {
    const cases = DATES.flatMap((date) => HALF_HOURS.map((time) => [date, time] as const));
    const found = cases.map(([date, time]) =>
      instantOfWallTime(date, time, timeZone)?.toISOString().replace('.000', ''),
    );
    expect(found).toEqual(cases.map(([date, time]) => expected(date, time, timeZone)));
  },
);

test('24:00 is midnight of the next date', () => {
  expect(instantOfWallTime('2026-11-20', '24:00', 'Europe/Berlin')?.toISOString()).toBe('2026-11-20T23:00:00.000Z');
});

test.each([
  ['', '19:00'],
  ['2026-11-20', ''],
  ['2026-11', '19:00'],
  ['2026-11-20', '7 pm'],
])('"%s" at "%s" is no wall time', (date, time) => {
  expect(instantOfWallTime(date, time, 'UTC')).toBeUndefined();
});

test.each([
  ['2026-11-30', 1, '2026-12-01'],
  ['2026-12-31', 1, '2027-01-01'],
  ['2028-02-28', 1, '2028-02-29'],
  ['2026-03-01', -1, '2026-02-28'],
  ['2026-11-20', 0, '2026-11-20'],
])('%s and %i days is %s', (date, days, result) => expect(addDays(date, days)).toBe(result));
