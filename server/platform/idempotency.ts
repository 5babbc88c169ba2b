/** Idempotency-Key: the same request sent twice is done once and answered twice. */
import { createHash } from 'node:crypto';
import { msOf, query, sql } from '#server/schema/query.ts';
import type { Em } from '#server/schema/orm.ts';
import { AppError } from './errors.ts';
import { copy } from '#shared/copy.ts';
import { requireRoom } from './ownership.ts';

const KEPT_HOURS = 24;
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Do `work` once per user and key, inside the caller's transaction: a second request with the key waits for the first
 * and gets its answer; one with another body is 422, and one key too many within a day 409. Call it behind a lock on the user.
 * @param key null: every request is new
 */
export async function once<T>(
  tx: Em,
  userId: string,
  key: string | null,
  request: unknown,
  now: Date,
  work: () => Promise<T>,
): Promise<T> {
  if (key === null) return work();
  if (!KEY.test(key)) throw new AppError(400, copy.idempotencyKeyInvalid);
  const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  const stale = new Date(now.getTime() - KEPT_HOURS * 3_600_000);
  await query(
    tx,
    sql`delete from idempotency_key where user_id = ${userId} and key = ${key} and created_at < ${stale}`,
  );
  const inserted = await query(
    tx,
    sql`insert into idempotency_key (user_id, key, request_hash, answer, created_at)
        values (${userId}, ${key}, ${requestHash}, 'null'::jsonb, ${now})
        on conflict (user_id, key) do nothing returning ${msOf('created_at')} as created_ms`,
  );
  if (inserted.length === 0) {
    const [earlier] = await query<{ request_hash: string; answer: T }>(
      tx,
      sql`select request_hash, answer from idempotency_key where user_id = ${userId} and key = ${key}`,
    );
    if (!earlier || earlier.request_hash !== requestHash) throw new AppError(422, copy.idempotencyKeyReused);
    return earlier.answer;
  }
  const fresh = sql`idempotency_key where user_id = ${userId} and created_at >= ${stale}`;
  await requireRoom(tx, 'idempotencyKeys', fresh, { adding: 0 });
  const answer = await work();
  await query(
    tx,
    sql`update idempotency_key set answer = ${JSON.stringify(answer)}::jsonb where user_id = ${userId} and key = ${key}`,
  );
  return answer;
}

export async function purgeIdempotencyKeys(em: Em): Promise<void> {
  await query(
    em,
    sql`delete from idempotency_key where created_at < now() - make_interval(hours => ${sql.lit(KEPT_HOURS)})`,
  );
}
