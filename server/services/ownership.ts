/** Ownership caps: no account owns so much that reading it would keep the others waiting. */
import type { RawBuilder } from 'kysely';
import type { Em } from '#server/db/orm.ts';
import { query, sql } from '#server/db/query.ts';
import { AppError } from '#server/errors.ts';

/**
 * Refuse what would go beyond a cap, with 409. Call it behind a lock on whoever owns the rows, in the transaction that
 * adds them: parallel calls would pass it together otherwise.
 * @param owned what follows `from`: table and condition
 */
export async function requireRoom(
  tx: Em,
  owned: RawBuilder<unknown>,
  { max, adding = 1 }: { max: number; adding?: number },
  sentence: string,
): Promise<void> {
  const [row] = await query<{ count: number }>(tx, sql`select count(*)::int as count from ${owned}`);
  if ((row?.count ?? 0) + adding > max) throw new AppError(409, sentence);
}
