/**
 * Assignment where rows come in kinds: rows of one kind cost the same, except for a tie-breaker of each row with each column.
 * Exact and lexicographic as `assignment.ts`: first the three words of the kinds, then the sum of the tie-breakers.
 *
 * Three steps. First, with n rows only the n + 1 cheapest columns of each kind can affect the words: n are enough to
 * fill every row, and the one left over proves that more expensive columns cannot do better. Second, the few kinds are
 * assigned as rows with several places. Third, the resulting prices tell which columns are part of an optimum, and the
 * tie-breakers choose among those, row by row.
 */
import { type Assignment, solveAssignment } from './assignment.ts';

export type Kind = {
  /** cost of each column: a whole number, not negative; `Infinity` where it does not fit */
  readonly word0: Float64Array;
  readonly word1: Float64Array;
  readonly word2: Float64Array;
  /**
   * The first two words as one number, which may be rounded: of two columns, the one that is cheaper by them does not have the
   * higher number. `Infinity` where it does not fit. It rules out most columns by one comparison.
   */
  readonly order: Float64Array;
  /** cost of leaving a row of this kind without a column */
  readonly exit: readonly [number, number, number];
};

export type KindProblem = {
  readonly columns: number;
  readonly kinds: readonly Kind[];
  /** kind of each row */
  readonly kindOf: Int32Array;
  /** tie-breaker of a row with a column: a whole number in [0, 2^32), evenly distributed; lower is better */
  readonly tieBreakerOf: (row: number, column: number) => number;
};

/** The columns and the exit that a kind's rows take in some optimum. */
type Tight = {
  /** columns that every optimum takes */
  readonly needed: Int32Array;
  readonly others: Int32Array;
  /** true if a row may stay without a column */
  readonly exit: boolean;
};

const NONE = -1;
const TIE_BREAKER_RANGE = 2 ** 32;
/** One of this many columns is in the sample. */
const SAMPLE_STEP = 16;
const NOTHING: Tight = { needed: new Int32Array(0), others: new Int32Array(0), exit: true };

/**
 * Give every row its own column or none, at the least sum of the words and, among those assignments, the least sum of the
 * tie-breakers. Deterministic.
 * @returns the column of each row, -1 for none
 */
export function assignByKind(problem: KindProblem): Int32Array {
  const { columns, kinds, kindOf, tieBreakerOf } = problem;
  const rows = kindOf.length;
  const kept = kinds.map((kind) => cheapestColumns(kind, rows + 1));
  const compact = numberColumns(kept, columns);
  const assignment = assignKinds(problem, kept, compact);
  const tight = kinds.map((kind, index) =>
    findTight(kind, index, kept[index] ?? new Int32Array(0), compact, assignment),
  );

  const rowStart = new Int32Array(rows + 1);
  const chosen: number[] = [];
  const spare: number[] = [];
  const tieBreakers: number[] = [];
  const exits = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const { needed, others, exit } = tight[kindOf[row] ?? 0] ?? NOTHING;
    for (const column of needed) {
      chosen.push(column);
      spare.push(0);
      tieBreakers.push(tieBreakerOf(row, column));
    }
    const ofOthers = new Float64Array(others.length);
    for (let index = 0; index < others.length; index++) ofOthers[index] = tieBreakerOf(row, others[index] ?? 0);
    for (const index of withLowTieBreakers(ofOthers, rows)) {
      chosen.push(others[index] ?? 0);
      spare.push(1);
      tieBreakers.push(ofOthers[index] ?? 0);
    }
    // For a row that may stay without a column, doing so costs the same as missing a needed column; for any other row it
    // costs more than missing all of them.
    exits[row] = exit ? 1 : rows + 1;
    rowStart[row + 1] = chosen.length;
  }
  const columnOf = new Int32Array(chosen);
  const among = numberColumns([columnOf], columns);
  for (let edge = 0; edge < columnOf.length; edge++) columnOf[edge] = indexAt(among.numberOf, indexAt(columnOf, edge));
  const { rowOf } = solveAssignment({
    places: new Int32Array(rows).fill(1),
    columns: among.list.length,
    rowStart,
    columnOf,
    cost: [new Float64Array(spare), new Float64Array(tieBreakers), new Float64Array(chosen.length)],
    exitCost: [exits, new Float64Array(rows), new Float64Array(rows)],
  });
  const columnOfRow = new Int32Array(rows).fill(NONE);
  rowOf.forEach((row, number) => {
    if (row !== NONE) columnOfRow[row] = among.list[number] ?? NONE;
  });
  return columnOfRow;
}

