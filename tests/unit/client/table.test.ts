import { describe, expect, test } from 'vitest';
import { listPages } from '#client/lib/page-list.ts';
import { sortRows } from '#client/lib/table-sort.ts';

describe('the order of rows', () => {
  const rows = [
    { name: 'Viper 10', seats: 4 },
    { name: null, seats: 1 },
    { name: 'älv', seats: 4 },
    { name: 'Viper 2', seats: null },
    { name: 'zulu', seats: 12 },
    { name: 'Alpha', seats: 4 },
  ];
  const names = (sorted: typeof rows) => sorted.map(({ name }) => name);

  test('numbers inside text sort as numbers, accents and case matter last; empty values are last in both directions', () => {
    const ascending = ['Alpha', 'älv', 'Viper 2', 'Viper 10', 'zulu'];
    expect(names(sortRows(rows, ({ name }) => name, 'asc'))).toEqual([...ascending, null]);
    expect(names(sortRows(rows, ({ name }) => name, 'desc'))).toEqual([...ascending.toReversed(), null]);
  });

  test('rows with equal values keep their order, in both directions', () => {
    expect(names(sortRows(rows, ({ seats }) => seats, 'asc'))).toEqual([
      null,
      'Viper 10',
      'älv',
      'Alpha',
      'zulu',
      'Viper 2',
    ]);
    expect(names(sortRows(rows, ({ seats }) => seats, 'desc'))).toEqual([
      'zulu',
      'Viper 10',
      'älv',
      'Alpha',
      null,
      'Viper 2',
    ]);
  });
});

test.each([
  [1, 1, '1'],
  [2, 3, '1 2 3'],
  [4, 7, '1 2 3 4 5 6 7'],
  [1, 21, '1 2 3 4 5 … 21'],
  [4, 21, '1 2 3 4 5 … 21'],
  [5, 21, '1 … 4 5 6 … 21'],
  [18, 21, '1 … 17 18 19 20 21'],
  [21, 21, '1 … 17 18 19 20 21'],
  [99, 21, '1 … 17 18 19 20 21'],
])('on page %i of %i the pages offered are %s', (page, pages, offered) => {
  expect(
    listPages(page, pages)
      .map((number) => number ?? '…')
      .join(' '),
  ).toBe(offered);
});
