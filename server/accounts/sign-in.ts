/** Sign-in with email and password: attempt limits, password check, and the audit of failures. */
import type { z } from 'zod';
import type { Env } from '#server/platform/env.ts';
import type { Log } from '#server/platform/log.ts';
import type { KnownDevice } from './known-device.ts';
import type { PasswordHasher } from './password-hashing.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { describeDevice } from '#server/accounts/rules/device.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import type { loginInput } from '#shared/schemas/auth.ts';
import type { VerifiedPassword } from './accounts.ts';
import { countAttempts } from '#server/platform/attempts.ts';
import { emit } from '#server/signals/emit.ts';
import { attemptBuckets, signInLimits } from './attempt-limits.ts';
import { emailKey } from './email.ts';

/** The parts of the app that a sign-in needs. */
interface SignInParts {
  env: Env;
  log: Log;
  knownDevice: KnownDevice;
  passwords: PasswordHasher;
}

/** Origin of a sign-in attempt. */
export interface Caller {
  address: string;
  userAgent: string | null;
  /** the device cookie as the browser sent it */
  deviceCookie: string | null;
  now: Date;
}

type Account = { id: string; passwordHash: string | null };

const RETRY_AFTER_SECONDS = 2;

/**
 * Count the attempt. Every attempt counts, successful or not: it is counted before the password is hashed, or many
 * concurrent ones would all pass. After a success the browser has a device cookie and no longer counts towards the
 * account's limit. The last attempt within a limit logs and audits that it is reached; refused attempts write nothing.
 * @throws AppError 429 beyond a limit; 503 when the attempt cannot be counted, because no attempt passes uncounted
 */
async function countSignIn(em: Em, app: SignInParts, caller: Caller, email: string, account?: Account): Promise<void> {
  const { address } = caller;
  const userId = account?.id ?? null;
  try {
    const device = account ? app.knownDevice.nameFor(caller.deviceCookie, account.id, caller.now) : null;
    const limits = signInLimits(app.env.AUTH_ATTEMPTS_PER_MINUTE, { address, email, device });
    const usedUp = await countAttempts(em, limits);
    for (const { bucket, most, minutes } of usedUp) {
      app.log.warn({ userId, address, attempts: most, minutes }, 'sign-in limit reached, further attempts refused');
      const isForAccount = bucket !== attemptBuckets.signInsFrom(address);
      if (userId !== null && isForAccount) {
        const limited = { type: 'sign_in.limited', userId, attempts: most, minutes, address } as const;
        await transact(em, async (tx) => emit(tx, limited));
      }
    }
  } catch (error) {
    if (error instanceof AppError) {
      app.log.debug({ userId, address }, 'sign-in refused: too many attempts');
      throw error;
    }
    app.log.error({ err: error }, 'sign-in attempts not counted');
    throw new AppError('DATABASE_UNAVAILABLE', copy.databaseAway, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

/**
 * Verify email and password. The password may change right after: `admitVerified` checks again, with the account locked.
 * @throws AppError 401 with the same sentence after the same time whether or not the account exists; 429 after too many
 * attempts
 */
export async function verifySignIn(
  em: Em,
  app: SignInParts,
  caller: Caller,
  { email, password }: Pick<z.infer<typeof loginInput>, 'email' | 'password'>,
): Promise<VerifiedPassword> {
  const account: Account | undefined = await db(em)
    .selectFrom('app_user')
    .select(['id', 'password_hash as passwordHash'])
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst();
  await countSignIn(em, app, caller, email, account);
  const passwordHash = account?.passwordHash ?? null;
  const isRight = await app.passwords.verify(password, passwordHash);
  if (account && passwordHash !== null && isRight) return { userId: account.id, passwordHash };
  const { address, userAgent } = caller;
  // for an unknown account the log leaves out the input: somebody may have typed a password as the email
  app.log.info({ userId: account?.id ?? null, address }, 'sign-in refused: wrong email or password');
  if (account) {
    const failed = { type: 'sign_in.failed', userId: account.id, address, device: describeDevice(userAgent) } as const;
    await transact(em, async (tx) => emit(tx, failed));
  }
  throw new AppError('LOGIN_FAILED');
}
