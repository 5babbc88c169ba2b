/**
 * `npm run bench` runs the benchmarks with targets and prints a JSON line for each. `npm run bench -- match-one` runs one;
 * `all` also runs those that start a whole Marshal. A wrong result fails; a missed time only with `--strict`.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { matchOne } from './match-one.ts';
import { matchRepair } from './match-repair.ts';
import { matchScarce } from './match-scarce.ts';
import { matchWeek } from './match-week.ts';
import type { Report } from './report.ts';

const BENCHES: Readonly<Record<string, () => Report[] | Promise<Report[]>>> = {
  'match-one': () => matchOne('full'),
  'match-scarce': () => matchScarce('full'),
  'match-repair': () => matchRepair('full'),
  'match-week': () => matchWeek('full'),
};
/** Separate programs that print their own figures. */
const PROGRAMS = ['dry-run', 'dashboard', 'live'];

const wanted = process.argv.slice(2).filter((name) => name !== '--strict');
const isStrict = process.argv.includes('--strict');
const isAll = wanted.includes('all');
const unknown = wanted.filter((name) => name !== 'all' && !(name in BENCHES) && !PROGRAMS.includes(name));
if (unknown.length > 0) {
  const names = [...Object.keys(BENCHES), ...PROGRAMS, 'all'].join(', ');
  process.stderr.write(`There is no bench ${unknown.join(', ')}; there are ${names}.\n`);
  process.exit(1);
}

let failed = false;
for (const [name, measure] of Object.entries(BENCHES)) {
  if (!isAll && wanted.length > 0 && !wanted.includes(name)) continue;
  for (const report of await measure()) {
    process.stdout.write(`${JSON.stringify(report)}\n`);
    if (!report.barMet) process.stderr.write(`${name}: missed the bar (${report.bar}); ${report.size}\n`);
    if (!report.ok) process.stderr.write(`${name}: the answer is wrong, by ${report.gap}; ${report.size}\n`);
    failed ||= !report.ok || (isStrict && !report.barMet);
  }
}
for (const name of PROGRAMS.filter((program) => isAll || wanted.includes(program))) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' });
  failed ||= status !== 0;
}
process.exitCode = failed ? 1 : 0;
