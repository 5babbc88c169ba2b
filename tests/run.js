// `npm test`: every gate and every suite, one summary. `node tests/run.js unit api` runs the named steps alone.
// Plain JavaScript that starts under Node 20; the steps themselves run under the pinned Node.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ENDING, ensureInstalled, findNode, ROOT, runMain } from '#server/cli/bootstrap.js';
import { ensureChromium } from './chromium.js';

/** @typedef {{ name: string, title: string, needsBrowser?: boolean, run: () => Promise<Result> }} Step */
/** @typedef {{ passed: number, failed: number, skipped?: number, output?: string }} Result */

const RESULTS = join(ROOT, 'tests', '.results');
/** What a shell calls the end of a program by Ctrl-C. */
const INTERRUPTED = 130;
/** So many tests in a browser may need their second try before the run counts them as failed. */
const SECOND_TRIES = 2;
const MODULES = join(ROOT, 'node_modules');

/** @type {Step[]} */
const STEPS = [
  gate('types', 'types', [join('typescript', 'bin', 'tsc'), '--noEmit']),
  gate('lint', 'lint', [join('oxlint', 'bin', 'oxlint'), '--type-aware', '--deny-warnings']),
  gate('format', 'format', [join('oxfmt', 'bin', 'oxfmt'), '--check']),
  gate('knip', 'dead code', [join('knip', 'bin', 'knip.js'), '--config', join('tests', 'knip.config.ts')]),
  gate('migration', 'migration drift', [], [join(ROOT, 'server', 'cli', 'migration.ts'), 'check']),
  { name: 'unit', title: 'unit tests', run: () => runVitest('unit') },
  { name: 'api', title: 'api tests', run: () => runVitest('api') },
  gate('build', 'client build', [], [join(ROOT, 'server', 'cli', 'build.js')]),
  { name: 'ui', title: 'screens in Chromium', needsBrowser: true, run: () => runPlaywright('ui') },
  { name: 'e2e', title: 'whole journeys in Chromium', needsBrowser: true, run: () => runPlaywright('e2e') },
];

/** The step's program, which must end with us. */
let running = /** @type {import('node:child_process').ChildProcess | null} */ (null);
for (const signal of ENDING) {
  process.once(signal, () => {
    if (!running?.kill(signal)) process.exit(INTERRUPTED);
    running.once('close', () => process.exit(INTERRUPTED));
  });
}

await runMain(async () => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no step ${unknown.join(', ')}; the steps are ${STEPS.map(({ name }) => name).join(', ')}.`,
    );
  }
  const steps = STEPS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const total = { passed: 0, failed: 0 };
  try {
    await ensureInstalled();
    if (steps.some(({ needsBrowser }) => needsBrowser)) process.env.CHROMIUM_PATH = await ensureChromium();
    rmSync(RESULTS, { recursive: true, force: true });
    mkdirSync(RESULTS, { recursive: true });
    for (const [index, step] of steps.entries()) {
      console.log(`\n[${index + 1}/${steps.length}] ${step.title}`);
      const { passed, failed } = await report(step);
      total.passed += passed;
      total.failed += failed;
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    total.failed += 1;
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 ? 1 : 0;
});

/**
 * Run a step and say how it went.
 * @param {Step} step
 * @returns {Promise<Result>}
 */
async function report(step) {
  const began = performance.now();
  const result = await step.run();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (result.output) console.log(result.output.trimEnd());
  const skipped = result.skipped ? `, ${result.skipped} skipped` : '';
  const mark = result.failed > 0 ? '✗' : '✓';
  console.log(`${mark} ${step.title}: ${result.passed} passed, ${result.failed} failed${skipped} (${seconds} s)`);
  return result;
}

/**
 * A program that passes or fails as a whole and counts as one test; its output is shown when it fails.
 * @param {string} name
 * @param {string} title
 * @param {string[]} tool path below node_modules and arguments
 * @param {string[]} [args] instead of a tool: what Node is to run
 * @returns {Step}
 */
function gate(name, title, tool, args) {
  const [path, ...rest] = tool;
  const command = args ?? [join(MODULES, path ?? ''), ...rest];
  return {
    name,
    title,
    run: async () => {
      const { code, output } = await runQuietly(command);
      return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, output };
    },
  };
}

/**
 * @param {string} project
 * @returns {Promise<Result>}
 */
async function runVitest(project) {
  const file = join(RESULTS, `${project}.json`);
  const cli = join(MODULES, 'vitest', 'vitest.mjs');
  const config = join('tests', 'vitest.config.ts');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await runLoudly([cli, 'run', '--config', config, '--project', project, ...reporters]);
  const counts = readJson(file);
  if (!counts) return crashed(code);
  const passed = counts.numPassedTests;
  const skipped = counts.numPendingTests + counts.numTodoTests;
  // A file that does not load fails without a test to its name.
  const brokenFiles = counts.testResults.filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ suite) =>
      suite.status === 'failed' && suite.assertionResults.length === 0,
  ).length;
  return judge({ passed, failed: counts.numFailedTests + brokenFiles, skipped }, code);
}

/**
 * @param {string} project
 * @returns {Promise<Result>}
 */
async function runPlaywright(project) {
  const file = join(RESULTS, `${project}.json`);
  const cli = join(MODULES, '@playwright', 'test', 'cli.js');
  const args = [cli, 'test', '--config', join('tests', 'playwright.config.ts'), '--project', project];
  const code = await runLoudly([...args, '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  const counts = readJson(file);
  if (!counts) return crashed(code);
  const { expected, unexpected, flaky, skipped } = counts.stats;
  const output = listSecondTries(counts.suites);
  if (flaky > SECOND_TRIES) return { passed: expected, failed: unexpected + flaky, skipped, output };
  return judge({ passed: expected + flaky, failed: unexpected, skipped, output }, code);
}

/**
 * The tests that passed at their second try only: each is a fault of the test or of the product, and is to be mended.
 * @param {any[]} suites of a Playwright report
 * @returns {string | undefined}
 */
function listSecondTries(suites) {
  const specs = suites.flatMap(function within(suite) {
    return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(within)];
  });
  const flaky = specs.filter(({ tests }) =>
    tests.some((/** @type {{ status: string }} */ test) => test.status === 'flaky'),
  );
  return (
    flaky.map(({ file, line, title }) => `Passed at the second try: ${file}:${line} ${title}`).join('\n') || undefined
  );
}

/**
 * A suite that ended badly, or ran nothing, has failed whatever it counted.
 * @param {Result} result
 * @param {number} code
 * @returns {Result}
 */
function judge(result, code) {
  if (result.failed > 0) return result;
  if (code !== 0) return { ...result, failed: 1, output: `The suite ended with code ${code}.` };
  if (result.passed === 0) return { ...result, failed: 1, output: 'The suite ran no test.' };
  return result;
}

/**
 * @param {number} code
 * @returns {Result}
 */
function crashed(code) {
  return { passed: 0, failed: 1, output: `The suite ended with code ${code} and left no report.` };
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<number>}
 */
async function runLoudly(args, env = {}) {
  const { code } = await start(args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } });
  return code;
}

/** @param {string[]} args */
function runQuietly(args) {
  return start(args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } });
}

/**
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<{ code: number, output: string }>}
 */
function start(args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(findNode(), args, { cwd: ROOT, ...options });
    running = child;
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** @param {string} path */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
