/**
 * Named statements: compiled once, then parsed once by PostgreSQL on each connection, and run there without the ORM. For
 * what every open page repeats, and what happens under a mission's lock; all else uses `db(em)`.
 */
import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { db, type Database } from './database.ts';
import { isStalePlan } from './failures.ts';
import type { Em } from './orm.ts';
import type { Observer } from './statements.ts';

const builder = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (source) => new PostgresIntrospector(source),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Stands for a value until the statement runs. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** The names of statements by their text. */
const names = new Map<string, string>();

/** Runs the statement, in the transaction of `em` if it is in one. @returns its rows */
type NamedStatement<Values, Row> = (em: Em, values: Values) => Promise<Row[]>;

/**
 * A statement, built once from placeholders. The values may only be passed on to the builder: they are no real
 * strings and dates yet, so what is computed from another value is a value of its own.
 * @param name unique in the database's connections, at most 63 characters
 */
export function named<Values extends object, Row>(
  name: string,
  build: (source: Kysely<Database>, values: Values) => Compilable<Row>,
): NamedStatement<Values, Row> {
  const placeholders = new Proxy({} as Values, { get: (_values, key) => new Placeholder(String(key)) });
  let compiled: CompiledQuery<Row> | undefined;
  return async (em, values) => {
    if (compiled === undefined) {
      compiled = build(builder, placeholders).compile();
      names.set(compiled.sql, name);
    }
    const parameters = compiled.parameters.map((one) =>
      one instanceof Placeholder ? Reflect.get(values, one.name) : one,
    );
    if (em.isInTransaction()) return (await db(em).executeQuery<Row>({ ...compiled, parameters })).rows;
    const pool = await em.getConnection().getNativeClient();
    const client = await pool.connect();
    let failure: unknown;
    try {
      return (await client.query<Row & object>({ name, text: compiled.sql, values: parameters })).rows;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      // after a migration by another process: a new connection makes a new plan
      client.release(isStalePlan(failure));
    }
  };
}

/** The name of a named statement, which the ORM sends as text in a transaction. */
export const nameOf = (text: string): string | undefined => names.get(text);

/** Closes a connection whose plan is stale after a migration by another process; `transact` retries the transaction. */
export const closeStale: Observer =
  ({ client }) =>
  (failure) => {
    if (!isStalePlan(failure)) return;
    const { release } = client;
    client.release = () => release(true);
  };
