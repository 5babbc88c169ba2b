/**
 * Restores a backup in one transaction: the database has its old rows until all of the backup's are loaded and checked, also
 * if the restore is killed.
 */
import { runMigrations, Logger } from 'graphile-worker';
import { escapeIdentifier, type Client, type PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { MikroORM } from '@mikro-orm/postgresql';
import { finished } from 'node:stream/promises';
import { setTimeout as pass } from 'node:timers/promises';
import { causesOf, StartError } from '#server/schema/failures.ts';
import { db } from '#server/schema/database.ts';
import { connect, type Em } from '#server/schema/orm.ts';
import { compareMigrations, MIGRATION_LOCK } from '#server/schema/migrate.ts';
import { emit } from '#server/signals/emit.ts';
import { WAITING } from '#server/signals/outbox.ts';
import { DamagedError, partOf, readArchive, type Manifest } from './archive.ts';
import { MIGRATIONS } from './back-up.ts';
import {
  analyze,
  COPY_JOBS_IN,
  countRowsOf,
  dropAll,
  isUsedByOthers,
  liftConstraints,
  listTables,
  prepareJobs,
  queueJobs,
  setSequence,
} from './catalogue.queries.ts';
import { prepareConnection, withClient } from './direct.ts';

export interface Restored {
  manifest: Manifest;
  /** migrations that are newer than the backup */
  migrated: string[];
  /** tables of the backup that are not Marshal's */
  skipped: string[];
}

/** @throws StartError if the backup belongs to a newer release */
export function refuseNewer({ migrations, marshal }: Manifest): void {
  const { unknown } = compareMigrations(migrations);
  if (unknown.length === 0) return;
  throw new StartError(
    `This backup was made by a newer release of Marshal (${marshal}, with ${unknown.join(', ')}): restore it with that release or a later one.`,
  );
}

/** PostgreSQL counts a closed connection, even one of this command, until its process has ended. */
const LEAVING_MS = 3_000;

/** @throws StartError if somebody uses the database and goes on using it */
async function refuseUsed(guard: Client): Promise<void> {
  const deadline = performance.now() + LEAVING_MS;
  while (performance.now() < deadline) {
    const { rows } = await guard.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [MIGRATION_LOCK]);
    if (rows[0]?.ours === true && !(await isUsedByOthers(guard))) return;
    await pass(50);
  }
  throw new StartError('A Marshal, or another program with its role, is connected to this database: stop it first.');
}

/** @returns true if accounts are stored in it */
export async function hasPeople(url: string): Promise<boolean> {
  return withClient(url, async (client) => {
    const tables = await listTables(client);
    return tables.some(({ name }) => name === 'app_user') && (await countRowsOf(client, 'app_user')) > 0;
  });
}

/** Loads all rows. @returns names of the tables that the schema does not have */
async function load(client: PoolClient, path: string, manifest: Manifest): Promise<string[]> {
  const known = new Set((await listTables(client)).map(({ name }) => name));
  const parts = new Map(manifest.tables.map((table) => [partOf(table.name), table]));
  const skipped = manifest.tables.filter(({ name, rows }) => !known.has(name) && rows > 0).map(({ name }) => name);
  let copying: ReturnType<typeof copyFrom> | null = null;
  let ended: Promise<unknown> = Promise.resolve();
  await readArchive(path, {
    begin(name) {
      const table = parts.get(name);
      if (name !== partOf(null) && (table === undefined || !known.has(table.name))) return null;
      copying = client.query(copyFrom(table ? statementOf(table) : COPY_JOBS_IN));
      ended = finished(copying);
      ended.catch(() => undefined);
      return copying;
    },
    end: async () => void (await ended),
  });
  return skipped;
}

const statementOf = ({ name, columns }: Manifest['tables'][number]) =>
  // the migrator's table is older than this transaction
  `copy ${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join(', ')}) from stdin${name === MIGRATIONS ? '' : ' with (freeze)'}`;

/**
 * A next start trusts these rows about the schema, which the manifest has made.
 * @throws DamagedError if they name other migrations
 */
async function checkMigrations(client: PoolClient, { migrations }: Manifest): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`select name from ${MIGRATIONS} order by name`);
  if (rows.map(({ name }) => name).join() === migrations.toSorted().join()) return;
  throw new DamagedError('The backup names other migrations than its rows: nothing was changed. Use another one.');
}

/** @throws DamagedError if a table has another number of rows than the backup */
async function check(client: PoolClient, { tables, jobs }: Manifest, skipped: readonly string[]): Promise<void> {
  for (const { name, rows } of tables) {
    if (skipped.includes(name) || rows === 0) continue;
    const found = await countRowsOf(client, name);
    if (found !== rows) throw new DamagedError(`The table ${name} got ${found} of ${rows} rows: nothing was changed.`);
  }
  const queued = await queueJobs(client);
  if (queued !== jobs.rows) throw new DamagedError(`${queued} of ${jobs.rows} jobs were queued: nothing was changed.`);
}

