/**
 * Ends all access to an account after a password reset or change: sessions, access tokens, sign-in links, sign-ins that wait for
 * their second factor, remembered devices, calendar link, push devices.
 */
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { endTokensOf } from './access-tokens.ts';
import { endPendingSignInsOf } from './second-factor/pending-sign-ins.ts';
import { forgetDevicesOf } from './second-factor/remembered-devices.ts';
import { endSessionsOf } from './sessions.ts';

/** The session and push device that a password change keeps: those it was made from. */
export interface KeptAccess {
  sessionToken: string | null;
  pushEndpoint: string | null;
}

/**
 * End sessions, access tokens, unused sign-in links, waiting sign-ins, remembered devices, the calendar link and push devices, in
 * the transaction that stores the new password. The second factor itself stays.
 * Store the password first: that locks the user, so that a sign-in by an old link or password waits for the lock and then
 * fails.
 */
export async function endAccess(tx: Em, userId: string, kept: KeptAccess | null = null): Promise<void> {
  await endSessionsOf(tx, userId, kept?.sessionToken ?? null);
  await endTokensOf(tx, userId);
  await endSignInLinks(tx, userId);
  await endPendingSignInsOf(tx, userId);
  await forgetDevicesOf(tx, userId);
  await db(tx).deleteFrom('calendar_feed').where('user_id', '=', userId).execute();
  await db(tx)
    .deleteFrom('push_subscription')
    .where('user_id', '=', userId)
    .where('endpoint', 'is distinct from', kept?.pushEndpoint ?? null)
    .execute();
}

/** Delete an account's unused sign-in links. */
export async function endSignInLinks(tx: Em, userId: string): Promise<void> {
  await db(tx).deleteFrom('sign_in_link').where('user_id', '=', userId).where('used_at', 'is', null).execute();
}
