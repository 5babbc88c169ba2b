/** Personal links to set a password, for accounts that an admin has made or whose pilots have lost theirs. */
import type { z } from 'zod';
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { SignInLink } from '#server/schema/user.ts';
import { AppError } from '#server/platform/errors.ts';
import { hashToken, randomToken } from '#server/platform/tokens.ts';
import { viewerOf, type Viewer } from '#server/platform/viewer.ts';
import { emit } from '#server/signals/emit.ts';
import { DAY_MS } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import { PASSWORD_LINK_DAYS } from '#shared/limits.ts';
import type { PasswordLinkDto, passwordLinkHolder, setPasswordInput } from '#shared/schemas/password-links.ts';
import type { UserDto } from '#shared/schemas/auth.ts';
import type { LinkPurpose } from '#shared/vocabulary.ts';
import { refuseGuessable, replacePassword } from './accounts.ts';
import { shownEmail } from './email.ts';
import type { PasswordHasher } from './password-hashing.ts';
import { presentUser } from './present.ts';
import { takeLink } from './sign-in-links.ts';
import { findUser, lockUser, requireAllStaying } from './users.ts';

const PURPOSE: LinkPurpose = 'set_password';

export const passwordUrl = (publicUrl: string, token: string): string => `${publicUrl}/set-password/${token}`;

/**
 * New links, one for each account, in the caller's transaction. They replace the account's unused links of that purpose; only
 * their hashes are stored.
 * @param lifetimeMs until they expire
 * @returns the tokens by account
 */
async function issueLinks(
  tx: Em,
  userIds: readonly string[],
  purpose: LinkPurpose,
  lifetimeMs: number,
  now: Date,
): Promise<Map<string, string>> {
  const tokens = new Map(userIds.map((id) => [id, randomToken()]));
  await db(tx)
    .deleteFrom('sign_in_link')
    .where(isOneOf('user_id', userIds))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute();
  await db(tx)
    .insertInto('sign_in_link')
    .values(
      [...tokens].map(([userId, token]) => ({
        token_hash: hashToken(token),
        user_id: userId,
        purpose,
        created_at: now,
        expires_at: new Date(now.getTime() + lifetimeMs),
      })),
    )
    .execute();
  return tokens;
}

/**
 * A new link to set one account's password, in the caller's transaction; it replaces the unused one.
 * @returns its token
 */
export async function issuePasswordLink(tx: Em, userId: string, lifetimeMs: number, now: Date): Promise<string> {
  await lockUser(tx, userId);
  const tokens = await issueLinks(tx, [userId], PURPOSE, lifetimeMs, now);
  return tokens.get(userId) ?? '';
}

/**
 * The accounts that an admin makes links for, locked: each once.
 * @returns 404 for an unknown account, 409 for one that is being deleted or has no email, 403 for the admin's own
 */
export async function findLinkAccounts(tx: Em, viewer: Viewer, ids: readonly string[]) {
  // a session that was left open is no proof of identity: one's own password is changed with the present one
  if (ids.includes(viewer.id)) throw new AppError('FORBIDDEN', copy.passwordLinkOwn);
  const wanted = [...new Set(ids)];
  await requireAllStaying(tx, wanted);
  const rows = await db(tx)
    .selectFrom('app_user as u')
    .select(['u.id', 'u.email', 'u.display_name as displayName'])
    .where(isOneOf('u.id', wanted))
    .orderBy('u.id')
    .forNoKeyUpdate()
    .execute();
  if (rows.length < wanted.length) throw new AppError('USER_NOT_FOUND');
  const accounts = rows.map((row) => ({ ...row, email: shownEmail(row.email) }));
  if (accounts.some(({ email }) => email === '')) throw new AppError('EMAIL_REQUIRED', copy.resetWithoutEmail);
  return accounts;
}

/**
 * Make links with which pilots set their passwords. Their present passwords keep working until then.
 * @returns one link for each account, in the given order; 404 for an unknown account, 409 for one without an email, 403 for
 * the admin's own
 */
export async function makePasswordLinks(
  em: Em,
  viewer: Viewer,
  ids: readonly string[],
  publicUrl: string,
  now: Date,
): Promise<PasswordLinkDto[]> {
  return transact(em, async (tx) => {
    const found = await findLinkAccounts(tx, viewer, ids);
    const accounts = new Map(found.map((account) => [account.id, account]));
    const wanted = [...new Set(ids)];
    const lifetimeMs = PASSWORD_LINK_DAYS * DAY_MS;
    const tokens = await issueLinks(tx, wanted, PURPOSE, lifetimeMs, now);
    emit(tx, { type: 'password.links_made', by: viewer, userIds: wanted });
    return wanted.flatMap((id): PasswordLinkDto[] => {
      const [account, token] = [accounts.get(id), tokens.get(id)];
      if (!account || token === undefined) return [];
      const expiresAt = new Date(now.getTime() + lifetimeMs).toISOString();
      return [{ ...account, url: passwordUrl(publicUrl, token), expiresAt }];
    });
  });
}

const invalidLink = () => new AppError('LINK_INVALID', copy.passwordLinkInvalid);

/** The account of a link that still works; reading it does not use it up. 400 for any other link. */
export async function readPasswordLink(em: Em, token: string, now: Date): Promise<z.infer<typeof passwordLinkHolder>> {
  const link = await em.findOne(
    SignInLink,
    { tokenHash: hashToken(token), purpose: PURPOSE, usedAt: null, expiresAt: { $gt: now } },
    { populate: ['user'] },
  );
  if (!link) throw invalidLink();
  return { email: shownEmail(link.user.email), displayName: link.user.displayName ?? null };
}

/**
 * Check a link and hash the new password, before the transaction begins.
 * @returns a function that uses up the link, sets the password and ends all other access to the account, in the caller's
 * transaction, which signs in; 400 for a link that does not work (any more)
 */
export async function preparePassword(
  em: Em,
  passwords: PasswordHasher,
  { token, password }: z.infer<typeof setPasswordInput>,
  now: Date,
): Promise<(tx: Em) => Promise<UserDto>> {
  await refuseGuessable(em, password, 'password', await readPasswordLink(em, token, now));
  const passwordHash = await passwords.hash(password);
  return async (tx) => {
    const userId = await takeLink(tx, token, PURPOSE, now, invalidLink());
    await replacePassword(tx, { userId, passwordHash });
    const user = await findUser(tx, userId);
    return presentUser(viewerOf(user));
  };
}
