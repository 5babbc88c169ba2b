/** Seeded random numbers. */

export type Random = {
  /** from 0 up to, not including, 1 */
  next: () => number;
  /** a whole number of [min, max] */
  between: (min: number, max: number) => number;
  pick: <T>(list: readonly [T, ...T[]]) => T;
  chance: (share: number) => boolean;
};

/** Mulberry32: 32 bits of state, good enough to make communities with. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between,
    pick: (list) => list[between(0, list.length - 1)] ?? list[0],
    chance: (share) => next() < share,
  };
}
