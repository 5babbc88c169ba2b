/**
 * `npm run bench` runs the benchmarks and prints a JSON line for each. `npm run bench -- match-one` runs one; `all` also
 * runs those that start a whole Marshal; `seed`, `explain` and `page-reads` have options of their own. `--write` puts the figures
 * into README.md and draws the picture, `--tiny` runs small instances, whose figures mean nothing. A wrong result fails; a missed bar only with `--strict`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { BENCHES, LARGE, PROGRAMS } from './benches.ts';
import { drawPicture, PICTURE } from './picture.ts';
import type { Report } from './report.ts';
import { describeMachine, readReport, withFigures } from './table.ts';

const FLAGS = ['--strict', '--write', '--tiny'];
/** Above this load of a core, other programs disturb the figures. */
const BUSY = 0.5;
/**
 * Flags for benchmarks whose garbage would change their ratios from run to run: helper threads collect more or less of it, and
 * the young generation grows. The other benchmarks keep their objects for longer and vary more with these flags.
 */
const NODE_FLAGS: Readonly<Record<string, readonly string[]>> = {
  'match-repair': ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=32'],
};
const ROOT = join(import.meta.dirname, '..', '..');
const README = join(import.meta.dirname, 'README.md');

const [first = '', ...options] = process.argv.slice(2);
const hasOwnOptions = options.length > 0 && !options.every((option) => FLAGS.includes(option));
if (LARGE.includes(first) || (PROGRAMS.includes(first) && hasOwnOptions)) {
  const program = [join(import.meta.dirname, `${first}.ts`), ...options];
  process.exit(spawnSync(process.execPath, program, { stdio: 'inherit' }).status ?? 1);
}

const flags = process.argv.slice(2).filter((word) => word.startsWith('--'));
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isAll = wanted.includes('all');
const [isStrict, isWriting, isTiny] = FLAGS.map((flag) => flags.includes(flag));
const unknown = [
  ...wanted.filter((name) => name !== 'all' && !(name in BENCHES) && !PROGRAMS.includes(name)),
  ...flags.filter((flag) => !FLAGS.includes(flag)),
];
if (unknown.length > 0 || (isTiny && isWriting)) {
  const names = [...Object.keys(BENCHES), ...PROGRAMS, ...LARGE, 'all', ...FLAGS].join(', ');
  process.stderr.write(
    unknown.length > 0
      ? `There is no bench ${unknown.join(', ')}; there are ${names}.\n`
      : 'The figures of small instances are not written.\n',
  );
  process.exit(1);
}

const reports: Report[] = [];
let failed = false;

function take(report: Report): void {
  reports.push(report);
  process.stdout.write(`${JSON.stringify(report)}\n`);
  const { name, size, bar, barMet, ok, gap } = report;
  if (!barMet && !isTiny) process.stderr.write(`${name}: missed the bar (${bar}); ${size}\n`);
  if (!ok) process.stderr.write(`${name}: the answer is wrong, by ${gap}; ${size}\n`);
  failed ||= !ok || (isStrict === true && !barMet);
}

/** @param words flags of Node, a program of this folder, and what it takes */
async function runProgram(...words: readonly string[]): Promise<void> {
  const command = [...words, ...(isTiny ? ['--tiny'] : [])];
  const program = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => {
    program.on('close', resolve);
  });
  for await (const line of createInterface({ input: program.stdout })) {
    const report = readReport(line);
    if (report) take(report);
    else process.stdout.write(`${line}\n`);
  }
  failed ||= (await ended) !== 0;
}

const [load = 0] = loadavg();
if (load > BUSY) process.stderr.write(`Other programs run (load ${load.toFixed(1)}): the times will be too long.\n`);

const fileOf = (program: string): string => join(import.meta.dirname, `${program}.ts`);
const functions = Object.keys(BENCHES).filter((name) => isAll || wanted.length === 0 || wanted.includes(name));
// each in a process of its own: what others left on the heap, and how their calls were compiled, would change its ratios
for (const name of functions) await runProgram(...(NODE_FLAGS[name] ?? []), fileOf('benches'), name);
for (const name of PROGRAMS.filter((program) => isAll || wanted.includes(program))) await runProgram(fileOf(name));

if (isWriting && !failed) {
  const command = ['npm run bench', ...(wanted.length > 0 ? ['--', ...wanted] : [])].join(' ');
  const date = new Date().toISOString().slice(0, 10);
  if (reports.some(({ name }) => name === 'rec-scale')) writeFileSync(join(ROOT, PICTURE), drawPicture(reports));
  writeFileSync(
    README,
    withFigures(readFileSync(README, 'utf8'), reports, { command, date, machine: describeMachine() }),
  );
}
process.exitCode = failed ? 1 : 0;
