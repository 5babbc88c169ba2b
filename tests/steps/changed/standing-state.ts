/** Where the standing server of `npm run test:up` listens, and how it is asked, started and ended. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, globSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findNode } from '#server/cli/pinned-node.js';
import { ROOT } from '#server/cli/programs.js';
import { isRunning } from '#tests/harness/scratch.ts';

const CACHE = join(ROOT, 'node_modules', '.cache');
export const STATE = join(CACHE, 'standing.json');
const LOG = join(CACHE, 'standing.log');
/** The quick build of the client. */
export const CLIENT = join(CACHE, 'standing-client');

export interface State {
  pid: number;
  /** address with a secret, because other users of the machine could ask, too */
  url: string;
  /** what the server was made from; another one means that it has to be started again */
  made: string;
  /** connection strings of PostgreSQL, as the application and as superuser */
  database: { url: string; superuserUrl: string };
}

/** Answers: the errors of `types`, and `null` or the error of `client`. */
export interface Answers {
  types: { errors: string[] };
  client: { error: string | null };
  ping: Record<string, never>;
}

/** Code and packages of the standing server itself; it loads them once. */
const MADE_OF = [
  'package-lock.json',
  'client/*.ts',
  'tests/steps/changed/standing*.ts',
  'server/platform/postgres/*.ts',
];
const START_MS = 60_000;
const LOOK_MS = 50;

/** One hash over the names and contents of files, given by patterns from the root. */
export function fingerprintOf(patterns: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of globSync(patterns, { cwd: ROOT }).toSorted()) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

export const madeOf = () => fingerprintOf(MADE_OF);

/** @returns null when it does not stand */
function readState(): State | null {
  try {
    const state = JSON.parse(readFileSync(STATE, 'utf8')) as State;
    return isRunning(state.pid) ? state : null;
  } catch {
    return null;
  }
}

/** @throws Error when it cannot be started, with its last words */
export async function ensureStanding(): Promise<State> {
  const before = readState();
  if (before !== null && before.made === madeOf()) return before;
  if (before) await endStanding();
  mkdirSync(CACHE, { recursive: true });
  const log = openSync(LOG, 'w');
  const program = join(import.meta.dirname, 'standing.ts');
  const child = spawn(findNode(), [program], { cwd: ROOT, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  child.unref();
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const hasFailed = child.exitCode !== null;
    // also that of another run, which was faster; PostgreSQL lets only one of them use its folder
    const state = readState();
    if (state !== null) return state;
    if (hasFailed) break;
    await wait(LOOK_MS);
  }
  throw new Error(`The standing server does not start:\n${readFileSync(LOG, 'utf8').slice(-2_000)}`);
}

/** @returns whether it was up */
export async function endStanding(): Promise<boolean> {
  const state = readState();
  if (!state) return false;
  process.kill(state.pid, 'SIGTERM');
  while (isRunning(state.pid)) await wait(LOOK_MS);
  rmSync(STATE, { force: true });
  return true;
}

/** @param files for `types`: paths from the root */
export async function ask<Name extends keyof Answers>(
  { url }: State,
  name: Name,
  files: readonly string[] = [],
): Promise<Answers[Name]> {
  const response = await fetch(`${url}/${name}`, { method: 'POST', body: JSON.stringify(files) });
  if (!response.ok) throw new Error(`The standing server could not answer: ${await response.text()}`);
  return (await response.json()) as Answers[Name];
}
