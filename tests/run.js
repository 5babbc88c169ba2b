// `npm test`: all gates and test suites, with one summary. `node tests/run.js unit api` runs only the named steps. Drills
// run in full only if their steps are named: `npm test drills machine e2e`.
// Plain JavaScript for Node 20 or later; the steps themselves run under the pinned Node.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureInstalled, runMain } from '#server/cli/bootstrap.js';
import { findNode } from '#server/cli/pinned-node.js';
import { ENDING, ROOT } from '#server/cli/programs.js';
import { listBrowsers } from './browsers/find.js';
import { ensureChromium, ensureHeadlessShell } from '#tests/harness/chromium.js';
import { ensureCluster, whyNoCluster } from './faults/cluster/needs.js';
import { whyNoBareMachine, whyNoImage } from './machine/needs.js';
import { ensureScanners, whyNoHaproxy } from './security/needs.js';

/**
 * `isQuiet`: prints nothing while it runs, so it can run in parallel with others. `isLong`: starts first and runs in
 * parallel, because it mostly waits for disk and network. `isExtra`: runs only if it is named.
 * @typedef {{ name: string, title: string, needsBrowser?: boolean, isQuiet?: boolean, isLong?: boolean,
 *   isExtra?: boolean, run: () => Promise<Result> }} Step
 */
/**
 * Counts of a step. `failures` and `secondTries` are names of tests; `remarks` are sentences for the end of the run.
 * @typedef {{ passed: number, failed: number, skipped?: number, output?: string, failures?: string[],
 *   secondTries?: string[], remarks?: string[] }} Result
 */

const RESULTS = join(ROOT, 'tests', '.results');
/** Exit code of a program that Ctrl-C ended, as in a shell. */
const INTERRUPTED = 130;
/** Tests per step that may need a second try; with more, they count as failed. */
const SECOND_TRIES = 2;
/** Steps that run their drills in full when named. */
const DRILLS = ['drills', 'failover', 'chaos', 'machine', 'e2e'];
const MODULES = join(ROOT, 'node_modules');
// Tests start about two hundred processes, which otherwise spend half of their startup time compiling the same modules.
process.env.NODE_COMPILE_CACHE ??= join(MODULES, '.cache', 'node');

/** @type {Step[]} */
const STEPS = [
  // one checker, because each further one computes the same types again, and lint uses the other core
  gate('types', 'types', [join('typescript', 'bin', 'tsc'), '--noEmit', '--checkers', '1']),
  gate('lint', 'lint', [join('oxlint', 'bin', 'oxlint'), '--type-aware', '--deny-warnings']),
  gate('format', 'format', [join('oxfmt', 'bin', 'oxfmt'), '--check']),
  gate('knip', 'dead code', [join('knip', 'bin', 'knip.js'), '--config', join('tests', 'knip.config.ts')]),
  gate('migration', 'migration drift', [], [join(ROOT, 'server', 'cli', 'migration.ts'), 'check']),
  { name: 'unit', title: 'unit tests', run: () => runVitest('unit') },
  gate('build', 'client build', [], [join(ROOT, 'server', 'cli', 'build.js')]),
  // here, in parallel with the bare machine, because it would disturb the time limits of the API tests
  { name: 'browsers', title: 'screens in Firefox and WebKitGTK', run: runOtherBrowsers },
  { name: 'machine', title: 'a bare machine and the Docker image', isLong: true, run: runBareMachine },
  { name: 'api', title: 'api tests', run: () => runVitest('api') },
  { name: 'fuzz', title: 'contract fuzz', isExtra: true, run: runFuzz },
  { name: 'failover', title: 'failover of a cluster', isExtra: true, run: runFailover },
  { name: 'attacks', title: 'attacks by sqlmap and wapiti', isExtra: true, run: runAttacks },
  { name: 'chaos', title: 'chaos', isExtra: true, run: runChaos },
  { name: 'drills', title: 'full drills', isExtra: true, run: () => runVitest('api', { files: listDrills() }) },
  { name: 'ui', title: 'screens in Chromium', needsBrowser: true, run: () => runPlaywright('ui') },
  { name: 'e2e', title: 'whole journeys in Chromium', needsBrowser: true, run: () => runPlaywright('e2e') },
];

