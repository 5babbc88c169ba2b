/** The database of a command: DATABASE_URL, or the embedded one, also while a running Marshal uses it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Env } from '#server/platform/env.ts';
import { createLog } from '#server/platform/log.ts';
import { InUseError, UPGRADE } from '#server/platform/postgres/embedded-cluster.ts';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { explainDatabase, explainDataDir } from '#server/platform/start-failure.ts';
import { isUnavailable, StartError } from '#server/schema/failures.ts';
import { connect } from '#server/schema/orm.ts';
import { migrate } from '#server/schema/migrate.ts';

/** A restore writes tables of its own transaction, which then need no write-ahead log. */
const ALONE = { wal_level: 'minimal', max_wal_senders: '0' };

export interface DatabaseUse {
  /** make an embedded database if there is none */
  creates?: boolean;
  /** refuse an embedded database that a running Marshal uses */
  isAlone?: boolean;
  /** leave missing migrations alone */
  keepsSchema?: boolean;
  /** without the time limits of requests, for a long read */
  isLong?: boolean;
}

/** True if DATA_DIR holds an embedded database, or what an upgrade has left of one. */
export function hasEmbedded({ DATA_DIR }: Env): boolean {
  const home = join(DATA_DIR, 'postgres');
  return existsSync(home) || existsSync(`${home}.location`) || existsSync(`${home}${UPGRADE.done}`);
}

/**
 * Connects to the database, migrates it as a start does, and closes everything when the work is done.
 * @throws Error one sentence with the remedy if there is no database or it cannot be used
 */
export async function withDatabase<T>(env: Env, use: DatabaseUse, work: (orm: MikroORM) => Promise<T>): Promise<T> {
  return withDatabaseUrl(env, use, (url) => useDatabase(env, url, use, work));
}

/** As `withDatabase`, for work that makes its own connections and leaves the schema alone. */
export async function withDatabaseUrl<T>(
  env: Env,
  { creates = false, isAlone = false }: Pick<DatabaseUse, 'creates' | 'isAlone'>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (env.DATABASE_URL !== undefined) {
    const url = env.DATABASE_URL;
    return work(url).catch((error: unknown) =>
      Promise.reject(isUnavailable(error) ? explainDatabase(error, url, false) : error),
    );
  }
  if (!creates && !hasEmbedded(env)) {
    throw new StartError(
      `There is no database in ${env.DATA_DIR}: start Marshal once, set DATA_DIR to its folder, or set DATABASE_URL.`,
    );
  }
  const embedded = await openEmbedded(env.DATA_DIR, isAlone);
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}

/** Starts the embedded database, or finds the one that a running Marshal uses, which `stop` then leaves alone. */
async function openEmbedded(dataDir: string, isAlone: boolean): Promise<{ url: string; stop: () => Promise<void> }> {
  try {
    const settings = isAlone ? ALONE : {};
    return await startEmbedded({ dataDir, log: createLog('silent'), onState: () => undefined, settings });
  } catch (error) {
    if (error instanceof InUseError && !isAlone) return { url: error.url, stop: () => Promise.resolve() };
    throw explainDataDir(error, dataDir);
  }
}

async function useDatabase<T>(
  env: Env,
  url: string,
  { keepsSchema = false, isLong = false }: DatabaseUse,
  work: (orm: MikroORM) => Promise<T>,
): Promise<T> {
  const explain = (error: unknown) => explainDatabase(error, url, env.DATABASE_URL === undefined);
  if (!keepsSchema) await migrate(url).catch((error: unknown) => Promise.reject(explain(error)));
  const orm = await connect(url, { timeouts: !isLong });
  try {
    return await work(orm);
  } catch (error) {
    throw isUnavailable(error) ? explain(error) : error;
  } finally {
    await orm.close();
  }
}
