/** The second step of a sign-in: a code, a recovery code or a passkey turns a waiting sign-in into a session. */
import type { Em } from '#server/schema/orm.ts';
import { db } from '#server/schema/database.ts';
import { transact } from '#server/schema/transaction.ts';
import { secondStepLimits } from '#server/accounts/attempt-limits.ts';
import { refuseBannedAccount, shareBans } from '#server/accounts/ban-check.ts';
import { presentUser } from '#server/accounts/present.ts';
import { viewerOf } from '#server/platform/viewer.ts';
import { describeDevice } from '#server/accounts/rules/device.ts';
import { openSession, type SigningIn } from '#server/accounts/start-session.ts';
import { findUser } from '#server/accounts/users.ts';
import { AppError } from '#server/platform/errors.ts';
import { countFailure, type Limit } from '#server/platform/attempts.ts';
import { emit } from '#server/signals/emit.ts';
import { copy } from '#shared/copy.ts';
import type { UserDto } from '#shared/schemas/auth.ts';
import type { PasskeyQuestionDto, SecondStepDto, SecondStepInput } from '#shared/schemas/second-factor.ts';
import type { SecondFactor } from '#shared/vocabulary.ts';
import { takeCode } from './authenticator.ts';
import { askForPasskey, canUsePasskeys, checkPasskey, takePasskey } from './passkeys.ts';
import { findPendingSignIn, passwordMarkOf, type PendingSignIn } from './pending-sign-ins.ts';
import { takeRecoveryCode } from './recovery-codes.ts';
import { rememberDevice } from './remembered-devices.ts';
import { findFactors } from './state.ts';

const over = () => new AppError('SECOND_STEP_OVER');

const REFUSALS: Record<SecondFactor, () => AppError> = {
  authenticator: () => new AppError('CODE_WRONG', copy.codeWrong, { field: 'code' }),
  recovery_code: () => new AppError('CODE_WRONG', copy.recoveryCodeWrong, { field: 'recoveryCode' }),
  passkey: () => new AppError('PASSKEY_REFUSED'),
};

/** The sign-in that waits in this browser. @throws AppError 401 without one */
async function requirePending(em: Em, { pendingCookie, now }: SigningIn): Promise<PendingSignIn> {
  const pending = await findPendingSignIn(em, pendingCookie, now);
  if (!pending) throw over();
  return pending;
}

/** The second factors with which the sign-in that waits in this browser can be finished; null when none waits. */
export async function describeSecondStep(em: Em, request: SigningIn): Promise<SecondStepDto | null> {
  const pending = await findPendingSignIn(em, request.pendingCookie, request.now);
  if (!pending) return null;
  const factors = await findFactors(em, pending.userId);
  const hasPasskeys = canUsePasskeys(request.app.env);
  return { factors: factors.filter((factor) => factor !== 'passkey' || hasPasskeys) };
}

/** @throws AppError 401 when no sign-in waits, 400 for an account without a passkey */
export async function challengeSecondStep(em: Em, request: SigningIn): Promise<PasskeyQuestionDto> {
  const { hash, userId } = await requirePending(em, request);
  return askForPasskey(em, request.app.env, hash, userId, request.now);
}

/** Log and audit that a wrong answer was the last one within these limits. */
async function recordLimits(em: Em, { app, address }: SigningIn, userId: string, usedUp: readonly Limit[]) {
  for (const { most, minutes } of usedUp) {
    app.log.warn({ userId, address, attempts: most, minutes }, 'second factor limit reached, further attempts refused');
    const limited = { type: 'sign_in.limited', userId, attempts: most, minutes, address } as const;
    await transact(em, async (tx) => emit(tx, limited));
  }
}

type Take = (tx: Em) => Promise<boolean>;

