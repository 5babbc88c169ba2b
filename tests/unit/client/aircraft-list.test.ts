/** Text and order of the aircraft list on pages: popular aircraft, swaps into others, seats of pilots without a list. */
import { expect, test } from 'vitest';
import { listPopular } from '#client/domain-ui/aircraft-list/aircraft-draft.ts';
import { unlistedSentence } from '#client/features/missions/create/dry-run-text.ts';
import { swapWarnings } from '#client/features/order/seat-text.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';

test('popular aircraft are the eight that most pilots list; those of equal number keep the order of the catalogue', () => {
  const counts = [0, 3, 0, 7, 3, 0, 0, 0, 0, 1];
  const catalogue = counts.map((pilots, index): AircraftDto => {
    const id = index + 1;
    return { id, code: `C${id}`, name: `Z${10 - id}`, seats: 1, roles: ['CAP'], active: true, pilots };
  });
  expect(listPopular(catalogue.toReversed()).map(({ id }) => id)).toEqual([4, 2, 5, 10, 1, 3, 6, 7]);
});

test.each([
  [0, 4, ''],
  [1, 1, "1 of 1 hasn't listed it."],
  [2, 4, "2 of 4 haven't listed it."],
])('%i of %i pilots without a list: %s', (unlisted, filled, sentence) =>
  expect(unlistedSentence({ unlisted, filled })).toBe(sentence),
);

test.each([
  ['the same aircraft', 'F-16C Viper', false, []],
  ['a listed aircraft', 'A-10C', true, []],
  ['another aircraft', 'A-10C', false, ["You haven't listed the A-10C."]],
] as const)('a swap into %s', (_rule, aircraftName, isListed, warnings) =>
  expect(swapWarnings({ aircraftName: 'F-16C Viper' }, { aircraftName }, isListed)).toEqual(warnings),
);
