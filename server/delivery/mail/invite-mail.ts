/** Email that admins send: invites to addresses, personal links to accounts, and a test. */
import { mailLimits } from '#server/accounts/attempt-limits.ts';
import { findAdmission } from '#server/accounts/admission.ts';
import { loadBanCheck } from '#server/accounts/ban-check.ts';
import { emailKey } from '#server/accounts/email.ts';
import { findLinkAccounts } from '#server/accounts/password-links.ts';
import type { RequireFresh } from '#server/accounts/fresh-session.ts';
import { selectInvites } from '#server/accounts/invites.ts';
import { AppError } from '#server/platform/errors.ts';
import { countAttempts } from '#server/platform/attempts.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import { copy } from '#shared/copy.ts';
import type { SendInviteInput, SentInvitesDto } from '#shared/schemas/mail.ts';
import { addressHash } from './mail-links.ts';
import { requireMail, type MailParts } from './requests.ts';

/** Each address once, as it was entered first. */
const distinct = (addresses: readonly string[]) =>
  [...new Map(addresses.toReversed().map((address) => [emailKey(address), address])).values()].toReversed();

/** The hashes of those addresses that want no invites. */
export async function findOptOuts(em: Em, addresses: readonly string[]): Promise<Set<string>> {
  const rows = await db(em)
    .selectFrom('mail_opt_out')
    .select('address_hash as hash')
    .where(isOneOf('address_hash', addresses.map(addressHash)))
    .execute();
  return new Set(rows.map(({ hash }) => hash));
}

/** Send an invite to addresses. Those that have an account, are banned or want no invites are left out, and named in the answer. */
export async function sendInvite(
  em: Em,
  app: MailParts,
  viewer: Viewer,
  { id, addresses }: SendInviteInput,
  requireFresh: RequireFresh,
  now: Date,
): Promise<SentInvitesDto> {
  requireMail(app);
  return transact(em, async (tx) => {
    const invite = await selectInvites(tx).where('i.id', '=', id).executeTakeFirst();
    if (!invite) throw new AppError('INVITE_NOT_FOUND');
    if (invite.role === 'admin') await requireFresh(tx);
    await findAdmission(tx, id, now);
    const entered = distinct(addresses);
    const members = await db(tx)
      .selectFrom('app_user')
      .select('email_key as key')
      .where(isOneOf('email_key', entered.map(emailKey)))
      .execute();
    const known = new Set(members.map(({ key }) => key));
    const optOuts = await findOptOuts(tx, entered);
    const isBanned = await loadBanCheck(tx);
    const leftOut = entered.flatMap((address): SentInvitesDto['leftOut'] => {
      if (known.has(emailKey(address))) return [{ address, reason: 'account' }];
      if (isBanned({ email: address })) return [{ address, reason: 'banned' }];
      return optOuts.has(addressHash(address)) ? [{ address, reason: 'unsubscribed' }] : [];
    });
    const isLeftOut = new Set(leftOut.map(({ address }) => address));
    const invited = entered.filter((address) => !isLeftOut.has(address));
    if (invited.length > 0)
      emit(tx, { type: 'invite.sent', by: viewer, invite: { id, name: invite.name }, addresses: invited });
    return { queued: invited.length, leftOut };
  });
}

/** Send each account a personal link to set its password. The same refusals as for links that an admin copies. */
export async function sendPasswordLinks(
  em: Em,
  app: MailParts,
  viewer: Viewer,
  ids: readonly string[],
): Promise<{ queued: number }> {
  requireMail(app);
  return transact(em, async (tx) => {
    const accounts = await findLinkAccounts(tx, viewer, ids);
    emit(tx, { type: 'password.links_sent', by: viewer, userIds: accounts.map(({ id }) => id) });
    return { queued: accounts.length };
  });
}

/** Send the admin a test. 409 without an address. */
export async function sendTestMail(em: Em, app: MailParts, viewer: Viewer): Promise<void> {
  requireMail(app);
  if (viewer.email === '') throw new AppError('EMAIL_REQUIRED', copy.emailMissing);
  await countAttempts(em, mailLimits(app.env.AUTH_ATTEMPTS_PER_MINUTE, 'test', viewer.id));
  await transact(em, async (tx) => emit(tx, { type: 'test_mail.requested', userId: viewer.id }));
}
