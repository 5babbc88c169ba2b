import { expect, test } from 'vitest';
import { asksAgain } from '#shared/order-changes.ts';

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
