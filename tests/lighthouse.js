// `npm run lighthouse`: measure the built client against a fresh server with the sample community: the performance of the main
// pages, as the median of three runs, and the accessibility of all. `npm run lighthouse -- performance` or `accessibility`
// measures only one of them, and with an address, `-- accessibility /admin`, only pages that contain it. Reports go to
// tests/.results/lighthouse/.
// Not part of `npm test`: it downloads Lighthouse, takes minutes, and its scores depend on the load of the machine.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ensureClient, ensureInstalled, runMain } from '#server/cli/bootstrap.js';
import { findNode } from '#server/cli/pinned-node.js';
import { ENDING, ROOT } from '#server/cli/programs.js';
import { CHROMIUM_ARGS, ensureChromium } from '#tests/harness/chromium.js';

/**
 * @typedef {'desktop' | 'mobile'} Form
 * @typedef {'admin' | 'pilot' | 'visitor'} Person
 * @typedef {{ path: string, form: Form, person: Person, performance: number }} Visit
 * @typedef {{ performance: number, accessibility: number, 'best-practices': number, seo: number, lcpMs: number, cls: number }} Figures
 * @typedef {{ server: { url: string }, cookies: Record<Person, string>, chromium: string, folder: string }} Place
 */

const LIGHTHOUSE = 'lighthouse@13.5.0';
/** The last line that the start prints, after the sign-ins. */
const READY = 'Stop with Ctrl-C.';
const READY_MS = 60_000;
const POLL_MS = 200;

/** Runs of each measurement of performance. */
const RUNS = 3;
const RESULTS = join(ROOT, 'tests', '.results', 'lighthouse');

/** Addresses whose performance is measured, with the minimum score. @type {Visit[]} */
const VISITS = [
  { path: '/', form: 'desktop', person: 'visitor', performance: 0.95 },
  { path: '/', form: 'mobile', person: 'visitor', performance: 0.9 },
  { path: '/login', form: 'desktop', person: 'visitor', performance: 0.9 },
  { path: '/home', form: 'desktop', person: 'pilot', performance: 0.9 },
  { path: '/admin', form: 'desktop', person: 'admin', performance: 0.9 },
];

/**
 * All other addresses, whose accessibility counts. Braces stand for an id of the sample community.
 * @type {Record<Person, string[]>}
 */
const OTHERS = {
  visitor: ['/demo', '/register/account', '/join/none', '/set-password/none', '/sign-in/none', '/discord/registration'],
  pilot: [
    '/availability',
    '/profile/me',
    '/profile/aircraft',
    '/profile/notifications',
    '/profile/calendar',
    '/profile/security',
    '/profile/developer',
    '/profile/data',
    '/profile/record',
    '/orders/{order}',
    '/register/profile',
    '/register/preferences',
    '/register/status',
  ],
  admin: [
    '/admin/users',
    '/admin/users/import',
    '/admin/users/{pilot}/availability',
    '/admin/aircraft',
    '/admin/audit',
    '/admin/webhooks',
    '/admin/invites',
    '/admin/settings',
    '/admin/missions',
    '/admin/missions/{date}',
    '/admin/discord/guilds',
    '/admin/discord/guilds/{guild}',
  ],
};

/** The minimum score, 0 to 1; the maximum for times and shifts. */
const BARS = {
  desktop: { accessibility: 1, 'best-practices': 0.95, seo: 0.95, lcpMs: Infinity, cls: 0.05 },
  mobile: { accessibility: 1, 'best-practices': 0.95, seo: 0.95, lcpMs: 2_500, cls: 0.05 },
};

/** @type {readonly (keyof Figures)[]} */
const COLUMNS = ['performance', 'accessibility', 'best-practices', 'seo', 'lcpMs', 'cls'];
/** @type {ReadonlySet<keyof Figures>} */
const AT_MOST = new Set(['lcpMs', 'cls']);

