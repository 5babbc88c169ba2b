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
import { leftOut, onOneLine, ROOT, run, runNpm, stopWithParent } from './programs.js';

/**
 * A package in npm's lock file.
 * @typedef {object} Locked
 * @property {string} [version]
 * @property {boolean} [dev]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies] only of the project itself
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */

const MODULES = join(ROOT, 'node_modules');
/** There while packages are added. If it stays, some may be half written, and npm would take them for installed. */
const ADDING = join(MODULES, '.adding');
const CLIENT_DIST = join(ROOT, 'client', 'dist');
const CLIENT_STAMP = join(CLIENT_DIST, '.sources');
const CLIENT_NOT_BUILT =
  'The client could not be built: undo the change that the messages above name, or free memory and disk space, and start again.';
/** Compiled modules, which halve the time to load the server. Node does without them where it cannot write. */
export const NODE_COMPILE_CACHE = join(MODULES, '.cache', 'node');
/**
 * Less memory at nearly the same speed: a server that answers from few rows needs no large young generation, its old one is
 * collected when it has grown a little, and the C library keeps less of what was freed when it has few arenas. The image
 * has the same settings.
 */
export const SMALL_HEAP = ['--max-semi-space-size=4', '--heap-growing-percent=15'];
export const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' };
const CLIENT_SOURCES = ['client', 'shared', 'package-lock.json', 'tsconfig.json'];

/**
 * Install what is missing from the lock file. A start needs what serves and builds, `dependencies` and `optionalDependencies`;
 * everything else also needs the development packages, which are added to those of a start without touching them, because a
 * server may be running on them.
 * @param {{ onlyToStart?: boolean }} [options]
 * @returns {Promise<void>}
 * @throws {Error} one sentence with the remedy
 */
export async function ensureInstalled({ onlyToStart = false } = {}) {
  // First, because npm runs the packages' install scripts with it.
  await ensureNode();
  if (missingPackage({ onlyToStart }) === null) return;
  if (!onlyToStart && missingPackage({ onlyToStart: true }) === null && !existsSync(ADDING)) {
    writeFileSync(ADDING, '');
    await install(['install', '--no-save', '--include=dev'], 'Adding the packages for development and tests', '30 s');
    if (missingPackage() === null) return rmSync(ADDING);
  }
  // A start must not take away the development packages of somebody who has them.
  if (onlyToStart && !hasDevelopmentPackages()) {
    await install(['ci', '--omit=dev'], 'Installing the packages of Marshal', '45 s');
  } else await install(['ci', '--include=dev'], 'Installing the packages in package-lock.json', 'a minute');
  const missing = missingPackage({ onlyToStart });
  if (missing !== null) throw leftOut(missing);
}

/**
 * @param {string[]} args of npm
 * @param {string} what
 * @param {string} usualTime
 */
function install(args, what, usualTime) {
  return onOneLine(`${what} (once, usually ${usualTime})`, (hear) =>
    runNpm([...args, '--include=optional'], { hear, isQuiet: true }),
  );
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
 * Build the client unless the existing build was made from the current sources. An archive of a release has no sources: it
 * brings the built client.
 * @param {{ force?: boolean }} [options]
 * @returns {Promise<void>}
 */
export async function ensureClient({ force = false } = {}) {
  if (!existsSync(join(ROOT, 'client', 'vite.config.ts'))) return;
  const sources = clientFingerprint();
  if (!force && readText(CLIENT_STAMP) === sources && existsSync(join(CLIENT_DIST, 'index.html'))) return;
  for (const folder of ['client', 'node_modules']) requireWritable(join(ROOT, folder));
  rmSync(CLIENT_STAMP, { force: true });
  const vite = join(MODULES, 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--config', join('client', 'vite.config.ts'), '--logLevel', 'warn'];
  // Whatever the caller's NODE_ENV: with another value the build would contain React's development code.
  const env = { ...process.env, NODE_COMPILE_CACHE, NODE_ENV: 'production' };
  const code = await onOneLine('Building the client (usually 10 s)', (hear) => run(findNode(), args, { env, hear }));
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
 * @param {{ onlyToStart?: boolean }} [options]
 * @returns {string | null}
 */
function missingPackage({ onlyToStart = false } = {}) {
  const found = installedPackages();
  if (!found) return 'all packages';
  /** @type {{ packages: Record<string, Locked> }} */
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const isInstalled = (/** @type {string} */ path) =>
    found[path]?.version === packages[path]?.version && existsSync(join(ROOT, path, 'package.json'));
  return wantedPackages(packages, onlyToStart).find((path) => !isInstalled(path)) ?? null;
}

/** @returns {Record<string, Locked> | null} npm's record of what it has installed */
function installedPackages() {
  const record = readText(join(MODULES, '.package-lock.json'));
  return record ? JSON.parse(record).packages : null;
}

function hasDevelopmentPackages() {
  return Object.values(installedPackages() ?? {}).some(({ dev }) => dev);
}

/**
 * The paths of all packages that are reached from package.json on this kind of machine. The marks in the lock file do not say
 * it: `optional` stands on what the client is built from, and on what only packages for other machines need.
 * @param {Record<string, Locked>} packages of the lock file
 * @param {boolean} onlyToStart
 * @returns {string[]}
 */
function wantedPackages(packages, onlyToStart) {
  const { dependencies, devDependencies, ...project } = packages[''] ?? {};
  /** @type {Set<string>} */
  const wanted = new Set();
  /** @type {[from: string, entry: Locked][]} */
  const open = [['', { ...project, dependencies: { ...dependencies, ...(onlyToStart ? {} : devDependencies) } }]];
  for (const [from, entry] of open) {
    for (const name of Object.keys({
      ...entry.dependencies,
      ...entry.optionalDependencies,
      ...entry.peerDependencies,
    })) {
      if (entry.peerDependenciesMeta?.[name]?.optional) continue;
      const path = placesOf(name, from).find((place) => packages[place]);
      const found = path && packages[path];
      if (!found || wanted.has(path) || !isForThisMachine(found)) continue;
      wanted.add(path);
      open.push([path, found]);
    }
  }
  return [...wanted];
}

/**
 * The paths at which Node looks for a package, nearest first.
 * @param {string} name
 * @param {string} from path of the package that imports it
 * @returns {string[]}
 */
function placesOf(name, from) {
  const place = `${from}${from && '/'}node_modules/${name}`;
  if (from === '') return [place];
  return [place, ...placesOf(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))))];
}

/** @param {Locked} entry */
function isForThisMachine({ os, cpu, libc }) {
  const fits = (/** @type {string[] | undefined} */ names, /** @type {string} */ own) =>
    !names || (names.some((name) => !name.startsWith('!')) ? names.includes(own) : !names.includes(`!${own}`));
  return fits(os, process.platform) && fits(cpu, process.arch) && (!libc || fits(libc, libcOfThisMachine()));
}

/** @type {string | undefined} */
let ownLibc;
function libcOfThisMachine() {
  if (ownLibc) return ownLibc;
  /** @type {any} */
  const report = process.report.getReport();
  ownLibc = report.header.glibcVersionRuntime ? 'glibc' : 'musl';
  return ownLibc;
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
