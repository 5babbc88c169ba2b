// The steps of `npm test`, in their order.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#server/cli/programs.js';
import { listBrowsers } from '#tests/browsers/find.js';
import { ensureCluster } from '#tests/faults/cluster/needs.js';
import { whyNoBareMachine, whyNoImage } from '#tests/machine/needs.js';
import { ensureScanners } from '#tests/security/needs.js';
import { gate, runPlaywright, runVitest } from './suites.js';

/** @typedef {import('./suites.js').Result} Result */
/**
 * `isAlone`: measures times, so nothing runs beside it.
 * `isQuiet`: prints nothing while it runs, so it can run in parallel with others. `isLong`: starts first and runs in
 * parallel, because it mostly waits for disk and network. `isExtra`: runs only if it is named.
 * `proves`: the files that it is about; it runs only with `all`, by its name, or when one of them has changed.
 * `suite`: it has a short form, of these files (`tests/steps/short.ts`), which `run` gets then.
 * `budget`: seconds of processor time that it usually takes in its short form, on the machine of the table in tests/README.md.
 * @typedef {{ name: string, title: string, needsBrowser?: boolean, isAlone?: boolean, isQuiet?: boolean, isLong?: boolean,
 *   isExtra?: boolean, proves?: RegExp[], suite?: 'api' | 'screens', budget?: number,
 *   run: (files?: readonly string[]) => Promise<Result> }} Step
 */

/** @type {Step[]} */
export const STEPS = [
  // one checker, because each further one computes the same types again, and lint uses the other core
  gate('types', 'types', 75, [join('typescript', 'bin', 'tsc'), '--noEmit', '--checkers', '1']),
  gate('lint', 'lint', 180, [join('oxlint', 'bin', 'oxlint'), '--type-aware', '--deny-warnings']),
  gate('format', 'format', 5, [join('oxfmt', 'bin', 'oxfmt'), '--check']),
  gate('knip', 'dead code', 20, [join('knip', 'bin', 'knip.js'), '--config', join('tests', 'knip.config.ts')]),
  gate('migration', 'migration drift', 15, [], [join(ROOT, 'server', 'cli', 'migration.ts'), 'check']),
  { name: 'unit', title: 'unit tests', budget: 250, run: () => runVitest('unit') },
  gate('build', 'client build', 30, [], [join(ROOT, 'server', 'cli', 'build.js')]),
  {
    // here, in parallel with the bare machine, because it would disturb the time limits of the API tests
    name: 'browsers',
    title: 'screens in Firefox and WebKitGTK',
    proves: [
      /^client\/src\/.*\.css$/,
      /^client\/src\/(?:routes|theme)\//,
      /^client\/(?:index\.html|vite\.config\.ts)$/,
      /^tests\/browsers\//,
      /^package-lock\.json$/,
    ],
    run: runOtherBrowsers,
  },
  {
    name: 'machine',
    title: 'a bare machine',
    isLong: true,
    proves: [
      /^server\/cli\//,
      /^server\/platform\/postgres\//,
      /^\.ci\//,
      /^package(?:-lock)?\.json$/,
      /^tests\/machine\//,
      /^tests\/(?:steps\/|run\.js$)/,
    ],
    run: () => onBareMachine('a bare machine', whyNoBareMachine(), 'bare-debian'),
  },
  {
    name: 'image',
    title: 'the Docker image',
    isLong: true,
    proves: [/^docker\//, /^\.dockerignore$/, /^server\/cli\//, /^package(?:-lock)?\.json$/, /^tests\/machine\//],
    run: () => onBareMachine('the Docker image', whyNoImage(), 'image'),
  },
  { name: 'api', title: 'api tests', suite: 'api', budget: 700, run: (files) => runVitest('api', { files }) },
  { name: 'fuzz', title: 'contract fuzz', isExtra: true, run: runFuzz },
  { name: 'failover', title: 'failover of a cluster', isExtra: true, run: runFailover },
  { name: 'attacks', title: 'attacks by sqlmap and wapiti', isExtra: true, run: runAttacks },
  { name: 'chaos', title: 'chaos', isExtra: true, run: runChaos },
  { name: 'drills', title: 'full drills', isExtra: true, run: () => runVitest('api', { files: listDrills() }) },
  {
    name: 'ui',
    title: 'screens in Chromium',
    needsBrowser: true,
    suite: 'screens',
    budget: 500,
    run: (files) => runPlaywright(['ui'], { files }),
  },
  {
    name: 'e2e',
    title: 'whole journeys in Chromium',
    needsBrowser: true,
    suite: 'screens',
    budget: 100,
    run: (files) => runPlaywright(['e2e'], { files }),
  },
  {
    name: 'bench',
    title: 'long tasks in Chromium',
    needsBrowser: true,
    isAlone: true,
    proves: [
      /^client\/vite\.config\.ts$/,
      /^client\/src\/(?:lib|theme)\//,
      /^tests\/bench\/long-tasks\./,
      /^tests\/harness\/long-tasks\.ts$/,
      /^package-lock\.json$/,
    ],
    run: () => runPlaywright(['bench']),
  },
];

/**
 * Whether a change can break what a step proves.
 * @param {Step} step
 * @param {readonly string[] | null} changed paths of its files; null: unknown
 */
export function canBreak({ proves }, changed) {
  return (
    proves === undefined || changed === null || changed.some((file) => proves.some((pattern) => pattern.test(file)))
  );
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

/**
 * @param {string} title
 * @param {string | null} whyNot
 * @param {string} file
 * @returns {Promise<Result>} counts of zero if there can be none here
 */
async function onBareMachine(title, whyNot, file) {
  if (whyNot !== null) return { passed: 0, failed: 0, remarks: [`Skipped: ${title}, because ${whyNot}`] };
  return runVitest('machine', { report: file, files: [join('tests', 'machine', `${file}.test.ts`)], isQuiet: true });
}
