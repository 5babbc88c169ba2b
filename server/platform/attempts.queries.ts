/**
 * Counted attempts, read for many limits in one statement. Raw: two parameter lists become a table with ordinality,
 * which the query builder cannot express.
 */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import type { Limit } from './attempts.ts';

export interface Use {
  /** attempts in the window */
  count: number;
  /** seconds until the oldest of them leaves the window */
  wait: number;
}

/** Reads the attempts already counted against each limit, in the order of the limits. */
export async function readUse(em: Em, limits: readonly Limit[]): Promise<Use[]> {
  return query<Use>(
    em,
    sql`select coalesce(sum(a.count), 0)::int as count,
               coalesce(ceil(extract(epoch from min(a.minute) + make_interval(mins => l.minutes) - now())), 1)::int as wait
        from unnest(${limits.map(({ bucket }) => bucket)}::text[], ${limits.map(({ minutes }) => minutes)}::int[])
             with ordinality as l(bucket, minutes, place)
        left join attempt a on a.bucket = l.bucket and a.count > 0
                           and a.minute > date_trunc('minute', now()) - make_interval(mins => l.minutes)
        group by l.place, l.minutes order by l.place`,
  );
}