/** Programs of ours that must end with us. @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
for (const signal of ENDING) {
  process.once(signal, () => {
    for (const child of running) child.kill();
    process.exit(130);
  });
}

await runMain(async () => {
  await ensureInstalled();
  await ensureClient();
  const chromium = await ensureChromium();
  // The unprivileged database user must pass; root's own temporary directory may be closed to others.
  const folder = mkdtempSync(join(process.getuid?.() === 0 ? '/tmp' : tmpdir(), 'marshal-lighthouse-'));
  chmodSync(folder, 0o711);
  const server = await startServer(join(folder, 'data'));
  const [only, part = ''] = process.argv.slice(2);
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  try {
    const cookies = {
      admin: await signIn(server.url, server.signIns.admin),
      pilot: await signIn(server.url, server.signIns.pilot),
      visitor: '',
    };
    /** @type {Place} */
    const place = { server, cookies, chromium, folder };
    const rows = [];
    for (const visit of only === 'accessibility' ? [] : VISITS.filter(({ path }) => path.includes(part))) {
      const all = [];
      for (let run = 0; run < RUNS; run += 1) {
        all.push(
          await measure(place, visit, run === 0 ? 'performance,accessibility,best-practices,seo' : 'performance'),
        );
      }
      const figures = medianOf(all);
      rows.push({ visit, figures, misses: COLUMNS.filter((column) => misses(figures, visit, column)) });
    }
    const isGood = report(rows);
    return (only === 'performance' || (await measureOthers(place, part))) && isGood ? 0 : 1;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

/**
 * Measures the accessibility of all other addresses, once each, because it does not depend on the machine.
 * @param {Place} place
 * @param {string} part only addresses with this text
 * @returns {Promise<boolean>} true if all have the full score
 */
async function measureOthers(place, part) {
  const ids = await findIds(place);
  let isGood = true;
  for (const person of /** @type {const} */ (['visitor', 'pilot', 'admin'])) {
    for (const template of OTHERS[person].filter((path) => path.includes(part))) {
      const path = template.replace(/{(\w+)}/, (_, name) => ids[name] ?? 'none');
      for (const form of /** @type {const} */ (['desktop', 'mobile'])) {
        const visit = { path, form, person, performance: 0 };
        const { accessibility } = await measure(place, visit, 'accessibility');
        if (accessibility < 1) {
          isGood = false;
          console.log(`✗ ${template} ${form}: accessibility is ${accessibility}, 1 wanted`);
        } else console.log(`✓ ${template} ${form}: accessibility 1`);
      }
    }
  }
  return isGood;
}

/**
 * Ids of the sample community for the addresses with braces.
 * @param {Place} place
 * @returns {Promise<Record<string, string>>}
 */
async function findIds({ server: { url }, cookies: { admin, pilot } }) {
  /** @type {(path: string, cookie: string) => Promise<any>} */
  const ask = async (path, cookie) => {
    const response = await fetch(`${url}/api/v1${path}`, { headers: { cookie } });
    if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
    return response.json();
  };
  const [order] = await ask('/pilot/inbox', pilot);
  const [guild] = await ask('/discord/guilds', admin);
  const { id } = await ask('/auth/me', pilot);
  return { order: order.id, guild: guild.id, pilot: id, date: order.startUtc.slice(0, 10) };
}

/**
 * A new server with a new database, the sample community and a free port.
 * @param {string} dataDir
 */
