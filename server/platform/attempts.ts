/** Rate limits against guessing, kept in the database: they survive a restart and hold across all replicas. */
import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import { ago, db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { readUse, type Use } from './attempts.queries.ts';
import { takeNamedLock } from './transaction.queries.ts';
import { AppError } from './errors.ts';
import { copy } from '#shared/copy.ts';

/** Longer than every window. */
const KEPT_HOURS = 1;

/** The bucket of a client address: IPv4, or the /64 of an IPv6, which is what one household or attacker usually has. */
export function addressBucket(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!isIPv6(plain)) return `address:${plain}`;
  const [head = '', tail = ''] = plain.split('::');
  const front = head.split(':').filter(Boolean);
  const back = tail.split(':').filter(Boolean);
  const groups = plain.includes('::')
    ? [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back]
    : front;
  return `address:${groups.slice(0, 4).join(':')}`;
}

export interface Limit {
  bucket: string;
  /** attempts allowed in the window */
  most: number;
  /** length of the window in clock minutes, the current one included */
  minutes: number;
  /** the refusal, for a person */
  sentence: string;
}

/** A limit per clock minute. */
export function perMinute(bucket: string, most: number): Limit {
  return { bucket, most, minutes: 1, sentence: copy.tooManyAttempts };
}

/** Of several exhausted limits, the refusal names the one with the longest wait. */
function refuseBeyond(limits: readonly Limit[], uses: readonly Use[]): void {
  const usedUp = limits.flatMap(({ most, sentence }, place) => {
    const use = uses[place];
    return use && use.count >= most ? [{ sentence, wait: use.wait, most }] : [];
  });
  const [longest] = usedUp.toSorted((one, other) => other.wait - one.wait);
  if (!longest) return;
  const retryAfterSeconds = Math.max(1, longest.wait);
  throw new AppError('RATE_LIMITED', longest.sentence, { retryAfterSeconds, limit: longest.most });
}

/**
 * Count one attempt against every limit, or against none: a refused attempt writes nothing, even under a flood.
 * @returns the limits that this attempt has exhausted: the next one is refused
 * @throws AppError 429 when a limit was already exhausted
 */
export async function countAttempts(em: Em, limits: readonly Limit[]): Promise<Limit[]> {
  return (await count(em, limits)).usedUp;
}

/** @returns also the minute under which the attempt is counted; null without limits */
async function count(em: Em, limits: readonly Limit[]): Promise<{ usedUp: Limit[]; minute: Date | null }> {
  if (limits.length === 0) return { usedUp: [], minute: null };
  // most refusals end here: a flood takes no lock and opens no transaction
  refuseBeyond(limits, await readUse(em, limits));
  const buckets = limits.map(({ bucket }) => bucket).toSorted();
  return transact(em, async (tx) => {
    // one transaction at a time per bucket; the lock is taken before the statement that reads, which then sees the last write
    for (const bucket of buckets) await takeNamedLock(tx, `attempt:${bucket}`);
    const uses = await readUse(tx, limits);
    refuseBeyond(limits, uses);
    const counted = await db(tx)
      .insertInto('attempt')
      .values(({ fn }) => {
        const minute = fn<Date>('date_trunc', [sql.lit('minute'), fn('now')]);
        return buckets.map((bucket) => ({ bucket, minute, count: 1 }));
      })
      .onConflict((conflict) =>
        conflict.columns(['bucket', 'minute']).doUpdateSet((eb) => ({ count: eb('attempt.count', '+', 1) })),
      )
      .returning(({ ref }) => ms(ref('minute')).as('minuteMs'))
      .executeTakeFirstOrThrow();
    const usedUp = limits.filter(({ most }, place) => (uses[place]?.count ?? 0) + 1 >= most);
    return { usedUp, minute: new Date(counted.minuteMs) };
  });
}

/** Take an attempt back that was counted in this minute. */
async function uncount(em: Em, limits: readonly Limit[], minute: Date): Promise<void> {
  const buckets = limits.map(({ bucket }) => bucket).toSorted();
  await transact(em, async (tx) => {
    // in the same order as where attempts are counted
    for (const bucket of buckets) await takeNamedLock(tx, `attempt:${bucket}`);
    await db(tx)
      .updateTable('attempt')
      .set((eb) => ({ count: eb('count', '-', 1) }))
      .where(isOneOf('bucket', buckets))
      .where('minute', '=', minute)
      .where('count', '>', 0)
      .execute();
  });
}

/**
 * Make an attempt that counts only if it fails. It is counted before it is made, so that many at once cannot all pass, and
 * taken back after its success: what its owner does right uses up nothing.
 * @param onUsedUp is told the limits that a failure has exhausted
 * @throws AppError 429 when a limit was already exhausted, and whatever the attempt throws
 */
export async function countFailure<Result>(
  em: Em,
  limits: readonly Limit[],
  attempt: () => Promise<Result>,
  onUsedUp: (usedUp: readonly Limit[]) => Promise<void> = () => Promise.resolve(),
): Promise<Result> {
  const { usedUp, minute } = await count(em, limits);
  let result: Result;
  try {
    result = await attempt();
  } catch (error) {
    await onUsedUp(usedUp);
    throw error;
  }
  // one that stays counted does less harm than a success that is told as a failure
  if (minute !== null) await uncount(em, limits, minute).catch(() => undefined);
  return result;
}

/**
 * Count one attempt.
 * @param most per minute; 0 turns the limit off
 */
export async function countAttempt(em: Em, bucket: string, most: number): Promise<void> {
  if (most > 0) await countAttempts(em, [perMinute(bucket, most)]);
}

/**
 * Use up a one-time value. Of two concurrent calls one succeeds.
 * @param since when it was handed out: less than an hour ago, because the record of its use is kept that long
 * @returns true if it was unused
 */
export async function takeOnce(em: Em, name: string, since: Date): Promise<boolean> {
  const taken = await db(em)
    .insertInto('attempt')
    .values(({ fn, cast, val }) => ({
      bucket: name,
      minute: fn<Date>('date_trunc', [sql.lit('minute'), cast(val(since), 'timestamptz')]),
      count: 1,
    }))
    .onConflict((conflict) => conflict.columns(['bucket', 'minute']).doNothing())
    .returning('bucket')
    .executeTakeFirst();
  return taken !== undefined;
}

export async function purgeAttempts(em: Em): Promise<void> {
  await db(em)
    .deleteFrom('attempt')
    .where('minute', '<', ago(`${KEPT_HOURS} hours`))
    .execute();
}
