import fc from 'fast-check';
import { expect, test } from 'vitest';
import { solveTransport } from '#server/orders/seating/rules/solver/transport.ts';

type Cost = readonly [number, number, number, number];
/** capacity of each type, and cost of each column on each type, null where it does not fit */
type Case = { capacity: number[]; columns: (Cost | null)[][] };

const plus = (a: Cost, b: Cost): Cost => [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]];
const isLess = (a: Cost, b: Cost) => {
  const differing = [0, 1, 2, 3].find((word) => a[word] !== b[word]);
  return differing !== undefined && (a[differing] ?? 0) < (b[differing] ?? 0);
};
type Worth = { placed: number; cost: Cost };
const isBetter = (a: Worth, b: Worth) => a.placed > b.placed || (a.placed === b.placed && isLess(a.cost, b.cost));

/** The oracle, by exhaustive search. */
function best({ capacity, columns }: Case, column = 0): Worth {
  const costs = columns[column];
  if (!costs) return { placed: 0, cost: [0, 0, 0, 0] };
  let found = best({ capacity, columns }, column + 1);
  costs.forEach((cost, type) => {
    if (!cost || (capacity[type] ?? 0) === 0) return;
    const rest = best({ capacity: capacity.map((free, at) => (at === type ? free - 1 : free)), columns }, column + 1);
    const worth = { placed: rest.placed + 1, cost: plus(rest.cost, cost) };
    if (isBetter(worth, found)) found = worth;
  });
  return found;
}

function solve({ capacity, columns }: Case): Int32Array {
  const edges = columns.flatMap((costs) => costs.flatMap((cost, type) => (cost ? [{ cost, type }] : [])));
  const columnStart = [0];
  for (const costs of columns) columnStart.push((columnStart.at(-1) ?? 0) + costs.filter(Boolean).length);
  const word = (index: 0 | 1 | 2 | 3) => Float64Array.from(edges, ({ cost }) => cost[index]);
  return solveTransport({
    capacity: Int32Array.from(capacity),
    columns: columns.length,
    columnStart: Int32Array.from(columnStart),
    typeOf: Int32Array.from(edges, ({ type }) => type),
    cost: [word(0), word(1), word(2), word(3)],
    emptyCost: 4 * columns.length + 1,
  });
}

const anyCost = fc.tuple(
  fc.integer({ min: -2, max: 2 }),
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: -1, max: 1 }),
  fc.integer({ min: 0, max: 5 }),
);
const anyCase = fc
  .record({ types: fc.integer({ min: 1, max: 4 }), columns: fc.integer({ min: 0, max: 6 }) })
  .chain(({ types, columns }) =>
    fc.record({
      capacity: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: types, maxLength: types }),
      columns: fc.array(fc.array(fc.option(anyCost, { freq: 3 }), { minLength: types, maxLength: types }), {
        minLength: columns,
        maxLength: columns,
      }),
    }),
  );

test('places as many as exhaustive search, at the same cost', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const types = [...solve(one)];
      one.capacity.forEach((free, type) => expect(types.filter((at) => at === type).length).toBeLessThanOrEqual(free));
      const found = types.reduce<Worth>(
        ({ placed, cost }, type, column) => {
          if (type < 0) return { placed, cost };
          const own = one.columns[column]?.[type];
          if (!own) throw new Error(`column ${column} was placed on type ${type}, which it does not fit`);
          return { placed: placed + 1, cost: plus(cost, own) };
        },
        { placed: 0, cost: [0, 0, 0, 0] },
      );
      expect(found).toEqual(best(one));
    }),
    { numRuns: 1000 },
  );
});