async function startServer(dataDir) {
  const url = `http://localhost:${await findPort()}`;
  const env = { ...process.env, PORT: new URL(url).port, PUBLIC_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  for (const name of ['DATABASE_URL', 'HOST', 'SAMPLE_COMMUNITY', 'ADMIN_EMAIL', 'ADMIN_PASSWORD']) {
    Reflect.deleteProperty(env, name);
  }
  const child = spawn(findNode(), [join(ROOT, 'server', 'main.ts')], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  let output = '';
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const stop = async () => {
    child.kill();
    await ended;
    running.delete(child);
  };
  const deadline = Date.now() + READY_MS;
  while (!output.includes(READY)) {
    if (child.exitCode !== null) throw new Error(`The server ended before it was ready:\n${output}`);
    if (Date.now() > deadline) {
      await stop();
      throw new Error(`The server was not ready after ${READY_MS / 1000} s:\n${output}`);
    }
    await wait(POLL_MS);
  }
  /** `  admin   admin@marshal.local   …`, and the first pilot beside it. @param {string} role */
  const signInOf = (role) => {
    const [, email = '', password = ''] = new RegExp(`^ {2}${role} {3}(\\S+) {3}(\\S+)$`, 'm').exec(output) ?? [];
    return { email, password };
  };
  return { url, signIns: { admin: signInOf('admin'), pilot: signInOf('pilot') }, stop };
}

/** @returns {Promise<number>} */
function findPort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}

/**
 * @param {string} url
 * @param {{ email: string, password: string }} person
 * @returns {Promise<string>} the Cookie header of the new session
 */
async function signIn(url, { email, password }) {
  const response = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`The sign-in of ${email} answered ${response.status}.`);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

/**
 * One run of Lighthouse.
 * @param {Place} place
 * @param {Visit} visit
 * @param {string} categories names with commas
 * @returns {Promise<Figures>} without the figures of categories that were not measured
 */
async function measure({ server, cookies, chromium, folder }, { path, form, person }, categories) {
  const url = `${server.url}${path}`;
  const output = join(RESULTS, `${form}${path.replaceAll('/', '-')}.json`);
  const headers = join(folder, 'headers.json');
  rmSync(output, { force: true });
  writeFileSync(headers, JSON.stringify(person === 'visitor' ? {} : { Cookie: cookies[person] }));
  const args = ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', url];
  args.push('--quiet', '--output=json', `--output-path=${output}`, `--extra-headers=${headers}`);
  args.push(`--chrome-flags=${['--headless=new', '--disable-gpu', ...CHROMIUM_ARGS].join(' ')}`);
  args.push(`--only-categories=${categories}`);
  if (form === 'desktop') args.push('--preset=desktop');
  const code = await runNpm(args, chromium);
  if (code !== 0) throw new Error(`Lighthouse could not measure ${url}: its messages stand above.`);
  const { categories: scores, audits } = JSON.parse(readFileSync(output, 'utf8'));
  const failed = Object.values(audits).filter(
    ({ score, scoreDisplayMode }) => score === 0 && scoreDisplayMode === 'binary',
  );
  for (const { id, title, details } of failed) {
    console.log(`  ${path} ${form}: ${id}: ${title}`);
    for (const { node } of details?.items ?? []) if (node) console.log(`    ${node.snippet}`);
  }
  return {
    performance: scores.performance?.score,
    accessibility: scores.accessibility?.score,
    'best-practices': scores['best-practices']?.score,
    seo: scores.seo?.score,
    lcpMs: Math.round(audits['largest-contentful-paint']?.numericValue),
    cls: audits['cumulative-layout-shift']?.numericValue,
  };
}

/**
 * The median of each column over all runs that have measured it.
 * @param {Figures[]} all
 * @returns {Figures}
 */
function medianOf(all) {
  /** @type {(column: keyof Figures) => number} */
  const median = (column) => {
    const values = all.map((figures) => figures[column]).filter((value) => value !== undefined);
    return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  };
  return {
    performance: median('performance'),
    accessibility: median('accessibility'),
    'best-practices': median('best-practices'),
    seo: median('seo'),
    lcpMs: median('lcpMs'),
    cls: median('cls'),
  };
}

/**
 * Runs the same npm as ours, without a shell, and Lighthouse under the pinned Node, because it needs a newer one.
 * @param {string[]} args
 * @param {string} chromium
 * @returns {Promise<number>}
 */
function runNpm(args, chromium) {
  const cli = process.env.npm_execpath;
  if (!cli?.endsWith('.js')) throw new Error('Run this as `npm run lighthouse`.');
  const path = [dirname(findNode()), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path, CHROME_PATH: chromium, npm_config_loglevel: 'error' };
  return new Promise((resolve, reject) => {
    const child = spawn(process.env.npm_node_execpath ?? process.execPath, [cli, ...args], { env, stdio: 'inherit' });
    running.add(child);
    child.once('error', reject);
    child.once('close', (code) => {
      running.delete(child);
      resolve(code ?? 1);
    });
  });
}

/**
 * @param {Figures} figures
 * @param {Visit} visit
 * @param {keyof Figures} column
 */
function misses(figures, visit, column) {
  const bar = barOf(visit, column);
  return AT_MOST.has(column) ? figures[column] > bar : figures[column] < bar;
}

/**
 * @param {Visit} visit
 * @param {keyof Figures} column
 */
function barOf({ form, performance }, column) {
  return column === 'performance' ? performance : BARS[form][column];
}

/**
 * Print the table and the missed targets.
 * @param {{ visit: Visit, figures: Figures, misses: (keyof Figures)[] }[]} rows
 * @returns {boolean} true if all targets were met
 */
function report(rows) {
  if (rows.length === 0) return true;
  console.table(
    Object.fromEntries(
      rows.map(({ visit: { path, form }, figures: { lcpMs, cls, ...scores } }) => [
        `${path} ${form}`,
        { ...scores, 'LCP ms': lcpMs, CLS: Number(cls.toFixed(3)) },
      ]),
    ),
  );
  console.log(
    `Load of the machine: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
  );
  for (const { visit, figures, misses: columns } of rows) {
    const { path, form } = visit;
    for (const column of columns) {
      const sense = AT_MOST.has(column) ? 'at most' : 'at least';
      console.log(`✗ ${path} ${form}: ${column} is ${figures[column]}, ${sense} ${barOf(visit, column)} wanted`);
    }
  }
  return rows.every(({ misses: columns }) => columns.length === 0);
}
