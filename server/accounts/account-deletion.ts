/** Deletion of an account by its owner: requested with the password, and undone within two weeks. `erase-account` ends it. */
import { AppError } from '#server/platform/errors.ts';
import { takeLock } from '#server/platform/transaction.queries.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { emit } from '#server/signals/emit.ts';
import { DAY_MS } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import { DELETION_DAYS } from '#shared/limits.ts';
import type { DeletionDto, RequestDeletionInput } from '#shared/schemas/auth.ts';
import { verifyOwnPassword } from './accounts.ts';
import { endAccess, type KeptAccess } from './end-access.ts';
import { revokeAdminInvitesOf } from './invites.ts';
import type { PasswordHasher } from './password-hashing.ts';
import { findUser } from './users.ts';

const present = ({ deletionDueAt, passwordHash }: User): DeletionDto => ({
  dueAt: deletionDueAt?.toISOString() ?? null,
  hasPassword: (passwordHash ?? null) !== null,
});

export const readDeletion = async (em: Em, viewer: Viewer): Promise<DeletionDto> =>
  present(await findUser(em, viewer.id));

/**
 * 400 unless the input proves that the owner asks: the password, or the call sign for an account without a password.
 * @returns the hash that the password matched
 */
async function verifyOwner(
  em: Em,
  viewer: Viewer,
  passwords: PasswordHasher,
  { currentPassword, confirmation }: RequestDeletionInput,
): Promise<string | null> {
  const { passwordHash, displayName } = await findUser(em, viewer.id);
  if (passwordHash) return verifyOwnPassword(em, viewer, passwords, currentPassword ?? '');
  if (confirmation === (displayName ?? 'delete')) return null;
  const sentence = displayName ? copy.deletionWrongName : copy.deletionWrongWord;
  throw new AppError('VALIDATION', sentence, { field: 'confirmation' });
}

/** 409 if nobody else would be an admin. */
async function refuseLastAdmin(tx: Em, user: User): Promise<void> {
  if (!user.roles.includes('admin')) return;
  const others = await tx.count(User, { id: { $ne: user.id }, roles: { $contains: ['admin'] } });
  if (others === 0) throw new AppError('LAST_ADMIN', copy.deletionLastAdmin);
}

/**
 * Ask to delete the viewer's account. It loses its roles at once, and with them its seats; its tokens, links, devices and
 * other sessions end. Asking again changes nothing. 400 for a wrong password, 409 for the last admin.
 */
export async function requestDeletion(
  em: Em,
  viewer: Viewer,
  passwords: PasswordHasher,
  input: RequestDeletionInput,
  kept: KeptAccess,
  now: Date,
): Promise<DeletionDto> {
  const verifiedHash = await verifyOwner(em, viewer, passwords, input);
  return transact(em, async (tx) => {
    await takeLock(tx, 'roles');
    const user = await findUser(tx, viewer.id);
    if (user.deletionDueAt) return present(user);
    if ((user.passwordHash ?? null) !== verifiedHash) {
      throw new AppError('WRONG_PASSWORD', { field: 'currentPassword' });
    }
    await refuseLastAdmin(tx, user);
    user.rolesBeforeDeletion = user.roles;
    user.roles = [];
    user.deletionDueAt = new Date(now.getTime() + DELETION_DAYS * DAY_MS);
    emit(tx, { type: 'deletion.requested', userId: viewer.id, dueAt: user.deletionDueAt });
    await endAccess(tx, viewer.id, kept);
    await revokeAdminInvitesOf(tx, viewer, viewer.id, now);
    return present(user);
  });
}

/** Keep the account: its roles come back, its seats do not. Without a request this changes nothing. */
export async function undoDeletion(em: Em, viewer: Viewer): Promise<DeletionDto> {
  return transact(em, async (tx) => {
    await takeLock(tx, 'roles');
    const user = await findUser(tx, viewer.id);
    if (!user.deletionDueAt) return present(user);
    user.roles = user.rolesBeforeDeletion ?? ['user'];
    user.rolesBeforeDeletion = null;
    user.deletionDueAt = null;
    emit(tx, { type: 'deletion.undone', userId: viewer.id });
    return present(user);
  });
}
