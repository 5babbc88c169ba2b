/** Accounts by id, for the services that read or change what belongs to one. */
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { nameForAdmins } from '#server/schema/predicates.ts';
import { User } from '#server/schema/user.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';

/** Unknown id: 404. */
export async function findUser(em: Em, id: string): Promise<User> {
  const user = await em.findOne(User, { id });
  if (!user) throw new AppError('USER_NOT_FOUND', copy.userNotFound);
  return user;
}

/**
 * Let one writer at a time at what belongs to a user, until the transaction ends. Rows that refer to the user (a mission
 * that is issued notes everybody who was willing) are written meanwhile. Unknown id: 404.
 */
export async function lockUser(tx: Em, id: string): Promise<{ timeZone: string }> {
  const user = await db(tx)
    .selectFrom('app_user')
    .select('time_zone as timeZone')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!user) throw new AppError('USER_NOT_FOUND', copy.userNotFound);
  return user;
}

/** Names of accounts as admins see them, by id. */
export async function loadNames(em: Em, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db(em)
    .selectFrom('app_user as u')
    .select(['u.id', nameForAdmins('u').as('name')])
    .where(isOneOf('u.id', ids))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
