/**
 * The share of faults that the tests find: plants faults at random places, one at a time, and runs `npm test -- --changed` against
 * each; what survives is tried once more with a minute of tests. `npm run planted [faults] [seed]`, in a clone without changes,
 * because files are changed and put back.
 *
 * Each part of the project gives as many faults as the others, so that a small part with rules counts as much as a large one.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runMain } from '#server/cli/bootstrap.js';
import { ROOT } from '#server/cli/programs.js';
import { type Random, seeded } from '#tests/harness/seeded.ts';
import { listChanged } from '#tests/steps/changes.js';
import { endTogether, runQuietly } from '#tests/steps/programs.js';
import { type Kind, KINDS, type Mutation, mutationsOf, plant } from './mutations.ts';

const PARTS: Record<string, readonly string[]> = {
  rules: ['server/**/rules/*.ts', 'server/time/*.ts', 'shared/*.ts'],
  rooms: ['server/{missions,orders,availability,planning,board}/**/*.ts'],
  accounts: ['server/accounts/**/*.ts', 'server/http/**/*.ts'],
  delivery: ['server/{delivery,signals,jobs,platform,backup}/**/*.ts'],
  discord: ['server/discord/**/*.ts', 'bot/**/*.ts'],
  client: ['client/src/{features,domain-ui,components,lib}/**/*.{ts,tsx}'],
};
/** Texts, data and drawings, in which most faults are matters of taste. */
const LEFT_OUT = /\.(?:test|d)\.tsx?$|-texts?\.tsx?$|\/docs\/|\/landing\/|\/demo\//;
/** Seconds of tests for faults that survive the first ten. */
const LONGER = '60';

interface Planted extends Mutation {
  part: string;
  path: string;
}
interface Verdict {
  /** checks and the first test that failed; null: none */
  found: string[] | null;
}

const pickFrom = <T>({ between }: Random, list: readonly T[]): T | undefined => list[between(0, list.length - 1)];

/** Faults of all kinds and parts alike, as far as there are some. */
function choose(count: number, random: Random): Planted[] {
  const chosen: Planted[] = [];
  const parts = Object.entries(PARTS).map(([part, patterns]) => {
    const paths = globSync([...patterns], { cwd: ROOT })
      .filter((path) => !LEFT_OUT.test(path))
      .toSorted();
    return { part, paths };
  });
  while (chosen.length < count) {
    const { part, paths } = parts[chosen.length % parts.length] ?? { part: '', paths: [] };
    const path = pickFrom(random, paths) ?? '';
    const kind = pickFrom<Kind>(random, KINDS);
    const mutations = mutationsOf(path, readFileSync(join(ROOT, path), 'utf8')).filter((one) => one.kind === kind);
    const mutation = pickFrom(random, mutations);
    if (mutation && chosen.every((other) => other.path !== path)) chosen.push({ part, path, ...mutation });
  }
  return chosen;
}

/** They dislike how a fault is written, which nobody would write so. */
const OF_STYLE = new Set(['lint', 'format']);

/** The checks that failed, by the lines of `--changed`. */
async function tryOut(args: readonly string[]): Promise<Verdict> {
  const { code, output } = await runQuietly([join(ROOT, 'tests', 'run.js'), '--changed', ...args]);
  if (code === 0) return { found: null };
  const checks = output.split('\n').flatMap((line) => /^✗ ([^,(]+?)(?:, files)? \(/.exec(line)?.[1] ?? []);
  const found = checks.filter((check) => !OF_STYLE.has(check));
  if (checks.length === 0) return { found: [output.slice(-500)] };
  const tests = output.split('\n').filter((line) => line.startsWith('Failed: '));
  return { found: found.length > 0 ? [...found, ...tests.slice(0, 1)] : null };
}

async function judge({ path, ...mutation }: Planted): Promise<{ verdict: Verdict; isSlow: boolean }> {
  const file = join(ROOT, path);
  const text = readFileSync(file, 'utf8');
  const putBack = () => writeFileSync(file, text);
  // Ctrl-C leaves no fault behind
  process.once('exit', putBack);
  writeFileSync(file, plant(text, mutation));
  try {
    const verdict = await tryOut([]);
    if (verdict.found) return { verdict, isSlow: false };
    return { verdict: await tryOut(['--for', LONGER]), isSlow: true };
  } finally {
    putBack();
    process.off('exit', putBack);
  }
}

endTogether();
await runMain(async () => {
  const [count = '60', seed = '1'] = process.argv.slice(2);
  if (listChanged('HEAD')?.length !== 0) throw new Error('Faults are planted in a clone without changes only.');
  const counts = { soon: 0, later: 0, survived: 0 };
  for (const planted of choose(Number(count), seeded(Number(seed)))) {
    const { part, path, line, kind, replacement } = planted;
    const { verdict, isSlow } = await judge(planted);
    if (verdict.found === null) counts.survived += 1;
    else if (isSlow) counts.later += 1;
    else counts.soon += 1;
    const told = verdict.found === null ? 'SURVIVED' : `found${isSlow ? ' later' : ''}: ${verdict.found.join('; ')}`;
    console.log(`${part} ${path}:${line} ${kind} -> ${replacement.slice(0, 80).replaceAll(/\s+/g, ' ')}\n  ${told}`);
  }
  console.log(`\nFound at once: ${counts.soon}; within a minute: ${counts.later}; survived: ${counts.survived}`);
  return 0;
});
