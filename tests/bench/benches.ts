/** List of the benchmarks, by the names that `npm run bench` takes. */
import { matchOne } from './match-one.ts';
import { matchRepair } from './match-repair.ts';
import { matchScarce } from './match-scarce.ts';
import { matchSolvers } from './match-solvers.ts';
import { matchWeek } from './match-week.ts';
import type { Bench } from './report.ts';

/** Pure functions on generated data. */
export const BENCHES: Readonly<Record<string, Bench>> = {
  'match-one': matchOne,
  'match-solvers': matchSolvers,
  'match-scarce': matchScarce,
  'match-repair': matchRepair,
  'match-week': matchWeek,
};

/**
 * Programs that start a whole Marshal. They print their own figures; a line that is a report counts like those of the
 * benchmarks above.
 */
export const PROGRAMS: readonly string[] = ['dry-run', 'dashboard', 'live'];
