// `npm test`: all gates, and each suite in its short form, with one summary. `npm test unit api` runs the named steps, with all of their
// tests; `npm test all` runs every step, and drills in full; `npm test -- --changed` the tests that a change can break, within seconds.
// With `--record`, drills are short, and the seconds of each file are kept for the next choice. Plain JavaScript for Node 20 or later;
// the steps themselves run under the pinned Node.
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, runMain, runNode } from '#server/cli/bootstrap.js';
import { ROOT } from '#server/cli/programs.js';
import { ensureChromium, ensureHeadlessShell } from '#tests/harness/chromium.js';
import { whyNoCluster } from './faults/cluster/needs.js';
import { whyNoHaproxy } from './security/needs.js';
import { listChanged } from './steps/changes.js';
import { howMuchSlower, judgeCosts, measure } from './steps/cost.js';
import { keepDurations } from './steps/durations.js';
import { endTogether, runQuietly } from './steps/programs.js';
import { canBreak, STEPS } from './steps/steps.js';
import { RESULTS, runPlaywright } from './steps/suites.js';

/** @typedef {import('./steps/steps.js').Step} Step */
/** @typedef {import('./steps/suites.js').Result} Result */
/** @typedef {{ result: Result, cost: import('./steps/cost.js').Cost }} Outcome */
/** @typedef {import('./steps/short.ts').Short} Short */

/** Steps that run their drills in full when named. */
const DRILLS = new Set(['drills', 'failover', 'chaos', 'machine', 'ui', 'e2e']);
/** Inputs of the contract fuzz for each call in the short form; 300 take several minutes longer, and `npm run fuzz` sends 10,000. */
const FUZZ_INPUTS = '8';
// Tests start about two hundred processes, which otherwise spend half of their startup time compiling the same modules.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules', '.cache', 'node');

endTogether();

