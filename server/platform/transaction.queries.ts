/**
 * Locks and settings that end with the transaction. Raw: the builder has no call for PostgreSQL's advisory locks and
 * none for `set local`.
 */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';

/** Numbers of advisory locks; 7_311_905 is the migrations', 7_311_909 the sample community's. */
const LOCKS = {
  /** changes of roles */
  roles: 7_311_906,
  /** the first admin of an installation */
  firstAdmin: 7_311_907,
  /** callsigns and frequencies of missions that overlap */
  planning: 7_311_908,
};

/** Wait for an advisory lock. */
export async function takeLock(tx: Em, lock: keyof typeof LOCKS): Promise<void> {
  await query(tx, sql`select pg_advisory_xact_lock(${sql.lit(LOCKS[lock])})`);
}

/** Wait for the advisory lock of a name, which may be any text. */
export async function takeNamedLock(tx: Em, name: string): Promise<void> {
  await query(tx, sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/** Let the transaction wait that long between two statements, ms; the database ends it otherwise. */
export async function allowIdle(tx: Em, idleMs: number): Promise<void> {
  await query(tx, sql`set local idle_in_transaction_session_timeout = ${sql.lit(idleMs)}`);
}
