/** The readiness check of the database: a query each time, and a write now and then. */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { READY_WRITE_SECONDS } from '#shared/limits.ts';

/** More rows than fit into the minimum `work_mem`, so that they spill to the database's disk. */
const SPILLED_ROWS = 8_000;

/**
 * Write without touching a table: one record in the write-ahead log, committed like any transaction, and rows that spill
 * into a temporary file. A standby fails the first; a full disk fails one of the two.
 */
async function writeSomething(em: Em): Promise<void> {
  await transact(em, async (tx) => {
    const [row] = await query<{ is_read_only: boolean }>(
      tx,
      sql`select current_setting('transaction_read_only')::boolean as is_read_only`,
    );
    if (row?.is_read_only !== false) throw new Error('The database is read-only.');
    await query(tx, sql`select pg_logical_emit_message(true, 'marshal', 'ready')`);
    await query(tx, sql`set local work_mem = '64kB'`);
    await query(tx, sql`select count(*) from generate_series(1, ${sql.lit(SPILLED_ROWS)})`);
  });
}

/** @returns a check that rejects if calls cannot be served now */
export function createReadinessCheck(fork: () => Em): () => Promise<void> {
  let writable: Promise<void> | null = null;
  let askedAt = 0;
  return async () => {
    const now = performance.now();
    if (writable === null || now - askedAt > READY_WRITE_SECONDS * 1_000) {
      askedAt = now;
      const asked = writeSomething(fork());
      writable = asked;
      // after a failure the next check writes again, to notice at once when it is over
      asked.catch(() => {
        if (writable === asked) writable = null;
      });
      return asked;
    }
    await writable;
    await query(fork(), sql`select 1`);
  };
}
