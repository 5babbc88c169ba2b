/** Types of `munkres-js`, which has none. */
declare module 'munkres-js' {
  /** @returns pairs of row and column with the minimum total cost */
  function computeMunkres(costs: readonly (readonly number[])[]): [row: number, column: number][];
  export = computeMunkres;
}