await runMain(async () => {
  const wanted = process.argv.slice(2);
  if (wanted[0] === '--changed') {
    await ensureInstalled();
    return runNode([join(ROOT, 'tests', 'steps', 'changed', 'command.ts'), 'changed', ...wanted.slice(1)]);
  }
  const isRecorded = wanted.includes('--record');
  if (isRecorded) wanted.splice(wanted.indexOf('--record'), 1);
  const isAll = wanted.includes('all');
  const isShort = wanted.length === 0;
  const unknown = wanted.filter((name) => name !== 'all' && !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no step ${unknown.join(', ')}; the steps are ${STEPS.map(({ name }) => name).join(', ')}, and all.`,
    );
  }
  /** Repeated at the end, when the output of the steps has scrolled away. @type {string[]} */
  const remarks = [];
  const steps = joinBrowserSteps(isAll ? STEPS.filter(({ isExtra }) => !isExtra) : choose(wanted, remarks));
  const total = { passed: 0, failed: 0 };
  // the kept seconds are those of short drills
  const isWhole = !isRecorded && (isAll || wanted.some((name) => DRILLS.has(name)));
  if (isWhole) process.env.DRILLS = 'whole';
  else if (isShort) remarks.push('Drills were shortened; `npm test all` runs them in full');
  if (isShort || isRecorded) process.env.FUZZ_INPUTS ??= FUZZ_INPUTS;
  const whyNot = whyNoCluster();
  if (whyNot !== null && steps.some(({ name }) => name === 'api')) {
    remarks.push(`Skipped: failover of a cluster, because ${whyNot}`);
  }
  const whyNotSmuggled = whyNoHaproxy();
  if (whyNotSmuggled !== null && steps.some(({ name }) => name === 'api')) {
    remarks.push(`Skipped: request smuggling behind HAProxy, because ${whyNotSmuggled}`);
  }
  const inputs = process.env.FUZZ_INPUTS;
  if (inputs && steps.some(({ name }) => name === 'api')) {
    remarks.push(`The contract fuzz sent ${inputs} inputs of each kind for every call instead of 300`);
  }
  try {
    await ensureInstalled();
    const short = isShort ? await listShort(remarks) : null;
    if (steps.some(({ needsBrowser }) => needsBrowser)) process.env.CHROMIUM_PATH = await ensureChromium();
    if (steps.some(({ name }) => name.startsWith('ui')) && (await ensureHeadlessShell()) === null) {
      remarks.push("Without Chromium's headless shell, the screens take about a third longer");
    }
    rmSync(RESULTS, { recursive: true, force: true });
    mkdirSync(RESULTS, { recursive: true });
    /** @type {Map<Step, Promise<Outcome>>} */
    const begun = new Map();
    /** @type {Map<Step, Outcome>} */
    const ended = new Map();
    for (const [index, step] of steps.entries()) {
      console.log(`\n[${index + 1}/${steps.length}] ${step.title}`);
      for (const one of [
        ...(index === 0 ? steps.filter(({ isLong }) => isLong) : []),
        ...together(step, steps.slice(index + 1)),
      ]) {
        if (begun.has(one)) continue;
        const outcome = measure(() => one.run(one.suite && short?.[one.suite]));
        begun.set(one, outcome);
        // reported in its turn
        outcome.catch(() => undefined);
      }
      const outcome = await begun.get(step);
      const { passed, failed, failures = ['see above'], secondTries = [], remarks: own = [] } = report(step, outcome);
      if (outcome) ended.set(step, outcome);
      total.passed += passed;
      total.failed += failed;
      remarks.push(...own, ...secondTries.map((test) => `Passed on the second try in ${step.title}: ${test}`));
      if (failed > 0) remarks.push(...failures.map((test) => `Failed in ${step.title}: ${test}`));
    }
    const costs = [...ended].map(([{ title, budget, suite }, { result, cost }]) => ({
      title,
      // budgets are about the short form
      budget: isShort || !suite ? budget : undefined,
      times: result.times,
      cost,
    }));
    const { lines, overBudget } = judgeCosts(costs, howMuchSlower());
    console.log(`\n${lines.join('\n')}`);
    total.failed += overBudget.length;
    remarks.push(...overBudget);
    if (isRecorded) keepDurations([...ended.values()].flatMap(({ result: { files = [] } }) => [...files]));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    total.failed += 1;
  }
  if (remarks.length > 0) console.log(`\n${remarks.join('\n')}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 ? 1 : 0;
});

/**
 * The named steps; without a name those that a change can break.
 * @param {readonly string[]} wanted
 * @param {string[]} remarks gets a sentence on those that are left out
 * @returns {Step[]}
 */
function choose(wanted, remarks) {
  if (wanted.length > 0) return STEPS.filter(({ name }) => wanted.includes(name));
  const changed = listChanged();
  const usual = STEPS.filter(({ isExtra }) => !isExtra);
  const leftOut = usual.filter((step) => !canBreak(step, changed));
  if (leftOut.length > 0) {
    const titles = leftOut.map(({ title }) => title).join(', ');
    remarks.push(`Left out, because nothing has changed that they are about: ${titles}; \`npm test all\` runs them`);
  }
  return usual.filter((step) => !leftOut.includes(step));
}

/**
 * @param {string[]} remarks gets a sentence on the tests that are left out
 * @returns {Promise<Short>}
 */
async function listShort(remarks) {
  const { code, output } = await runQuietly([join(ROOT, 'tests', 'steps', 'list-short.ts')]);
  if (code !== 0) throw new Error(`The tests could not be chosen: ${output}`);
  /** @type {Short} */
  const short = JSON.parse(output);
  const { api, screens } = short.leftOut;
  const files = [...api, ...screens].map((file) => file.replace(/^tests\/(.*)\.test\.ts$/, '$1'));
  console.log(`Left out of the short form: ${files.join(', ')}`);
  const counts = [
    `${api.length} of ${api.length + short.api.length} files of API tests`,
    `${screens.length} of ${screens.length + short.screens.length} of screens and journeys`,
  ];
  remarks.push(`Left out of the short form: ${counts.join(' and ')}, named above; \`npm test all\` runs them`);
  return short;
}

/**
 * Run screens and journeys in one call, so that neither waits for the last test of the other.
 * @param {Step[]} steps
 * @returns {Step[]}
 */
function joinBrowserSteps(steps) {
  const isJoined = (/** @type {Step} */ { needsBrowser, isAlone }) => needsBrowser === true && isAlone !== true;
  const names = steps.filter(isJoined).map(({ name }) => name);
  if (names.length < 2) return steps;
  const title = 'screens and whole journeys in Chromium';
  const budget = steps.reduce((sum, step) => sum + (isJoined(step) ? (step.budget ?? 0) : 0), 0);
  /** @type {Step} */
  const joined = {
    name: names.join('+'),
    title,
    needsBrowser: true,
    suite: 'screens',
    budget,
    run: (files) => runPlaywright(names, { files }),
  };
  const others = steps.filter((step) => !isJoined(step));
  return [...others.filter(({ isAlone }) => !isAlone), joined, ...others.filter(({ isAlone }) => isAlone)];
}

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
 * Print the result of a step.
 * @param {Step} step
 * @param {Outcome | undefined} outcome
 * @returns {Result}
 */
function report(step, outcome) {
  if (!outcome) throw new Error(`The step ${step.name} was never started.`);
  const { result, cost } = outcome;
  if (result.output) console.log(result.output.trimEnd());
  const skipped = result.skipped ? `, ${result.skipped} skipped` : '';
  const mark = result.failed > 0 ? '✗' : '✓';
  const counts = `${result.passed} passed, ${result.failed} failed${skipped}`;
  console.log(`${mark} ${step.title}: ${counts} (${cost.wall.toFixed(1)} s)`);
  return result;
}
