// Installation and client build for npm scripts. Runs before anything is installed: plain JavaScript for Node 20 or later.
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ensureNode, findNode } from './pinned-node.js';
import { leftOut, ROOT, run, runNpm, stopWithParent } from './programs.js';

const CLIENT_DIST = join(ROOT, 'client', 'dist');
const CLIENT_STAMP = join(CLIENT_DIST, '.sources');
const CLIENT_NOT_BUILT =
  'The client could not be built: undo the change that the messages above name, or free memory and disk space, and start again.';
/** Compiled modules, which halve the time to load the server. Node does without them where it cannot write. */
export const NODE_COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'node');
/**
 * Less memory at nearly the same speed: a server that answers from few rows needs no large young generation, its old one is
 * collected when it has grown a little, and the C library keeps less of what was freed when it has few arenas. The image
 * has the same settings.
 */
export const SMALL_HEAP = ['--max-semi-space-size=4', '--heap-growing-percent=15'];
export const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' };
const CLIENT_SOURCES = ['client', 'shared', 'package-lock.json', 'tsconfig.json'];

/**
 * Install from the lock file if the installed packages differ from it.
 * @returns {Promise<void>}
 * @throws {Error} one sentence with the remedy
 */
export async function ensureInstalled() {
  // First, because npm runs the packages' install scripts with it.
  await ensureNode();
  if (missingPackage() === null) return;
  console.log('Installing the packages in package-lock.json (once, about a minute) …');
  await runNpm(['ci', '--include=dev', '--include=optional']);
  const missing = missingPackage();
  if (missing !== null) throw leftOut(missing);
}

/** @returns {boolean} true when this process is already the Node that runs Marshal */
export function runsUnderPinnedNode() {
  return realpathSync(findNode()) === realpathSync(process.execPath);
}

/**
 * Say beforehand what Vite would say in many lines.
 * @param {string} folder
 */
function requireWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Error(
      `${folder} cannot be written to, and the client has to be built there: give it to the user who starts Marshal.`,
      { cause: error },
    );
  }
}

/**
 * Build the client unless the existing build was made from the current sources.
 * @param {{ force?: boolean }} [options]
 * @returns {Promise<void>}
 */
export async function ensureClient({ force = false } = {}) {
  const sources = clientFingerprint();
  if (!force && readText(CLIENT_STAMP) === sources && existsSync(join(CLIENT_DIST, 'index.html'))) return;
  for (const folder of ['client', 'node_modules']) requireWritable(join(ROOT, folder));
  console.log('Building the client …');
  rmSync(CLIENT_STAMP, { force: true });
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--config', join('client', 'vite.config.ts'), '--logLevel', 'warn'];
  // Whatever the caller's NODE_ENV: with another value the build would contain React's development code.
  const code = await runNode(args, { ...process.env, NODE_ENV: 'production' });
  if (code !== 0) throw new Error(CLIENT_NOT_BUILT);
  // The build may have changed generated files among the sources.
  writeFileSync(CLIENT_STAMP, clientFingerprint());
}

/**
 * Run the pinned Node in the project's directory, with our input and output; signals are passed on to it.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its exit code
 */
export function runNode(args, env = process.env) {
  return run(findNode(), args, { env: { NODE_COMPILE_CACHE, ...env } });
}

/**
 * End this process with the program's exit code, or with one line if it throws.
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
 * The first package that is not installed as in the lock file. npm writes its own record last, so an interrupted install
 * has none. npm also leaves out an optional package whose download or script failed, and never retries by itself.
 * @returns {string | null}
 */
function missingPackage() {
  const record = readText(join(ROOT, 'node_modules', '.package-lock.json'));
  if (!record) return 'all packages';
  const found = JSON.parse(record).packages;
  /** @type {{ packages: Record<string, any> }} */
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const missing = Object.entries(packages).find(([path, entry]) => {
    if (path === '') return false;
    if (!found[path]) return entry.optional ? isForThisMachine(entry) : !entry.devOptional;
    return found[path].version !== entry.version || !existsSync(join(ROOT, path, 'package.json'));
  });
  return missing?.[0] ?? null;
}

/**
 * True for a package that is made for this kind of machine only. Optional packages for all machines do not count: npm may
 * leave them out when only packages for other machines need them.
 * @param {{ os?: string[], cpu?: string[], libc?: string[] }} entry of the lock file
 */
function isForThisMachine({ os, cpu, libc }) {
  if (!os && !cpu) return false;
  const fits = (/** @type {string[] | undefined} */ names, /** @type {string} */ own) =>
    !names || (names.some((name) => !name.startsWith('!')) ? names.includes(own) : !names.includes(`!${own}`));
  return fits(os, process.platform) && fits(cpu, process.arch) && (!libc || fits(libc, libcOfThisMachine()));
}

function libcOfThisMachine() {
  /** @type {any} */
  const report = process.report.getReport();
  return report.header.glibcVersionRuntime ? 'glibc' : 'musl';
}

/** One hash over the names and contents of all files that the client is built from. */
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
