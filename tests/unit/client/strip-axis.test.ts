/** The axis of the evening strip: ticks on full hours that fit a phone, and the line of the present. */
import { expect, test } from 'vitest';
import { stripAxis } from '#client/domain-ui/strip-axis.ts';

const at = (time: string) => `2026-11-${time}:00.000Z`;
const lane = (startUtc: string, endUtc: string) => ({ startUtc, endUtc, launchUtc: null, totUtc: null });
const hours = ({ ticks }: ReturnType<typeof stripAxis>) => ticks.map(({ iso }) => iso.slice(8, 13));

test.each([
  [
    'an evening has a tick each hour',
    [lane(at('20T19:00'), at('20T22:00'))],
    '20T18:30',
    '20T18 20T19 20T20 20T21 20T22',
  ],
  [
    'the axis begins and ends on full hours',
    [lane(at('20T19:15'), at('20T21:40'))],
    '19T00:00',
    '20T19 20T20 20T21 20T22',
  ],
  [
    'a day has as few as a phone has room for, on the hours of the clock',
    [lane(at('20T19:00'), at('20T22:00')), lane(at('21T17:00'), at('21T20:00'))],
    '20T18:00',
    '21T00 21T08 21T16',
  ],
  [
    'labels of an afternoon and a night do not touch on a phone',
    [lane(at('20T14:55'), at('20T17:55')), lane(at('20T21:55'), at('21T00:55'))],
    '20T09:55',
    '20T12 20T16 20T20 21T00',
  ],
  ['a mission without length has one hour', [lane(at('20T19:00'), at('20T19:00'))], '19T00:00', '20T19 20T20'],
])('%s', (_rule, lanes, now, expected) => {
  expect(hours(stripAxis(lanes, new Date(at(now)))).join(' ')).toBe(expected);
});

test.each([
  ['6 hours before the first start', '20T13:00', 0],
  ['more than 6 hours before it', '20T12:59', null],
  ['under way', '20T20:30', 50],
  ['at the end', '20T22:00', null],
])('the line of the present, %s', (_rule, now, share) => {
  expect(stripAxis([lane(at('20T19:00'), at('20T22:00'))], new Date(at(now))).nowShare).toBe(share);
});

test('instants stand at their share of the axis, and those beyond it at its ends', () => {
  const { shareOf } = stripAxis([lane(at('20T19:00'), at('20T23:00'))], new Date(at('19T00:00')));
  expect(['20T18:00', '20T19:00', '20T20:00', '20T22:00', '20T23:30'].map((time) => shareOf(at(time)))).toEqual([
    0, 0, 25, 75, 100,
  ]);
});
