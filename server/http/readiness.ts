/** The readiness check of the database: a query each time, and a write now and then. */
import { sql } from 'kysely';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
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
    const row = await db(tx)
      .selectNoFrom(({ fn, cast }) =>
        cast<boolean>(fn('current_setting', [sql.lit('transaction_read_only')]), 'boolean').as('isReadOnly'),
      )
      .executeTakeFirst();
    if (row?.isReadOnly !== false) throw new Error('The database is read-only.');
    await db(tx)
      .selectNoFrom(({ fn, lit }) =>
        fn('pg_logical_emit_message', [lit(true), sql.lit('marshal'), sql.lit('ready')]).as('written'),
      )
      .execute();
    await db(tx)
      .selectNoFrom(({ fn, lit }) => fn('set_config', [sql.lit('work_mem'), sql.lit('64kB'), lit(true)]).as('setting'))
      .execute();
    await db(tx)
      .selectFrom(({ fn, lit }) => fn<object>('generate_series', [lit(1), lit(SPILLED_ROWS)]).as('row'))
      .select(({ fn }) => fn.countAll().as('rows'))
      .execute();
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
    await db(fork())
      .selectNoFrom(({ lit }) => lit(1).as('one'))
      .execute();
  };
}
