/** Accounts by id, for the services that read or change what belongs to one. */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { User } from '#server/schema/user.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';

/** Unknown id: 404. */
export async function findUser(em: Em, id: string): Promise<User> {
  const user = await em.findOne(User, { id });
  if (!user) throw new AppError(404, copy.userNotFound);
  return user;
}

/**
 * Let one writer at a time at what belongs to a user, until the transaction ends. Rows that refer to the user (a mission
 * that is issued notes everybody who was willing) are written meanwhile. Unknown id: 404.
 */
export async function lockUser(tx: Em, id: string): Promise<{ timeZone: string }> {
  const [user] = await query<{ timeZone: string }>(
    tx,
    sql`select time_zone as "timeZone" from app_user where id = ${id} for no key update`,
  );
  if (!user) throw new AppError(404, copy.userNotFound);
  return user;
}

/** Names of accounts as admins see them, by id. */
export async function loadNames(em: Em, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await query<{ id: string; name: string }>(
    em,
    sql`select id, coalesce(display_name, email) as name from app_user where id = any(${[...ids]}::uuid[])`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
