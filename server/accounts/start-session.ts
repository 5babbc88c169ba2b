/** Starts the session of a sign-in by password, registration, link or Discord. */
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Log } from '#server/platform/log.ts';
import type { KnownDevice } from './known-device.ts';
import type { Sessions } from './sessions.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { describeDevice } from '#server/accounts/rules/device.ts';
import type { UserDto } from '#shared/schemas/auth.ts';
import type { SignInWay } from '#shared/vocabulary.ts';
import { refuseBannedAccount, shareBans } from './ban-check.ts';
import { recordAudit } from '#server/signals/audit.ts';

/** The request of a sign-in. */
interface SigningIn {
  app: { orm: MikroORM; log: Log; sessions: Sessions; knownDevice: KnownDevice };
  now: Date;
  address: string;
  userAgent: string | null;
  /** the session that the browser still has */
  sessionToken: string | null;
  deviceCookie: string | null;
  setCookie(cookie: string): void;
}

/**
 * Sign a user in: the check and the new session are one transaction. 403 for a banned account, however it signs in.
 * @param admit decides which user to sign in and locks the rows that this depends on. A concurrent password change or
 * deleted link therefore either comes first and is seen, or waits and ends the new session too.
 */
export async function startSession<Entry extends { user: UserDto }>(
  { app, now, address, userAgent, sessionToken, deviceCookie, setCookie }: SigningIn,
  way: SignInWay,
  admit: (tx: Em) => Promise<Entry>,
): Promise<Entry> {
  const { entry, cookie } = await transact(app.orm.em.fork(), async (tx) => {
    await shareBans(tx);
    const admitted = await admit(tx);
    const { id } = admitted.user;
    await refuseBannedAccount(tx, id);
    // end the session that the browser still had, so that nobody can plant one before a sign-in
    if (sessionToken !== null) await app.sessions.end(sessionToken, tx);
    const started = await app.sessions.create(id, { userAgent, em: tx });
    recordAudit(tx, { id }, 'signed_in', { type: 'user', id }, { way, address, device: describeDevice(userAgent) });
    return { entry: admitted, cookie: started.cookie };
  });
  setCookie(cookie);
  setCookie(app.knownDevice.remember(deviceCookie, entry.user.id, now));
  app.log.info({ userId: entry.user.id, way, address }, 'signed in');
  return entry;
}
