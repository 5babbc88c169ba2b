import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Assignment,
  type AssignmentProblem,
  type LexCosts,
  solveAssignment,
} from '#server/orders/seating/rules/solver/assignment.ts';

type Cost = readonly [number, number, number];
/** cost of row x column, null where they do not fit, and cost of leaving each row without a column */
type Case = { cells: (Cost | null)[][]; exits: Cost[] };

function problemOf({ cells, exits }: Case): AssignmentProblem {
  const rowStart = [0];
  const columnOf: number[] = [];
  const words: [number[], number[], number[]] = [[], [], []];
  for (const row of cells) {
    row.forEach((cost, column) => {
      if (!cost) return;
      columnOf.push(column);
      cost.forEach((value, word) => words[word]?.push(value));
    });
    rowStart.push(columnOf.length);
  }
  const word = (index: 0 | 1 | 2) => Float64Array.from(exits, (exit) => exit[index]);
  return {
    places: new Int32Array(cells.length).fill(1),
    columns: cells[0]?.length ?? 0,
    rowStart: Int32Array.from(rowStart),
    columnOf: Int32Array.from(columnOf),
    cost: [Float64Array.from(words[0]), Float64Array.from(words[1]), Float64Array.from(words[2])],
    exitCost: [word(0), word(1), word(2)],
  };
}

const plus = (a: Cost, b: Cost): Cost => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const isLess = (a: Cost, b: Cost) => {
  const differing = [0, 1, 2].find((word) => a[word] !== b[word]);
  return differing !== undefined && (a[differing] ?? 0) < (b[differing] ?? 0);
};

/** The oracle, by exhaustive search. */
function cheapest({ cells, exits }: Case, row = 0, taken: ReadonlySet<number> = new Set()): Cost {
  const exit = exits[row];
  if (!exit) return [0, 0, 0];
  let best = plus(exit, cheapest({ cells, exits }, row + 1, taken));
  cells[row]?.forEach((cost, column) => {
    if (!cost || taken.has(column)) return;
    const total = plus(cost, cheapest({ cells, exits }, row + 1, new Set([...taken, column])));
    if (isLess(total, best)) best = total;
  });
  return best;
}

/** @param places number of places of each row */
function totalOf({ cells, exits }: Case, { rowOf }: Assignment, places: readonly number[]): Cost {
  const left = [...places];
  let total: Cost = [0, 0, 0];
  rowOf.forEach((row, column) => {
    if (row < 0) return;
    const cost = cells[row]?.[column];
    if (!cost) throw new Error(`row ${row} was given column ${column}, which it cannot have`);
    total = plus(total, cost);
    left[row] = (left[row] ?? 0) - 1;
  });
  left.forEach((count, row) => {
    expect(count).toBeGreaterThanOrEqual(0);
    for (let exit = 0; exit < count; exit++) total = plus(total, exits[row] ?? [0, 0, 0]);
  });
  return total;
}

/** Checks the conditions on the prices, which prove the optimum by linear duality. */
function expectProof({ cells, exits }: Case, { rowOf, rowPrice, columnPrice }: Assignment, places: readonly number[]) {
  const priceOf = (prices: LexCosts, index: number): Cost => [
    prices[0][index] ?? 0,
    prices[1][index] ?? 0,
    prices[2][index] ?? 0,
  ];
  cells.forEach((row, index) => {
    const own = priceOf(rowPrice, index);
    const exit = exits[index] ?? [0, 0, 0];
    expect(isLess(exit, own)).toBe(false);
    const taken = [...rowOf].filter((holder) => holder === index).length;
    if (taken < (places[index] ?? 0)) expect(own).toEqual(exit);
    row.forEach((cost, column) => {
      if (!cost) return;
      const both = plus(own, priceOf(columnPrice, column));
      expect(isLess(cost, both)).toBe(false);
      if (rowOf[column] === index) expect(both).toEqual(cost);
    });
  });
  rowOf.forEach((row, column) => {
    expect(isLess([0, 0, 0], priceOf(columnPrice, column))).toBe(false);
    if (row < 0) expect(priceOf(columnPrice, column)).toEqual([0, 0, 0]);
  });
}

