/** The text of an email, composed when it is sent from what the database says then. */
import { issuePasswordLink, passwordUrl } from '#server/accounts/password-links.ts';
import { readCommunity } from '#server/accounts/community.ts';
import { emailKey, shownEmail } from '#server/accounts/email.ts';
import type { InviteLinks } from '#server/accounts/invite-links.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { DAY_MS, MINUTE_MS } from '#server/time/time.ts';
import { MAIL, PASSWORD_LINK_DAYS } from '#shared/limits.ts';
import type { MailKind } from '#shared/vocabulary.ts';
import type { Letter } from './rules/letter.ts';
import { passwordLetter, testLetter, welcomeLetter } from './rules/account-letters.ts';

/** What composing needs of the process. */
export interface Composer {
  publicUrl: string;
  inviteLinks: InviteLinks;
}

/** A claimed email. */
export interface ClaimedMail {
  id: string;
  kind: MailKind;
  userId: string | null;
  address: string | null;
  subjectId: string | null;
  topic: string | null;
}

export interface Composed {
  to: string;
  letter: Letter;
}

/** The account of an email, if it still has an address. */
async function findRecipient(em: Em, mail: ClaimedMail) {
  const select = db(em)
    .selectFrom('app_user as u')
    .select(['u.id', 'u.email', 'u.display_name as displayName', 'u.time_zone as timeZone'])
    .where('u.erased_at', 'is', null);
  const account =
    mail.userId === null
      ? await select.where('u.email_key', '=', emailKey(mail.address ?? '')).executeTakeFirst()
      : await select.where('u.id', '=', mail.userId).executeTakeFirst();
  return account && shownEmail(account.email) !== '' ? account : null;
}

/** @returns the name of the community, or Marshal */
export async function readSender(em: Em): Promise<string> {
  return (await readCommunity(em)).name ?? 'Marshal';
}

/**
 * Compose an email for its recipient. Personal links are made here, so that their tokens are never stored; each replaces the
 * one before.
 * @returns null if nobody is to get it any longer
 */
export async function composeMail(
  em: Em,
  { publicUrl }: Composer,
  mail: ClaimedMail,
  now: Date,
): Promise<Composed | null> {
  const recipient = await findRecipient(em, mail);
  if (recipient === null) return null;
  const { id, email: to, displayName: name } = recipient;
  const community = await readSender(em);
  const linkFor = async (lifetimeMs: number) =>
    passwordUrl(publicUrl, await transact(em, (tx) => issuePasswordLink(tx, id, lifetimeMs, now)));
  switch (mail.kind) {
    case 'password': {
      const url = await linkFor(MAIL.passwordMinutes * MINUTE_MS);
      return { to, letter: passwordLetter({ name, community, url, minutes: MAIL.passwordMinutes }) };
    }
    case 'welcome': {
      const url = await linkFor(PASSWORD_LINK_DAYS * DAY_MS);
      return { to, letter: welcomeLetter({ name, community, url, email: to, days: PASSWORD_LINK_DAYS }) };
    }
    case 'test':
      return { to, letter: testLetter({ community, url: `${publicUrl}/admin/settings` }) };
    case 'verification':
    case 'invite':
    case 'order':
    case 'digest':
      return null;
  }
}
