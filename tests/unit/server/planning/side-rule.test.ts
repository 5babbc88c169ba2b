/** The side rule, as a table of readers and sides that was written by hand. */
import { expect, test } from 'vitest';
import { ANYBODY, type SideView, viewOfSide } from '#server/planning/rules/side-rule.ts';
import { SIDES } from '#shared/vocabulary.ts';

const { blue, red } = SIDES;
const END = 1_000;
const BOTH = { secretSides: null, sides: 2, endMs: END };
const OPEN = { secretSides: false, sides: 2, endMs: END };
type Place = 0 | 1 | null;

test.each<
  [
    who: string,
    isAdmin: boolean,
    seatSide: Place,
    queueSide: Place,
    secret: [SideView, SideView],
    open: [SideView, SideView],
  ]
>([
  ['a Blue pilot', false, blue, null, ['plan', 'hidden'], ['plan', 'roster']],
  ['a Red pilot', false, red, null, ['hidden', 'plan'], ['roster', 'plan']],
  ['a pilot without a seat', false, null, null, ['counts', 'counts'], ['roster', 'roster']],
  ['a pilot on standby for Blue', false, null, blue, ['counts', 'counts'], ['plan', 'roster']],
  ['a Red pilot on standby for Blue', false, red, blue, ['hidden', 'plan'], ['roster', 'plan']],
  ['an admin without a seat', true, null, null, ['plan', 'plan'], ['plan', 'plan']],
  ['an admin who flies for Blue', true, blue, null, ['plan', 'plan'], ['plan', 'plan']],
  ['an admin who flies for Red', true, red, null, ['plan', 'plan'], ['plan', 'plan']],
])('%s', (_who, isAdmin, seatSide, queueSide, secret, open) => {
  const reader = { isAdmin, seatSide, queueSide };
  const views = (mission: typeof BOTH | typeof OPEN, nowMs: number) =>
    [blue, red].map((side) => viewOfSide(reader, side, mission, nowMs));
  expect(views(BOTH, END - 1)).toEqual(secret);
  expect(views(OPEN, END - 1)).toEqual(open);
  // secrets end with the mission
  expect(views(BOTH, END)).toEqual(open);
});

test.each([
  [null, 1, 'roster'],
  [null, 2, 'counts'],
  [true, 1, 'counts'],
  [true, 2, 'counts'],
  [false, 1, 'roster'],
  [false, 2, 'roster'],
] as const)('chosen %s, with %i sides: anybody sees a %s', (secretSides, sides, view) => {
  expect(viewOfSide(ANYBODY, blue, { secretSides, sides, endMs: END }, 0)).toBe(view);
});
