/** Drills find faults by doing a thing often. `npm test` takes their short form, and all of them where it names their step. */

/** @returns how often, or how much, by the form that is run */
export const inDrill = (whole: number, short: number): number => (process.env.DRILLS === 'whole' ? whole : short);
