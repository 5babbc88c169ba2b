/** Accounts by id: find, lock, names. */
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { nameForAdmins } from '#server/schema/predicates.ts';
import { User } from '#server/schema/user.ts';
import { AppError } from '#server/platform/errors.ts';

/** Unknown id: 404. */
export async function findUser(em: Em, id: string): Promise<User> {
  const user = await em.findOne(User, { id });
  if (!user) throw new AppError('USER_NOT_FOUND');
  return user;
}

/**
 * Lock a user, for one writer at a time of what belongs to the user, until the transaction ends. Other transactions can
 * still insert rows that refer to the user (such as willing pilots of a mission). Unknown id: 404.
 */
export async function lockUser(tx: Em, id: string): Promise<{ timeZone: string }> {
  const user = await db(tx)
    .selectFrom('app_user')
    .select('time_zone as timeZone')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!user) throw new AppError('USER_NOT_FOUND');
  return user;
}

/**
 * 404 for an account that was erased, 409 for one that its owner is deleting: others no longer change them.
 * Only whether the times are set counts.
 */
export function requireStaying({ erasedAt, deletionDueAt }: { erasedAt?: unknown; deletionDueAt?: unknown }): void {
  if (erasedAt) throw new AppError('USER_NOT_FOUND');
  if (deletionDueAt) throw new AppError('DELETION_REQUESTED');
}

/**
 * Refuse accounts that are being deleted or have been erased, and keep the others from it until the end of the transaction.
 * Every change of an account by somebody else than its owner begins with this; an unknown id is left to the change.
 */
export async function requireAllStaying(tx: Em, ids: readonly string[]): Promise<void> {
  const rows = await db(tx)
    .selectFrom('app_user')
    .select(['erased_at as erasedAt', 'deletion_due_at as deletionDueAt'])
    .where(isOneOf('id', ids))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  for (const row of rows) requireStaying(row);
}

/** Names of accounts by id, as admins see them. */
export async function loadNames(em: Em, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db(em)
    .selectFrom('app_user as u')
    .select(['u.id', nameForAdmins('u').as('name')])
    .where(isOneOf('u.id', ids))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
