/**
 * The query builder of a transaction. It writes pending changes of entities before a statement that may depend on them, so that
 * no caller has to flush by hand.
 */
import { FlushMode, helper } from '@mikro-orm/core';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Em } from './orm.ts';

const patterns = new Map<string, RegExp>();

/** True if the statement names the table. */
function isNamed(table: string, statement: string): boolean {
  let pattern = patterns.get(table);
  if (!pattern) patterns.set(table, (pattern = new RegExp(`\\b${table}\\b`)));
  return pattern.test(statement);
}

/** True if the statement names the table of a loaded entity. Much cheaper than checking the entities for changes. */
function meetsEntities(em: Em, statement: string): boolean {
  const tables = new Set<string>();
  for (const entity of em.getUnitOfWork(false).getIdentityMap()) {
    const { __meta: meta, __initialized: isLoaded } = helper(entity);
    if (isLoaded) tables.add(meta.tableName);
  }
  return [...tables].some((table) => isNamed(table, statement));
}

/**
 * Write pending changes of the transaction's entities.
 * @param statement do nothing unless this statement may depend on them
 */
export async function writeEntities(em: Em, statement?: string): Promise<void> {
  const unit = em.getUnitOfWork(false);
  const isWaiting = unit.getPersistStack().size > 0 || unit.getRemoveStack().size > 0;
  if (isWaiting || statement === undefined || meetsEntities(em, statement)) await em.flush();
}

/**
 * A second entity manager in the same transaction, for an aggregate with many entities: statements through `tx` then do not check
 * them for changes. Its changes are written before statements through itself, or by `writeEntities`.
 */
export const unitOfWork = (tx: Em): Em =>
  tx.fork({ clear: true, keepTransactionContext: true, flushMode: FlushMode.ALWAYS });

const refuse = (): Promise<never> => Promise.reject(new Error('Transactions are begun by transact().'));

/** The ORM begins and ends the transaction, and owns its connection. */
class FlushingDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(em: Em, transaction: Kysely<unknown>) {
    this.#connection = {
      async executeQuery<Row>(statement: CompiledQuery) {
        await writeEntities(em, statement.sql);
        return transaction.executeQuery<Row>(statement);
      },
      streamQuery: () => {
        throw new Error('A transaction reads whole results.');
      },
    };
  }

  acquireConnection = (): Promise<DatabaseConnection> => Promise.resolve(this.#connection);
  init = (): Promise<void> => Promise.resolve();
  releaseConnection = (): Promise<void> => Promise.resolve();
  destroy = (): Promise<void> => Promise.resolve();
  beginTransaction = refuse;
  commitTransaction = refuse;
  rollbackTransaction = refuse;
}

interface Builder {
  transaction: Kysely<unknown>;
  builder: Kysely<unknown>;
}

const builders = new WeakMap<Em, Builder>();

/** The query builder of the transaction that `given` is in. */
function flushingBuilder(given: Em): Kysely<unknown> {
  const em = given.getContext(false);
  const transaction = em.getKysely<unknown>();
  const known = builders.get(em);
  if (known?.transaction === transaction) return known.builder;
  const builder = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new FlushingDriver(em, transaction),
      createIntrospector: (source) => new PostgresIntrospector(source),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  builders.set(em, { transaction, builder });
  return builder;
}

/** The query builder of an entity manager: in a transaction as above, otherwise the ORM's own. */
export const builderOf = <Tables>(em: Em): Kysely<Tables> =>
  (em.isInTransaction() ? flushingBuilder(em) : em.getKysely<unknown>()) as unknown as Kysely<Tables>;
