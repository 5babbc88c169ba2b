/** Rate limits on guessing, kept in the database: they survive a restart and count over all replicas. */
import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { readUse, type Use } from './rate-limit.queries.ts';
import { takeNamedLock } from './transaction.queries.ts';
import { AppError } from './errors.ts';
import { copy } from '#shared/copy.ts';

/** Longer than every window that is counted. */
const KEPT_HOURS = 1;

/** One bucket per IPv4 address or IPv6 /64, which is what one household or attacker usually holds. */
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
  /** attempts that are let through in the window */
  most: number;
  /** the window: this minute of the clock and those before it, so many together */
  minutes: number;
  /** the refusal, for a person */
  sentence: string;
}

/** At most so many in a minute of the clock. */
export function perMinute(bucket: string, most: number): Limit {
  return { bucket, most, minutes: 1, sentence: copy.tooManyAttempts };
}

/** Of several limits that are used up, the one that takes longest is told. */
function refuseBeyond(limits: readonly Limit[], uses: readonly Use[]): void {
  const usedUp = limits.flatMap(({ most, sentence }, place) => {
    const use = uses[place];
    return use && use.count >= most ? [{ sentence, wait: use.wait }] : [];
  });
  const [longest] = usedUp.toSorted((one, other) => other.wait - one.wait);
  if (longest) throw new AppError('RATE_LIMITED', longest.sentence, { retryAfterSeconds: Math.max(1, longest.wait) });
}

/**
 * Count one attempt under every limit, or under none: a refused one writes nothing, however many come at once.
 * @returns the limits that this attempt has used up: the next one is refused
 * @throws AppError 429 when a limit was used up before
 */
export async function countAttempts(em: Em, limits: readonly Limit[]): Promise<Limit[]> {
  if (limits.length === 0) return [];
  // most refusals end here: a flood takes no lock and opens no transaction
  refuseBeyond(limits, await readUse(em, limits));
  const buckets = limits.map(({ bucket }) => bucket).toSorted();
  return transact(em, async (tx) => {
    // one at a time for each bucket; a lock that is taken before the statement that reads, so that it reads what the last one wrote
    for (const bucket of buckets) await takeNamedLock(tx, `attempt:${bucket}`);
    const uses = await readUse(tx, limits);
    refuseBeyond(limits, uses);
    await db(tx)
      .insertInto('attempt')
      .values(buckets.map((bucket) => ({ bucket, minute: sql<Date>`date_trunc('minute', now())`, count: 1 })))
      .onConflict((conflict) =>
        conflict.columns(['bucket', 'minute']).doUpdateSet((eb) => ({ count: eb('attempt.count', '+', 1) })),
      )
      .execute();
    return limits.filter(({ most }, place) => (uses[place]?.count ?? 0) + 1 >= most);
  });
}

/**
 * Count one attempt in every bucket and refuse beyond a limit that is the same for all.
 * @param most in a minute; 0 turns the limit off
 */
export async function countAttempt(em: Em, buckets: readonly string[], most: number): Promise<void> {
  const limits = most === 0 ? [] : buckets.map((bucket) => perMinute(bucket, most));
  await countAttempts(em, limits);
}

/**
 * Take what is good once. Of two at once one gets it.
 * @param since when it was handed out, less than an hour ago: for so long it is known to be taken
 * @returns whether nobody had taken it
 */
export async function takeOnce(em: Em, name: string, since: Date): Promise<boolean> {
  const taken = await db(em)
    .insertInto('attempt')
    .values({ bucket: name, minute: sql<Date>`date_trunc('minute', ${since}::timestamptz)`, count: 1 })
    .onConflict((conflict) => conflict.columns(['bucket', 'minute']).doNothing())
    .returning('bucket')
    .executeTakeFirst();
  return taken !== undefined;
}

export async function purgeAttempts(em: Em): Promise<void> {
  await db(em)
    .deleteFrom('attempt')
    .where('minute', '<', sql<Date>`now() - make_interval(hours => ${sql.lit(KEPT_HOURS)})`)
    .execute();
}
