/** Idempotency-Key: a request that is sent twice runs once and gets the same response both times. */
import { createHash } from 'node:crypto';
import { ago, db, json } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { AppError } from './errors.ts';
import { copy } from '#shared/copy.ts';
import { requireRoom } from './ownership.ts';
import { takeNamedLock } from './transaction.queries.ts';

const KEPT_HOURS = 24;
const KEY = /^[\x21-\x7e]{1,255}$/;

const hashOf = (request: unknown): string => createHash('sha256').update(JSON.stringify(request)).digest('hex');

/**
 * Do `work` once per user and key, inside the caller's transaction: a second request with the same key waits for the first
 * and gets its answer. A different body under the same key is 422, too many keys within a day 409.
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
  if (!KEY.test(key)) throw new AppError('VALIDATION', copy.idempotencyKeyInvalid);
  // one keyed request per user at a time, so that parallel ones cannot exceed the cap together
  await takeNamedLock(tx, `idempotency:${userId}`);
  const requestHash = hashOf(request);
  const stale = new Date(now.getTime() - KEPT_HOURS * 3_600_000);
  await db(tx)
    .deleteFrom('idempotency_key')
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .where('created_at', '<', stale)
    .execute();
  const inserted = await db(tx)
    .insertInto('idempotency_key')
    .values({ user_id: userId, key, request_hash: requestHash, answer: json(null), created_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  if (!inserted) {
    const earlier = await db(tx)
      .selectFrom('idempotency_key')
      .select(['request_hash as requestHash', 'answer'])
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .$castTo<{ requestHash: string; answer: T }>()
      .executeTakeFirst();
    if (!earlier || earlier.requestHash !== requestHash) throw new AppError('IDEMPOTENCY_KEY_REUSED');
    return earlier.answer;
  }
  const fresh = db(tx).selectFrom('idempotency_key').where('user_id', '=', userId).where('created_at', '>=', stale);
  await requireRoom('idempotencyKeys', fresh, { adding: 0 });
  const answer = await work();
  await db(tx)
    .updateTable('idempotency_key')
    .set({ answer: json(answer) })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute();
  return answer;
}

/** The caller of a write that can be repeated, with the key of the request. */
export interface KeyedCaller {
  userId: string;
  key: string | null;
  now: Date;
}

/**
 * `once` for a write of this name, which sets keys for different calls apart.
 * @param caller undefined for a write that no request asked for
 */
export async function onceFor<T>(
  tx: Em,
  caller: KeyedCaller | undefined,
  name: string,
  request: unknown,
  work: () => Promise<T>,
): Promise<T> {
  return caller ? once(tx, caller.userId, caller.key, [name, request], caller.now, work) : work();
}

/** A request that was done together with others, its answer, and who asked. */
interface Done {
  caller: KeyedCaller | undefined;
  request: unknown;
  answer: unknown;
}

/**
 * Keeps the answers of requests that were not done by `onceFor`, so that their repeats get the same. The caller holds a lock for
 * which repeats of these requests wait.
 * @param name as for `onceFor`
 */
export async function keepAnswers(tx: Em, name: string, done: readonly Done[]): Promise<void> {
  const rows = done.flatMap(({ caller, request, answer }) =>
    !caller || caller.key === null || !KEY.test(caller.key)
      ? []
      : [
          {
            user_id: caller.userId,
            key: caller.key,
            request_hash: hashOf([name, request]),
            answer: json(answer),
            created_at: caller.now,
          },
        ],
  );
  if (rows.length === 0) return;
  await db(tx)
    .insertInto('idempotency_key')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
    .execute();
}

export async function purgeIdempotencyKeys(em: Em): Promise<void> {
  await db(em)
    .deleteFrom('idempotency_key')
    .where('created_at', '<', ago(`${KEPT_HOURS} hours`))
    .execute();
}
