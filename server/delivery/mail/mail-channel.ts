/** Email as a channel of deliveries: composed for its recipient, and handed to the SMTP server. */
import type { InviteLinks } from '#server/accounts/invite-links.ts';
import type { Channel } from '#server/delivery/sender.ts';
import type { Env } from '#server/platform/env.ts';
import { MAIL_KINDS, type MailKind } from '#shared/vocabulary.ts';
import { composeMail, readSender } from './compose.ts';
import type { MailLinks } from './mail-links.ts';
import { subjectOf, writeHtml, writeText } from './rules/letter.ts';
import type { Mailer } from './transport.ts';

interface Sender {
  env: Pick<Env, 'PUBLIC_URL'>;
  inviteLinks: InviteLinks;
  mailLinks: MailLinks;
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
