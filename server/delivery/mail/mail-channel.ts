/** Email as a channel of deliveries: composed when it is sent, from what the database says then, and handed to the SMTP server. */
import { issuePasswordLink, passwordUrl } from '#server/accounts/password-links.ts';
import { findAdmission } from '#server/accounts/admission.ts';
import { identityOf, isBanned } from '#server/accounts/ban-check.ts';
import { readCommunity } from '#server/accounts/community.ts';
import { emailKey, shownEmail } from '#server/accounts/email.ts';
import type { InviteLinks } from '#server/accounts/invite-links.ts';
import type { Channel } from '#server/delivery/sender.ts';
import type { Env } from '#server/platform/env.ts';
import { AppError } from '#server/platform/errors.ts';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { DAY_MS, MINUTE_MS } from '#server/time/time.ts';
import { MAIL, PASSWORD_LINK_DAYS } from '#shared/limits.ts';
import { MAIL_KINDS, type MailKind } from '#shared/vocabulary.ts';
import { findOptOuts } from './invite-mail.ts';
import { addressHash, type MailLinks } from './mail-links.ts';
import { composeOrderMail } from './order-mail.ts';
import { composeDigestMail } from './digest-mail.ts';
import { composeRequestMail } from './request-mail.ts';
import { composeSecurityMail } from './security-mail.ts';
import { composeReminderMail, composeTurnoutMail } from './reminder-mail.ts';
import {
  inviteLetter,
  passwordLetter,
  testLetter,
  verificationLetter,
  welcomeLetter,
} from './rules/account-letters.ts';
import { type Letter, subjectOf, writeHtml, writeText } from './rules/letter.ts';
import type { Mailer } from './transport.ts';

/** What composing needs of the process. */
interface Composer {
  publicUrl: string;
  inviteLinks: InviteLinks;
  mailLinks: MailLinks;
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

interface Composed {
  to: string;
  letter: Letter;
}

/** The account of an email, if it still has an address. */
async function findAccount(em: Em, mail: ClaimedMail) {
  const select = db(em)
    .selectFrom('app_user as u')
    .select(({ ref }) => [
      'u.id',
      'u.email',
      'u.display_name as displayName',
      ms(ref('u.email_verified_at')).as('verifiedMs'),
    ])
    .where('u.erased_at', 'is', null);
  const account =
    mail.userId === null
      ? await select.where('u.email_key', '=', emailKey(mail.address ?? '')).executeTakeFirst()
      : await select.where('u.id', '=', mail.userId).executeTakeFirst();
  return account && shownEmail(account.email) !== '' ? account : null;
}

/** The account of an email, unless it is banned: a ban may be made while the email waits. */
async function findRecipient(em: Em, mail: ClaimedMail) {
  const account = await findAccount(em, mail);
  return account && !(await isBanned(em, await identityOf(em, account.id))) ? account : null;
}

/** @returns the name of the community, or Marshal */
async function readSender(em: Em): Promise<string> {
  return (await readCommunity(em)).name ?? 'Marshal';
}

/** An invite, if it still lets somebody in and its recipient has neither joined nor unsubscribed, and is not banned. */
async function composeInvite(em: Em, composer: Composer, mail: ClaimedMail, now: Date): Promise<Composed | null> {
  const { address: to, subjectId: inviteId } = mail;
  if (to === null || inviteId === null) return null;
  const admission = await findAdmission(em, inviteId, now).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  const isRefused = async () => (await findOptOuts(em, [to])).size > 0 || (await isBanned(em, { email: to }));
  if (admission === null || (await findAccount(em, mail)) !== null || (await isRefused())) return null;
  const letter = inviteLetter({
    community: await readSender(em),
    invitedBy: admission.invite?.invitedBy ?? null,
    url: composer.inviteLinks.urlOf(inviteId),
    unsubscribeUrl: composer.mailLinks.unsubscribeUrl({ choice: 'invites', subject: addressHash(to) }),
  });
  return { to, letter };
}

/**
 * Compose an email for its recipient. Personal links are made here, so that their tokens are never stored; each replaces the
 * one before.
 * @returns null if nobody is to get it any longer
 */
async function composeMail(em: Em, composer: Composer, mail: ClaimedMail, now: Date): Promise<Composed | null> {
  if (mail.kind === 'invite') return composeInvite(em, composer, mail, now);
  const { publicUrl, mailLinks } = composer;
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
    case 'verification': {
      if (recipient.verifiedMs !== null) return null;
      const expiresMs = now.getTime() + MAIL.verificationDays * DAY_MS;
      const url = mailLinks.verifyUrl({ userId: id, addressHash: addressHash(to), expiresMs });
      return { to, letter: verificationLetter({ name, community, url, email: to, days: MAIL.verificationDays }) };
    }
    case 'security': {
      const letter = await composeSecurityMail(em, { publicUrl, name, community }, mail);
      return letter && { to, letter };
    }
    case 'reminder': {
      const letter = await composeReminderMail(em, { publicUrl, mailLinks }, mail, now);
      return letter && { to, letter };
    }
    case 'turnout': {
      const letter = await composeTurnoutMail(em, { publicUrl, mailLinks }, mail, now);
      return letter && { to, letter };
    }
    case 'digest': {
      const letter = await composeDigestMail(em, { publicUrl, mailLinks }, mail, now);
      return letter && { to, letter };
    }
    case 'order': {
      const letter = await composeOrderMail(em, { publicUrl, mailLinks }, mail, now);
      return letter && { to, letter };
    }
    case 'request': {
      const letter = await composeRequestMail(em, { publicUrl, mailLinks, community }, mail, now);
      return letter && { to, letter };
    }
  }
}

interface Sender extends Omit<Composer, 'publicUrl'> {
  env: Pick<Env, 'PUBLIC_URL'>;
  mailer: Mailer;
}

const isMailKind = (kind: string): kind is MailKind => (MAIL_KINDS as readonly string[]).includes(kind);

export function createMailChannel({ env, inviteLinks, mailLinks, mailer }: Sender): Channel {
  return {
    name: 'Email',
    async prepare(em, claimed, now) {
      const { id, kind } = claimed;
      if (!isMailKind(kind)) throw new Error(`There is no email of the kind ${kind}`);
      const composer = { publicUrl: env.PUBLIC_URL, inviteLinks, mailLinks };
      const composed = await composeMail(em, composer, { ...claimed, kind }, now);
      if (composed === null) return null;
      const { to, letter } = composed;
      const from = await readSender(em);
      const mail = {
        // the same in every attempt, so that a repetition can be recognized
        messageId: `<${id}@${mailer.domain}>`,
        to,
        subject: subjectOf(letter),
        text: writeText(letter, from),
        html: writeHtml(letter, from),
        ...(letter.unsubscribe && { unsubscribeUrl: letter.unsubscribe.url }),
      };
      return () => mailer.send(mail);
    },
  };
}
