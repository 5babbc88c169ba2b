/** Starts the session of a sign-in by password, registration, link or Discord, or asks for the account's second factor first. */
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Env } from '#server/platform/env.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Log } from '#server/platform/log.ts';
import type { Sealer } from '#server/platform/sealed.ts';
import type { KnownDevice } from './known-device.ts';
import type { Sessions } from './sessions.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { describeDevice } from '#server/accounts/rules/device.ts';
import type { UserDto } from '#shared/schemas/auth.ts';
import type { SecondFactor, SignInWay } from '#shared/vocabulary.ts';
import { refuseBannedAccount, shareBans } from './ban-check.ts';
import { emit } from '#server/signals/emit.ts';
import type { SecondFactorCookies } from './second-factor/cookies.ts';
import { beginPendingSignIn, passwordMarkOf } from './second-factor/pending-sign-ins.ts';
import { isRemembered } from './second-factor/remembered-devices.ts';

/** The request of a sign-in. */
export interface SigningIn {
  app: {
    env: Env;
    orm: MikroORM;
    log: Log;
    sealer: Sealer;
    sessions: Sessions;
    knownDevice: KnownDevice;
    secondFactorCookies: SecondFactorCookies;
  };
  now: Date;
  address: string;
  userAgent: string | null;
  /** the session that the browser still has */
  sessionToken: string | null;
  deviceCookie: string | null;
  /** the token of the sign-in that waits for its second factor */
  pendingCookie: string | null;
  rememberedCookie: string | null;
  setCookie(cookie: string): void;
}

interface How {
  way: SignInWay;
  /** the second factor, or the device that is remembered in its place; null for an account without one */
  second: SecondFactor | 'device' | null;
}

/** False for the first sign-in ever, and for one by a browser that has signed in to the account before. */
async function isNewDevice(tx: Em, { app, deviceCookie, now }: SigningIn, userId: string, way: SignInWay) {
  if (way === 'registration' || app.knownDevice.nameFor(deviceCookie, userId, now) !== null) return false;
  const seen = await db(tx).selectFrom('last_seen').select('user_id').where('user_id', '=', userId).executeTakeFirst();
  return seen !== undefined;
}

/**
 * Open a session, in the transaction that has verified the sign-in and has locked the user. The account hears of a new
 * device, by email and on its other devices.
 * @returns the session's cookie
 */
export async function openSession(tx: Em, request: SigningIn, userId: string, { way, second }: How): Promise<string> {
  const { app, address, userAgent, sessionToken } = request;
  // end the session that the browser still had, so that nobody can plant one before a sign-in
  if (sessionToken !== null) await app.sessions.end(sessionToken, tx);
  const { cookie, token } = await app.sessions.create(userId, { userAgent, isByDevice: second === 'device', em: tx });
  const isNew = await isNewDevice(tx, request, userId, way);
  if (isNew) await app.sessions.markNew(token, tx);
  emit(tx, { type: 'session.started', userId, way, second, address, device: describeDevice(userAgent), isNew });
  return cookie;
}

interface SignInOptions {
  /** ask for the second factor even where the device is remembered */
  withSecondFactor: boolean;
}

/** Decides, in the transaction of a sign-in, whether the account has a second factor and this browser is remembered. Locks it. */
async function findSecondStep(
  tx: Em,
  { app, rememberedCookie, now }: SigningIn,
  userId: string,
  { withSecondFactor }: SignInOptions,
) {
  const account = await db(tx)
    .selectFrom('app_user')
    .select(({ eb }) => ['password_hash as passwordHash', eb('second_factor_at', 'is not', null).as('hasFactor')])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const passwordMark = passwordMarkOf(account.passwordHash);
  if (!account.hasFactor) return { isAsked: false, second: null, passwordMark };
  const held = app.secondFactorCookies.remembered.read(rememberedCookie);
  const isKnown = !withSecondFactor && (await isRemembered(tx, userId, held, now));
  return { isAsked: !isKnown, second: isKnown ? ('device' as const) : null, passwordMark };
}

/**
 * Sign a user in: the check and the new session are one transaction. 403 for a banned account, however it signs in.
 * @param admit decides which user to sign in and locks the rows that this depends on. A concurrent password change or
 * deleted link therefore either comes first and is seen, or waits and ends the new session too.
 * @throws AppError 401 SECOND_FACTOR_REQUIRED when the account has a second factor: the sign-in waits for it
 */
export async function startSession<Entry extends { user: UserDto }>(
  request: SigningIn,
  way: SignInWay,
  admit: (tx: Em) => Promise<Entry>,
  options: SignInOptions = { withSecondFactor: false },
): Promise<Entry> {
  const { app, now, address, deviceCookie, setCookie } = request;
  const { entry, cookie, pendingToken } = await transact(app.orm.em.fork(), async (tx) => {
    await shareBans(tx);
    const admitted = await admit(tx);
    const { id } = admitted.user;
    await refuseBannedAccount(tx, id);
    const { isAsked, second, passwordMark } = await findSecondStep(tx, request, id, options);
    // what the first step has used up, such as a link, stays used up
    if (isAsked) {
      const token = await beginPendingSignIn(tx, { userId: id, way, passwordMark }, now);
      return { entry: admitted, cookie: null, pendingToken: token };
    }
    return { entry: admitted, cookie: await openSession(tx, request, id, { way, second }), pendingToken: null };
  });
  const { id: userId } = entry.user;
  if (cookie === null) {
    setCookie(app.secondFactorCookies.pending.serialize(pendingToken));
    app.log.info({ userId, way, address }, 'sign-in waiting for the second factor');
    throw new AppError('SECOND_FACTOR_REQUIRED');
  }
  setCookie(cookie);
  setCookie(app.knownDevice.remember(deviceCookie, userId, now));
  app.log.info({ userId, way, address }, 'signed in');
  return entry;
}
