/** The backups of an installation: a new one with retention, the list, and the file to restore. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Env } from '#server/platform/env.ts';
import { StartError } from '#server/schema/failures.ts';
import { DAY_MS } from '#server/time/time.ts';
import type { Manifest } from './archive.ts';
import { backUp } from './back-up.ts';
import { backupsAmong, nameBefore, nameOf, outdated, timeOf } from './rules/names.ts';
import { allStores, folderOf, makeFolder, storesOf, type Store } from './stores.ts';

/** A draft this old belongs to no backup that is still being made. */
const DRAFT_MS = DAY_MS;

export interface Made {
  name: string;
  bytes: number;
  manifest: Manifest;
  /** where it is now */
  kept: string[];
  /** older ones that were deleted */
  removed: string[];
}

async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

const namesIn = async (store: Store): Promise<string[]> => (await store.list()).map(({ name }) => name);

/** A name that no file has yet. */
function freeName(folder: string, now: Date, name: (at: Date) => string): string {
  for (let at = now; ; at = new Date(at.getTime() + 1_000)) if (!existsSync(join(folder, name(at)))) return name(at);
}

/** Deletes what killed backups and fetches have left. */
async function removeDrafts(folder: string, now: Date): Promise<void> {
  const drafts = readdirSync(folder).filter((name) => /^marshal-.*\.part$/.test(name));
  for (const path of drafts.map((name) => join(folder, name))) {
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
    if (mtimeMs < now.getTime() - DRAFT_MS) await rm(path, { force: true });
  }
}

/** Makes a backup, and then deletes those beyond the number to keep. @throws Error one sentence; nothing is deleted then */
export async function makeBackup(env: Env, url: string, now: Date, keep = env.BACKUP_KEEP): Promise<Made> {
  const folder = folderOf(env);
  await makeFolder(folder);
  await removeDrafts(folder, now);
  const name = freeName(folder, now, nameOf);
  const path = join(folder, name);
  const manifest = await backUp(url, path, await readVersion());
  const { size: bytes } = statSync(path);
  const stores = storesOf(env);
  const all = allStores(env);
  const removed: string[] = [];
  try {
    await stores.bucket?.put(name, path);
  } finally {
    if (stores.folder === null) await rm(path, { force: true });
  }
  for (const store of all) {
    for (const old of outdated(await namesIn(store), keep)) {
      await store.remove(old);
      removed.push(old);
    }
  }
  return { name, bytes, manifest, kept: all.map(({ says }) => says), removed: [...new Set(removed)] };
}

/** Keeps the data that a restore or an upgrade is about to replace. @returns the file */
export async function keepBefore(what: 'restore' | 'upgrade', env: Env, url: string, now: Date): Promise<string> {
  const folder = folderOf(env);
  await makeFolder(folder);
  const path = join(folder, freeName(folder, now, nameBefore(what)));
  await backUp(url, path, await readVersion());
  return path;
}

/** The names of the backups by place, newest first. */
export async function listBackups(env: Env): Promise<{ place: string; names: string[] }[]> {
  return Promise.all(
    allStores(env).map(async (store) => ({ place: store.says, names: backupsAmong(await namesIn(store)) })),
  );
}

/** The time of the newest backup, wherever it is; null if there is none. */
export async function findNewestTime(env: Env): Promise<Date | null> {
  const [newest] = backupsAmong((await listBackups(env)).flatMap(({ names }) => names));
  return newest === undefined ? null : timeOf(newest);
}

/**
 * Finds a backup: a path, `latest`, or the name of one that is kept. One in object storage is fetched.
 * @returns its file, and what to do when it is no longer needed
 */
export async function findBackup(env: Env, wanted: string): Promise<{ path: string; release: () => Promise<void> }> {
  const stay = () => Promise.resolve();
  if (wanted !== 'latest' && existsSync(wanted)) return { path: resolve(wanted), release: stay };
  const { folder, bucket } = storesOf(env);
  const [inFolder, inBucket] = [
    backupsAmong(folder === null ? [] : await namesIn(folder)),
    backupsAmong(bucket === null ? [] : await namesIn(bucket)),
  ];
  const name = wanted === 'latest' ? backupsAmong([...inFolder, ...inBucket])[0] : wanted;
  if (name !== undefined && inFolder.includes(name)) return { path: join(folderOf(env), name), release: stay };
  if (name !== undefined && bucket !== null && inBucket.includes(name)) {
    await makeFolder(folderOf(env));
    const path = join(folderOf(env), `${name}.${process.pid}.part`);
    const release = () => rm(path, { force: true });
    await bucket.get(name, path).catch(async (error: unknown) => {
      await release();
      throw error;
    });
    return { path, release };
  }
  const places = [folder, bucket].flatMap((store) => store?.says ?? []).join(' and ');
  throw new StartError(
    wanted === 'latest' ? `There is no backup in ${places}.` : `There is no backup ${wanted}, also not in ${places}.`,
  );
}
