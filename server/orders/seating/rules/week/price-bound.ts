/** An upper bound for the seats of overlapping missions, by prices on seats (subgradient steps). */
import type { Cluster } from './cluster.ts';
import type { Part } from './turn-flow.ts';

/** Prices that differ by less are equal; this also covers rounding errors. */
const EPSILON = 1e-6;

/**
 * The bound: every seat has a price, and every pilot flies the chain that pays best. No seating fills more seats than these
 * add up to, whatever the prices. Step by step, seats in high demand become more expensive.
 */
export function priceBound(
  { missions, types, typesIn, byEnd, before }: Cluster,
  parts: readonly Part[],
  prices: Float64Array,
  best: number,
  steps: number,
): number {
  const asked = new Float64Array(types.length);
  const gain = new Float64Array(missions.length);
  const cheapest = new Int32Array(missions.length);
  const pays = new Float64Array(missions.length + 1);
  let bound = Infinity;
  let stride = 1;
  let since = 0;
  for (let step = 0; step < steps; step++) {
    let total = 0;
    asked.fill(0);
    for (let type = 0; type < types.length; type++) total += (types[type]?.seats ?? 0) * (prices[type] ?? 0);
    for (const { group, allowed, pilots } of parts) {
      for (let place = 0; place < byEnd.length; place++) {
        const index = byEnd[place] ?? 0;
        gain[place] = 0;
        if ((allowed & (1 << index)) !== 0) {
          let low = 1;
          for (const type of typesIn[group]?.[index] ?? []) {
            if ((prices[type] ?? 0) < low) {
              low = prices[type] ?? 0;
              cheapest[place] = type;
            }
          }
          gain[place] = 1 - low;
        }
        pays[place + 1] = Math.max(pays[place] ?? 0, (gain[place] ?? 0) + (pays[before[place] ?? 0] ?? 0));
      }
      total += pilots * (pays[byEnd.length] ?? 0);
      for (let place = byEnd.length; place > 0;) {
        if (pays[place] === pays[place - 1]) {
          place -= 1;
        } else {
          const type = cheapest[place - 1] ?? 0;
          asked[type] = (asked[type] ?? 0) + pilots;
          place = before[place - 1] ?? 0;
        }
      }
    }
    if (total < bound - EPSILON) {
      bound = total;
      since = 0;
      if (bound < best + 1 - EPSILON) break;
    } else if (++since >= 10) {
      stride /= 2;
      since = 0;
    }
    let norm = 0;
    for (let type = 0; type < types.length; type++) {
      const slope = (types[type]?.seats ?? 0) - (asked[type] ?? 0);
      const price = prices[type] ?? 0;
      if ((slope > 0 && price > 0) || (slope < 0 && price < 1)) norm += slope * slope;
    }
    if (norm === 0) break;
    const move = (stride * (total - best)) / norm;
    for (let type = 0; type < types.length; type++) {
      const slope = (types[type]?.seats ?? 0) - (asked[type] ?? 0);
      prices[type] = Math.min(1, Math.max(0, (prices[type] ?? 0) - move * slope));
    }
  }
  return Math.floor(bound + EPSILON);
}
