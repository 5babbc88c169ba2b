/** Ends every way into an account that stood before its password was reset or changed. */
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { endSessionsOf } from './sessions.ts';

/** The session and the notified device that stay after a password change: those it was made from. */
export interface KeptWays {
  sessionToken: string | null;
  pushEndpoint: string | null;
}

/**
 * End sessions, sign-in links that nobody used, the calendar's link and the devices that are notified, in the transaction
 * that writes the new password. Write it first: it locks the user, and whoever is about to come in by an old way waits for
 * that lock and then finds the way gone.
 */
export async function endWaysIn(tx: Em, userId: string, kept: KeptWays | null = null): Promise<void> {
  await endSessionsOf(tx, userId, kept?.sessionToken ?? null);
  await endSignInLinks(tx, userId);
  await db(tx).deleteFrom('calendar_feed').where('user_id', '=', userId).execute();
  await db(tx)
    .deleteFrom('push_subscription')
    .where('user_id', '=', userId)
    .where('endpoint', 'is distinct from', kept?.pushEndpoint ?? null)
    .execute();
}

/** End the links into an account that nobody used. */
export async function endSignInLinks(tx: Em, userId: string): Promise<void> {
  await db(tx).deleteFrom('sign_in_link').where('user_id', '=', userId).where('used_at', 'is', null).execute();
}
