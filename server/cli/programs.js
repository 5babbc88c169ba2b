// Child processes of npm scripts: npm itself, the client build, the server. Plain JavaScript for Node 20 or later.
import { spawn } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {import('node:child_process').SpawnOptions & { hear?: (text: string) => void }} RunOptions */

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** @type {NodeJS.Signals[]} */
export const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const PARENT_WATCH_MS = 500;
const DISK_FULL = 'The disk is full: free about 2 GB and start again.';
/** With less free space than this, a missing package most likely did not fit on the disk. */
const SCARCE_BYTES = 300e6;

/** npm's error codes and their remedies; the first match counts. @type {[RegExp, string][]} */
const REMEDIES = [
  [/ENOSPC|EDQUOT/, DISK_FULL],
  [
    /EACCES|EPERM|EROFS|EBUSY/,
    `npm may not write all files in ${ROOT}: stop other programs that use it, make this user its owner, and start again.`,
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|SOCKET|FETCH_ERROR/,
    'npm cannot reach its registry: connect this machine to the network, or tell npm its proxy (`npm config set proxy …`), and start again.',
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO/,
    "npm does not trust its registry's certificate: name your network's root certificate in NODE_EXTRA_CA_CERTS and start again.",
  ],
  [
    /^E[45]\d\d$/,
    'The registry refused a package: set npm to one that has them all (`npm config set registry …`) and start again.',
  ],
  [/EINTEGRITY|TAR_/, 'npm received a damaged package: run `npm cache clean --force` and start again.'],
];

/** @type {NodeJS.Timeout | undefined} */
let parentWatch;

/**
 * Run a program in the project's directory, with our input and output; signals are passed on to it.
 * @param {string} file
 * @param {string[]} args
 * @param {RunOptions} [options] `hear` gets its stderr before it is printed
 * @returns {Promise<number>} its exit code
 */
export function run(file, args, { hear, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: ROOT,
      stdio: ['inherit', 'inherit', hear ? 'pipe' : 'inherit'],
      ...options,
    });
    child.stderr?.on('data', (chunk) => {
      hear?.(String(chunk));
      process.stderr.write(chunk);
    });
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => {
      forgetParent();
      child.kill(signal);
    };
    for (const signal of ENDING) process.on(signal, pass);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const name of ENDING) process.off(name, pass);
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']);
    });
  });
}

/**
 * Do something that takes a while, and say on one line what, how long it usually takes, and at the end how long it took.
 * @template Result
 * @param {string} what
 * @param {(hear: () => void) => Promise<Result>} work calls `hear` before it prints something else
 * @returns {Promise<Result>}
 */
export async function onOneLine(what, work) {
  const begin = performance.now();
  let isOpen = true;
  const end = (text = '') => {
    if (isOpen) process.stdout.write(`${text}\n`);
    isOpen = false;
  };
  process.stdout.write(`${what} …`);
  try {
    const result = await work(() => end());
    end(` ${Math.ceil((performance.now() - begin) / 1000)} s`);
    return result;
  } finally {
    end();
  }
}

/**
 * Run npm.
 * @param {string[]} args
 * @param {{ hear?: () => void, isQuiet?: boolean }} [options] `hear` is called before messages about faults; quiet, npm prints
 *   nothing else
 * @returns {Promise<void>}
 * @throws {Error} one sentence with the remedy, below npm's own messages
 */
export async function runNpm(args, { hear, isQuiet = false } = {}) {
  let words = '';
  /** @type {RunOptions} */
  const options = {
    stdio: ['inherit', isQuiet ? 'ignore' : 'inherit', 'pipe'],
    hear(text) {
      words += text;
      hear?.();
    },
  };
  const code = await runNpmProgram([...args, '--loglevel=error'], options).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(
      'There is no npm on this machine: install Node.js with npm from https://nodejs.org and start again.',
    );
  });
  if (code === 0) return;
  const codes = [...words.matchAll(/npm (?:error|ERR!) (?:code|errno) (\S+)/g)].map(([, name = '']) => name);
  const remedy = REMEDIES.find(([pattern]) => codes.some((name) => pattern.test(name)))?.[1];
  throw new Error(
    remedy ??
      `npm could not install the packages (exit code ${code}): run \`npm ci\` in ${ROOT}, fix what it reports, and start again.`,
  );
}

export function isDiskFull() {
  const { bavail, bsize } = statfsSync(ROOT);
  return bavail * bsize < SCARCE_BYTES;
}

/**
 * The error for a package that is missing although npm succeeded: npm does not report missing optional packages, and all
 * packages for one kind of machine are optional.
 * @param {string} name
 */
export function leftOut(name) {
  if (isDiskFull()) return new Error(DISK_FULL);
  return new Error(
    `npm could not download ${name}: connect this machine to the network and its npm to a registry that has it, and start again.`,
  );
}

/**
 * @param {string[]} args
 * @param {RunOptions} options
 */
function runNpmProgram(args, options) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('npm-cli.js'))
    return run(process.env.npm_node_execpath ?? process.execPath, [cli, ...args], options);
  return process.platform === 'win32' ? run('npm.cmd', args, { ...options, shell: true }) : run('npm', args, options);
}

/** Stop when the parent process ends: npm runs scripts in a shell, which does not pass signals on. */
export function stopWithParent() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return;
  const parent = process.ppid;
  parentWatch = setInterval(() => {
    if (process.ppid === parent) return;
    forgetParent();
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_WATCH_MS);
  parentWatch.unref();
}

/** Call this on the first signal: the end of the parent must not count as a second one, which would skip the clean-up. */
export function forgetParent() {
  clearInterval(parentWatch);
}
