/** Assignment by kinds, compared with the same problem row by row and with all columns. */
import { expect, test } from 'vitest';
import { solveAssignment } from '#server/orders/seating/rules/solver/assignment.ts';
import { assignByKind, type KindProblem } from '#server/orders/seating/rules/solver/kind-assignment.ts';
import { type Random, seeded } from '#tests/harness/seeded.ts';

/** @param spread number of different values; few make many ties */
function anyProblem(random: Random, rows: number, columns: number, kinds: number, spread: number): KindProblem {
  const word = () => random.between(0, spread);
  const fill = (value: () => number) => Float64Array.from({ length: columns }, value);
  const tieBreakers = Array.from({ length: rows }, () =>
    Array.from({ length: columns }, () => random.between(0, 2 ** 32 - 1)),
  );
  return {
    columns,
    kinds: Array.from({ length: kinds }, () => {
      const fits = random.pick([0.2, 0.9, 1]);
      const word0 = fill(() => (random.chance(fits) ? word() : Infinity));
      const word1 = fill(word);
      // rounded in half of the kinds
      const step = random.pick([1, 3]);
      return {
        word0,
        word1,
        word2: fill(word),
        order: word0.map((first, column) => Math.floor((first * (spread + 1) + (word1[column] ?? 0)) / step)),
        exit: [random.chance(0.5) ? spread + 1 : word(), word(), word()],
      };
    }),
    kindOf: Int32Array.from({ length: rows }, () => random.between(0, kinds - 1)),
    tieBreakerOf: (row, column) => tieBreakers[row]?.[column] ?? 0,
  };
}

/** Sums of the words and of the tie-breakers. */
function worthOf({ kinds, kindOf, tieBreakerOf }: KindProblem, columnOfRow: Int32Array): number[] {
  const sums = [0, 0, 0, 0];
  const add = (word0 = Number.NaN, word1 = Number.NaN, word2 = Number.NaN, tieBreaker = 0) => {
    [word0, word1, word2, tieBreaker].forEach((word, index) => (sums[index] = (sums[index] ?? 0) + word));
  };
  columnOfRow.forEach((column, row) => {
    const kind = kinds[kindOf[row] ?? -1];
    if (column < 0) add(kind?.exit[0], kind?.exit[1], kind?.exit[2]);
    else add(kind?.word0[column], kind?.word1[column], kind?.word2[column], tieBreakerOf(row, column));
  });
  return sums;
}

/**
 * The same problem row by row and with all columns. The solver takes three words: those of the kinds share the first two,
 * scaled by more than the later one can add up to.
 */
function solveRowByRow({ columns, kinds, kindOf, tieBreakerOf }: KindProblem, spread: number): Int32Array {
  const scale = kindOf.length * (spread + 1) + 1;
  const edges = [...kindOf].map((number, row) =>
    Array.from({ length: columns }, (_, column) => {
      const kind = kinds[number];
      const first = (kind?.word0[column] ?? 0) * scale + (kind?.word1[column] ?? 0);
      return { column, cost: [first, kind?.word2[column] ?? 0, tieBreakerOf(row, column)] as const };
    }).filter(({ cost }) => cost[0] < Infinity),
  );
  const all = edges.flat();
  const starts = [0];
  for (const row of edges) starts.push((starts.at(-1) ?? 0) + row.length);
  const costs = (word: 0 | 1 | 2) => Float64Array.from(all, ({ cost }) => cost[word]);
  const exits = (words: (exit: readonly [number, number, number]) => number) =>
    Float64Array.from(kindOf, (kind) => words(kinds[kind]?.exit ?? [0, 0, 0]));
  const { rowOf } = solveAssignment({
    places: new Int32Array(kindOf.length).fill(1),
    columns,
    rowStart: Int32Array.from(starts),
    columnOf: Int32Array.from(all, ({ column }) => column),
    cost: [costs(0), costs(1), costs(2)],
    exitCost: [
      exits(([word0, word1]) => word0 * scale + word1),
      exits(([, , word2]) => word2),
      new Float64Array(kindOf.length),
    ],
  });
  return kindOf.map((_, row) => rowOf.indexOf(row));
}

test.each([
  ['ties everywhere', 0, 300],
  ['many ties', 1, 300],
  ['some ties', 6, 300],
  ['hardly any', 100_000, 150],
])('finds the optimum with %s', (_rule, spread, cases) => {
  const random = seeded(spread + 1);
  for (let round = 0; round < cases; round++) {
    const rows = random.between(1, 12);
    const one = anyProblem(random, rows, random.pick([0, 3, rows, 2 * rows, 60, 200]), random.between(1, 4), spread);
    const found = assignByKind(one);
    const held = [...found].filter((column) => column >= 0);
    expect(new Set(held).size).toBe(held.length);
    expect(worthOf(one, found)).toEqual(worthOf(one, solveRowByRow(one, spread)));
  }
});

test('accepts a problem without rows or columns', () => {
  expect([...assignByKind({ columns: 0, kinds: [], kindOf: new Int32Array(0), tieBreakerOf: () => 0 })]).toEqual([]);
});
