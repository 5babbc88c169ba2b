/** Sign-ins that wait for their second factor: rows behind a short-lived cookie, which give no access. */
import { ago, db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { hashToken, randomToken } from '#server/platform/tokens.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { OWNED_MAX, SECOND_STEP_MINUTES } from '#shared/limits.ts';
import type { SignInWay } from '#shared/vocabulary.ts';

export interface PendingSignIn {
  hash: string;
  userId: string;
  way: SignInWay;
  passwordMark: string;
}

/** Changes with the password, and tells nothing about it. */
export const passwordMarkOf = (passwordHash: string | null): string => hashToken(passwordHash ?? '');

/**
 * Note that the first step of a sign-in has succeeded, in the transaction that checked it and has locked the user. Beyond the
 * limit the oldest are deleted.
 * @returns the token for the browser's cookie
 */
export async function beginPendingSignIn(
  tx: Em,
  { userId, way, passwordMark }: Omit<PendingSignIn, 'hash'>,
  now: Date,
): Promise<string> {
  const token = randomToken();
  await db(tx)
    .insertInto('pending_sign_in')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      way,
      password_mark: passwordMark,
      created_at: now,
      expires_at: new Date(now.getTime() + SECOND_STEP_MINUTES * MINUTE_MS),
    })
    .execute();
  await db(tx)
    .deleteFrom('pending_sign_in')
    .where('token_hash', 'in', ({ selectFrom }) =>
      selectFrom('pending_sign_in as own')
        .select('own.token_hash')
        .where('own.user_id', '=', userId)
        .orderBy('own.created_at', 'desc')
        .orderBy('own.token_hash')
        .offset(OWNED_MAX.pendingSignIns),
    )
    .execute();
  return token;
}

/** @param token from the browser's cookie @returns null when no sign-in waits, or it has waited too long */
export async function findPendingSignIn(em: Em, token: string | null, now: Date): Promise<PendingSignIn | null> {
  if (token === null) return null;
  const row = await db(em)
    .selectFrom('pending_sign_in')
    .select(['token_hash as hash', 'user_id as userId', 'way', 'password_mark as passwordMark'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row ?? null;
}

/** End the sign-ins of a user that wait, in the caller's transaction, which has locked the user. */
export async function endPendingSignInsOf(tx: Em, userId: string): Promise<void> {
  await db(tx).deleteFrom('pending_sign_in').where('user_id', '=', userId).execute();
}

/** Delete what has expired: sign-ins that were never finished, unanswered challenges of passkeys, remembered devices. */
export async function purgeSecondFactors(em: Em): Promise<void> {
  for (const table of ['pending_sign_in', 'passkey_challenge', 'remembered_device'] as const) {
    await db(em).deleteFrom(table).where('expires_at', '<', ago('1 hours')).execute();
  }
}
