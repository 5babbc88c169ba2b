/** Drills find faults by repetition. `npm test` runs a short version, and the full one if their step is named. */

/** @returns the number of repetitions for this run */
export const inDrill = (whole: number, short: number): number => (process.env.DRILLS === 'whole' ? whole : short);
