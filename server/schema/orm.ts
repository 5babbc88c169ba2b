/** The ORM's configuration, and the migration of a database to the current schema. */
import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, MikroORM, type Options } from '@mikro-orm/postgresql';
import { Logger, runMigrations } from 'graphile-worker';
import type { Pool } from 'pg';
import { StartError } from './failures.ts';
import { aggregates, entities } from './entities.ts';
import { closeStale, nameOf } from './named.ts';
import { countWrite } from './own-writes.ts';
import { dropHanging, dropReadOnlyConnections, releaseDeadConnections } from './pool.ts';
import { type Observer, observeStatements } from './statements.ts';

/** One fork per procedure call: the calls of a tRPC batch run concurrently in one context. */
export type { EntityManager as Em } from '@mikro-orm/postgresql';

const MIGRATIONS_PATH = fileURLToPath(new URL('../../migrations', import.meta.url));
/** The advisory lock that every process takes at startup before it migrates; a restore holds it, a backup shares it. */
export const MIGRATION_LOCK = 7_311_905;

/** Client-side timeouts are a little above the server's own: they end a request when the server hangs. */
const CONNECTION = {
  statement_timeout: 3_000,
  query_timeout: 4_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
  connectionTimeoutMillis: 3_000,
  keepAlive: true,
} as const;

export interface ConnectOptions {
  poolSize?: number;
  timeouts?: boolean;
  /** false for migrations, which are plain SQL: reading what the entities say takes longer than connecting */
  hasEntities?: boolean;
  /** gets the pool of connections when it is made */
  onPool?: (pool: Pool) => void;
  /** called for every statement */
  observers?: readonly Observer[];
}

/** @param url PostgreSQL connection string; for a Unix socket its directory is the host, as in node-postgres */
function ormOptions(
  url: string,
  { poolSize = 16, timeouts = true, hasEntities = true, onPool, observers = [] }: ConnectOptions = {},
): Options {
  return defineConfig({
    clientUrl: url,
    entities: hasEntities ? entities : [],
    discovery: { warnWhenNoEntities: hasEntities },
    extensions: [Migrator],
    forceUtcTimezone: true,
    ignoreUndefinedInQuery: false,
    pool: { min: 0, max: poolSize },
    driverOptions: {
      ...(timeouts ? CONNECTION : { connectionTimeoutMillis: CONNECTION.connectionTimeoutMillis }),
      onPoolCreated(pool: Pool) {
        observeStatements(pool, nameOf, [closeStale, dropHanging, countWrite, ...observers]);
        releaseDeadConnections(pool);
        dropReadOnlyConnections(pool);
        onPool?.(pool);
      },
    },
    // failures reject and are logged where they are handled; the rest would be noise between the JSON lines
    logger: () => undefined,
    migrations: {
      path: MIGRATIONS_PATH,
      glob: '!(*.d).ts',
      emit: 'ts',
      snapshot: false,
      silent: true,
      transactional: true,
      allOrNothing: true,
      disableForeignKeys: false,
    },
    schemaGenerator: { ignoreSchema: ['graphile_worker'] },
  });
}

/** The job library logs every step of its migration; only failures matter, and they reject. */
const SILENT = new Logger(() => () => undefined);

export async function connect(url: string, options?: ConnectOptions): Promise<MikroORM> {
  const orm = await MikroORM.init(ormOptions(url, options));
  for (const meta of orm.getMetadata().getAll().values()) meta.readonly = !aggregates.has(meta.class);
  return orm;
}

/** Migrations that a list of applied ones lacks, and those that it has from a newer release. */
export function compareMigrations(names: readonly string[]): { missing: string[]; unknown: string[] } {
  const known = readdirSync(MIGRATIONS_PATH)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => parse(file).name);
  const applied = new Set(names);
  return {
    missing: known.filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !known.includes(name)),
  };
}

/** The same for a database. */
export async function compareSchema(orm: MikroORM): Promise<{ missing: string[]; unknown: string[] }> {
  return compareMigrations((await orm.migrator.getExecuted()).map(({ name }) => name));
}

/** @throws Error one sentence when a newer release has migrated the database: this one would misread its data */
async function refuseNewerDatabase(orm: MikroORM): Promise<void> {
  const { unknown } = await compareSchema(orm);
  if (unknown.length === 0) return;
  throw new StartError(
    `This database belongs to a newer release of Marshal (it has ${unknown.join(', ')}, which this release does not know): start that release or a later one, or restore a backup from before the update.`,
  );
}

/**
 * Apply all missing migrations, including the job library's own, in one process at a time.
 * @returns names of the migrations that this call applied
 * @throws Error one sentence when the database belongs to a newer release
 */
export async function migrate(url: string): Promise<string[]> {
  const orm = await connect(url, { poolSize: 3, timeouts: false, hasEntities: false });
  try {
    return await orm.em.getConnection().transactional(async (ctx) => {
      await orm.em.getConnection().execute(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`, [], 'run', ctx);
      await refuseNewerDatabase(orm);
      const applied = await orm.migrator.up();
      await runMigrations({ connectionString: url, logger: SILENT });
      return applied.map(({ name }) => name);
    });
  } finally {
    await orm.close();
  }
}