/** The `keep` cheapest columns that fit, the most expensive of them first; on a tie the earlier ones. */
function cheapestColumns(kind: Kind, keep: number): Int32Array {
  // A sample estimates the cost of the most expensive one. If the estimate is too low, all columns are considered.
  const sample = selectCheapest(kind, Math.ceil((3 * keep) / SAMPLE_STEP), SAMPLE_STEP, Number.MAX_VALUE);
  const cheapest = selectCheapest(kind, keep, 1, at(kind.order, indexAt(sample, 0)));
  return cheapest.length === keep ? cheapest : selectCheapest(kind, keep, 1, Number.MAX_VALUE);
}

/** Like `cheapestColumns`, for every `step`-th column whose order is at most `bound`. */
function selectCheapest({ word0, word1, word2, order }: Kind, keep: number, step: number, bound: number): Int32Array {
  /** a heap with the most expensive column on top */
  const heap = new Int32Array(keep);
  const heap0 = new Float64Array(keep);
  const heap1 = new Float64Array(keep);
  const heap2 = new Float64Array(keep);
  let size = 0;
  /** True if the column at this place of the heap is more expensive than another one. */
  const isDearer = (place: number, cost0: number, cost1: number, cost2: number, column: number): boolean => {
    const own0 = at(heap0, place);
    if (own0 !== cost0) return own0 > cost0;
    const own1 = at(heap1, place);
    if (own1 !== cost1) return own1 > cost1;
    const own2 = at(heap2, place);
    return own2 > cost2 || (own2 === cost2 && indexAt(heap, place) > column);
  };
  const sink = (from: number, column: number, cost0: number, cost1: number, cost2: number): void => {
    let parent = from;
    for (;;) {
      let child = 2 * parent + 1;
      if (child >= size) break;
      const next = child + 1;
      if (next < size && isDearer(next, at(heap0, child), at(heap1, child), at(heap2, child), indexAt(heap, child)))
        child = next;
      if (!isDearer(child, cost0, cost1, cost2, column)) break;
      heap[parent] = indexAt(heap, child);
      heap0[parent] = at(heap0, child);
      heap1[parent] = at(heap1, child);
      heap2[parent] = at(heap2, child);
      parent = child;
    }
    heap[parent] = column;
    heap0[parent] = cost0;
    heap1[parent] = cost1;
    heap2[parent] = cost2;
  };
  let column = 0;
  for (; column < order.length && size < keep; column += step) {
    if (at(order, column) > bound) continue;
    heap[size] = column;
    heap0[size] = at(word0, column);
    heap1[size] = at(word1, column);
    heap2[size] = at(word2, column);
    size += 1;
  }
  for (let parent = (size >> 1) - 1; parent >= 0; parent--) {
    sink(parent, indexAt(heap, parent), at(heap0, parent), at(heap1, parent), at(heap2, parent));
  }
  let top = at(order, indexAt(heap, 0));
  for (; column < order.length; column += step) {
    if (at(order, column) > top) continue;
    const cost0 = at(word0, column);
    const cost1 = at(word1, column);
    const cost2 = at(word2, column);
    // On a tie with the top the earlier column stays, and this one is later.
    if (!isDearer(0, cost0, cost1, cost2, column)) continue;
    sink(0, column, cost0, cost1, cost2);
    top = at(order, indexAt(heap, 0));
  }
  return heap.subarray(0, size);
}

type Numbering = { readonly list: readonly number[]; readonly numberOf: Int32Array };

/** The columns that occur, numbered without gaps. */
function numberColumns(lists: readonly Int32Array[], columns: number): Numbering {
  const numberOf = new Int32Array(columns).fill(NONE);
  const list: number[] = [];
  for (const columnsOfList of lists) {
    for (const column of columnsOfList) {
      if (numberOf[column] === NONE) numberOf[column] = list.push(column) - 1;
    }
  }
  return { list, numberOf };
}

