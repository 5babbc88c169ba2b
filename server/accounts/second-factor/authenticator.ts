/** Authenticator apps: time-based one-time codes (TOTP, RFC 6238), each of which works once. */
import { Secret, TOTP } from 'otpauth';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { secondFactorChangeLimits } from '#server/accounts/attempt-limits.ts';
import { readCommunity } from '#server/accounts/community.ts';
import { shownEmail } from '#server/accounts/email.ts';
import { holdSession } from '#server/accounts/sessions.ts';
import { AppError } from '#server/platform/errors.ts';
import { countFailure } from '#server/platform/attempts.ts';
import type { Sealer } from '#server/platform/sealed.ts';
import { emit } from '#server/signals/emit.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import { AUTHENTICATOR } from '#shared/limits.ts';
import type { NewAuthenticatorDto } from '#shared/schemas/second-factor.ts';
import { proveOwner, type OwnerRequest } from './owner-proof.ts';
import { settleAdded, settleRemoved } from './state.ts';

/** 160 bits, as RFC 4226 recommends. */
const KEY_BYTES = 20;
/** The algorithm of the codes: the one that every authenticator app supports. */
const ALGORITHM = 'SHA1';
/** Steps before and after the present one whose codes count, because clocks differ and people type slowly. */
const WINDOW = 1;
const { digits, periodSeconds: period } = AUTHENTICATOR;

/** The address that apps read from a QR code (Key URI Format). @param key base32 */
function addressOf(issuer: string, label: string, key: string): string {
  const fields = { issuer, algorithm: ALGORITHM, digits, period, secret: key };
  const search = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(label)}?${search.join('&')}`;
}

/** @param key base32 @returns the time step of a code; null for a wrong one */
export function findStep(key: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const secret = Secret.fromBase32(key);
  const delta = TOTP.validate({ token: code, secret, algorithm: ALGORITHM, digits, period, timestamp, window: WINDOW });
  return delta === null ? null : TOTP.counter({ period, timestamp }) + delta;
}

type Request = OwnerRequest & { app: { sealer: Sealer } };

/**
 * Begin the set-up with a new key, in place of one that was never confirmed.
 * @throws AppError as `proveOwner`; 409 for an account that has an app
 */
export async function beginAuthenticator(
  request: Request,
  currentPassword: string | undefined,
): Promise<NewAuthenticatorDto> {
  const { em, app, viewer, sessionToken, now } = request;
  await proveOwner(request, 'set-up', currentPassword);
  const secret = new Secret({ size: KEY_BYTES });
  const key = secret.base32;
  await transact(em, async (tx) => {
    await holdSession(tx, viewer.id, sessionToken ?? '');
    const fields = { sealed_key: app.sealer.seal(key, viewer.id), created_at: now };
    const begun = await db(tx)
      .insertInto('authenticator')
      .values({ user_id: viewer.id, last_step: 0, confirmed_at: null, ...fields })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet(fields).where('authenticator.confirmed_at', 'is', null),
      )
      .returning('user_id')
      .executeTakeFirst();
    if (!begun) throw new AppError('AUTHENTICATOR_EXISTS');
  });
  const issuer = (await readCommunity(em)).name ?? 'Marshal';
  const label = shownEmail(viewer.email) || (viewer.displayName ?? 'Pilot');
  return { key, uri: addressOf(issuer, label, key) };
}

/**
 * Confirm the app with its first code: from now on sign-ins ask for one.
 * @returns recovery codes, if the account had none; 400 for a wrong code, 429 after too many, 404 unless a set-up was begun
 */
export async function confirmAuthenticator(request: Request, code: string): Promise<string[] | null> {
  const { em, app, viewer } = request;
  const limits = secondFactorChangeLimits(app.env.AUTH_ATTEMPTS_PER_MINUTE, 'set-up', viewer.id);
  return countFailure(em, limits, () => takeFirstCode(request, code));
}

async function takeFirstCode(request: Request, code: string): Promise<string[] | null> {
  const { em, app, viewer, sessionToken, now } = request;
  return transact(em, async (tx) => {
    await holdSession(tx, viewer.id, sessionToken ?? '');
    const begun = await db(tx)
      .selectFrom('authenticator')
      .select('sealed_key as sealedKey')
      .where('user_id', '=', viewer.id)
      .where('confirmed_at', 'is', null)
      .where('created_at', '>', new Date(now.getTime() - AUTHENTICATOR.setUpMinutes * MINUTE_MS))
      .executeTakeFirst();
    if (!begun) throw new AppError('AUTHENTICATOR_NOT_FOUND');
    const step = findStep(app.sealer.open(begun.sealedKey, viewer.id), code, now);
    if (step === null) throw new AppError('CODE_WRONG', copy.codeWrong, { field: 'code' });
    await db(tx)
      .updateTable('authenticator')
      .set({ confirmed_at: now, last_step: step })
      .where('user_id', '=', viewer.id)
      .execute();
    emit(tx, { type: 'authenticator.added', userId: viewer.id });
    return settleAdded(tx, viewer, now);
  });
}

/** Remove the app; without a passkey the second factor is then off. 404 for an account without an app. */
export async function removeAuthenticator(request: Request, currentPassword: string | undefined): Promise<void> {
  const { em, viewer, sessionToken } = request;
  await proveOwner(request, 'removal', currentPassword);
  await transact(em, async (tx) => {
    await holdSession(tx, viewer.id, sessionToken ?? '');
    const removed = await db(tx)
      .deleteFrom('authenticator')
      .where('user_id', '=', viewer.id)
      .where('confirmed_at', 'is not', null)
      .returning('user_id')
      .executeTakeFirst();
    if (!removed) throw new AppError('AUTHENTICATOR_NOT_FOUND');
    emit(tx, { type: 'authenticator.removed', userId: viewer.id });
    await settleRemoved(tx, viewer);
  });
}

/** Use up a code, in the caller's transaction, which has locked the user. @returns false for one that is wrong or was used */
export async function takeCode(tx: Em, sealer: Sealer, userId: string, code: string, now: Date): Promise<boolean> {
  const app = await db(tx)
    .selectFrom('authenticator')
    .select(['sealed_key as sealedKey', 'last_step as lastStep'])
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  if (!app) return false;
  const step = findStep(sealer.open(app.sealedKey, userId), code, now);
  if (step === null || step <= app.lastStep) return false;
  await db(tx).updateTable('authenticator').set({ last_step: step }).where('user_id', '=', userId).execute();
  return true;
}
