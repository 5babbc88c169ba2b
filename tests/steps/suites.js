// Gates and test suites as steps of `npm test`: how they are run, and what their reports say.
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '#server/cli/programs.js';
import { readJson, runLoudly, runQuietly } from './programs.js';

/**
 * Counts of a step. `failures` and `secondTries` are tests with the first line of their fault; `remarks` are sentences for the
 * end of the run.
 * @typedef {{ passed: number, failed: number, skipped?: number, output?: string, failures?: string[],
 *   secondTries?: string[], remarks?: string[], times?: Timed[], files?: Map<string, Duration> }} Result
 */
/** What a test took. @typedef {{ test: string, seconds: number }} Timed */
/** @typedef {import('./durations.js').Duration} Duration */

export const RESULTS = join(ROOT, 'tests', '.results');
const MODULES = join(ROOT, 'node_modules');
/**
 * Tests of a step that may need a second try; with more, they all count as failed. A machine that stands still for some seconds
 * fails the three or four tests that run then, and a long step meets more of that than a short one.
 */
const SECOND_TRIES = { ofThousand: 2, atLeast: 2 };

/**
 * A program that counts as one test; its output is shown if it fails.
 * @param {string} name
 * @param {string} title
 * @param {number} budget
 * @param {string[]} tool path below node_modules and arguments
 * @param {string[]} [args] arguments for Node, instead of a tool
 * @returns {import('./steps.js').Step}
 */
export function gate(name, title, budget, tool, args) {
  const [path, ...rest] = tool;
  const command = args ?? [join(MODULES, path ?? ''), ...rest];
  return {
    name,
    title,
    budget,
    isQuiet: true,
    run: async () => {
      const { code, output } = await runQuietly(command);
      return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, output };
    },
  };
}

/**
 * @param {string} project
 * @param {{ report?: string, files?: readonly string[], isQuiet?: boolean, workers?: number, env?: Record<string, string> }}
 *   [options] `files`: test files to run; all if there are none. `report`: its name, where a project has several
 * @returns {Promise<Result>}
 */
export async function runVitest(project, { report = project, files = [], isQuiet = false, workers, env = {} } = {}) {
  const file = join(RESULTS, `${report}.json`);
  const secondTriesFile = join(RESULTS, `${report}-second-tries.json`);
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
    ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
    ...reporters,
    `--outputFile.json=${file}`,
  ];
  const { code, output } = await runProgram(args, { ...env, SECOND_TRIES_FILE: secondTriesFile }, isQuiet);
  const counts = readJson(file);
  if (!counts) return crashed(code);
  /** @type {{ name: string, status: string, startTime: number, endTime: number, assertionResults: { status: string, fullName: string, duration?: number, failureMessages?: string[] }[] }[]} */
  const suites = counts.testResults;
  const failures = suites.flatMap(({ name, status, assertionResults }) => {
    const path = relative(ROOT, name);
    // A file that cannot be loaded fails without any test.
    if (status === 'failed' && assertionResults.length === 0) return [path];
    return assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => withFault(`${path} > ${test.fullName}`, test.failureMessages?.[0]));
  });
  const times = suites.flatMap(({ name: path, assertionResults }) =>
    assertionResults.map(({ fullName, duration = 0 }) => ({
      test: `${relative(ROOT, path)} > ${fullName}`,
      seconds: duration / 1000,
    })),
  );
  const durations = new Map(
    suites.map(({ name: path, startTime, endTime, assertionResults }) => [
      relative(ROOT, path),
      { seconds: (endTime - startTime) / 1000, tests: assertionResults.length },
    ]),
  );
  const skipped = counts.numPendingTests + counts.numTodoTests;
  /** @type {{ name: string, message?: string }[]} */
  const flaky = readJson(secondTriesFile) ?? [];
  const tries = flaky.map(({ name, message }) => withFault(name, message));
  return {
    output,
    times,
    files: durations,
    ...judge({ passed: counts.numPassedTests, skipped }, failures, tries, code),
  };
}

