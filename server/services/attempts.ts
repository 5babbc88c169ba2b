/** Limits on guessing, kept in the database: they survive a restart and count over all replicas. */
import { isIPv6 } from 'node:net';
import { query, sql } from '#server/db/query.ts';
import type { Em } from '#server/db/orm.ts';
import { AppError } from '#server/errors.ts';
import { copy } from '#shared/copy.ts';

const MINUTE_SECONDS = 60;
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

/**
 * Count one attempt in every bucket and refuse when one of them is over the limit.
 * @param perMinute 0 turns the limit off
 */
export async function countAttempt(em: Em, buckets: readonly string[], perMinute: number): Promise<void> {
  if (perMinute === 0) return;
  const rows = await query<{ count: number; left: number }>(
    em,
    sql`insert into attempt (bucket, minute, count)
        select bucket, date_trunc('minute', now()), 1 from unnest(${[...buckets].toSorted()}::text[]) as bucket
        on conflict (bucket, minute) do update set count = attempt.count + 1
        returning count, ${sql.lit(MINUTE_SECONDS)} - extract(second from now())::int as left`,
  );
  if (rows.some(({ count }) => count > perMinute)) {
    throw new AppError(429, copy.tooManyAttempts, { retryAfterSeconds: Math.max(1, rows[0]?.left ?? MINUTE_SECONDS) });
  }
}

/**
 * Take what is good once. Of two at once one gets it.
 * @param since when it was handed out, less than an hour ago: for so long it is known to be taken
 * @returns whether nobody had taken it
 */
export async function takeOnce(em: Em, name: string, since: Date): Promise<boolean> {
  const rows = await query(
    em,
    sql`insert into attempt (bucket, minute, count) values (${name}, date_trunc('minute', ${since}::timestamptz), 1)
        on conflict (bucket, minute) do nothing returning bucket`,
  );
  return rows.length === 1;
}

export async function purgeAttempts(em: Em): Promise<void> {
  await query(em, sql`delete from attempt where minute < now() - make_interval(hours => ${sql.lit(KEPT_HOURS)})`);
}
