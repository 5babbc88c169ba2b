/** Accounts: registration, password, profile. */
import type { z } from 'zod';
import { isCommonPassword, isMadeOf } from '#server/platform/common-passwords.ts';
import { newId } from '#server/schema/base.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { violatedConstraint } from '#server/schema/failures.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { PASSWORD_LENGTH } from '#shared/limits.ts';
import type {
  changePasswordInput,
  ComparedUserDto,
  devTokenInput,
  NewSignInDto,
  registerInput,
  updateProfileInput,
  SignedInUserDto,
  UserDto,
} from '#shared/schemas/auth.ts';
import { emit } from '#server/signals/emit.ts';
import { findAdmission, recordAdmission, standingOf } from './admission.ts';
import { refuseBanned } from './ban-check.ts';
import { closeSlotRequest } from './slot-requests.ts';
import { readCommunity } from './community.ts';
import { emailKey, shownEmail } from './email.ts';
import type { InviteLinks } from './invite-links.ts';
import { findLookAlikes } from './look-alikes.ts';
import type { PasswordHasher } from './password-hashing.ts';
import { presentUser } from './present.ts';
import { findUser, lockUser, requireStaying } from './users.ts';
import { lacksSecondFactor, viewerOf, type Viewer } from '#server/platform/viewer.ts';
import { listsAnyAircraft } from '#server/accounts/pilots/proficiencies.ts';
import { getLeave } from './leave.ts';
import { endAccess, type KeptAccess } from './end-access.ts';

type RegisterInput = z.infer<typeof registerInput>;

/**
 * 400 for a common password, and for one of its owner's call sign, email and community with little more.
 * @param field the input that holds it
 */
export async function refuseGuessable(
  em: Em,
  password: string,
  field: string,
  { email, displayName }: { email: string; displayName?: string | null },
): Promise<void> {
  if (isCommonPassword(password)) throw new AppError('VALIDATION', copy.passwordTooCommon, { field });
  const { name } = await readCommunity(em);
  const words = [shownEmail(email), displayName ?? '', name ?? ''];
  if (isMadeOf(password, words, PASSWORD_LENGTH.min))
    throw new AppError('VALIDATION', copy.passwordTooPersonal, { field });
}

/** The parts of the app that a registration needs. */
interface RegistrationParts {
  passwords: PasswordHasher;
  inviteLinks: InviteLinks;
}

/**
 * Check the input of a registration and hash its password, before the transaction begins.
 * @returns a function that creates the account in the caller's transaction, as the registration setting and the invite say;
 * 403 for somebody who may not register or is banned, 409 for an address that is taken, in upper or lower case
 */
export async function prepareAccount(
  em: Em,
  { passwords, inviteLinks }: RegistrationParts,
  input: RegisterInput,
  now: Date,
): Promise<(tx: Em) => Promise<UserDto>> {
  await refuseGuessable(em, input.password, 'password', input);
  const inviteId = input.invite === null ? null : await inviteLinks.find(em, input.invite);
  await findAdmission(em, inviteId, now);
  const key = emailKey(input.email);
  const taken = new AppError('EMAIL_TAKEN', copy.emailTaken, { field: 'email' });
  await refuseBanned(em, input);
  if (await em.findOne(User, { emailKey: key }, { fields: ['id'] })) throw taken;
  const passwordHash = await passwords.hash(input.password);
  return async (tx) => {
    try {
      await refuseBanned(tx, input);
      const admission = await findAdmission(tx, inviteId, now);
      const user = tx.create(User, {
        email: input.email,
        emailKey: key,
        passwordHash,
        displayName: input.displayName ?? null,
        timeZone: input.timeZone ?? admission.invite?.timeZone ?? 'UTC',
        ...standingOf(admission, now),
      });
      await closeSlotRequest(tx, input.email);
      await recordAdmission(tx, user, admission, now);
      emit(tx, { type: 'verification.requested', userId: user.id });
      return presentUser(viewerOf(user));
    } catch (error) {
      if (violatedConstraint(error) === 'app_user_email_key_unique') throw taken;
      throw error;
    }
  };
}

/** An account and the password hash that the given password matched. */
export interface VerifiedPassword {
  userId: string;
  passwordHash: string;
}

/**
 * The account, locked in the caller's transaction. Verifying the password took a while, and a reset or change in the
 * meantime wins.
 * @throws AppError 401 when the password is no longer the one that was verified
 */
export async function admitVerified(tx: Em, { userId, passwordHash }: VerifiedPassword): Promise<UserDto> {
  const unchanged = await db(tx)
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!unchanged) throw new AppError('LOGIN_FAILED');
  const user = await findUser(tx, userId);
  return presentUser(viewerOf(user));
}