function anyCase(max: number, anyCost: fc.Arbitrary<Cost>, anyExit: fc.Arbitrary<Cost>): fc.Arbitrary<Case> {
  return fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max })).chain(([rows, columns]) =>
    fc.record({
      cells: fc.array(fc.array(fc.option(anyCost, { freq: 3 }), { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
      }),
      exits: fc.array(anyExit, { minLength: rows, maxLength: rows }),
    }),
  );
}

const word = (max: number) => fc.integer({ min: 0, max });
const signed = (max: number) => fc.integer({ min: -max, max });

test.each<[string, fc.Arbitrary<Cost>, fc.Arbitrary<Cost>]>([
  ['when few costs make many ties', fc.tuple(word(1), word(2), word(2)), fc.tuple(word(2), word(2), word(2))],
  [
    'when leaving a row alone is the last resort',
    fc.tuple(word(9), word(9), word(9)),
    fc.tuple(fc.constant(100), word(9), word(9)),
  ],
  [
    'when the first word says nothing',
    fc.tuple(fc.constant(0), word(5), word(999)),
    fc.tuple(fc.constant(0), word(9), word(9)),
  ],
  ['with large words', fc.tuple(word(3e14), word(3e8), word(2 ** 32)), fc.tuple(word(3e14), word(3e8), word(2 ** 32))],
  [
    'with later words of either sign',
    fc.tuple(fc.integer({ min: 1, max: 3 }), signed(50), signed(50)),
    fc.tuple(fc.integer({ min: 1, max: 4 }), signed(50), signed(50)),
  ],
])('has the cost of the best assignment: %s', (_rule, anyCost, anyExit) => {
  fc.assert(
    fc.property(anyCase(6, anyCost, anyExit), (one) => {
      const places = one.cells.map(() => 1);
      const found = solveAssignment(problemOf(one));
      expect(totalOf(one, found, places)).toEqual(cheapest(one));
      expectProof(one, found, places);
    }),
    { numRuns: 400 },
  );
});

test('a row with several places equals as many rows', () => {
  const few = fc.tuple(word(2), word(2), word(2));
  fc.assert(
    fc.property(anyCase(7, few, few), fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 6 }), (one, many) => {
      const places = one.cells.map((_, row) => many[row] ?? 0);
      const apart = { cells: one.cells.slice(0, 3), exits: one.exits.slice(0, 3) };
      const single: Case = {
        cells: apart.cells.flatMap((row, index) => Array.from({ length: places[index] ?? 0 }, () => row)),
        exits: apart.exits.flatMap((exit, index) => Array.from({ length: places[index] ?? 0 }, () => exit)),
      };
      const counts = places.slice(0, apart.cells.length);
      const found = solveAssignment({ ...problemOf(apart), places: Int32Array.from(counts) });
      expect(totalOf(apart, found, counts)).toEqual(cheapest(single));
      expectProof(apart, found, counts);
    }),
    { numRuns: 200 },
  );
});

test('no amount of a lower priority outweighs a higher one', () => {
  const huge = 2 ** 40;
  const one: Case = {
    cells: [
      [
        [0, huge, huge],
        [1, 0, 0],
      ],
    ],
    exits: [[2, 0, 0]],
  };
  expect([...solveAssignment(problemOf(one)).rowOf]).toEqual([0, -1]);
});

test('the same problem always has the same answer', () => {
  const tie: Case = {
    cells: Array.from({ length: 5 }, () => Array.from({ length: 7 }, (): Cost => [0, 0, 0])),
    exits: Array.from({ length: 5 }, (): Cost => [1, 0, 0]),
  };
  const first = solveAssignment(problemOf(tie));
  expect(solveAssignment(problemOf(tie))).toEqual(first);
  expect([...first.rowOf].filter((row) => row >= 0).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
});
