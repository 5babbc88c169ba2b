import { expect, test } from 'vitest';
import { asksAgain, isMaterial } from '#shared/order-changes.ts';

test.each([
  ['start', true],
  ['end', true],
  ['side', true],
  ['aircraft', true],
  ['role', true],
  ['callsign', false],
  ['radio', false],
  ['notes', false],
  ['seat', false],
] as const)('a change of %s asks again: %s', (field, asks) => {
  expect(asksAgain({ rsvp: 'accepted' }, [{ field }])).toBe(asks);
});

test.each([
  ['pending', false, true],
  ['accepted', false, true],
  ['standby', false, false],
  ['accepted', true, false],
  ['pending', true, false],
] as const)('a new start asks %s pilots again, under way %s: %s', (rsvp, isUnderWay, asks) => {
  expect(asksAgain({ rsvp }, [{ field: 'radio' }, { field: 'start' }], { isUnderWay })).toBe(asks);
});

test.each<[string | null, string | null, boolean]>([
  ['1930Z', '1944Z', false],
  ['1930Z', '1945Z', true],
  ['0005Z', '2355Z', false],
  ['0005Z', '2350Z', true],
  [null, '1930Z', true],
  ['1930Z', null, true],
])('a launch that moves from %s to %s: asks again %s', (from, to, asks) => {
  expect(isMaterial({ field: 'launch', from, to })).toBe(asks);
});
