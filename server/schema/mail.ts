/** Email: the outbox, and the addresses that want no invites. */
import { defineEntity } from '@mikro-orm/core';
import { MAIL_KINDS, MAIL_STATES, type MailKind, type MailState } from '#shared/vocabulary.ts';
import { createdAt, id, oneOf } from './base.ts';
import { freeText, p, text } from './columns.ts';
import { none, owner, personal, quotes, shown } from './personal.ts';
import { User } from './user.ts';

/** An email to send. Its text is composed when it is sent, and never stored. */
export const MailMessageSchema = defineEntity({
  name: 'MailMessage',
  properties: {
    /** also in the Message-ID, by which a repetition can be recognized */
    id: id(),
    kind: text(shown('kind')).$type<MailKind>(),
    /** the account it is for, whose address is read when it is sent */
    user: () =>
      personal(p.manyToOne(User).nullable().deleteRule('cascade').index('mail_message_user_idx'), owner('account')),
    /** the address as it was entered, for an email to no account; deleted when the email has been sent or dropped */
    address: text(owner('address')).nullable(),
    /** the order, invite, reminder or audit entry it is about, or the Sunday of a digest */
    subjectId: text(none).nullable(),
    /** what has happened to the order */
    topic: text(none).nullable(),
    /** another one with this key joins the row while it is queued */
    dedupeKey: text(none).nullable(),
    state: text(shown('state')).$type<MailState>().default('queued'),
    attempts: p.smallint().default(0),
    /** due from then on; while it is being sent, when its sender is given up for dead; null when it is over */
    nextAttemptAt: p.datetime().nullable(),
    /** of no use afterwards */
    deadlineAt: p.datetime(),
    /** the SMTP server's last refusal: its code, and the failure as a sentence */
    responseStatus: p.smallint().nullable(),
    errorMessage: freeText(300, quotes('marks', 'until admins have had time to read it')).nullable(),
    sentAt: personal(p.datetime().nullable(), shown('sentAt')),
    createdAt: personal(createdAt(), shown('queuedAt')),
  },
  uniques: [
    {
      name: 'mail_message_one_queued',
      expression: `create unique index "mail_message_one_queued" on "mail_message" ("dedupe_key") where state = 'queued'`,
    },
  ],
  indexes: [
    {
      name: 'mail_message_waiting_idx',
      expression: `create index "mail_message_waiting_idx" on "mail_message" ("next_attempt_at") where state in ('queued', 'sending')`,
    },
    { name: 'mail_message_recent_idx', properties: ['state', 'createdAt'] },
    { name: 'mail_message_subject_idx', properties: ['subjectId'] },
  ],
  checks: [
    { name: 'mail_message_kind_known', expression: oneOf('kind', MAIL_KINDS) },
    { name: 'mail_message_state_known', expression: oneOf('state', MAIL_STATES) },
  ],
});
export class MailMessage extends MailMessageSchema.class {}
MailMessageSchema.setClass(MailMessage);

/** An address without an account whose owner wants no more invites. */
export const MailOptOutSchema = defineEntity({
  name: 'MailOptOut',
  properties: {
    /** SHA-256 of the address's key, hex: the list names nobody */
    addressHash: text(none).primary(),
    createdAt: createdAt(),
  },
});
export class MailOptOut extends MailOptOutSchema.class {}
MailOptOutSchema.setClass(MailOptOut);
