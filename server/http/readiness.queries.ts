/** Probes of the database for the readiness check. Raw: they touch no table and use what the query builder does not have. */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';

/** More rows than fit into the minimum `work_mem`, so that they spill to the database's disk. */
const SPILLED_ROWS = 8_000;

/** Reject if the database does not answer. */
export async function probe(em: Em): Promise<void> {
  await query(em, sql`select 1`);
}

/**
 * Write without touching a table: one record in the write-ahead log, committed like any transaction, and rows that spill
 * into a temporary file. A standby fails the first; a full disk fails one of the two.
 */
export async function probeWrite(tx: Em): Promise<void> {
  const [row] = await query(
    tx,
    sql<{ readOnly: boolean }>`select current_setting('transaction_read_only')::boolean as "readOnly"`,
  );
  if (row?.readOnly !== false) throw new Error('The database is read-only.');
  await query(tx, sql`select pg_logical_emit_message(true, 'marshal', 'ready')`);
  await query(tx, sql`set local work_mem = '64kB'`);
  await query(tx, sql`select count(*) from generate_series(1, ${sql.lit(SPILLED_ROWS)})`);
}
