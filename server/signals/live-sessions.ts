/** Check of the sessions, access tokens and roles behind live streams that are already open. */
import { db, isOneOf } from '#server/schema/database.ts';
import { rolesWithin } from '#server/platform/viewer.ts';
import type { Em } from '#server/schema/orm.ts';
import type { Role } from '#shared/vocabulary.ts';

/**
 * The current roles for each live session and access token. This does not renew a session: a stream that is open all night
 * does not mean that somebody is there.
 * @param accessIds of sessions, which are hashes, and of tokens, which are UUIDs
 * @returns roles by id; ended sessions and tokens are missing
 */
export async function findStreamRoles(em: Em, accessIds: readonly string[]): Promise<Map<string, Role[]>> {
  const isToken = (id: string) => id.includes('-');
  const [tokenIds, sessionIds] = [accessIds.filter(isToken), accessIds.filter((id) => !isToken(id))];
  const sessions = await db(em)
    .selectFrom('session as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .select(['s.id', 'u.roles'])
    .where(isOneOf('s.id', [...new Set(sessionIds)]))
    .where('s.expires_at', '>', ({ fn }) => fn<Date>('now'))
    .execute();
  if (tokenIds.length === 0) return new Map(sessions.map(({ id, roles }) => [id, roles]));
  const tokens = await db(em)
    .selectFrom('personal_access_token as t')
    .innerJoin('app_user as u', 'u.id', 't.user_id')
    .select(['t.id', 't.scopes', 'u.roles'])
    .where(isOneOf('t.id', [...new Set(tokenIds)]))
    .where('t.expires_at', '>', ({ fn }) => fn<Date>('now'))
    .execute();
  return new Map([
    ...sessions.map(({ id, roles }) => [id, roles] as const),
    ...tokens.map(({ id, scopes, roles }) => [id, rolesWithin(roles, scopes)] as const),
  ]);
}
