/** List of the benchmarks, by the names that `npm run bench` takes. */
import { matchOne } from './match-one.ts';
import { matchRepair } from './match-repair.ts';
import { matchScarce } from './match-scarce.ts';
import { matchSolvers } from './match-solvers.ts';
import { matchWeek } from './match-week.ts';
import { recCold } from './rec-cold.ts';
import { recCounts } from './rec-counts.ts';
import { recFlat } from './rec-flat.ts';
import { recMemory } from './rec-memory.ts';
import { recPeers } from './rec-peers.ts';
import { recScale } from './rec-scale.ts';
import { recTop3 } from './rec-top3.ts';
import { recUpdate } from './rec-update.ts';
import type { Bench } from './report.ts';

/** Pure functions on generated data. */
export const BENCHES: Readonly<Record<string, Bench>> = {
  'rec-counts': recCounts,
  'rec-peers': recPeers,
  'rec-flat': recFlat,
  'rec-top3': recTop3,
  'rec-cold': recCold,
  'rec-update': recUpdate,
  'rec-memory': recMemory,
  'rec-scale': recScale,
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
export const PROGRAMS: readonly string[] = [
  'rec-end-to-end',
  'dry-run',
  'page-reads',
  'dashboard',
  'live',
  'http-hot',
  'rsvp-burst',
  'healthz',
  'memory',
  'load',
  'start',
  'recording',
];

/** Programs about a large database, which take minutes. */
export const LARGE: readonly string[] = ['seed', 'explain'];

// `node tests/bench/benches.ts match-one` runs one of the functions and prints its reports, with `--tiny` for small instances
if (import.meta.main) {
  const [, , name = '', size] = process.argv;
  const measure = BENCHES[name];
  if (!measure) throw new Error(`There is no bench ${name}.`);
  for (const report of await measure(size === '--tiny' ? 'tiny' : 'full')) {
    process.stdout.write(`${JSON.stringify(report)}\n`);
  }
}
