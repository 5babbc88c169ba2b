/** Email to admins about visitors' requests: at most one an hour, which names those that came since the one before. */
import { listSlotRequests } from '#server/accounts/slot-requests.ts';
import { PLACEHOLDER_PATTERN } from '#server/accounts/email.ts';
import { db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { DAY_MS, MINUTE_MS } from '#server/time/time.ts';
import { SLOT_REQUESTS } from '#shared/schemas/slot-requests.ts';
import type { ClaimedMail } from './mail-channel.ts';
import type { MailLinks } from './mail-links.ts';
import type { NewMail } from '#server/signals/outbox.ts';
import { requestsLetter } from './rules/account-letters.ts';
import type { Letter } from './rules/letter.ts';

/** Longer than an email takes to be sent: requests that arrive meanwhile are named in the next one. */
const SENDING_MS = MINUTE_MS;

/** Admins who want email about requests. */
const selectReaders = (em: Em) =>
  db(em)
    .selectFrom('app_user as u')
    .select('u.id')
    .where(({ eb, val, fn }) => eb(val('admin'), '=', fn.any('u.roles')))
    .where('u.email_requests', '=', true)
    .where('u.email', 'not like', PLACEHOLDER_PATTERN);

/**
 * When each account was last sent email about requests; that which is being sent counts as sent now.
 * @param exceptId the email that asks
 */
async function loadLastSent(
  em: Em,
  userIds: readonly string[],
  now: Date,
  exceptId?: string,
): Promise<Map<string | null, number>> {
  const rows = await db(em)
    .selectFrom('delivery')
    .where('channel', '=', 'mail')
    .select(({ ref }) => ['user_id as userId', 'state', ms(ref('sent_at')).as('sentMs')])
    .where('kind', '=', 'request')
    .where('state', 'in', ['sending', 'sent'])
    .where(isOneOf('user_id', userIds))
    .$if(exceptId !== undefined, (select) => select.where('id', '<>', exceptId ?? ''))
    .execute();
  const last = new Map<string | null, number>();
  for (const { userId, sentMs } of rows) last.set(userId, Math.max(last.get(userId) ?? 0, sentMs ?? now.getTime()));
  return last;
}

/** An email for each admin who wants it, due an hour after the one before. One that waits covers this request, too. */
export async function mailOfRequests(tx: Em, now: Date): Promise<NewMail[]> {
  const readers = await selectReaders(tx).execute();
  const ids = readers.map(({ id }) => id);
  const last = await loadLastSent(tx, ids, now);
  return ids.map((userId) => {
    const dueMs = Math.max(now.getTime(), (last.get(userId) ?? 0) + SLOT_REQUESTS.mailMinutes * MINUTE_MS);
    return {
      kind: 'request',
      userId,
      dedupeKey: `request:${userId}`,
      dueAt: new Date(dueMs),
      deadlineAt: new Date(dueMs + DAY_MS),
    };
  });
}

/** @returns null if the account no longer wants it, or all that came since the last one have been answered */
export async function composeRequestMail(
  em: Em,
  { publicUrl, mailLinks, community }: { publicUrl: string; mailLinks: MailLinks; community: string },
  mail: ClaimedMail,
  now: Date,
): Promise<Letter | null> {
  const { userId, id } = mail;
  if (userId === null) return null;
  const reader = await selectReaders(em).where('u.id', '=', userId).executeTakeFirst();
  if (!reader) return null;
  const last = await loadLastSent(em, [userId], now, id);
  const sinceMs = (last.get(userId) ?? 0) - SENDING_MS;
  const { requests } = await listSlotRequests(em, now);
  const fresh = requests.filter(({ invitedAt, createdAt }) => invitedAt === null && Date.parse(createdAt) > sinceMs);
  if (fresh.length === 0) return null;
  return requestsLetter({
    community,
    requests: fresh,
    url: `${publicUrl}/admin/invites`,
    unsubscribeUrl: mailLinks.unsubscribeUrl({ choice: 'requests', subject: userId }),
  });
}
