/** Session and role check of live streams that are already open. */
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import type { Role } from '#shared/vocabulary.ts';

/**
 * The current roles for each live session. This does not renew a session: a stream that is open all night does not mean
 * that somebody is there.
 * @param sessionIds hashes, as stored
 * @returns roles by session id; ended sessions are missing
 */
export async function findSessionRoles(em: Em, sessionIds: readonly string[]): Promise<Map<string, Role[]>> {
  const rows = await db(em)
    .selectFrom('session as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .select(['s.id', 'u.roles'])
    .where(isOneOf('s.id', [...new Set(sessionIds)]))
    .where('s.expires_at', '>', ({ fn }) => fn<Date>('now'))
    .execute();
  return new Map(rows.map(({ id, roles }) => [id, roles]));
}
