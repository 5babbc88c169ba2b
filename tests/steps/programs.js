// The programs that the steps of `npm test` start.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findNode } from '#server/cli/pinned-node.js';
import { ENDING, ROOT } from '#server/cli/programs.js';
import { meterOfProgram } from './cost.js';

/** Exit code of a program that Ctrl-C ended, as in a shell. */
const INTERRUPTED = 130;

/** Programs of the running steps, which must end with us. @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** Ctrl-C ends the programs of the running steps, then this one. */
export function endTogether() {
  for (const signal of ENDING) {
    process.once(signal, () => {
      const ending = [...running].filter((program) => program.kill(signal));
      if (ending.length === 0) process.exit(INTERRUPTED);
      for (const program of ending) program.once('close', () => running.size === 0 && process.exit(INTERRUPTED));
    });
  }
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<number>}
 */
export async function runLoudly(args, env = {}) {
  const { code } = await start(args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } });
  return code;
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
export function runQuietly(args, env = {}) {
  return start(args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1', ...env } });
}

/**
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<{ code: number, output: string }>}
 */
function start(args, options) {
  return new Promise((resolve, reject) => {
    const count = meterOfProgram();
    const child = spawn(findNode(), args, { cwd: ROOT, ...options });
    child.once('exit', count);
    running.add(child);
    child.once('close', () => running.delete(child));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** @param {string} path */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
