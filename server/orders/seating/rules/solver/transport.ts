/**
 * Exact transport with lexicographic costs: each column goes to one type of rows, and each type takes several columns.
 * As many columns as possible are placed, and among all ways to do that, one with the least total cost is chosen.
 *
 * Places are filled one after the other, each by a shortest path (Dijkstra with prices) over the types only: of all
 * columns that could move from one type to another only the cheapest matters, so the search never sees the columns. Most
 * places take a free column, and the path ends where it began. If a place cannot be filled, the reachable place that is
 * the most expensive to fill stays empty; types that can no longer be filled all have the price of one empty place.
 *
 * Costs are four words, compared word by word as in `assignment.ts`; they may be negative. Integers stay exact
 * while the difference between two placements, word by word, stays below 2^53.
 */

/** One value per edge for each of the four words, most significant first. */
export type TransportCosts = readonly [Float64Array, Float64Array, Float64Array, Float64Array];

export type TransportProblem = {
  /** maximum number of columns of each type */
  readonly capacity: Int32Array;
  readonly columns: number;
  /** edges of column c are `columnStart[c]` to `columnStart[c + 1] - 1`; length columns + 1 */
  readonly columnStart: Int32Array;
  /** type of each edge; at most one edge per column and type */
  readonly typeOf: Int32Array;
  /** of each edge */
  readonly cost: TransportCosts;
  /** cost of an empty place, in the first word: more than those of all columns together can differ by */
  readonly emptyCost: number;
};

const NONE = -1;

/**
 * Place as many columns as possible, at the least total cost.
 * @returns the type of each column, -1 for none. Deterministic; O(places x types^2) at worst, most places take O(types),
 *   plus the edges of those moved.
 */
export function solveTransport(problem: TransportProblem): Int32Array {
  const { capacity, typeOf } = problem;
  const columnOf = columnOfEdges(problem);
  const placement = createPlacement(problem, columnOf);
  const search = createSearch(problem, placement, createHeaps(problem, columnOf));
  const { edgeOf, mover, leave, join } = placement;
  const types = capacity.length;

  const fillPlace = (root: number): void => {
    const { type: end, edge } = search.findEnd(root);
    // Walk back from the end: each type on the path passes its cheapest column on and takes the next one.
    const moves: number[] = [];
    for (let type = end; type !== root; type = int(search.taker, type)) {
      moves.push(int(mover, int(search.taker, type) * types + type));
    }
    for (const move of moves) leave(int(edgeOf, int(columnOf, move)));
    for (const move of moves) join(move);
    if (edge !== NONE) join(edge);
  };
  for (let type = 0; type < types; type++) {
    for (let left = int(capacity, type); left > 0; left--) fillPlace(type);
  }
  return Int32Array.from(edgeOf, (edge) => (edge === NONE ? NONE : int(typeOf, edge)));
}

type Placement = ReturnType<typeof createPlacement>;

/** The columns on each type, and for each pair of types the column that moves from one to the other at the least cost. */
function createPlacement({ capacity, columns, columnStart, typeOf, cost }: TransportProblem, columnOf: Int32Array) {
  const [c0, c1, c2, c3] = cost;
  const types = capacity.length;
  const edgeOf = new Int32Array(columns).fill(NONE);
  /** columns on each type, as far as `on` counts; a type's part begins at `firstOn` */
  const firstOn = new Int32Array(types + 1);
  for (let type = 0; type < types; type++) firstOn[type + 1] = int(firstOn, type) + Math.max(0, int(capacity, type));
  const onType = new Int32Array(int(firstOn, types));
  const on = new Int32Array(types);
  /** to type (row) from type: the edge of the column that moves at the least cost, and that cost */
  const mover = new Int32Array(types * types).fill(NONE);
  const m0 = new Float64Array(types * types);
  const m1 = new Float64Array(types * types);
  const m2 = new Float64Array(types * types);
  const m3 = new Float64Array(types * types);

  /** Record the cost of moving the column of `edge` (now on `type`) to its other types. */
  const offer = (edge: number, type: number): void => {
    const column = int(columnOf, edge);
    const [e0, e1, e2, e3] = [num(c0, edge), num(c1, edge), num(c2, edge), num(c3, edge)];
    for (let other = int(columnStart, column), end = int(columnStart, column + 1); other < end; other++) {
      if (other === edge) continue;
      const pair = int(typeOf, other) * types + type;
      const r0 = num(c0, other) - e0;
      const r1 = num(c1, other) - e1;
      const r2 = num(c2, other) - e2;
      const r3 = num(c3, other) - e3;
      const isKnown = int(mover, pair) !== NONE;
      if (isKnown && !isLess(r0, r1, r2, r3, num(m0, pair), num(m1, pair), num(m2, pair), num(m3, pair))) continue;
      mover[pair] = other;
      m0[pair] = r0;
      m1[pair] = r1;
      m2[pair] = r2;
      m3[pair] = r3;
    }
  };
  const join = (edge: number): void => {
    const type = int(typeOf, edge);
    const column = int(columnOf, edge);
    edgeOf[column] = edge;
    onType[int(firstOn, type) + int(on, type)] = column;
    on[type] = int(on, type) + 1;
    offer(edge, type);
  };
  const leave = (edge: number): void => {
    const type = int(typeOf, edge);
    const first = int(firstOn, type);
    const last = first + int(on, type) - 1;
    const column = int(columnOf, edge);
    for (let place = first; place <= last; place++) {
      if (int(onType, place) !== column) continue;
      onType[place] = int(onType, last);
      break;
    }
    on[type] = last - first;
    for (let to = 0; to < types; to++) mover[to * types + type] = NONE;
    for (let place = first; place < last; place++) offer(int(edgeOf, int(onType, place)), type);
  };

  return { edgeOf, mover, m0, m1, m2, m3, join, leave };
}

