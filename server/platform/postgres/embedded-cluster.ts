/** The embedded PostgreSQL cluster on disk and its server process: initdb, pid file, start and shutdown. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { childEnv } from '#server/platform/env.ts';
import { StartError } from '#server/schema/failures.ts';
import type { Place } from './embedded-place.ts';

/** The cluster's superuser, for the supervisor, backups and tests. The application connects as `marshal`, the owner. */
export const SUPERUSER = 'postgres';

/** Another application is using this DATA_DIR, so its database is left alone. */
export class InUseError extends StartError {
  /** private, because logs print the properties of errors, and this has the password */
  readonly #url: string;

  constructor(message: string, url: string) {
    super(message);
    this.#url = url;
  }

  /** The address of the database that it uses. */
  get url(): string {
    return this.#url;
  }
}

/** The contents of `postmaster.pid`: the running server. */
export type RunningServer = { pid: number; port: number; host: string; status: string };

const SETPRIV_PATHS = ['/usr/bin/setpriv', '/bin/setpriv'];

/**
 * Create the cluster unless it exists. It is built in a draft directory beside its place and renamed when complete, so a
 * kill at any moment leaves nothing half done; drafts of dead processes are removed.
 * @throws Error with initdb's own message
 */
export function ensureCluster(place: Place): void {
  const { home, runAs } = place;
  removeDeadDrafts(home);
  if (existsSync(join(home, 'data', 'PG_VERSION'))) return checkVersion(place);
  if (existsSync(home)) {
    throw new StartError(`${home} exists but holds no database: move it away, or set DATA_DIR to another directory.`);
  }
  refuseHalfUpgraded(home);
  const draft = `${home}.new-${process.pid}`;
  mkdirSync(draft, { mode: 0o700 });
  mkdirSync(join(draft, 'run'), { mode: 0o700 });
  writeFileSync(join(draft, 'password'), `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  for (const path of [draft, join(draft, 'run'), join(draft, 'password')]) {
    if (runAs) chownSync(path, runAs.uid, runAs.gid);
  }
  runProgram(place, 'initdb', [
    '--pgdata',
    join(draft, 'data'),
    '--pwfile',
    join(draft, 'password'),
    `--username=${SUPERUSER}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
  ]);
  try {
    renameSync(draft, home);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  }
}

/**
 * The password of both roles; only the database's user (and root) can read the file.
 * @throws Error one sentence when it is missing
 */
export function readPassword({ home }: Place): string {
  const path = join(home, 'password');
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new StartError(
      `The password of the embedded database cannot be read from ${path}: put that file back from a backup, or move ${home} away to begin with an empty database.`,
      { cause: error },
    );
  }
}

