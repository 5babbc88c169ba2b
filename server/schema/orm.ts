/** The ORM's configuration. */
import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, MikroORM, type Options } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { aggregates, entities } from './entities.ts';
import { closeStale, nameOf } from './named.ts';
import { countWrite } from './own-writes.ts';
import { dropHanging, dropReadOnlyConnections, releaseDeadConnections } from './pool.ts';
import { type Observer, observeStatements } from './statements.ts';

/** One fork per procedure call: the calls of a tRPC batch run concurrently in one context. */
export type { EntityManager as Em } from '@mikro-orm/postgresql';

export const MIGRATIONS_PATH = fileURLToPath(new URL('../../migrations', import.meta.url));

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

export async function connect(url: string, options?: ConnectOptions): Promise<MikroORM> {
  const orm = await MikroORM.init(ormOptions(url, options));
  for (const meta of orm.getMetadata().getAll().values()) meta.readonly = !aggregates.has(meta.class);
  return orm;
}
