/** The week of a digest where clocks change, and where days begin elsewhere. Instants are written with their offsets. */
import { expect, test } from 'vitest';
import { digestWeek, sundayEvening } from '#server/delivery/mail/rules/digest-week.ts';

const at = (iso: string) => Date.parse(iso);

test.each([
  ['2026-11-29T18:00:00+05:45', 'Asia/Kathmandu', '2026-11-29'],
  ['2026-11-29T17:59:59.999+05:45', 'Asia/Kathmandu', null],
  ['2026-11-29T23:59:59.999+05:45', 'Asia/Kathmandu', '2026-11-29'],
  ['2026-11-30T00:00:00+05:45', 'Asia/Kathmandu', null],
  ['2026-11-28T18:00:00-03:30', 'America/St_Johns', null],
  ['2026-11-29T18:00:00-03:30', 'America/St_Johns', '2026-11-29'],
  // Monday in UTC, and Sunday morning in UTC
  ['2026-11-30T05:00:00Z', 'Pacific/Pago_Pago', '2026-11-29'],
  ['2026-11-29T04:00:00Z', 'Pacific/Kiritimati', '2026-11-29'],
  // the clocks changed this morning
  ['2027-03-28T18:00:00+02:00', 'Europe/Berlin', '2027-03-28'],
  ['2027-03-28T18:00:00+01:00', 'Europe/Berlin', '2027-03-28'],
  ['2027-03-28T17:59:00+02:00', 'Europe/Berlin', null],
])('%s in %s: %s', (instant, timeZone, sunday) => {
  expect(sundayEvening(at(instant), timeZone)).toBe(sunday);
});

test.each([
  ['2026-11-22', 'America/St_Johns', '2026-11-22T18:00:00-03:30', '2026-11-29T18:00:00-03:30'],
  // 167 and 169 hours
  ['2027-03-21', 'Europe/Berlin', '2027-03-21T18:00:00+01:00', '2027-03-28T18:00:00+02:00'],
  ['2026-10-25', 'America/St_Johns', '2026-10-25T18:00:00-02:30', '2026-11-01T18:00:00-03:30'],
])('the week after %s in %s', (sunday, timeZone, start, end) => {
  expect(digestWeek(sunday, timeZone)).toEqual({ startMs: at(start), endMs: at(end) });
});
