/** Groups of pilots on the seat board of a mission: those with a seat, and those on the bench in reading order. */
export const BENCH_GROUPS = ['seated', 'fits', 'otherAircraft', 'nearlyFree', 'standby', 'others'] as const;
export type BenchGroup = (typeof BENCH_GROUPS)[number];
