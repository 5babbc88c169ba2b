// What must work before anything is installed: plain JavaScript for Node 20 or later, without dependencies.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const PINNED_NODE = join(ROOT, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const OLDEST_NODE_FOR_TYPESCRIPT = 26;
const PARENT_WATCH_MS = 500;
/** @type {NodeJS.Signals[]} */
export const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** @type {NodeJS.Timeout | undefined} */
let parentWatch;

const CLIENT_DIST = join(ROOT, 'client', 'dist');
const CLIENT_STAMP = join(CLIENT_DIST, '.sources');
const CLIENT_SOURCES = ['client', 'shared', 'package-lock.json', 'tsconfig.json'];

/**
 * Install from the lock file when what is installed is not what it says.
 * @returns {Promise<void>}
 * @throws {Error} one sentence when npm fails
 */
export async function ensureInstalled() {
  if (isInstalled()) return;
  console.log('Installing what package-lock.json names (once, about a minute) …');
  const runsFromModules = process.execPath.startsWith(join(ROOT, 'node_modules') + sep);
  // Windows cannot delete a running program, and `npm ci` deletes node_modules.
  const how = runsFromModules && process.platform === 'win32' ? ['install', '--no-save'] : ['ci'];
  // npm's warnings are about the Node that runs npm, not about the one that runs Marshal.
  const code = await runNpm([...how, '--include=dev', '--include=optional', '--loglevel=error']);
  if (code !== 0) throw new Error('npm could not install the packages: its messages stand above.');
  if (!isInstalled()) {
    throw new Error('npm left packages out: run `npm ci` with install scripts and optional packages allowed.');
  }
}

/**
 * The Node that runs everything else: the pinned one from node_modules, else this one when it is new enough.
 * @returns {string} path of the program
 */
export function findNode() {
  if (existsSync(PINNED_NODE)) return PINNED_NODE;
  if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE_FOR_TYPESCRIPT) return process.execPath;
  throw new Error('The Node that npm should have installed is missing: run `npm ci` with install scripts allowed.');
}

/** Whether this process is that Node already. */
export function runsUnderPinnedNode() {
  return realpathSync(findNode()) === realpathSync(process.execPath);
}

/**
 * Build the client unless the build at hand was made from the sources at hand.
 * @param {{ force?: boolean }} [options]
 * @returns {Promise<void>}
 */
export async function ensureClient({ force = false } = {}) {
  const sources = clientFingerprint();
  if (!force && readText(CLIENT_STAMP) === sources && existsSync(join(CLIENT_DIST, 'index.html'))) return;
  console.log('Building the client …');
  rmSync(CLIENT_STAMP, { force: true });
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--config', join('client', 'vite.config.ts'), '--logLevel', 'warn'];
  // Whatever the caller runs as: with another word here React would be built with everything that only developers need.
  const code = await runNode(args, { ...process.env, NODE_ENV: 'production' });
  if (code !== 0) throw new Error('The client could not be built: the messages stand above.');
  // Generated files among the sources may have changed.
  writeFileSync(CLIENT_STAMP, clientFingerprint());
}

/**
 * Run the pinned Node in the project's directory, with our input and output; signals go through to it.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its exit code
 */
export function runNode(args, env = process.env) {
  return run(findNode(), args, { env });
}

/**
 * End this process with the program's exit code, or with one line when it threw.
 * @param {() => Promise<number | void>} main
 * @returns {Promise<void>}
 */
export async function runMain(main) {
  process.chdir(ROOT);
  stopWithParent();
  try {
    const code = await main();
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

/**
 * npm runs a script below a shell, and a shell that is told to end passes nothing on: when it is gone, so are we.
 */
function stopWithParent() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return;
  const parent = process.ppid;
  parentWatch = setInterval(() => {
    if (process.ppid === parent) return;
    forgetParent();
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_WATCH_MS);
  parentWatch.unref();
}

/** A stop that is under way must not be taken for a second, impatient one: to be called with the first signal. */
export function forgetParent() {
  clearInterval(parentWatch);
}

/** Read `.env` beside package.json; what the environment says already wins. */
export function loadDotEnv() {
  const path = join(ROOT, '.env');
  if (existsSync(path)) process.loadEnvFile(path);
}

/** Every package of the lock file stands in npm's own record with the same version, optional ones if at all. */
function isInstalled() {
  const record = readText(join(ROOT, 'node_modules', '.package-lock.json'));
  if (!record || !existsSync(PINNED_NODE)) return false;
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  const found = JSON.parse(record).packages;
  return Object.keys(wanted).every((path) => {
    if (path === '') return true;
    const have = found[path];
    return have ? have.version === wanted[path].version : wanted[path].optional === true || isPeerOnly(wanted[path]);
  });
}

/** @param {{ devOptional?: boolean, optional?: boolean }} entry */
function isPeerOnly(entry) {
  return entry.devOptional === true;
}

/** @param {string[]} args */
function runNpm(args) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) return run(process.env.npm_node_execpath ?? process.execPath, [cli, ...args]);
  return process.platform === 'win32' ? run('npm.cmd', args, { shell: true }) : run('npm', args);
}

/**
 * @param {string} file
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>}
 */
function run(file, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: ROOT, stdio: 'inherit', ...options });
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => {
      forgetParent();
      child.kill(signal);
    };
    for (const signal of ENDING) process.on(signal, pass);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      for (const name of ENDING) process.off(name, pass);
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']);
    });
  });
}

/** One hash over names and contents of everything the client is built from. */
function clientFingerprint() {
  const hash = createHash('sha256');
  for (const path of CLIENT_SOURCES.flatMap((name) => filesBelow(join(ROOT, name)))) {
    hash.update(relative(ROOT, path).replaceAll(sep, '/')).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(path) {
  if (path === CLIENT_DIST) return [];
  let entries;
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch {
    return existsSync(path) ? [path] : [];
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(path, entry.name)) : [join(path, entry.name)]));
}

/** @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