/**
 * A test with the first line of its fault and the values that differ: the end of a long run is all that may be kept of it.
 * @param {string} test
 * @param {string} [message]
 */
export function withFault(test, message = '') {
  const [first = '', ...rest] = stripVTControlCharacters(message).split('\n');
  if (first === '') return test;
  const values = rest.filter((line) => /^(?:[-+] (?!Expected|Received)|Expected:|Received:)/.test(line)).join(' ');
  return `${test}: ${first.slice(0, 300)} ${values.replaceAll(/\s+/g, ' ').slice(0, 1_000)}`.trimEnd();
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @param {boolean} isQuiet
 */
async function runProgram(args, env, isQuiet) {
  return isQuiet ? runQuietly(args, env) : { code: await runLoudly(args, env), output: '' };
}

/**
 * @param {readonly string[]} projects
 * @param {{ files?: readonly string[], isQuiet?: boolean, env?: Record<string, string> }} [options] `files`: test files to run,
 *   also as `file:line`; all if there are none
 * @returns {Promise<Result>}
 */
export async function runPlaywright(projects, { files = [], isQuiet = false, env = {} } = {}) {
  const file = join(RESULTS, `${projects.join('-')}.json`);
  const cli = join(MODULES, '@playwright', 'test', 'cli.js');
  const config = join('tests', 'playwright.config.ts');
  const named = projects.map((project) => `--project=${project}`);
  const args = [cli, 'test', ...files, '--config', config, ...named, '--reporter=list,json'];
  const { code, output } = await runProgram(args, { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file }, isQuiet);
  const counts = readJson(file);
  if (!counts) return crashed(code);
  const specs = counts.suites.flatMap(function within(/** @type {any} */ suite) {
    return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(within)];
  });
  const titleOf = (/** @type {any} */ { file: path, line, title }) => `${join('tests', path)}:${line} ${title}`;
  const withStatus = (/** @type {string} */ status) =>
    specs.flatMap((/** @type {any} */ spec) => {
      const test = spec.tests.find((/** @type {any} */ one) => one.status === status);
      return test ? [withFault(titleOf(spec), test.results[0]?.error?.message)] : [];
    });
  const times = specs.map((/** @type {any} */ spec) => ({
    test: titleOf(spec),
    seconds: Math.max(...spec.tests.flatMap(durationsOf), 0) / 1000,
  }));
  /** @type {Map<string, Duration>} */
  const durations = new Map();
  for (const [index, { file: path }] of specs.entries()) {
    const { seconds, tests } = durations.get(join('tests', path)) ?? { seconds: 0, tests: 0 };
    durations.set(join('tests', path), { seconds: seconds + (times[index]?.seconds ?? 0), tests: tests + 1 });
  }
  const { expected, flaky, skipped } = counts.stats;
  return {
    output,
    times,
    files: durations,
    ...judge({ passed: expected + flaky, skipped }, withStatus('unexpected'), withStatus('flaky'), code),
  };
}

/** @param {any} test */
const durationsOf = ({ results }) => results.map((/** @type {any} */ { duration }) => duration);

/**
 * The result of a suite. One that exits with an error, or runs no test, fails whatever its counts. A test that needs a
 * second try is a fault to be fixed, so only a few are accepted.
 * @param {{ passed: number, skipped: number }} counts `passed` includes second tries
 * @param {string[]} failures
 * @param {string[]} secondTries tests that passed on the second try, with what they said on the first
 * @param {number} code
 * @returns {Result}
 */
function judge({ passed, skipped }, failures, secondTries, code) {
  const result = { passed, failed: failures.length, skipped, failures, secondTries };
  if (secondTries.length > Math.max(SECOND_TRIES.atLeast, (passed * SECOND_TRIES.ofThousand) / 1000)) {
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