type Heaps = ReturnType<typeof createHeaps>;

/** Shortest paths over the types, with the prices from earlier searches. */
function createSearch(
  { capacity, cost, emptyCost }: TransportProblem,
  { edgeOf, mover, m0, m1, m2, m3 }: Placement,
  heaps: Heaps,
) {
  const [c0, c1, c2, c3] = cost;
  const types = capacity.length;
  // Prices of a place of each type.
  const p0 = new Float64Array(types);
  const p1 = new Float64Array(types);
  const p2 = new Float64Array(types);
  const p3 = new Float64Array(types);
  // One search: the distance of each type from the place to be filled, in reduced costs.
  const d0 = new Float64Array(types);
  const d1 = new Float64Array(types);
  const d2 = new Float64Array(types);
  const d3 = new Float64Array(types);
  /** the type that would take a column of this one */
  const taker = new Int32Array(types);
  /** 0 not reached, 1 reached, 2 settled */
  const state = new Uint8Array(types);

  for (let type = 0; type < types; type++) {
    const cheapest = heaps.top(type, edgeOf);
    if (cheapest === NONE) continue;
    p0[type] = num(c0, cheapest);
    p1[type] = num(c1, cheapest);
    p2[type] = num(c2, cheapest);
    p3[type] = num(c3, cheapest);
  }

  /** Raise the prices of the types that a search has settled by the difference between their distance and the end's. */
  const raisePrices = (e0: number, e1: number, e2: number, e3: number): void => {
    for (let type = 0; type < types; type++) {
      if (state[type] !== 2) continue;
      p0[type] = num(p0, type) + e0 - num(d0, type);
      p1[type] = num(p1, type) + e1 - num(d1, type);
      p2[type] = num(p2, type) + e2 - num(d2, type);
      p3[type] = num(p3, type) + e3 - num(d3, type);
    }
  };

  /**
   * The nearest end from a place to be filled, over types that pass columns on; prices are raised to match.
   * @returns the type of the end and the edge of the column it takes; -1 if it leaves a place empty
   */
  const findEnd = (root: number): { type: number; edge: number } => {
    state.fill(0);
    state[root] = 1;
    d0[root] = 0;
    d1[root] = 0;
    d2[root] = 0;
    d3[root] = 0;
    // the nearest end so far: a type that takes an unplaced column, or leaves a place empty
    let endType = NONE;
    let endEdge = NONE;
    let e0 = Infinity;
    let e1 = 0;
    let e2 = 0;
    let e3 = 0;
    for (let type = root; type !== NONE;) {
      state[type] = 2;
      const b0 = num(d0, type) - num(p0, type);
      const b1 = num(d1, type) - num(p1, type);
      const b2 = num(d2, type) - num(p2, type);
      const b3 = num(d3, type) - num(p3, type);
      const newcomer = heaps.top(type, edgeOf);
      if (newcomer !== NONE) {
        const r0 = b0 + num(c0, newcomer);
        const r1 = b1 + num(c1, newcomer);
        const r2 = b2 + num(c2, newcomer);
        const r3 = b3 + num(c3, newcomer);
        if (isLess(r0, r1, r2, r3, e0, e1, e2, e3)) {
          endType = type;
          endEdge = newcomer;
          e0 = r0;
          e1 = r1;
          e2 = r2;
          e3 = r3;
        }
      } else if (isLess(b0 + emptyCost, b1, b2, b3, e0, e1, e2, e3)) {
        endType = type;
        endEdge = NONE;
        e0 = b0 + emptyCost;
        e1 = b1;
        e2 = b2;
        e3 = b3;
      }

      let nearest = NONE;
      let h0 = e0;
      let h1 = e1;
      let h2 = e2;
      let h3 = e3;
      for (let from = 0, pair = type * types; from < types; from++, pair++) {
        if (state[from] === 2) continue;
        if (int(mover, pair) !== NONE) {
          const r0 = b0 + num(m0, pair) + num(p0, from);
          if (r0 <= e0) {
            const r1 = b1 + num(m1, pair) + num(p1, from);
            const r2 = b2 + num(m2, pair) + num(p2, from);
            const r3 = b3 + num(m3, pair) + num(p3, from);
            if (
              state[from] === 0 ||
              isLess(r0, r1, r2, r3, num(d0, from), num(d1, from), num(d2, from), num(d3, from))
            ) {
              state[from] = 1;
              d0[from] = r0;
              d1[from] = r1;
              d2[from] = r2;
              d3[from] = r3;
              taker[from] = type;
            }
          }
        }
        if (state[from] === 0 || num(d0, from) > h0) continue;
        if (isLess(num(d0, from), num(d1, from), num(d2, from), num(d3, from), h0, h1, h2, h3)) {
          h0 = num(d0, from);
          h1 = num(d1, from);
          h2 = num(d2, from);
          h3 = num(d3, from);
          nearest = from;
        }
      }
      type = nearest;
    }
    raisePrices(e0, e1, e2, e3);
    return { type: endType, edge: endEdge };
  };

  return { findEnd, taker };
}