/** The server that `postmaster.pid` names, alive or not; null when there is no such file. */
export function readRunningServer({ home }: Place): RunningServer | null {
  let lines: string[];
  try {
    lines = readFileSync(join(home, 'data', 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const [pid, , , port, socket, listen, , status] = lines.map((line) => line.trim());
  return { pid: Number(pid) || 0, port: Number(port) || 0, host: socket || listen || '', status: status ?? '' };
}

/**
 * Remove the `postmaster.pid` of a dead server.
 * @throws StartError if it stays, as on a disk that has become read-only
 */
export function removeStaleClaim({ home }: Pick<Place, 'home'>): void {
  const path = join(home, 'data', 'postmaster.pid');
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw new StartError(
      `${path} cannot be removed: make its disk writable (one with errors becomes read-only), and start again.`,
      { cause: error },
    );
  }
}

/**
 * True if a process is the server of this cluster. The pid alone proves nothing: after a restart of the machine or the
 * container another process may have it.
 */
export function isOurServer(place: Place, pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const command = commandOf(pid);
  return process.platform === 'win32' ? command.includes('postgres') : command.includes(join(place.home, 'data'));
}

/** The command line of a process; empty for a dead one. */
function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (process.platform === 'win32') {
      return execFileSync('tasklist', ['/FI', `PID eq ${pid}`, '/NH'], { encoding: 'utf8', windowsHide: true });
    }
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/**
 * Start the server. On Linux it gets SIGINT (fast shutdown) when this process dies, however it dies. It runs in its own
 * session, so that Ctrl-C reaches only the application, which stops the database last.
 * @param settings server settings by name
 * @returns the server's process; on Windows pg_ctl's, which has to drop an administrator's rights
 */
export function launchServer(place: Place, settings: Record<string, string>): ChildProcess {
  const data = join(place.home, 'data');
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const common = { cwd: place.home, env: childEnv(), windowsHide: true };
  if (process.platform === 'win32') {
    const log = join(place.home, 'server.log');
    const args = ['start', '-W', '-D', data, '-l', log, '-o', options.join(' ')];
    return spawn(program(place, 'pg_ctl'), args, { ...common, stdio: 'ignore' });
  }
  const command = [program(place, 'postgres'), '-D', data, ...options];
  const setpriv = process.platform === 'linux' && SETPRIV_PATHS.find((path) => existsSync(path));
  const [file = '', ...args] = setpriv ? [setpriv, '--pdeathsig', 'INT', ...command] : command;
  return spawn(file, args, { ...common, ...place.runAs, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Tell the server to shut down: fast (it ends sessions and writes its data) or immediately. */
export function signalServer(place: Place, pid: number, how: 'fast' | 'immediate'): void {
  if (process.platform === 'win32') {
    runProgram(place, 'pg_ctl', ['kill', how === 'fast' ? 'INT' : 'QUIT', String(pid)]);
    return;
  }
  try {
    process.kill(pid, how === 'fast' ? 'SIGINT' : 'SIGQUIT');
  } catch {
    // It has already ended.
  }
}

/** The major version of the cluster in a directory; null when there is none. */
export function readClusterVersion(home: string): number | null {
  const path = join(home, 'data', 'PG_VERSION');
  return existsSync(path) ? Number(readFileSync(path, 'utf8').trim()) : null;
}

function checkVersion({ home, version }: Place): void {
  const found = readClusterVersion(home) ?? 0;
  const own = Number(version.split('.')[0]);
  if (own === found) return;
  const remedy =
    found < own
      ? 'stop other programs that use it, and upgrade it by `npm run marshal -- upgrade-database`, which keeps the old files'
      : 'start the release of Marshal that made it, or a later one';
  throw new StartError(`${home} was made by PostgreSQL ${found} and this is ${version}: ${remedy}.`);
}

/** The folders in which the steps of an upgrade keep clusters, beside the usual one. */
export const UPGRADE = {
  /** while it is filled */
  draft: '.upgrading',
  /** complete, on its way to the usual name */
  done: '.upgraded',
  /** the old one */
  old: (version: number) => `.pg${version}`,
} as const;

/** The major versions of the clusters that upgrades have left beside the usual one. */
export function findOldClusters(home: string): number[] {
  const prefix = `${basename(home)}.pg`;
  const names = existsSync(dirname(home)) ? readdirSync(dirname(home)) : [];
  return names.filter((name) => name.startsWith(prefix)).map((name) => Number(name.slice(prefix.length)));
}

/** @throws StartError if an upgrade was killed between its two last steps, where a start would make an empty cluster */
function refuseHalfUpgraded(home: string): void {
  if (!existsSync(`${home}${UPGRADE.done}`)) return;
  throw new StartError(`The upgrade of ${home} was interrupted: finish it by \`npm run marshal -- upgrade-database\`.`);
}

function removeDeadDrafts(home: string): void {
  const prefix = `${basename(home)}.new-`;
  for (const name of readdirSync(dirname(home)).filter((entry) => entry.startsWith(prefix))) {
    const pid = Number(name.slice(prefix.length));
    if (pid !== process.pid && isAlive(pid)) continue;
    rmSync(join(dirname(home), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function program({ bin }: Place, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(bin, process.platform === 'win32' ? `${name}.exe` : name);
}

function runProgram(place: Place, name: 'initdb' | 'pg_ctl', args: readonly string[]): void {
  try {
    execFileSync(program(place, name), args, {
      ...place.runAs,
      cwd: dirname(place.home),
      env: childEnv(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const lines = (stderr.trim() || String(error)).split('\n');
    const cause = lines.find((line) => /error|fatal|cannot|could not/i.test(line)) ?? lines[0];
    const remedy = /space|quota/i.test(cause ?? '')
      ? 'free some disk space, or set DATA_DIR to another disk'
      : 'set DATA_DIR to another directory, or DATABASE_URL to a PostgreSQL of your own';
    const words = cause?.replace(/^.*?(FATAL|PANIC|ERROR|error): +/, '');
    throw new StartError(`${name} failed (${words}): ${remedy}.`, { cause: error });
  }
}
