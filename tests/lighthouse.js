// `npm run lighthouse`: measure the built client against a fresh server with the sample community.
// Not part of `npm test`: it downloads Lighthouse, takes minutes, and its scores depend on the load of the machine.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ensureClient, ensureInstalled, runMain } from '#server/cli/bootstrap.js';
import { findNode } from '#server/cli/pinned-node.js';
import { ENDING, ROOT } from '#server/cli/programs.js';
import { CHROMIUM_ARGS, ensureChromium } from '#tests/harness/chromium.js';

/**
 * @typedef {'desktop' | 'mobile'} Form
 * @typedef {'admin' | 'pilot' | null} Person
 * @typedef {{ path: string, form: Form, person: Person }} Visit
 * @typedef {{ performance: number, accessibility: number, 'best-practices': number, seo: number, lcpMs: number, cls: number }} Figures
 */

const LIGHTHOUSE = 'lighthouse@13.5.0';
/** The last line that the start prints, after the sign-ins. */
const READY = 'Stop with Ctrl-C.';
const READY_MS = 60_000;
const POLL_MS = 200;

/** @type {Visit[]} */
const VISITS = [
  { path: '/', form: 'desktop', person: null },
  { path: '/login', form: 'desktop', person: null },
  { path: '/home', form: 'desktop', person: 'pilot' },
  { path: '/admin', form: 'desktop', person: 'admin' },
  { path: '/', form: 'mobile', person: null },
];

/** The minimum score, 0 to 1; the maximum for times and shifts. */
const BARS = {
  desktop: { performance: 0.9, accessibility: 1, 'best-practices': 0.95, seo: 0.95, lcpMs: Infinity, cls: 0.05 },
  mobile: { performance: 0.8, accessibility: 1, 'best-practices': 0.95, seo: 0.95, lcpMs: 2_500, cls: 0.05 },
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
  try {
    const cookies = {
      admin: await signIn(server.url, server.signIns.admin),
      pilot: await signIn(server.url, server.signIns.pilot),
    };
    const rows = [];
    for (const visit of VISITS) {
      const cookie = visit.person === null ? '' : cookies[visit.person];
      const figures = await measure(`${server.url}${visit.path}`, visit.form, cookie, chromium, folder);
      rows.push({ visit, figures, misses: COLUMNS.filter((column) => misses(figures, visit.form, column)) });
    }
    return report(rows) ? 0 : 1;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

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
 * @param {string} url
 * @param {Form} form
 * @param {string} cookie empty for a visitor
 * @param {string} chromium
 * @param {string} folder for reports and headers
 * @returns {Promise<Figures>}
 */
async function measure(url, form, cookie, chromium, folder) {
  const output = join(folder, 'report.json');
  const headers = join(folder, 'headers.json');
  rmSync(output, { force: true });
  writeFileSync(headers, JSON.stringify(cookie === '' ? {} : { Cookie: cookie }));
  const args = ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', url];
  args.push('--quiet', '--output=json', `--output-path=${output}`, `--extra-headers=${headers}`);
  args.push(`--chrome-flags=${['--headless=new', '--disable-gpu', ...CHROMIUM_ARGS].join(' ')}`);
  args.push('--only-categories=performance,accessibility,best-practices,seo');
  if (form === 'desktop') args.push('--preset=desktop');
  const code = await runNpm(args, chromium);
  if (code !== 0) throw new Error(`Lighthouse could not measure ${url}: its messages stand above.`);
  const { categories, audits } = JSON.parse(readFileSync(output, 'utf8'));
  const failed = Object.values(audits).filter(
    ({ score, scoreDisplayMode }) => score === 0 && scoreDisplayMode === 'binary',
  );
  for (const { id, title } of failed) console.log(`  ${new URL(url).pathname} ${form}: ${id}: ${title}`);
  return {
    performance: categories.performance.score,
    accessibility: categories.accessibility.score,
    'best-practices': categories['best-practices'].score,
    seo: categories.seo.score,
    lcpMs: Math.round(audits['largest-contentful-paint'].numericValue),
    cls: audits['cumulative-layout-shift'].numericValue,
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
 * @param {Form} form
 * @param {keyof Figures} column
 */
function misses(figures, form, column) {
  const bar = BARS[form][column];
  return AT_MOST.has(column) ? figures[column] > bar : figures[column] < bar;
}

/**
 * Print the table and the missed targets.
 * @param {{ visit: Visit, figures: Figures, misses: (keyof Figures)[] }[]} rows
 * @returns {boolean} true if all targets were met
 */
function report(rows) {
  console.table(
    Object.fromEntries(
      rows.map(({ visit: { path, form }, figures: { lcpMs, cls, ...scores } }) => [
        `${path} ${form}`,
        { ...scores, 'LCP ms': lcpMs, CLS: Number(cls.toFixed(3)) },
      ]),
    ),
  );
  for (const {
    visit: { path, form },
    figures,
    misses: columns,
  } of rows) {
    for (const column of columns) {
      const sense = AT_MOST.has(column) ? 'at most' : 'at least';
      console.log(`✗ ${path} ${form}: ${column} is ${figures[column]}, ${sense} ${BARS[form][column]} wanted`);
    }
  }
  return rows.every(({ misses: columns }) => columns.length === 0);
}