function columnOfEdges({ columns, columnStart, typeOf }: TransportProblem): Int32Array {
  const columnOf = new Int32Array(typeOf.length);
  for (let column = 0; column < columns; column++) {
    columnOf.fill(column, int(columnStart, column), int(columnStart, column + 1));
  }
  return columnOf;
}

/** A heap of the edges of each type, the cheapest on top. Edges of placed columns are removed, since columns stay placed. */
function createHeaps(problem: TransportProblem, columnOf: Int32Array) {
  const { typeOf } = problem;
  const [c0, c1, c2, c3] = problem.cost;
  const types = problem.capacity.length;
  const start = new Int32Array(types + 1);
  for (const type of typeOf) start[type + 1] = int(start, type + 1) + 1;
  for (let type = 0; type < types; type++) start[type + 1] = int(start, type + 1) + int(start, type);
  const size = new Int32Array(types);
  const heap = new Int32Array(typeOf.length);
  for (let edge = 0; edge < typeOf.length; edge++) {
    const type = int(typeOf, edge);
    heap[int(start, type) + int(size, type)] = edge;
    size[type] = int(size, type) + 1;
  }
  /** ties by edge number, so by column */
  const isBefore = (a: number, b: number): boolean => {
    const a0 = num(c0, a);
    const b0 = num(c0, b);
    if (a0 !== b0) return a0 < b0;
    const a1 = num(c1, a);
    const b1 = num(c1, b);
    if (a1 !== b1) return a1 < b1;
    const a2 = num(c2, a);
    const b2 = num(c2, b);
    if (a2 !== b2) return a2 < b2;
    const a3 = num(c3, a);
    const b3 = num(c3, b);
    return a3 < b3 || (a3 === b3 && a < b);
  };
  const sink = (type: number, place: number): void => {
    const first = int(start, type);
    const count = int(size, type);
    const edge = int(heap, first + place);
    let parent = place;
    for (;;) {
      let child = 2 * parent + 1;
      if (child >= count) break;
      if (child + 1 < count && isBefore(int(heap, first + child + 1), int(heap, first + child))) child += 1;
      const below = int(heap, first + child);
      if (!isBefore(below, edge)) break;
      heap[first + parent] = below;
      parent = child;
    }
    heap[first + parent] = edge;
  };
  for (let type = 0; type < types; type++) {
    for (let place = (int(size, type) >> 1) - 1; place >= 0; place--) sink(type, place);
  }
  return {
    /** the cheapest edge of an unplaced column, -1 for none */
    top: (type: number, edgeOf: Int32Array): number => {
      const first = int(start, type);
      while (int(size, type) > 0) {
        const edge = int(heap, first);
        if (int(edgeOf, int(columnOf, edge)) === NONE) return edge;
        const last = int(size, type) - 1;
        size[type] = last;
        if (last === 0) break;
        heap[first] = int(heap, first + last);
        sink(type, 0);
      }
      return NONE;
    },
  };
}

/** Indices here stay within bounds; the fallbacks only satisfy the compiler. One function per array type is faster. */
function num(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}

function int(values: Int32Array, index: number): number {
  return values[index] ?? 0;
}

function isLess(
  a0: number,
  a1: number,
  a2: number,
  a3: number,
  b0: number,
  b1: number,
  b2: number,
  b3: number,
): boolean {
  if (a0 !== b0) return a0 < b0;
  if (a1 !== b1) return a1 < b1;
  return a2 < b2 || (a2 === b2 && a3 < b3);
}
