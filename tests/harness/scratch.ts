/**
 * Where temporary files of a test run go: a folder in memory if there is room. A new database has about 600 files, which take
 * 0.7 s on a disk and 0.03 s in memory, and tests make hundreds of databases.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** In bytes; a run uses up to 1 GB of it. */
const ROOM = 4 * 1024 ** 3;
/** Type of a file system in memory, as `statfs` says it. */
const TMPFS = 0x01021994;
const PREFIX = 'marshal-tests-';
const OWNER = 'MARSHAL_TESTS_SCRATCH';

/**
 * Set TMPDIR for this process and those that it starts, until it ends; does nothing in a process that was started so. For the
 * configurations of the test runners.
 */
export function useScratch(): void {
  if (process.env[OWNER] !== undefined) return;
  process.env[OWNER] = String(process.pid);
  const folder = openFolder();
  if (folder === null) {
    // PostgreSQL's unprivileged user may not enter a directory of root's own
    if (process.getuid?.() === 0) process.env.TMPDIR = '/tmp';
    return;
  }
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** @returns null without room in memory */
function openFolder(): string | null {
  if (process.platform !== 'linux') return null;
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    if (type !== TMPFS || Math.min(bavail * bsize, process.availableMemory()) < ROOM) return null;
    removeAbandoned();
    const folder = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`));
    chmodSync(folder, 0o755);
    if (mayRun(folder)) return folder;
    rmSync(folder, { recursive: true });
  } catch {
    // none, or none that this user may write to
  }
  return null;
}

/** Containers often mount it without the right to run programs, and some tests copy programs. */
function mayRun(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

/** Folders of runs that were killed would keep their memory. */
function removeAbandoned(): void {
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(PREFIX)) continue;
    const pid = Number(name.slice(PREFIX.length).split('-', 1)[0]);
    if (!isRunning(pid)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

/** True for a process of any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
