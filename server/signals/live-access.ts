/** Session and role check of live streams that are already open. */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import type { Role } from '#shared/vocabulary.ts';

/**
 * The present roles behind each session that still stands. Looking does not prolong a session: a stream that is open
 * all night is no sign that somebody is there.
 * @param sessionIds hashes as the table holds them
 * @returns by session id; one that ended is missing
 */
export async function findSessionRoles(em: Em, sessionIds: readonly string[]): Promise<Map<string, Role[]>> {
  const rows = await query<{ id: string; roles: Role[] }>(
    em,
    sql`select s.id, u.roles from session s join app_user u on u.id = s.user_id
        where s.id = any(${[...new Set(sessionIds)]}::text[]) and s.expires_at > now()`,
  );
  return new Map(rows.map(({ id, roles }) => [id, roles]));
}