/** Programs of the running steps, which must end with us. @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
for (const signal of ENDING) {
  process.once(signal, () => {
    const ending = [...running].filter((program) => program.kill(signal));
    if (ending.length === 0) process.exit(INTERRUPTED);
    for (const program of ending) program.once('close', () => running.size === 0 && process.exit(INTERRUPTED));
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
  const steps = joinBrowserSteps(
    STEPS.filter(({ name, isExtra }) => (wanted.length === 0 ? !isExtra : wanted.includes(name))),
  );
  const total = { passed: 0, failed: 0 };
  /** Repeated at the end, when the output of the steps has scrolled away. @type {string[]} */
  const remarks = [];
  if (wanted.some((name) => DRILLS.includes(name))) process.env.DRILLS = 'whole';
  else if (wanted.length === 0)
    remarks.push(`Drills were shortened; \`npm test ${DRILLS.join(' ')}\` runs them in full`);
  const whyNot = whyNoCluster();
  if (whyNot !== null && steps.some(({ name }) => name === 'api')) {
    remarks.push(`Skipped: failover of a cluster, because ${whyNot}`);
  }
  const whyNotSmuggled = whyNoHaproxy();
  if (whyNotSmuggled !== null && steps.some(({ name }) => name === 'api')) {
    remarks.push(`Skipped: request smuggling behind HAProxy, because ${whyNotSmuggled}`);
  }
  const { FUZZ_INPUTS } = process.env;
  if (FUZZ_INPUTS && steps.some(({ name }) => name === 'api')) {
    remarks.push(`The contract fuzz sent ${FUZZ_INPUTS} inputs of each kind for every call instead of 300`);
  }
  try {
    await ensureInstalled();
    if (steps.some(({ needsBrowser }) => needsBrowser)) process.env.CHROMIUM_PATH = await ensureChromium();
    if (steps.some(({ name }) => name.startsWith('ui')) && (await ensureHeadlessShell()) === null) {
      remarks.push("Without Chromium's headless shell, the screens take about a third longer");
    }
    rmSync(RESULTS, { recursive: true, force: true });
    mkdirSync(RESULTS, { recursive: true });
    /** @type {Map<Step, Promise<Outcome>>} */
    const begun = new Map();
    for (const [index, step] of steps.entries()) {
      console.log(`\n[${index + 1}/${steps.length}] ${step.title}`);
      for (const one of [
        ...(index === 0 ? steps.filter(({ isLong }) => isLong) : []),
        ...together(step, steps.slice(index + 1)),
      ]) {
        if (begun.has(one)) continue;
        const outcome = timed(one);
        begun.set(one, outcome);
        // reported in its turn
        outcome.catch(() => undefined);
      }
      const outcome = report(step, await begun.get(step));
      const { passed, failed, failures = ['see above'], secondTries = [] } = outcome;
      total.passed += passed;
      total.failed += failed;
      remarks.push(...(outcome.remarks ?? []));
      remarks.push(...secondTries.map((test) => `Passed on the second try in ${step.title}: ${test}`));
      if (failed > 0) remarks.push(...failures.map((test) => `Failed in ${step.title}: ${test}`));
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    total.failed += 1;
  }
  if (remarks.length > 0) console.log(`\n${remarks.join('\n')}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 ? 1 : 0;
});

/**
 * Run screens and journeys in one call, so that neither waits for the last test of the other.
 * @param {Step[]} steps
 * @returns {Step[]}
 */
function joinBrowserSteps(steps) {
  const names = steps.filter(({ needsBrowser }) => needsBrowser).map(({ name }) => name);
  if (names.length < 2) return steps;
  const title = 'screens and whole journeys in Chromium';
  const joined = { name: names.join('+'), title, needsBrowser: true, run: () => runPlaywright(...names) };
  return [...steps.filter(({ needsBrowser }) => !needsBrowser), joined];
}

/** @typedef {{ result: Result, seconds: number }} Outcome */

/**
 * The steps that start together with this one: the quiet ones directly after it, one per core. Their results are printed
 * in their turn.
 * @param {Step} step
 * @param {readonly Step[]} next
 * @returns {Step[]}
 */
function together(step, next) {
  const end = next.findIndex(({ isQuiet }) => !isQuiet);
  const quiet = end === -1 ? next : next.slice(0, end);
  return [step, ...(step.isQuiet ? quiet : [])].slice(0, Math.max(2, availableParallelism()));
}

/**
 * @param {Step} step
 * @returns {Promise<Outcome>}
 */
async function timed(step) {
  const began = performance.now();
  const result = await step.run();
  return { result, seconds: (performance.now() - began) / 1000 };
}

/**
 * Print the result of a step.
 * @param {Step} step
 * @param {Outcome | undefined} outcome
 * @returns {Result}
 */
function report(step, outcome) {
  if (!outcome) throw new Error(`The step ${step.name} was never started.`);
  const { result } = outcome;
  const seconds = outcome.seconds.toFixed(1);
  if (result.output) console.log(result.output.trimEnd());
  const skipped = result.skipped ? `, ${result.skipped} skipped` : '';
  const mark = result.failed > 0 ? '✗' : '✓';
  console.log(`${mark} ${step.title}: ${result.passed} passed, ${result.failed} failed${skipped} (${seconds} s)`);
  return result;
}

/**
 * A program that counts as one test; its output is shown if it fails.
 * @param {string} name
 * @param {string} title
 * @param {string[]} tool path below node_modules and arguments
 * @param {string[]} [args] arguments for Node, instead of a tool
 * @returns {Step}
 */
function gate(name, title, tool, args) {
  const [path, ...rest] = tool;
  const command = args ?? [join(MODULES, path ?? ''), ...rest];
  return {
    name,
    title,
    isQuiet: true,
    run: async () => {
      const { code, output } = await runQuietly(command);
      return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, output };
    },
  };
}

/** Run the browsers that this machine has, and report missing ones, here and at the end. */
async function runOtherBrowsers() {
  const { files, leftOut } = listBrowsers();
  const remarks = leftOut.map((browser) => `Skipped: ${browser}`);
  console.log([...remarks, ...(files.length === 0 ? ['This machine has none of these browsers.'] : [])].join('\n'));
  return files.length === 0
    ? { passed: 0, failed: 0, remarks }
    : { ...(await runVitest('browsers', { files })), remarks };
}

/**
 * @param {string} project
 * @param {{ files?: readonly string[], isQuiet?: boolean }} [options] `files`: test files to run; all if there are none
 * @returns {Promise<Result>}
 */
async function runVitest(project, { files = [], isQuiet = false } = {}) {
  const file = join(RESULTS, `${project}.json`);
  const secondTriesFile = join(RESULTS, `${project}-second-tries.json`);
  const cli = join(MODULES, 'vitest', 'vitest.mjs');
  const config = join('tests', 'vitest.config.ts');
  const reporters = ['default', 'json', './tests/harness/second-tries.js'].map((reporter) => `--reporter=${reporter}`);
  const args = [
    cli,
    'run',
    ...files,
    '--config',
    config,
    '--project',
    project,
    ...reporters,
    `--outputFile.json=${file}`,
  ];
  const env = { SECOND_TRIES_FILE: secondTriesFile };
  const { code, output } = isQuiet ? await runQuietly(args, env) : { code: await runLoudly(args, env), output: '' };
  const counts = readJson(file);
  if (!counts) return crashed(code);
  /** @type {{ name: string, status: string, assertionResults: { status: string, fullName: string, failureMessages?: string[] }[] }[]} */
  const suites = counts.testResults;
  const failures = suites.flatMap(({ name, status, assertionResults }) => {
    const path = relative(ROOT, name);
    // A file that cannot be loaded fails without any test.
    if (status === 'failed' && assertionResults.length === 0) return [path];
    return assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => [`${path} > ${test.fullName}`, firstLine(test.failureMessages?.[0])].join(': '));
  });
  const skipped = counts.numPendingTests + counts.numTodoTests;
  const tries = readJson(secondTriesFile) ?? [];
  return { output, ...judge({ passed: counts.numPassedTests, skipped }, failures, tries, code) };
}

/** Enough to tell a time limit from a wrong answer. @param {string} [message] */
function firstLine(message = '') {
  return stripVTControlCharacters(message).split('\n', 1)[0]?.slice(0, 300) ?? '';
}

/** @returns {string[]} files of API tests with drills, which a full run shortens */
function listDrills() {
  const files = readdirSync(join(ROOT, 'tests'), { recursive: true, encoding: 'utf8' });
  const paths = files
    .filter((file) => file.endsWith('.test.ts') && !file.startsWith('e2e'))
    .map((file) => join('tests', file));
  return paths.filter((path) => readFileSync(join(ROOT, path), 'utf8').includes("from '#tests/harness/drills.ts'"));
}

/** @returns {Promise<Result>} `npm test` runs these files too, with fewer inputs */
function runFuzz() {
  process.env.FUZZ_INPUTS ??= '10000';
  return runVitest('api', { files: [join('tests', 'fuzz')] });
}

/** @returns {Promise<Result>} `npm test` runs this file too, with its first failure only */
async function runFailover() {
  const why = ensureCluster();
  if (why !== null) throw new Error(`No cluster can be started here, because ${why}.`);
  return runVitest('api', { files: [join('tests', 'faults', 'cluster.test.ts')] });
}

/** @returns {Promise<Result>} takes too long for `npm test` */
function runAttacks() {
  const why = ensureScanners();
  if (why !== null) throw new Error(`No scanner can be started here: ${why}.`);
  return runVitest('scanners');
}

/** @returns {Promise<Result>} `npm test` runs this file too, with a few faults of each kind */
function runChaos() {
  return runVitest('api', { files: [join('tests', 'faults', 'chaos.test.ts')] });
}

/** @returns {Promise<Result>} counts of zero if there can be no bare machine here */
async function runBareMachine() {
  const why = whyNoBareMachine();
  if (why !== null) return { passed: 0, failed: 0, remarks: [`Skipped: a bare machine, because ${why}`] };
  const whyNot = whyNoImage();
  const remarks = whyNot === null ? [] : [`Skipped: the Docker image, because ${whyNot}`];
  return { ...(await runVitest('machine', { isQuiet: true })), remarks };
}

/**
 * @param {string[]} projects
 * @returns {Promise<Result>}
 */
async function runPlaywright(...projects) {
  const file = join(RESULTS, `${projects.join('-')}.json`);
  const cli = join(MODULES, '@playwright', 'test', 'cli.js');
  const args = [cli, 'test', '--config', join('tests', 'playwright.config.ts'), '--project', ...projects];
  const code = await runLoudly([...args, '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  const counts = readJson(file);
  if (!counts) return crashed(code);
  const specs = counts.suites.flatMap(function within(/** @type {any} */ suite) {
    return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(within)];
  });
  const withStatus = (/** @type {string} */ status) =>
    specs
      .filter((/** @type {any} */ { tests }) => tests.some((/** @type {any} */ test) => test.status === status))
      .map((/** @type {any} */ { file: path, line, title }) => `${join('tests', path)}:${line} ${title}`);
  const { expected, flaky, skipped } = counts.stats;
  return judge({ passed: expected + flaky, skipped }, withStatus('unexpected'), withStatus('flaky'), code);
}

/**
 * The result of a suite. One that exits with an error, or runs no test, fails whatever its counts. A test that needs a
 * second try is a fault to be fixed, so only a few are accepted.
 * @param {{ passed: number, skipped: number }} counts `passed` includes second tries
 * @param {string[]} failures
 * @param {string[]} secondTries names of tests that passed on the second try
 * @param {number} code
 * @returns {Result}
 */
function judge({ passed, skipped }, failures, secondTries, code) {
  const result = { passed, failed: failures.length, skipped, failures, secondTries };
  if (secondTries.length > SECOND_TRIES) {
    return judge({ passed: passed - secondTries.length, skipped }, [...failures, ...secondTries], [], code);
  }
  if (failures.length > 0) return result;
  if (code !== 0) return { ...result, failed: 1, failures: [`the suite ended with code ${code}`] };
  if (passed === 0) return { ...result, failed: 1, failures: ['the suite ran no test'] };
  return result;
}

/**
 * @param {number} code
 * @returns {Result}
 */
function crashed(code) {
  return { passed: 0, failed: 1, failures: [`the suite ended with code ${code} and left no report`] };
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

/**
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
function runQuietly(args, env = {}) {
  return start(args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1', ...env } });
}

/**
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<{ code: number, output: string }>}
 */
function start(args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(findNode(), args, { cwd: ROOT, ...options });
    running.add(child);
    child.once('close', () => running.delete(child));
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
