/**
 * The query builder of a transaction, which writes what its entities have gained before each statement, so that a statement
 * reads what came before it, and nobody has to remember a flush.
 */
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

/** Write what the entities of a transaction have gained. Costs nothing where there are none. */
export async function writeEntities(em: Em): Promise<void> {
  const unit = em.getUnitOfWork(false);
  const isWaiting = unit.getPersistStack().size > 0 || unit.getRemoveStack().size > 0;
  if (isWaiting || unit.getIdentityMap()[Symbol.iterator]().next().done !== true) await em.flush();
}

const refuse = (): Promise<never> => Promise.reject(new Error('Transactions are begun by transact().'));

/** The ORM begins and ends the transaction, and owns its connection. */
class FlushingDriver implements Driver {
  readonly #em: Em;
  readonly #connection: DatabaseConnection;

  constructor(em: Em, transaction: Kysely<unknown>) {
    this.#em = em;
    this.#connection = {
      executeQuery: <Row>(statement: CompiledQuery) => transaction.executeQuery<Row>(statement),
      streamQuery: () => {
        throw new Error('A transaction reads whole results.');
      },
    };
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    await writeEntities(this.#em);
    return this.#connection;
  }

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
