/**
 * The embedded database's step to the next major version of PostgreSQL, and back. The old programs come from npm; the data
 * goes through a backup into a new cluster, and the old one stays beside it. A kill at any moment leaves one of the two in
 * use, or a start that names the remedy.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readArchive } from '#server/backup/archive.ts';
import { keepBefore } from '#server/backup/backups.ts';
import { restore } from '#server/backup/restore.ts';
import type { Env } from '#server/platform/env.ts';
import { createLog } from '#server/platform/log.ts';
import { findOldClusters, readClusterVersion, UPGRADE } from '#server/platform/postgres/embedded-cluster.ts';
import { choosePlace, type Other, packageOfPrograms } from '#server/platform/postgres/embedded-place.ts';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { StartError } from '#server/schema/failures.ts';
import { runNpm } from './programs.js';

/** Packages of earlier major versions. Their names are prereleases, which npm finds by their exact versions only. */
const PROGRAMS: Record<number, string> = { 17: '17.10.0-beta.17' };

const log = createLog('silent');

export interface Upgraded {
  home: string;
  from: number;
  to: number;
  /** the old cluster */
  old: string;
  /** the backup that carried the data */
  backup: string;
}

/**
 * Installs the programs of an earlier major version in a folder of DATA_DIR.
 * @returns their directory
 */
export async function installPrograms(dataDir: string, version: number): Promise<string> {
  const exact = PROGRAMS[version];
  if (exact === undefined) {
    throw new StartError(
      `Marshal does not know how to read PostgreSQL ${version}: make a backup with the release that made this database, and restore it with this one into a new DATA_DIR.`,
    );
  }
  const folder = join(dataDir, `postgresql-${version}`);
  const native = join(folder, 'node_modules', ...packageOfPrograms().split('/'), 'native');
  if (!existsSync(native)) {
    const quiet = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
    await runNpm(['install', '--prefix', folder, ...quiet, `${packageOfPrograms()}@${exact}`]);
  }
  return native;
}

async function withCluster<T>(dataDir: string, other: Other, work: (url: string) => Promise<T>): Promise<T> {
  const database = await startEmbedded({ dataDir, log, other, onState: () => undefined });
  try {
    return await work(database.url);
  } finally {
    await database.stop();
  }
}

/** Does the last rename of a run that was killed before it. */
function finishExchange(home: string): void {
  if (!existsSync(home) && existsSync(`${home}${UPGRADE.done}`)) renameSync(`${home}${UPGRADE.done}`, home);
}

/** Puts the finished cluster in the usual place. @param aside where the old cluster goes */
function exchange(home: string, aside: string): void {
  renameSync(home, aside);
  finishExchange(home);
}

/** @throws StartError if there is something at a path that a cluster is to get */
function refuseInTheWay(path: string): void {
  if (existsSync(path)) throw new StartError(`${path} is in the way: it is from an earlier run, so move or delete it.`);
}

/** @returns null if there is nothing to upgrade @throws StartError one sentence; then the database is as it was */
export async function upgrade(env: Env): Promise<Upgraded | null> {
  const { home, version } = choosePlace(env.DATA_DIR, log);
  const to = Number(version.split('.')[0]);
  const [draft, done] = [`${home}${UPGRADE.draft}`, `${home}${UPGRADE.done}`];
  finishExchange(home);
  const from = readClusterVersion(home);
  if (from === null || from === to) return null;
  const old = `${home}${UPGRADE.old(from)}`;
  refuseInTheWay(old);
  const native = await installPrograms(env.DATA_DIR, from);
  // what an earlier run left, which may lack what was written since
  for (const path of [draft, done]) rmSync(path, { recursive: true, force: true });
  const backup = await withCluster(env.DATA_DIR, { native }, (url) => keepBefore('upgrade', env, url, new Date()));
  const manifest = await readArchive(backup);
  await withCluster(env.DATA_DIR, { suffix: UPGRADE.draft }, (url) => restore(url, backup, manifest));
  renameSync(draft, done);
  exchange(home, old);
  return { home, from, to, old, backup };
}

export interface Undone {
  home: string;
  from: number;
  to: number;
  /** the cluster of the newer version */
  newer: string;
}

/** Puts the old cluster back. @returns null if there is none */
export async function undo(env: Env): Promise<Undone | null> {
  const { home, version } = choosePlace(env.DATA_DIR, log);
  const from = Number(version.split('.')[0]);
  const newer = `${home}${UPGRADE.old(from)}`;
  finishExchange(home);
  const current = readClusterVersion(home);
  if (current !== null && current < from && existsSync(newer)) return { home, from, to: current, newer };
  // an earlier run may have been killed after its first rename
  const done = `${home}${UPGRADE.done}`;
  const begun = readClusterVersion(done);
  const to = begun ?? Math.max(...findOldClusters(home).filter((one) => one < from));
  if (!Number.isFinite(to) || current === null) return null;
  refuseInTheWay(newer);
  // refuses a database that is in use, and stops a server that a killed Marshal left
  await withCluster(env.DATA_DIR, {}, () => Promise.resolve());
  if (begun === null) renameSync(`${home}${UPGRADE.old(to)}`, done);
  exchange(home, newer);
  return { home, from, to, newer };
}
