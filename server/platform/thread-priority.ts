/**
 * Priorities of threads: long computations come after the main thread and the database, or they would slow down the pages of
 * everybody who is signed in. Only Linux has priorities of threads.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** How much nicer such a thread is: on a processor that both want it gets a tenth of what others get. */
const NICER = 10;
const THREADS = '/proc/self/task';

function lower(listThreads: () => readonly string[]): void {
  if (process.platform !== 'linux') return;
  try {
    const priority = Math.min(getPriority() + NICER, constants.priority.PRIORITY_LOW);
    for (const id of listThreads()) setPriority(Number(id), priority);
  } catch {
    // a thread has just ended, or this system allows no priorities; nothing depends on them
  }
}

/** Lowers the priority of Node's pool, which hashes passwords. It has all its threads from its first task on. */
export function yieldPool(): void {
  const nameOf = (id: string): string => readFileSync(`${THREADS}/${id}/comm`, 'utf8').trim();
  lower(() => readdirSync(THREADS).filter((id) => nameOf(id) === 'libuv-worker'));
}

/** Lowers the priority of the worker thread that calls it; nothing happens in the main thread. */
export function yieldThread(): void {
  if (!isMainThread) lower(() => [basename(readlinkSync('/proc/thread-self'))]);
}
