/** Accounts: register, sign in, change the password and the profile. */
import type { z } from 'zod';
import { isCommonPassword } from '#server/platform/common-passwords.ts';
import { newId } from '#server/schema/base.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { violatedConstraint } from '#server/schema/failures.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import type {
  changePasswordInput,
  ComparedUserDto,
  devTokenInput,
  registerInput,
  updateProfileInput,
  UserDto,
} from '#shared/schemas/auth.ts';
import { publishLive, publishLiveAvailability } from '#server/signals/live-signals.ts';
import { emailKey } from './email.ts';
import { findLookAlikes } from './look-alikes.ts';
import type { PasswordHasher } from './passwords.ts';
import { presentUser } from './present.ts';
import { findUser } from './users.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { enqueuePilotBackfill } from '#server/signals/backfill-jobs.ts';
import { endWaysIn, type KeptWays } from './ways-in.ts';

type RegisterInput = z.infer<typeof registerInput>;

/** 400 for a password that everybody tries first. @param field the input that holds it */
export function refuseCommon(password: string, field: string): void {
  if (isCommonPassword(password)) throw new AppError('VALIDATION', copy.passwordTooCommon, { field });
}

/**
 * Check and hash what an account with role `user` is made from.
 * @returns makes the account, in the caller's transaction; an address that is taken, in whatever case, is 409
 */
export async function prepareAccount(
  em: Em,
  passwords: PasswordHasher,
  input: RegisterInput,
): Promise<(tx: Em) => Promise<UserDto>> {
  refuseCommon(input.password, 'password');
  const key = emailKey(input.email);
  const taken = new AppError('EMAIL_TAKEN', copy.emailTaken, { field: 'email' });
  if (await em.findOne(User, { emailKey: key }, { fields: ['id'] })) throw taken;
  const passwordHash = await passwords.hash(input.password);
  return async (tx) => {
    try {
      const user = tx.create(User, {
        email: input.email,
        emailKey: key,
        passwordHash,
        displayName: input.displayName ?? null,
        timeZone: input.timeZone ?? 'UTC',
        roles: ['user'],
      });
      await tx.flush();
      await publishLive(tx, 'stats');
      return presentUser({ ...user, displayName: user.displayName ?? null });
    } catch (error) {
      if (violatedConstraint(error) === 'app_user_email_key_unique') throw taken;
      throw error;
    }
  };
}

/** An account and the hash that a password was found to match. */
export interface VerifiedPassword {
  userId: string;
  passwordHash: string;
}

/**
 * The account, locked, in the caller's transaction: whoever verified the password has waited for the hasher meanwhile, and
 * a reset or change in between wins.
 * @returns 401 when the password is no longer the one that was verified
 */
export async function admitVerified(tx: Em, { userId, passwordHash }: VerifiedPassword): Promise<UserDto> {
  const standing = await db(tx)
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!standing) throw new AppError('LOGIN_FAILED', copy.loginFailed);
  const user = await findUser(tx, userId);
  return presentUser({ ...user, displayName: user.displayName ?? null });
}

/** @returns the hash that the viewer's password was found to match; 400 for another one */
export async function verifyOwnPassword(
  em: Em,
  viewer: Viewer,
  passwords: PasswordHasher,
  currentPassword: string,
): Promise<string> {
  const { passwordHash } = await em.findOneOrFail(User, { id: viewer.id });
  const isRight = await passwords.verify(currentPassword, passwordHash ?? null);
  if (!isRight || !passwordHash) throw new AppError('WRONG_PASSWORD', copy.wrongPassword, { field: 'currentPassword' });
  return passwordHash;
}

/**
 * Write a password and end the ways into the account.
 * @param verifiedHash of the password before, when somebody had to know it: 400 when it is another one by now
 */
export async function replacePassword(
  tx: Em,
  { userId, passwordHash, verifiedHash }: { userId: string; passwordHash: string; verifiedHash?: string },
  kept: KeptWays | null = null,
): Promise<void> {
  const changed = await tx.nativeUpdate(
    User,
    { id: userId, ...(verifiedHash === undefined ? {} : { passwordHash: verifiedHash }) },
    { passwordHash, updatedAt: new Date() },
  );
  if (changed === 0) throw new AppError('WRONG_PASSWORD', copy.wrongPassword, { field: 'currentPassword' });
  await endWaysIn(tx, userId, kept);
}

/** Every way into the account ends but the session and the notified device that this comes from. */
export async function changePassword(
  em: Em,
  viewer: Viewer,
  passwords: PasswordHasher,
  sessionToken: string | null,
  input: z.infer<typeof changePasswordInput>,
): Promise<void> {
  const verifiedHash = await verifyOwnPassword(em, viewer, passwords, input.currentPassword);
  refuseCommon(input.newPassword, 'newPassword');
  const passwordHash = await passwords.hash(input.newPassword);
  const kept = { sessionToken, pushEndpoint: input.pushEndpoint ?? null };
  await transact(em, (tx) => replacePassword(tx, { userId: viewer.id, passwordHash, verifiedHash }, kept));
}

/** Only call sign and zone are writable; an unknown id is 404. */
export async function updateProfile(em: Em, input: z.infer<typeof updateProfileInput>): Promise<ComparedUserDto> {
  const saved = await transact(em, async (tx) => {
    const user = await findUser(tx, input.id);
    user.displayName = input.displayName;
    user.timeZone = input.timeZone;
    await tx.flush();
    // the days of a pilot are told in the pilot's zone
    await publishLive(tx, ['profile', [input.id]]);
    await publishLiveAvailability(tx, input.id);
    await enqueuePilotBackfill(tx, input.id);
    return presentUser({ ...user, displayName: input.displayName });
  });
  return { ...saved, looksLike: (await findLookAlikes(em, [saved])).get(saved.id) ?? [] };
}

/** The account with that id, made without a password when there is none; development only. */
export async function ensureDevUser(em: Em, { userId, displayName }: z.infer<typeof devTokenInput>): Promise<UserDto> {
  return transact(em, async (tx) => {
    const id = userId ?? newId();
    const email = `dev-${id}@marshal.local`;
    const user =
      (await tx.findOne(User, { id })) ??
      tx.create(User, { id, email, emailKey: emailKey(email), roles: ['user'], timeZone: 'UTC' });
    if (displayName !== undefined) user.displayName = displayName;
    await tx.flush();
    return presentUser({ ...user, displayName: user.displayName ?? null });
  });
}