/**
 * A message that waited in the backup may have been sent since. With an earlier attempt noted, the sender looks in Discord
 * before it posts.
 */
async function noteAttempts(tx: Em, madeAt: Date): Promise<void> {
  await db(tx)
    .updateTable('discord_post as o')
    .set({ first_tried_at: madeAt })
    .where('o.message_id', 'is', null)
    .where('o.first_tried_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('delivery as d').whereRef('d.post_id', '=', 'o.id').where('d.state', 'in', WAITING)),
    )
    .execute();
}

/** The tables to replace. @throws StartError if there are others, which a backup of this database would not bring back */
async function listOwn(client: PoolClient, orm: MikroORM, manifest: Manifest): Promise<string[]> {
  const entities = [...orm.getMetadata().getAll().values()].map(({ tableName }) => tableName);
  const own = new Set([...entities, ...manifest.tables.map(({ name }) => name)]);
  const found = (await listTables(client)).map(({ name }) => name).filter((name) => name !== MIGRATIONS);
  const foreign = found.filter((name) => !own.has(name));
  if (foreign.length === 0) return found;
  throw new StartError(
    `This database has tables that are not Marshal's (${foreign.join(', ')}): restore into a database of its own.`,
  );
}

/** Everything in one transaction. @param client the connection that it runs on */
async function replaceAll(
  orm: MikroORM,
  client: () => PoolClient,
  path: string,
  manifest: Manifest,
  isNoted: boolean,
): Promise<Restored> {
  return orm.em.fork().transactional(async (tx) => {
    const transaction = tx.getTransactionContext();
    await prepareConnection(client());
    await client().query(`set local maintenance_work_mem = '256MB'`);
    await dropAll(client(), await listOwn(client(), orm, manifest));
    await client().query(`delete from ${MIGRATIONS}`);
    await orm.migrator.up({ migrations: manifest.migrations, transaction });
    await client().query(`delete from ${MIGRATIONS}`);
    const putBack = await liftConstraints(client());
    await prepareJobs(client());
    const skipped = await load(client(), path, manifest);
    await checkMigrations(client(), manifest);
    await putBack();
    for (const { name, value, isCalled } of manifest.sequences) await setSequence(client(), name, value, isCalled);
    await check(client(), manifest, skipped);
    const migrated = await orm.migrator.up({ transaction });
    await noteAttempts(tx, new Date(manifest.madeAt));
    if (isNoted) emit(tx, { type: 'backup.restored', madeAt: manifest.madeAt });
    return { manifest, skipped, migrated: migrated.map(({ name }) => name) };
  });
}

/** SQLSTATE classes of rows, columns and tables that the schema cannot take. */
const MISFIT = /^(22|23|42(?!501))/;

/** The error of a restore, in one sentence if the backup is the cause. */
function explain(error: unknown, path: string): unknown {
  const misfit = causesOf(error).find((cause) => MISFIT.test(String(Reflect.get(Object(cause), 'code') ?? '')));
  if (!(misfit instanceof Error)) return error;
  const [words = ''] = misfit.message.split('\n');
  return new DamagedError(`${path} does not fit Marshal's tables (${words}): nothing was changed. Use another one.`, {
    cause: error,
  });
}

/**
 * Replaces the contents of a database with a backup, and migrates them to this release.
 * @param isNoted the audit log gets an entry about it
 * @throws StartError or DamagedError one sentence; then the database is as it was
 */
export async function restore(
  url: string,
  path: string,
  manifest: Manifest,
  { isNoted = false }: { isNoted?: boolean } = {},
): Promise<Restored> {
  refuseNewer(manifest);
  return withClient(url, async (guard) => {
    await refuseUsed(guard);
    // outside of the transaction: the library's schema holds nothing but the queue
    await runMigrations({ connectionString: url, logger: new Logger(() => () => undefined) });
    let client: PoolClient | null = null;
    const orm = await connect(url, {
      poolSize: 1,
      timeouts: false,
      onPool: (pool) => pool.on('connect', (made) => (client = made)),
    });
    try {
      // makes the migrator's table, on a connection of its own
      await orm.migrator.getExecuted();
      const restored = await replaceAll(orm, () => client as PoolClient, path, manifest, isNoted).catch(
        (error: unknown) => Promise.reject(explain(error, path)),
      );
      await analyze(guard);
      return restored;
    } finally {
      await orm.close();
    }
  });
}
