/**
 * Exact minimum-cost assignment with lexicographic costs: successive shortest augmenting paths with dual prices
 * (Jonker and Volgenant's form of the Hungarian method) over an ordered group, three numbers per cost. A row may take
 * several columns, so rows with equal costs can be one row.
 *
 * Costs are compared word by word and never added across words, so no amount of a later word outweighs an earlier
 * one. Words are integers; as every price is a sum of costs along a path, all arithmetic is exact while
 * 4 x rows x the largest word stays below 2^53 (for the first word, whose prices cannot exceed a row's exit cost,
 * 4 x the largest word does).
 */

/** One value per edge, row or column for each of the three words, most significant first. */
export type LexCosts = readonly [Float64Array, Float64Array, Float64Array];

export type AssignmentProblem = {
  /** number of places of each row; its length is the number of rows */
  readonly places: Int32Array;
  readonly columns: number;
  /** edges of row r are `rowStart[r]` to `rowStart[r + 1] - 1`; length rows + 1 */
  readonly rowStart: Int32Array;
  /** column of each edge; at most one edge per row and column */
  readonly columnOf: Int32Array;
  /** cost of each edge; not negative */
  readonly cost: LexCosts;
  /** cost of leaving one place of a row without a column; not negative */
  readonly exitCost: LexCosts;
};

export type Assignment = {
  /** the row of each column, -1 for none */
  readonly rowOf: Int32Array;
  /**
   * Dual prices that prove the optimum. No edge costs less than the sum of the prices of its row and column, and no exit less
   * than the price of its row; edges and exits that are taken cost exactly that. A column's price is at most 0, and 0 if it
   * is not taken.
   */
  readonly rowPrice: LexCosts;
  readonly columnPrice: LexCosts;
};

const NONE = -1;

/**
 * Fill every place of every row with one of the row's columns, or leave it empty at the exit cost, at the least total
 * cost; a column fills at most one place. Deterministic; O(places x edges) at worst.
 */
export function solveAssignment(problem: AssignmentProblem): Assignment {
  const { places, columns, rowStart, columnOf } = problem;
  const rows = places.length;
  const [c0, c1, c2] = problem.cost;
  const [x0, x1, x2] = problem.exitCost;
  const u0 = new Float64Array(rows);
  const u1 = new Float64Array(rows);
  const u2 = new Float64Array(rows);
  const v0 = new Float64Array(columns);
  const v1 = new Float64Array(columns);
  const v2 = new Float64Array(columns);
  const rowOf = new Int32Array(columns).fill(NONE);
  /** columns that are assigned: once assigned, a column is only passed on to another row */
  const taken: number[] = [];
  // One search: the distance of each row from the root in reduced costs, the row's column that is reached, and the row
  // it is reached from. The columns that a row has taken have a reduced cost of 0, so their distance is the row's.
  const d0 = new Float64Array(rows);
  const d1 = new Float64Array(rows);
  const d2 = new Float64Array(rows);
  const entry = new Int32Array(rows);
  const cameFrom = new Int32Array(rows);
  const isSettled = new Uint8Array(rows);

  const place = (root: number): void => {
    d0.fill(Infinity);
    isSettled.fill(0);
    d0[root] = 0;
    d1[root] = 0;
    d2[root] = 0;
    // the nearest end so far: a free column, or the exit of a row
    let e0 = Infinity;
    let e1 = Infinity;
    let e2 = Infinity;
    let endColumn = NONE;
    let endRow = NONE;

    for (let row = root; row !== NONE;) {
      isSettled[row] = 1;
      const base0 = at(d0, row) - at(u0, row);
      const base1 = at(d1, row) - at(u1, row);
      const base2 = at(d2, row) - at(u2, row);
      const exit0 = base0 + at(x0, row);
      const exit1 = base1 + at(x1, row);
      const exit2 = base2 + at(x2, row);
      if (isLess(exit0, exit1, exit2, e0, e1, e2)) {
        e0 = exit0;
        e1 = exit1;
        e2 = exit2;
        endColumn = NONE;
        endRow = row;
      }
      for (let edge = indexAt(rowStart, row), end = indexAt(rowStart, row + 1); edge < end; edge++) {
        const column = indexAt(columnOf, edge);
        const r0 = base0 + at(c0, edge) - at(v0, column);
        if (r0 > e0) continue;
        const owner = indexAt(rowOf, column);
        if (owner !== NONE && (isSettled[owner] === 1 || r0 > at(d0, owner))) continue;
        const r1 = base1 + at(c1, edge) - at(v1, column);
        const r2 = base2 + at(c2, edge) - at(v2, column);
        if (!isLess(r0, r1, r2, e0, e1, e2)) continue; // further than the nearest end
        if (owner === NONE) {
          e0 = r0;
          e1 = r1;
          e2 = r2;
          endColumn = column;
          endRow = row;
        } else if (isLess(r0, r1, r2, at(d0, owner), at(d1, owner), at(d2, owner))) {
          d0[owner] = r0;
          d1[owner] = r1;
          d2[owner] = r2;
          entry[owner] = column;
          cameFrom[owner] = row;
        }
      }

      row = NONE;
      let h0 = e0;
      let h1 = e1;
      let h2 = e2;
      for (let other = 0; other < rows; other++) {
        if (isSettled[other] === 1 || !isLess(at(d0, other), at(d1, other), at(d2, other), h0, h1, h2)) continue;
        h0 = at(d0, other);
        h1 = at(d1, other);
        h2 = at(d2, other);
        row = other;
      }
    }

    for (const column of taken) {
      const owner = indexAt(rowOf, column);
      if (isSettled[owner] !== 1) continue;
      add(v0, column, at(d0, owner) - e0);
      add(v1, column, at(d1, owner) - e1);
      add(v2, column, at(d2, owner) - e2);
    }
    for (let row = 0; row < rows; row++) {
      if (isSettled[row] !== 1) continue;
      add(u0, row, e0 - at(d0, row));
      add(u1, row, e1 - at(d1, row));
      add(u2, row, e2 - at(d2, row));
    }

    // Walk back: each row on the path takes the column it reached and hands on the one by which it was reached.
    if (endColumn !== NONE) {
      rowOf[endColumn] = endRow;
      taken.push(endColumn);
    }
    for (let row = endRow; row !== root; row = indexAt(cameFrom, row)) {
      rowOf[indexAt(entry, row)] = indexAt(cameFrom, row);
    }
  };

  for (let row = 0; row < rows; row++) {
    for (let left = indexAt(places, row); left > 0; left--) place(row);
  }
  return { rowOf, rowPrice: [u0, u1, u2], columnPrice: [v0, v1, v2] };
}

/** Indices here stay within bounds; the fallbacks only satisfy the compiler. One function per array type is faster. */
function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}

function indexAt(values: Int32Array, index: number): number {
  return values[index] ?? 0;
}

function add(values: Float64Array, index: number, amount: number): void {
  values[index] = at(values, index) + amount;
}

function isLess(a0: number, a1: number, a2: number, b0: number, b1: number, b2: number): boolean {
  return a0 < b0 || (a0 === b0 && (a1 < b1 || (a1 === b1 && a2 < b2)));
}
