// Runs npm and other programs that install, build and serve. Plain JavaScript for Node 20 or later.
import { spawn } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** @type {NodeJS.Signals[]} */
export const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const PARENT_WATCH_MS = 500;
const DISK_FULL = 'The disk is full: free about 2 GB and start again.';
/** With less free space than this, a package that is not there has most likely not fitted. */
const SCARCE_BYTES = 300e6;

/** npm's error codes, and what helps. The first that fits counts. @type {[RegExp, string][]} */
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
 * Run a program in the project's directory, with our input and output; signals go through to it.
 * @param {string} file
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { hear?: (text: string) => void }} [options] `hear`: told of its errors too
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
      process.stderr.write(chunk);
      hear?.(String(chunk));
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
 * Install packages.
 * @param {string[]} args
 * @returns {Promise<void>}
 * @throws {Error} one sentence with the remedy, below npm's own messages
 */
export async function runNpm(args) {
  let words = '';
  const hear = (/** @type {string} */ text) => {
    words += text;
  };
  const code = await runNpmProgram([...args, '--loglevel=error'], hear).catch((error) => {
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
      `npm could not install the packages (exit code ${code}): run \`npm ci\` in ${ROOT}, mend what it names, and start again.`,
  );
}

export function isDiskFull() {
  const { bavail, bsize } = statfsSync(ROOT);
  return bavail * bsize < SCARCE_BYTES;
}

/**
 * Why a package is not there although npm is content: about optional packages it says nothing, and each is optional that is
 * made for one kind of machine.
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
 * @param {(text: string) => void} hear
 */
function runNpmProgram(args, hear) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('npm-cli.js'))
    return run(process.env.npm_node_execpath ?? process.execPath, [cli, ...args], { hear });
  return process.platform === 'win32' ? run('npm.cmd', args, { hear, shell: true }) : run('npm', args, { hear });
}

/** npm runs a script below a shell, and a shell that is told to end passes nothing on: when it is gone, so are we. */
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

/** A stop that is under way must not be taken for a second, impatient one: to be called with the first signal. */
export function forgetParent() {
  clearInterval(parentWatch);
}