/** @returns what the answer is, and how the transaction of the sign-in takes it, which tells whether it is right */
async function readAnswer(
  em: Em,
  { app, now }: SigningIn,
  { hash: holder, userId }: PendingSignIn,
  { code, recoveryCode, passkey }: SecondStepInput,
): Promise<[SecondFactor, Take]> {
  if (passkey !== undefined) {
    const checked = await checkPasskey(em, app.env, { holder, userId }, passkey, now);
    return ['passkey', async (tx) => checked !== null && takePasskey(tx, checked, now)];
  }
  if (recoveryCode !== undefined) return ['recovery_code', (tx) => takeRecoveryCode(tx, userId, recoveryCode)];
  return ['authenticator', (tx) => takeCode(tx, app.sealer, userId, code ?? '', now)];
}

/**
 * Lock the account of a waiting sign-in and end the wait. Of two concurrent answers one succeeds, and a password that has
 * changed in the meantime, or a factor that was turned off, ends it.
 * @throws AppError 401 when it no longer waits
 */
async function takePending(tx: Em, { hash, userId, passwordMark }: PendingSignIn): Promise<void> {
  const account = await db(tx)
    .selectFrom('app_user')
    .select('password_hash as passwordHash')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const taken = await db(tx)
    .deleteFrom('pending_sign_in')
    .where('token_hash', '=', hash)
    .returning('user_id')
    .executeTakeFirst();
  if (!account || !taken || passwordMarkOf(account.passwordHash) !== passwordMark) throw over();
}

/**
 * Finish the sign-in that waits in this browser: the check of the answer and the new session are one transaction. A wrong
 * answer leaves it waiting, and writes nothing but the attempt and its audit entry.
 * @throws AppError 401 when none waits (any more), 400 for a wrong answer, 403 for a banned account, 429 after too many
 */
export async function finishSecondStep(em: Em, request: SigningIn, input: SecondStepInput): Promise<UserDto> {
  const { app, now, address, deviceCookie } = request;
  const pending = await requirePending(em, request);
  const { userId } = pending;
  const device = app.knownDevice.nameFor(deviceCookie, userId, now);
  const limits = secondStepLimits(app.env.AUTH_ATTEMPTS_PER_MINUTE, { userId, address, device });
  return countFailure(
    em,
    limits,
    () => answerPending(em, request, pending, input),
    (usedUp) => recordLimits(em, request, userId, usedUp),
  );
}

async function answerPending(
  em: Em,
  request: SigningIn,
  pending: PendingSignIn,
  input: SecondStepInput,
): Promise<UserDto> {
  const { app, now, address, userAgent, setCookie } = request;
  const { userId, way } = pending;
  const [second, take] = await readAnswer(em, request, pending, input);
  const { remembered, pending: pendingCookie } = app.secondFactorCookies;
  const held = remembered.read(request.rememberedCookie);
  const refusal = REFUSALS[second]();
  try {
    const { user, cookies } = await transact(app.orm.em.fork(), async (tx) => {
      await shareBans(tx);
      await takePending(tx, pending);
      if (!(await take(tx))) throw refusal;
      await refuseBannedAccount(tx, userId);
      const session = await openSession(tx, request, userId, { way, second });
      const tokens = input.isRemembered ? await rememberDevice(tx, { userId, userAgent, held }, now) : null;
      const found = await findUser(tx, userId);
      return {
        user: presentUser(viewerOf(found)),
        cookies: [session, ...(tokens === null ? [] : [remembered.serialize(tokens)])],
      };
    });
    for (const cookie of [...cookies, pendingCookie.blank()]) setCookie(cookie);
    setCookie(app.knownDevice.remember(request.deviceCookie, userId, now));
    app.log.info({ userId, way, second, address }, 'signed in');
    return user;
  } catch (error) {
    if (error === refusal) {
      app.log.info({ userId, second, address }, 'sign-in refused: wrong second factor');
      const device = describeDevice(userAgent);
      const failed = { type: 'second_factor.failed', userId, second, address, device } as const;
      await transact(em, async (tx) => emit(tx, failed));
    }
    throw error;
  }
}
