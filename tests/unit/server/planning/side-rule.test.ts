/** The side rule, as a table of readers and sides that was written by hand. */
import { expect, test } from 'vitest';
import { type SideView, viewOfSide } from '#server/planning/rules/side-rule.ts';
import { SIDES } from '#shared/vocabulary.ts';

const { blue, red } = SIDES;

test.each<[who: string, isAdmin: boolean, seatSide: 0 | 1 | null, ofBlue: SideView, ofRed: SideView]>([
  ['a Blue pilot', false, blue, 'plan', 'hidden'],
  ['a Red pilot', false, red, 'hidden', 'plan'],
  ['a pilot without a seat', false, null, 'outline', 'outline'],
  ['an admin without a seat', true, null, 'plan', 'plan'],
  ['an admin who flies for Blue', true, blue, 'plan', 'plan'],
  ['an admin who flies for Red', true, red, 'plan', 'plan'],
])('%s', (_who, isAdmin, seatSide, ofBlue, ofRed) => {
  const reader = { isAdmin, seatSide };
  expect([viewOfSide(reader, blue), viewOfSide(reader, red)]).toEqual([ofBlue, ofRed]);
});
