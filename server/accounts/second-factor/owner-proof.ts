/** Proof that the owner changes the second factor: the password, or a fresh sign-in for an account without one. */
import type { Em } from '#server/schema/orm.ts';
import { verifyOwnPassword } from '#server/accounts/accounts.ts';
import { secondFactorChangeLimits, type SecondFactorChange } from '#server/accounts/attempt-limits.ts';
import { isRecentSession } from '#server/accounts/fresh-session.ts';
import type { PasswordHasher } from '#server/accounts/password-hashing.ts';
import { findUser } from '#server/accounts/users.ts';
import type { Env } from '#server/platform/env.ts';
import { AppError } from '#server/platform/errors.ts';
import { countFailure } from '#server/platform/attempts.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { copy } from '#shared/copy.ts';

/** The request of an account's owner. */
export interface OwnerRequest {
  em: Em;
  app: { env: Env; passwords: PasswordHasher };
  viewer: Viewer;
  sessionToken: string | null;
  now: Date;
}

/**
 * Check the password, with a limit of wrong ones for each kind of change, or the age of the session for an account without one.
 * @throws AppError 400 for a wrong password, 429 after too many, 403 for a session that is too old
 */
export async function proveOwner(
  request: OwnerRequest,
  change: SecondFactorChange,
  currentPassword: string | undefined,
): Promise<void> {
  const { em, app, viewer, sessionToken, now } = request;
  const { passwordHash } = await findUser(em, viewer.id);
  if (passwordHash) {
    const limits = secondFactorChangeLimits(app.env.AUTH_ATTEMPTS_PER_MINUTE, change, viewer.id);
    await countFailure(em, limits, () => verifyOwnPassword(em, viewer, app.passwords, currentPassword ?? ''));
    return;
  }
  if (!(await isRecentSession(em, sessionToken, now)))
    throw new AppError('FRESH_SIGN_IN_REQUIRED', copy.freshSignInRequired);
}
