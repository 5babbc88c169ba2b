/** Accounts: register, sign in, change the password and the profile. */
import type { z } from 'zod';
import { newId } from '#server/db/base.ts';
import type { Em } from '#server/db/orm.ts';
import { violatedConstraint } from '#server/db/failures.ts';
import { query, sql } from '#server/db/query.ts';
import { transact } from '#server/db/transaction.ts';
import { User } from '#server/db/user.ts';
import { AppError } from '#server/errors.ts';
import { copy } from '#shared/copy.ts';
import type {
  changePasswordInput,
  devTokenInput,
  loginInput,
  registerInput,
  updateProfileInput,
  UserDto,
} from '#shared/schemas/auth.ts';
import { announce, announceAvailability } from './announce.ts';
import { isCommonPassword } from './common-passwords.ts';
import { emailKey } from './email.ts';
import type { PasswordHasher } from './passwords.ts';
import { presentUser } from './present.ts';
import { hashToken } from './tokens.ts';
import { findUser } from './users.ts';
import type { Viewer } from './viewer.ts';
import { wakePilot } from './wake.ts';

type RegisterInput = z.infer<typeof registerInput>;

/** 400 for a password that everybody tries first. @param field the input that holds it */
export function refuseCommon(password: string, field: string): void {
  if (isCommonPassword(password)) throw new AppError(400, copy.passwordTooCommon, { field });
}

/** Make an account with role `user`. An address that is taken, in whatever case, is 409. */
export async function register(em: Em, passwords: PasswordHasher, input: RegisterInput): Promise<UserDto> {
  refuseCommon(input.password, 'password');
  const key = emailKey(input.email);
  const taken = new AppError(409, copy.emailTaken, { field: 'email' });
  if (await em.findOne(User, { emailKey: key }, { fields: ['id'] })) throw taken;
  const passwordHash = await passwords.hash(input.password);
  try {
    return await transact(em, async (tx) => {
      const user = tx.create(User, {
        email: input.email,
        emailKey: key,
        passwordHash,
        displayName: input.displayName ?? null,
        timeZone: input.timeZone ?? 'UTC',
        roles: ['user'],
      });
      await tx.flush();
      await announce(tx, ['stats', 'everybody']);
      return presentUser({ ...user, displayName: user.displayName ?? null });
    });
  } catch (error) {
    if (violatedConstraint(error) === 'app_user_email_key_unique') throw taken;
    throw error;
  }
}

/** @returns the account; 401 with one sentence and in one time whether or not it exists */
export async function checkLogin(
  em: Em,
  passwords: PasswordHasher,
  { email, password }: z.infer<typeof loginInput>,
): Promise<UserDto> {
  const user = await em.findOne(User, { emailKey: emailKey(email) });
  const isRight = await passwords.verify(password, user?.passwordHash ?? null);
  if (!user || !isRight) throw new AppError(401, copy.loginFailed);
  return presentUser({ ...user, displayName: user.displayName ?? null });
}

/** Every other session of the viewer ends; this one stays. */
export async function changePassword(
  em: Em,
  viewer: Viewer,
  passwords: PasswordHasher,
  sessionToken: string,
  input: z.infer<typeof changePasswordInput>,
): Promise<void> {
  const user = await em.findOneOrFail(User, { id: viewer.id });
  if (!(await passwords.verify(input.currentPassword, user.passwordHash ?? null))) {
    throw new AppError(400, copy.wrongPassword, { field: 'currentPassword' });
  }
  refuseCommon(input.newPassword, 'newPassword');
  const passwordHash = await passwords.hash(input.newPassword);
  await transact(em, async (tx) => {
    await tx.nativeUpdate(User, { id: viewer.id }, { passwordHash, updatedAt: new Date() });
    await query(tx, sql`delete from session where user_id = ${viewer.id} and id <> ${hashToken(sessionToken)}`);
    await announce(tx, ['session', [viewer.id]]);
  });
}

/** Only call sign and zone are writable; an unknown id is 404. */
export async function updateProfile(em: Em, input: z.infer<typeof updateProfileInput>): Promise<UserDto> {
  return transact(em, async (tx) => {
    const user = await findUser(tx, input.id);
    user.displayName = input.displayName;
    user.timeZone = input.timeZone;
    await tx.flush();
    // the days of a pilot are told in the pilot's zone
    await announce(tx, ['profile', [input.id]]);
    await announceAvailability(tx, input.id);
    await wakePilot(tx, input.id);
    return presentUser({ ...user, displayName: input.displayName });
  });
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
