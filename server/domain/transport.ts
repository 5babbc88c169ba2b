/**
 * Exact transport with lexicographic costs: columns that go once each to types of rows, of which each takes several.
 * As many columns as possible are placed, and among all ways to do that one of the least total cost.
 *
 * Successive shortest paths (Dijkstra with prices) over the types alone: of all columns that could move from one type
 * to another only the cheapest matters, so the search never sees the columns. Costs are three words as in
 * `assignment.ts`, compared word by word; they may be negative. Whole numbers stay exact while the difference between
 * two ways of placing the columns, word by word, stays below 2^53.
 */
import type { LexCosts } from './assignment.ts';

export type TransportProblem = {
  /** how many columns each type takes at most */
  readonly capacity: Int32Array;
  readonly columns: number;
  /** edges of column c are `columnStart[c]` to `columnStart[c + 1] - 1`; length columns + 1 */
  readonly columnStart: Int32Array;
  /** type of each edge; at most one edge per column and type */
  readonly typeOf: Int32Array;
  /** of each edge */
  readonly cost: LexCosts;
};

const NONE = -1;

/**
 * Place as many columns as can be, at the least total cost.
 * @returns the type of each column, -1 for none. Deterministic; O(placed x types^2) plus the edges of those moved.
 */
export function solveTransport(problem: TransportProblem): Int32Array {
  const { columns, columnStart, typeOf } = problem;
  const [c0, c1, c2] = problem.cost;
  const types = problem.capacity.length;
  const free = problem.capacity.slice();
  const columnOf = columnOfEdges(problem);
  const heaps = createHeaps(problem);
  const edgeOf = new Int32Array(columns).fill(NONE);
  /** columns on each type, as far as `on` counts; a type's part begins at `firstOn` */
  const firstOn = new Int32Array(types + 1);
  for (let type = 0; type < types; type++) firstOn[type + 1] = int(firstOn, type) + Math.max(0, int(free, type));
  const onType = new Int32Array(int(firstOn, types));
  const on = new Int32Array(types);
  /** from type to type: the edge of the column that moves at the least cost, and that cost */
  const mover = new Int32Array(types * types).fill(NONE);
  const m0 = new Float64Array(types * types);
  const m1 = new Float64Array(types * types);
  const m2 = new Float64Array(types * types);
  /** prices: distances from nowhere of the searches so far */
  const p0 = new Float64Array(types);
  const p1 = new Float64Array(types);
  const p2 = new Float64Array(types);
  const d0 = new Float64Array(types);
  const d1 = new Float64Array(types);
  const d2 = new Float64Array(types);
  const cameFrom = new Int32Array(types);
  /** 0 not reached, 1 reached, 2 settled */
  const state = new Uint8Array(types);

  /** Take note of what moving the column of `edge` (now on `type`) to its other types would cost. */
  const offer = (edge: number, type: number): void => {
    const column = int(columnOf, edge);
    const [e0, e1, e2] = [num(c0, edge), num(c1, edge), num(c2, edge)];
    for (let other = int(columnStart, column), end = int(columnStart, column + 1); other < end; other++) {
      if (other === edge) continue;
      const pair = type * types + int(typeOf, other);
      const r0 = num(c0, other) - e0;
      const r1 = num(c1, other) - e1;
      const r2 = num(c2, other) - e2;
      if (int(mover, pair) !== NONE && !isLess(r0, r1, r2, num(m0, pair), num(m1, pair), num(m2, pair))) continue;
      mover[pair] = other;
      m0[pair] = r0;
      m1[pair] = r1;
      m2[pair] = r2;
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
    mover.fill(NONE, type * types, (type + 1) * types);
    for (let place = first; place < last; place++) offer(int(edgeOf, int(onType, place)), type);
  };

  // Prices begin as the distances they stand for: of a type its cheapest column, of the way out the nearest type's.
  let [out0, out1, out2] = [Infinity, Infinity, Infinity];
  for (let type = 0; type < types; type++) {
    const edge = heaps.top(type, edgeOf);
    if (edge === NONE) continue;
    p0[type] = num(c0, edge);
    p1[type] = num(c1, edge);
    p2[type] = num(c2, edge);
    if (int(free, type) > 0 && isLess(num(p0, type), num(p1, type), num(p2, type), out0, out1, out2)) {
      [out0, out1, out2] = [num(p0, type), num(p1, type), num(p2, type)];
    }
  }

  for (;;) {
    state.fill(0);
    for (let type = 0; type < types; type++) {
      const edge = heaps.top(type, edgeOf);
      if (edge === NONE) continue;
      state[type] = 1;
      cameFrom[type] = NONE;
      d0[type] = num(c0, edge) - num(p0, type);
      d1[type] = num(c1, edge) - num(p1, type);
      d2[type] = num(c2, edge) - num(p2, type);
    }
    // the nearest way out so far, in reduced costs
    let sink = NONE;
    let s0 = Infinity;
    let s1 = Infinity;
    let s2 = Infinity;
    for (;;) {
      let nearest = NONE;
      let h0 = s0;
      let h1 = s1;
      let h2 = s2;
      for (let type = 0; type < types; type++) {
        if (state[type] !== 1) continue;
        const r0 = num(d0, type);
        if (r0 > h0) continue;
        const r1 = num(d1, type);
        const r2 = num(d2, type);
        if (!isLess(r0, r1, r2, h0, h1, h2)) continue;
        h0 = r0;
        h1 = r1;
        h2 = r2;
        nearest = type;
      }
      if (nearest === NONE) break; // nothing that is left is nearer than the way out
      state[nearest] = 2;
      const b0 = h0 + num(p0, nearest);
      const b1 = h1 + num(p1, nearest);
      const b2 = h2 + num(p2, nearest);
      if (int(free, nearest) > 0 && isLess(b0 - out0, b1 - out1, b2 - out2, s0, s1, s2)) {
        sink = nearest;
        s0 = b0 - out0;
        s1 = b1 - out1;
        s2 = b2 - out2;
      }
      for (let type = 0, pair = nearest * types; type < types; type++, pair++) {
        if (state[type] === 2 || int(mover, pair) === NONE) continue;
        const r0 = b0 + num(m0, pair) - num(p0, type);
        if (state[type] === 1 && r0 > num(d0, type)) continue;
        const r1 = b1 + num(m1, pair) - num(p1, type);
        const r2 = b2 + num(m2, pair) - num(p2, type);
        if (state[type] === 1 && !isLess(r0, r1, r2, num(d0, type), num(d1, type), num(d2, type))) continue;
        state[type] = 1;
        d0[type] = r0;
        d1[type] = r1;
        d2[type] = r2;
        cameFrom[type] = nearest;
      }
    }
    if (sink === NONE) break;
    out0 += s0;
    out1 += s1;
    out2 += s2;
    for (let type = 0; type < types; type++) {
      const isNear = state[type] === 2;
      p0[type] = num(p0, type) + (isNear ? num(d0, type) : s0);
      p1[type] = num(p1, type) + (isNear ? num(d1, type) : s1);
      p2[type] = num(p2, type) + (isNear ? num(d2, type) : s2);
    }

    // Walk back from the way out: each type on the path hands its cheapest mover on and takes the one before.
    free[sink] = int(free, sink) - 1;
    const moves: number[] = [];
    let type = sink;
    while (int(cameFrom, type) !== NONE) {
      const from = int(cameFrom, type);
      moves.push(int(mover, from * types + type));
      type = from;
    }
    const newcomer = heaps.top(type, edgeOf);
    for (const edge of moves) leave(int(edgeOf, int(columnOf, edge)));
    for (const edge of moves) join(edge);
    join(newcomer);
  }
  return Int32Array.from(edgeOf, (edge) => (edge === NONE ? NONE : int(typeOf, edge)));
}

function columnOfEdges({ columns, columnStart, typeOf }: TransportProblem): Int32Array {
  const columnOf = new Int32Array(typeOf.length);
  for (let column = 0; column < columns; column++) {
    columnOf.fill(column, int(columnStart, column), int(columnStart, column + 1));
  }
  return columnOf;
}

/** For each type its edges, the cheapest on top; edges of placed columns leave, for a column once placed stays placed. */
function createHeaps(problem: TransportProblem) {
  const { typeOf } = problem;
  const [c0, c1, c2] = problem.cost;
  const types = problem.capacity.length;
  const columnOf = columnOfEdges(problem);
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
    return a2 < b2 || (a2 === b2 && a < b);
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
    /** the cheapest edge of a column that is not placed, -1 without any */
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

function isLess(a0: number, a1: number, a2: number, b0: number, b1: number, b2: number): boolean {
  return a0 < b0 || (a0 === b0 && (a1 < b1 || (a1 === b1 && a2 < b2)));
}
