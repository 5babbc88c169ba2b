/**
 * Runs one of the benchmarks of pure functions and prints its reports: `node tests/bench/one-bench.ts match-one`, with
 * `--tiny` for small instances.
 */
import { BENCHES } from './benches.ts';

const [, , name = '', size] = process.argv;
const measure = BENCHES[name];
if (!measure) throw new Error(`There is no bench ${name}.`);
for (const report of await measure(size === '--tiny' ? 'tiny' : 'full')) {
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
