/** The public counters. */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';

/** Active accounts, and missions that fly at this moment. */
export async function getStats(em: Em, now: Date): Promise<{ totalUsers: number; missionsRunning: number }> {
  const [row] = await query<{ users: number; running: number }>(
    em,
    sql`select (select count(*)::int from app_user where 'user' = any(roles)) as users,
               (select count(*)::int from mission
                where status = 'scheduled' and starts_at <= ${now} and ends_at > ${now}) as running`,
  );
  return { totalUsers: row?.users ?? 0, missionsRunning: row?.running ?? 0 };
}
