/** Unsubscribing by the link of an email, without signing in: for one account or address, and one kind. */
import { AppError } from '#server/platform/errors.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { User } from '#server/schema/user.ts';
import { copy } from '#shared/copy.ts';
import type { MailSubscriptionDto } from '#shared/schemas/mail.ts';
import type { MailLinks } from './mail-links.ts';

/** The choice of an account behind each kind of email; invites go to addresses without one. */
const COLUMN_OF = {
  orders: 'emailOrders',
  changes: 'emailChanges',
  reminders: 'remindByEmail',
  requests: 'emailRequests',
  digest: 'emailDigest',
} as const;

async function setOptOut(em: Em, hash: string, isWanted: boolean, now: Date): Promise<void> {
  if (isWanted) {
    await db(em).deleteFrom('mail_opt_out').where('address_hash', '=', hash).execute();
    return;
  }
  await db(em)
    .insertInto('mail_opt_out')
    .values({ address_hash: hash, created_at: now })
    .onConflict((conflict) => conflict.column('address_hash').doNothing())
    .execute();
}

/**
 * End or restore what a link is about. Doing it again changes nothing.
 * @param isWanted false to unsubscribe, true to undo it
 * @returns the kind; 400 for a link that this installation did not make, or whose account is gone
 */
export async function setSubscription(
  em: Em,
  links: MailLinks,
  { token, isWanted }: { token: string; isWanted: boolean },
  now: Date,
): Promise<MailSubscriptionDto> {
  const subscription = links.openUnsubscribe(token);
  const invalid = new AppError('LINK_INVALID', copy.unsubscribeInvalid);
  if (subscription === null) throw invalid;
  const { choice, subject } = subscription;
  if (choice === 'invites') {
    await setOptOut(em, subject, isWanted, now);
  } else {
    const changed = await em.nativeUpdate(User, { id: subject, erasedAt: null }, { [COLUMN_OF[choice]]: isWanted });
    if (changed === 0) throw invalid;
  }
  return { choice, isWanted };
}
