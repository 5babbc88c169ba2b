/**
 * Exact minimum-cost assignment with lexicographic costs: successive shortest augmenting paths with dual prices
 * (Jonker and Volgenant's form of the Hungarian method) over an ordered group, three numbers per cost.
 *
 * Costs are compared word by word and never added across words, so no amount of a later word outweighs an earlier
 * one. Words are whole numbers; as every price is a sum of costs along a path, all arithmetic is exact while
 * 4 x rows x the largest word stays below 2^53 (for the first word, whose prices cannot exceed a row's exit cost,
 * 4 x the largest word does).
 */

/** One value per edge or row for each of the three words, most significant first. */
export type LexCosts = readonly [Float64Array, Float64Array, Float64Array];

export type AssignmentProblem = {
  readonly rows: number;
  readonly columns: number;
  /** edges of row r are `rowStart[r]` to `rowStart[r + 1] - 1`; length rows + 1 */
  readonly rowStart: Int32Array;
  /** column of each edge; at most one edge per row and column */
  readonly columnOf: Int32Array;
  /** of each edge; not negative */
  readonly cost: LexCosts;
  /** of leaving a row without a column; not negative */
  readonly exitCost: LexCosts;
};

const NONE = -1;

/**
 * Give every row one of its columns, or its exit, at the least total cost; a column serves one row at most.
 * @returns the column of each row, -1 for the exit. Deterministic; O(rows x edges) at worst.
 */
export function solveAssignment(problem: AssignmentProblem): Int32Array {
  const { rows, columns, rowStart, columnOf } = problem;
  const [c0, c1, c2] = problem.cost;
  const [x0, x1, x2] = problem.exitCost;
  const u0 = new Float64Array(rows);
  const u1 = new Float64Array(rows);
  const u2 = new Float64Array(rows);
  const v0 = new Float64Array(columns);
  const v1 = new Float64Array(columns);
  const v2 = new Float64Array(columns);
  /** distance of each column from the row being placed, in reduced costs */
  const d0 = new Float64Array(columns);
  const d1 = new Float64Array(columns);
  const d2 = new Float64Array(columns);
  const cameFrom = new Int32Array(columns);
  const rowOf = new Int32Array(columns).fill(NONE);
  const columnOfRow = new Int32Array(rows).fill(NONE);
  /** columns reached and not yet settled, in the first `reached` places */
  const frontier = new Int32Array(columns);
  /** the row whose search last reached (or settled) the column */
  const reachedBy = new Int32Array(columns).fill(NONE);
  const settledBy = new Int32Array(columns).fill(NONE);

  for (let root = 0; root < rows; root++) {
    let reached = 0; // columns in the frontier
    const tree: number[] = [];
    let row = root;
    let [h0, h1, h2] = [0, 0, 0]; // distance of `row`
    let [e0, e1, e2] = [Infinity, Infinity, Infinity]; // the nearest exit so far
    let exitRow = NONE;
    let sink = NONE;

    while (sink === NONE) {
      const base0 = h0 - at(u0, row);
      const base1 = h1 - at(u1, row);
      const base2 = h2 - at(u2, row);
      const exit0 = base0 + at(x0, row);
      const exit1 = base1 + at(x1, row);
      const exit2 = base2 + at(x2, row);
      if (isLess(exit0, exit1, exit2, e0, e1, e2)) {
        [e0, e1, e2] = [exit0, exit1, exit2];
        exitRow = row;
      }
      for (let edge = indexAt(rowStart, row), end = indexAt(rowStart, row + 1); edge < end; edge++) {
        const column = indexAt(columnOf, edge);
        if (settledBy[column] === root) continue;
        const seen = reachedBy[column] === root;
        const r0 = base0 + at(c0, edge) - at(v0, column);
        if (seen && r0 > at(d0, column)) continue;
        const r1 = base1 + at(c1, edge) - at(v1, column);
        const r2 = base2 + at(c2, edge) - at(v2, column);
        if (seen && !isLess(r0, r1, r2, at(d0, column), at(d1, column), at(d2, column))) continue;
        if (!seen) {
          reachedBy[column] = root;
          frontier[reached++] = column;
        }
        d0[column] = r0;
        d1[column] = r1;
        d2[column] = r2;
        cameFrom[column] = row;
      }

      let nearest = NONE;
      let place = NONE;
      [h0, h1, h2] = [Infinity, Infinity, Infinity];
      for (let index = 0; index < reached; index++) {
        const column = indexAt(frontier, index);
        const r0 = at(d0, column);
        if (r0 > h0) continue;
        const r1 = at(d1, column);
        const r2 = at(d2, column);
        if (!isLess(r0, r1, r2, h0, h1, h2)) continue;
        [h0, h1, h2] = [r0, r1, r2];
        nearest = column;
        place = index;
      }
      if (nearest === NONE || !isLess(h0, h1, h2, e0, e1, e2)) break; // an exit is at least as near
      frontier[place] = indexAt(frontier, --reached);
      settledBy[nearest] = root;
      if (indexAt(rowOf, nearest) === NONE) {
        sink = nearest;
      } else {
        tree.push(nearest);
        row = indexAt(rowOf, nearest);
      }
    }

    const [t0, t1, t2] = sink === NONE ? [e0, e1, e2] : [h0, h1, h2];
    add(u0, root, t0);
    add(u1, root, t1);
    add(u2, root, t2);
    for (const column of tree) {
      const owner = indexAt(rowOf, column);
      add(u0, owner, t0 - at(d0, column));
      add(u1, owner, t1 - at(d1, column));
      add(u2, owner, t2 - at(d2, column));
      add(v0, column, at(d0, column) - t0);
      add(v1, column, at(d1, column) - t1);
      add(v2, column, at(d2, column) - t2);
    }

    // Walk back along the path; a row that takes its exit hands its column to the row that reached it.
    let column = sink;
    if (sink === NONE) {
      column = indexAt(columnOfRow, exitRow);
      columnOfRow[exitRow] = NONE;
    }
    while (column !== NONE) {
      const taker = indexAt(cameFrom, column);
      const given = indexAt(columnOfRow, taker);
      columnOfRow[taker] = column;
      rowOf[column] = taker;
      column = given;
    }
  }
  return columnOfRow;
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