/** @returns the hash that the viewer's password matched; 400 for a wrong password */
export async function verifyOwnPassword(
  em: Em,
  viewer: Viewer,
  passwords: PasswordHasher,
  currentPassword: string,
): Promise<string> {
  const { passwordHash } = await em.findOneOrFail(User, { id: viewer.id });
  const isRight = await passwords.verify(currentPassword, passwordHash ?? null);
  if (!isRight || !passwordHash) throw new AppError('WRONG_PASSWORD', { field: 'currentPassword' });
  return passwordHash;
}

/**
 * Store a new password and end the sessions, links and devices of the account.
 * @param verifiedHash the hash of the current password, if the caller had to know it: 400 when it has changed since
 */
export async function replacePassword(
  tx: Em,
  { userId, passwordHash, verifiedHash }: { userId: string; passwordHash: string; verifiedHash?: string },
  kept: KeptAccess | null = null,
): Promise<void> {
  const changed = await tx.nativeUpdate(
    User,
    { id: userId, ...(verifiedHash === undefined ? {} : { passwordHash: verifiedHash }) },
    { passwordHash, updatedAt: new Date() },
  );
  if (changed === 0) throw new AppError('WRONG_PASSWORD', { field: 'currentPassword' });
  await endAccess(tx, userId, kept);
}

/** Change the viewer's password. Only the session and the push device of this request stay signed in. */
export async function changePassword(
  em: Em,
  viewer: Viewer,
  passwords: PasswordHasher,
  sessionToken: string | null,
  input: z.infer<typeof changePasswordInput>,
): Promise<void> {
  const verifiedHash = await verifyOwnPassword(em, viewer, passwords, input.currentPassword);
  await refuseGuessable(em, input.newPassword, 'newPassword', viewer);
  const passwordHash = await passwords.hash(input.newPassword);
  const kept = { sessionToken, pushEndpoint: input.pushEndpoint ?? null };
  await transact(em, async (tx) => {
    await replacePassword(tx, { userId: viewer.id, passwordHash, verifiedHash }, kept);
    emit(tx, { type: 'password.changed', userId: viewer.id });
  });
}

/** The viewer's own account, for a page that starts. */
export async function presentSignedIn(
  em: Em,
  viewer: Viewer,
  { isFactorRequired, newSignIn }: { isFactorRequired: boolean; newSignIn: NewSignInDto | null },
  now: Date,
): Promise<SignedInUserDto> {
  const listsAircraft = await listsAnyAircraft(em, viewer.id);
  const needsSecondFactor = lacksSecondFactor(viewer, isFactorRequired);
  return {
    ...presentUser(viewer),
    listsAircraft,
    needsSecondFactor,
    newSignIn,
    leave: await getLeave(em, viewer.id, now),
  };
}

/** Unknown id: 404. */
export async function getUser(em: Em, id: string): Promise<UserDto> {
  const found = await findUser(em, id);
  return presentUser(viewerOf(found));
}

type Profile = Pick<z.infer<typeof updateProfileInput>, 'displayName' | 'timeZone'>;

/**
 * The value to store of one field.
 * @param given the value that the caller sends
 * @param seen the one that the caller saw; undefined for a caller who does not care
 * @throws AppError 409 if the field was changed to something else since then, by the caller too
 */
function mergeField<Value>(field: keyof Profile, stored: Value, given: Value, seen: Value | undefined): Value {
  if (seen === undefined || stored === seen) return given;
  if (given !== seen && given !== stored) throw new AppError('CHANGED', copy.profileChangedMeanwhile, { field });
  return stored;
}

/**
 * Change call sign and time zone. Unknown id: 404; 409 for a field that was changed since the profile that the caller saw,
 * while the other one may have been.
 */
export async function updateProfile(em: Em, input: z.infer<typeof updateProfileInput>): Promise<ComparedUserDto> {
  const saved = await transact(em, async (tx) => {
    await lockUser(tx, input.id);
    const user = await findUser(tx, input.id);
    const { seen } = input;
    user.displayName = mergeField('displayName', user.displayName ?? null, input.displayName, seen?.displayName);
    user.timeZone = mergeField('timeZone', user.timeZone, input.timeZone, seen?.timeZone);
    emit(tx, { type: 'profile.saved', userId: input.id });
    return presentUser(viewerOf(user));
  });
  return { ...saved, looksLike: (await findLookAlikes(em, [saved])).get(saved.id) ?? [] };
}

/** The account with that id, created without a password if there is none; development only. */
export async function ensureDevUser(em: Em, { userId, displayName }: z.infer<typeof devTokenInput>): Promise<UserDto> {
  return transact(em, async (tx) => {
    const id = userId ?? newId();
    const email = `dev-${id}@marshal.local`;
    const user =
      (await tx.findOne(User, { id })) ??
      tx.create(User, { id, email, emailKey: emailKey(email), roles: ['user'], timeZone: 'UTC' });
    requireStaying(user);
    if (displayName !== undefined) user.displayName = displayName;
    return presentUser(viewerOf(user));
  });
}
