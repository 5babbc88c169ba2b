/** One-time sign-in links for accounts without email and password, and the form that sets both. */
import type { z } from 'zod';
import { ago, db } from '#server/schema/database.ts';
import { violatedConstraint } from '#server/schema/failures.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { SignInLink, User } from '#server/schema/user.ts';
import { emit } from '#server/signals/emit.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { OWNED_MAX, SIGN_IN_LINK_MINUTES } from '#shared/limits.ts';
import type { credentialsInput, UserDto } from '#shared/schemas/auth.ts';
import type { LinkPurpose } from '#shared/vocabulary.ts';
import { refuseGuessable } from './accounts.ts';
import { refuseBanned } from './ban-check.ts';
import { emailKey, shownEmail } from './email.ts';
import type { PasswordHasher } from './password-hashing.ts';
import { presentUser } from './present.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { lockUser } from './users.ts';
import { endSignInLinks } from './end-access.ts';
import { viewerOf, type Viewer } from '#server/platform/viewer.ts';

export function signInUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/sign-in/${token}`;
}

/**
 * Let the holder of `token` sign in once as this user, within five minutes of `now`.
 * Part of the caller's transaction; only the token's hash is stored. Beyond the limit the oldest links are deleted.
 */
export async function issueSignInLink(tx: Em, userId: string, token: string, now: Date): Promise<void> {
  await lockUser(tx, userId);
  const expiresAt = new Date(now.getTime() + SIGN_IN_LINK_MINUTES * MINUTE_MS);
  const link = { user_id: userId, purpose: 'sign_in', created_at: now, expires_at: expiresAt } as const;
  await db(tx)
    .insertInto('sign_in_link')
    .values({ token_hash: hashToken(token), ...link })
    .execute();
  await db(tx)
    .deleteFrom('sign_in_link')
    .where('token_hash', 'in', ({ selectFrom }) =>
      selectFrom('sign_in_link as own')
        .select('own.token_hash')
        .where('own.user_id', '=', userId)
        .orderBy('own.created_at', 'desc')
        .orderBy((own) => own('own.token_hash', '=', hashToken(token)), 'desc')
        .offset(OWNED_MAX.signInLinks),
    )
    .execute();
}

/** True if the sign-in link is known, unused and not expired. */
export async function isSignInLinkLive(em: Em, token: string, now: Date): Promise<boolean> {
  const live = { tokenHash: hashToken(token), purpose: 'sign_in', usedAt: null, expiresAt: { $gt: now } } as const;
  return (await em.count(SignInLink, live)) === 1;
}

/**
 * Use up a link, in the transaction that does what it is for. Of two concurrent calls one succeeds.
 * @param invalid the refusal of a link that is unknown, used, expired or for another purpose
 * @returns the id of its account, which is locked
 */
export async function takeLink(
  tx: Em,
  token: string,
  purpose: LinkPurpose,
  now: Date,
  invalid: AppError,
): Promise<string> {
  const tokenHash = hashToken(token);
  const link = await db(tx)
    .selectFrom('sign_in_link')
    .select('user_id as userId')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (!link) throw invalid;
  // the user is locked before the link, in the same order as where links are deleted
  await lockUser(tx, link.userId);
  const used = await db(tx)
    .updateTable('sign_in_link')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst();
  if (!used) throw invalid;
  return link.userId;
}

/**
 * Use up a sign-in link, in the same transaction that starts the session, so that a password reset, which deletes links,
 * cannot come in between.
 * @returns the account, and `needsCredentials` while it has neither email nor password; 400 for a link that is unknown, used or expired
 */
export async function redeemSignInLink(
  tx: Em,
  token: string,
  now: Date,
): Promise<{ user: UserDto; needsCredentials: boolean }> {
  const id = await takeLink(tx, token, 'sign_in', now, new AppError('LINK_INVALID', copy.signInLinkInvalid));
  const user = await tx.findOneOrFail(User, { id });
  return {
    user: presentUser(viewerOf(user)),
    needsCredentials: (user.passwordHash ?? null) === null && shownEmail(user.email) === '',
  };
}

/**
 * Give an account without a password its email and first password, and delete its unused sign-in links.
 * 409 for an account that has a password (another tab was faster) and for an address that is taken.
 */
export async function setCredentials(
  em: Em,
  viewer: Viewer,
  passwords: PasswordHasher,
  { email, password }: z.infer<typeof credentialsInput>,
): Promise<UserDto> {
  const exists = new AppError('PASSWORD_EXISTS');
  const taken = new AppError('EMAIL_TAKEN', copy.emailTaken, { field: 'email' });
  const account = await em.findOneOrFail(User, { id: viewer.id });
  if ((account.passwordHash ?? null) !== null) throw exists;
  await refuseGuessable(em, password, 'password', { ...viewer, email });
  const key = emailKey(email);
  const owner = await em.findOne(User, { emailKey: key }, { fields: ['id'] });
  if (owner && owner.id !== viewer.id) throw taken;
  const passwordHash = await passwords.hash(password);
  try {
    await transact(em, async (tx) => {
      await refuseBanned(tx, { email });
      const changed = await tx.nativeUpdate(
        User,
        { id: viewer.id, passwordHash: null },
        { email, emailKey: key, passwordHash, emailVerifiedAt: null, updatedAt: new Date() },
      );
      if (changed === 0) throw exists;
      await endSignInLinks(tx, viewer.id);
      emit(tx, { type: 'credentials.set', userId: viewer.id });
    });
  } catch (error) {
    if (violatedConstraint(error) === 'app_user_email_key_unique') throw taken;
    throw error;
  }
  return presentUser({ ...viewer, email });
}

export async function purgeSignInLinks(em: Em): Promise<void> {
  await db(em).deleteFrom('sign_in_link').where('expires_at', '<', ago('1 days')).execute();
}
