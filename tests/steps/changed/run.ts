/** `npm test -- --changed`: runs the plan for a change beside the standing server, and says each verdict when it is there. */
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#server/cli/programs.js';
import { ensureChromium, ensureHeadlessShell } from '#tests/harness/chromium.js';
import { listChanged } from '#tests/steps/changes.js';
import { readDurations } from '#tests/steps/durations.js';
import { runQuietly } from '#tests/steps/programs.js';
import { STEPS } from '#tests/steps/steps.js';
import { RESULTS, type Result, runPlaywright, runVitest } from '#tests/steps/suites.js';
import { readGraph } from './graph.ts';
import { type Plan, planFor, type Seconds, USUAL_SECONDS } from './plan.ts';
import { ask, CLIENT, ensureStanding, type State } from './standing-state.ts';

/** Names of the environment that lead tests to the standing server. */
export const envOf = ({ database }: State): Record<string, string> => ({
  TEST_DATABASE_URL: database.url,
  TEST_SUPERUSER_URL: database.superuserUrl,
  TEST_KEEPS_TEMPLATE: '1',
});

const PASSED: Result = { passed: 1, failed: 0 };
const failed = (output: string): Result => ({ passed: 0, failed: 1, output });

async function check(tool: string, args: readonly string[]): Promise<Result> {
  const { code, output } = await runQuietly([join(ROOT, 'node_modules', tool, 'bin', tool), ...args]);
  return code === 0 ? PASSED : failed(output);
}

async function checkTypes(files: readonly string[]): Promise<Result> {
  const { errors } = await ask(await ensureStanding(), 'types', files);
  return errors.length === 0 ? PASSED : failed(errors.join('\n'));
}

async function runScreens(files: readonly string[]): Promise<Result> {
  const state = await ensureStanding();
  const { error } = await ask(state, 'client');
  if (error !== null) return failed(error);
  process.env.CHROMIUM_PATH = await ensureChromium();
  await ensureHeadlessShell();
  return runPlaywright(['ui'], { files, isQuiet: true, env: { ...envOf(state), TEST_CLIENT: CLIENT } });
}

/** Seconds of test files in earlier runs of Vitest on this machine, or else those in `durations.json`. */
function readRecorded(): Seconds {
  const kept = readDurations();
  type Recorded = { projects?: Record<string, { files: Record<string, { duration: number }> }> };
  const [path] = globSync('node_modules/.cache/vitest/vitest/*/results.json', { cwd: ROOT });
  if (path === undefined) return (file) => kept[file]?.seconds;
  const { projects = {} } = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Recorded;
  const files = Object.assign({}, ...Object.values(projects).map((project) => project.files)) as Record<
    string,
    { duration: number }
  >;
  return (file) => {
    const duration = files[file]?.duration;
    return duration === undefined ? kept[file]?.seconds : duration / 1000;
  };
}

type Part = { title: string; run: () => Promise<Result> };

/** Parts of the run in two lanes, for two cores: tests of a whole Marshal, and what answers sooner, the quickest first. */
function partsOf(plan: Plan): Part[][] {
  const part = (title: string, files: readonly string[], run: () => Promise<Result>): Part[] =>
    files.length === 0 ? [] : [{ title: `${title} (${files.length})`, run }];
  const migration = STEPS.find(({ name }) => name === 'migration');
  return [
    [
      ...part('API tests, files', plan.api, async () =>
        // each further worker would load the server again, which takes longer than most tests
        runVitest('api', { files: plan.api, isQuiet: true, workers: 1, env: envOf(await ensureStanding()) }),
      ),
      ...part('screens in Chromium', plan.ui, () => runScreens(plan.ui)),
    ],
    [
      ...part('format, files', plan.format, () => check('oxfmt', ['--check', ...plan.format])),
      ...part('types, files', plan.types, () => checkTypes(plan.types)),
      ...part('unit tests, files', plan.unit, () => runVitest('unit', { files: plan.unit, isQuiet: true })),
      ...part('lint, files', plan.lint, () => check('oxlint', ['--type-aware', '--deny-warnings', ...plan.lint])),
      ...(plan.migration && migration ? [{ title: migration.title, run: migration.run }] : []),
    ],
  ];
}

/**
 * @param base the commit that the change is compared with; without one, what is not committed, or else what the branch has changed
 * @param seconds of the whole run, about
 * @returns the exit code
 * @throws Error when Git cannot tell what has changed
 */
export async function runChanged(base?: string, seconds = USUAL_SECONDS): Promise<number> {
  const began = performance.now();
  const open = base === undefined ? listChanged('HEAD') : listChanged(base);
  const changed = base === undefined && open?.length === 0 ? listChanged() : open;
  if (!changed) throw new Error(`Git cannot tell what has changed since ${base ?? 'the last commit'}.`);
  console.log(
    `Changed: ${changed.slice(0, 5).join(', ')}${changed.length > 5 ? ` and ${changed.length - 5} more` : ''}`,
  );
  const starting = ensureStanding();
  // whoever needs it hears of the failure
  starting.catch(() => undefined);
  const plan = planFor(readGraph(), changed, readRecorded(), seconds);
  mkdirSync(RESULTS, { recursive: true });
  const total = { passed: 0, failed: 0 };
  const failures: string[] = [];
  const runPart = async ({ title, run }: Part): Promise<void> => {
    const result = await run().catch((error: unknown) =>
      failed(error instanceof Error ? error.message : String(error)),
    );
    if (result.failed > 0) console.log(result.output?.trimEnd() ?? '');
    const after = ((performance.now() - began) / 1000).toFixed(1);
    const counts = `${result.passed} passed, ${result.failed} failed`;
    console.log(`${result.failed > 0 ? '✗' : '✓'} ${title}: ${counts} (after ${after} s)`);
    total.passed += result.passed;
    total.failed += result.failed;
    failures.push(...(result.failures ?? []));
  };
  await starting;
  await Promise.all(
    partsOf(plan).map(async (lane) => {
      for (const part of lane) await runPart(part);
    }),
  );
  if (plan.leftOut.length > 0) console.log(`\nLeft out:\n${plan.leftOut.map((words) => `  ${words}`).join('\n')}`);
  if (failures.length > 0) console.log(`\n${failures.map((test) => `Failed: ${test}`).join('\n')}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 ? 1 : 0;
}