function assignKinds(
  { kinds, kindOf }: KindProblem,
  kept: readonly Int32Array[],
  { list, numberOf }: Numbering,
): Assignment {
  const places = new Int32Array(kinds.length);
  for (const kind of kindOf) places[kind] = (places[kind] ?? 0) + 1;
  const edges = kept.reduce((sum, columnsOfKind) => sum + columnsOfKind.length, 0);
  const rowStart = new Int32Array(kinds.length + 1);
  const columnOf = new Int32Array(edges);
  const word0 = new Float64Array(edges);
  const word1 = new Float64Array(edges);
  const word2 = new Float64Array(edges);
  let edge = 0;
  kinds.forEach((kind, index) => {
    for (const column of kept[index] ?? []) {
      columnOf[edge] = numberOf[column] ?? 0;
      word0[edge] = kind.word0[column] ?? 0;
      word1[edge] = kind.word1[column] ?? 0;
      word2[edge] = kind.word2[column] ?? 0;
      edge += 1;
    }
    rowStart[index + 1] = edge;
  });
  return solveAssignment({
    places,
    columns: list.length,
    rowStart,
    columnOf,
    cost: [word0, word1, word2],
    exitCost: [
      Float64Array.from(kinds, ({ exit }) => exit[0]),
      Float64Array.from(kinds, ({ exit }) => exit[1]),
      Float64Array.from(kinds, ({ exit }) => exit[2]),
    ],
  });
}

/**
 * By complementary slackness an assignment is optimal if and only if it takes edges and exits only at their prices and
 * takes every column with a price below 0.
 */
function findTight(
  { word0, word1, word2, exit }: Kind,
  kind: number,
  kept: Int32Array,
  { numberOf }: Numbering,
  { rowPrice, columnPrice }: Assignment,
): Tight {
  const price0 = rowPrice[0][kind] ?? 0;
  const price1 = rowPrice[1][kind] ?? 0;
  const price2 = rowPrice[2][kind] ?? 0;
  const needed: number[] = [];
  const others: number[] = [];
  for (const column of kept) {
    const number = numberOf[column] ?? 0;
    const own0 = columnPrice[0][number] ?? 0;
    const own1 = columnPrice[1][number] ?? 0;
    const own2 = columnPrice[2][number] ?? 0;
    const isTight =
      word0[column] === price0 + own0 && word1[column] === price1 + own1 && word2[column] === price2 + own2;
    if (isTight) (own0 !== 0 || own1 !== 0 || own2 !== 0 ? needed : others).push(column);
  }
  // A column that was not kept costs at least as much as the most expensive kept one, which costs at least the row's price.
  const [dearest = NONE] = kept;
  if (word0[dearest] === price0 && word1[dearest] === price1 && word2[dearest] === price2) {
    const isKept = new Uint8Array(word0.length);
    for (const column of kept) isKept[column] = 1;
    for (let column = 0; column < word0.length; column++) {
      if (isKept[column] === 1 || word0[column] !== price0 || word1[column] !== price1 || word2[column] !== price2)
        continue;
      const number = numberOf[column] ?? NONE;
      if (number === NONE || columnPrice.every((word) => word[number] === 0)) others.push(column);
    }
  }
  return {
    needed: new Int32Array(needed),
    others: new Int32Array(others),
    exit: exit[0] === price0 && exit[1] === price1 && exit[2] === price2,
  };
}

/** The `keep` columns of a row with the lowest tie-breakers, or a few more: other rows can only take `keep - 1` of them. */
function withLowTieBreakers(tieBreakers: Float64Array, keep: number): number[] {
  // Tie-breakers are evenly distributed, so about twice `keep` are below this bound; it doubles if there are too few.
  let bound = tieBreakers.length <= keep ? TIE_BREAKER_RANGE : (TIE_BREAKER_RANGE * 2 * keep) / tieBreakers.length;
  for (;;) {
    const low: number[] = [];
    for (let index = 0; index < tieBreakers.length; index++) {
      if ((tieBreakers[index] ?? 0) < bound) low.push(index);
    }
    if (low.length >= keep || bound >= TIE_BREAKER_RANGE) return low;
    bound *= 2;
  }
}

/** Indices here stay within bounds; the fallbacks only satisfy the compiler. One function per array type is faster. */
function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}

function indexAt(values: Int32Array, index: number): number {
  return values[index] ?? 0;
}
