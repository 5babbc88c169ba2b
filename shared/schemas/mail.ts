/** Schemas of email: verification, unsubscribing, invites by email, and the log that admins read. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { LISTED_MAX, MAIL, PASSWORD_LINKS_MAX } from '#shared/limits.ts';
import { MAIL_CHOICES, MAIL_KINDS } from '#shared/vocabulary.ts';
import { count, emailInput, flagInput, idInput, isoInstant, rowId, safeText } from './common.ts';

const TOKEN_MAX_LENGTH = 300;
const linkToken = (invalid: string) =>
  safeText(TOKEN_MAX_LENGTH, { missing: invalid, tooLong: invalid })
    .refine((value) => value !== '', invalid)
    .meta({ description: 'Token at the end of the link.', minLength: 1, examples: ['b3BlbiBzZXNhbWU'] });

const choice = z.enum(MAIL_CHOICES).meta({ description: 'The kind of email.', examples: ['orders'] });

export const mailAccount = z
  .object({
    isOffered: z.boolean().meta({ description: 'True when the server sends email and the account has an address.' }),
    verifiedAt: isoInstant.nullable().meta({ description: 'When the address was verified; null before.' }),
  })
  .meta({ id: 'MailAccount', description: "The state of the caller's address." });
export type MailAccountDto = z.infer<typeof mailAccount>;

export const verifyAddressInput = z.object({ token: linkToken(copy.verificationInvalid) });

export const setSubscriptionInput = z.object({
  token: linkToken(copy.unsubscribeInvalid),
  isWanted: flagInput.meta({ description: 'False to get no more of this kind; true to undo that.' }),
});
export const mailSubscription = z
  .object({ choice, isWanted: z.boolean().meta({ description: 'Whether this kind is sent from now on.' }) })
  .meta({ id: 'MailSubscription', description: 'Whether one kind of email is sent.' });
export type MailSubscriptionDto = z.infer<typeof mailSubscription>;

const address = z.string().meta({ description: 'The address as it was entered.', examples: ['viper@example.org'] });

export const sendInviteInput = z
  .object({
    id: idInput.meta({ description: 'Id of the invite.' }),
    addresses: z
      .array(emailInput.meta({ description: 'Address to send it to.', examples: ['viper@example.org'] }), {
        error: copy.invalidInput,
      })
      .min(1, copy.addressesMissing)
      .max(MAIL.addresses, copy.addressesTooMany)
      .meta({ description: 'Addresses to send it to.' }),
  })
  .meta({ id: 'SendInvite', description: 'The addresses that get an invite.' });
export type SendInviteInput = z.infer<typeof sendInviteInput>;
export const sentInvites = z
  .object({
    queued: count.meta({ description: 'How many emails will be sent.', examples: [12] }),
    leftOut: z
      .array(
        z.object({
          address,
          reason: z.enum(['account', 'banned', 'unsubscribed']).meta({
            description:
              '`account`: it has an account. `banned`: it is banned. `unsubscribed`: its owner wants no invites.',
          }),
        }),
      )
      .meta({ description: 'Addresses that get none.' }),
  })
  .meta({ id: 'SentInvites', description: 'What became of the addresses.' });
export type SentInvitesDto = z.infer<typeof sentInvites>;

export const sendPasswordLinksInput = z.object({
  ids: z
    .array(idInput, { error: copy.invalidInput })
    .min(1, copy.textMissing)
    .max(PASSWORD_LINKS_MAX, copy.passwordLinksTooMany)
    .meta({ description: 'Ids of accounts.' }),
});
export const sentPasswordLinks = z
  .object({ queued: count.meta({ description: 'How many emails will be sent.', examples: [28] }) })
  .meta({ id: 'SentPasswordLinks', description: 'How many personal links will be sent.' });

const mailFailure = z
  .object({
    id: rowId.meta({ description: 'Id of the email, which is also in its Message-ID.' }),
    kind: z.enum(MAIL_KINDS).meta({ description: 'What it is about.', examples: ['order'] }),
    to: z.string().meta({ description: 'Its address.', examples: ['viper@example.org'] }),
    attempts: count.meta({ description: 'Attempts made so far.', examples: [3] }),
    error: z.string().meta({
      description: 'The last failure, as a sentence.',
      examples: ['The mail server answered: 550 no such mailbox'],
    }),
    isOver: z.boolean().meta({ description: 'True when it is not tried again.' }),
    queuedAt: isoInstant.meta({ description: 'When it was to be sent first.' }),
    nextAttemptAt: isoInstant.nullable().meta({ description: 'When it is tried again; null when it is not.' }),
  })
  .meta({ id: 'MailFailure', description: 'An email that was not sent.' });

export const mailLog = z
  .object({
    isOffered: z.boolean().meta({ description: 'True when the server sends email.' }),
    from: z
      .string()
      .nullable()
      .meta({ description: 'The sender; null without email.', examples: ['ops@example.org'] }),
    server: z
      .string()
      .nullable()
      .meta({
        description: 'Host and port of the mail server; null without email.',
        examples: ['mail.example.org:587'],
      }),
    waiting: count.meta({ description: 'How many wait to be sent.', examples: [0] }),
    sent: count.meta({ description: 'How many were sent in the last 7 days.', examples: [120] }),
    failed: count.meta({ description: 'How many failed for good in the last 7 days.', examples: [1] }),
    failures: z
      .array(mailFailure)
      .max(LISTED_MAX.mailFailures)
      .meta({ description: 'The last failures, the newest first.' }),
  })
  .meta({ id: 'MailLog', description: 'Email as admins see it.' });
export type MailLogDto = z.infer<typeof mailLog>;
