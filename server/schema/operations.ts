/** Rows that keep the service honest: what is to be sent, what was asked before, who tried, who changed what. */
import { defineEntity, p } from '@mikro-orm/core';
import { OUTBOX_STATES } from '#shared/vocabulary.ts';
import { createdAt, id, oneOf, updatedAt } from './base.ts';
import { Guild } from './guild.ts';
import { User } from './user.ts';

export type OutboxState = (typeof OUTBOX_STATES)[number];

/**
 * What a message is about: the public announcement, a pilot's order (a direct message that is kept true by edits), a word in
 * public to a pilot whose direct messages are closed, an open mission for who wants to hear, a guild scheduled event.
 */
export const OUTBOX_KINDS = ['registration', 'order', 'mention', 'news', 'event'] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

export const OutboxMessageSchema = defineEntity({
  name: 'OutboxMessage',
  properties: {
    id: id(),
    kind: p.text().$type<OutboxKind>(),
    /** a second request joins the row that is still to be sent */
    dedupeKey: p.text(),
    guild: () => p.manyToOne(Guild).nullable().deleteRule('cascade'),
    channelId: p.text().nullable(),
    discordUserId: p.text().nullable(),
    /** the order or mission it shows */
    subjectId: p.text().nullable(),
    payload: p.json<Record<string, unknown>>(),
    state: p.text().$type<OutboxState>().default('queued'),
    attempts: p.smallint().default(0),
    /** when Discord was asked for the first time: its memory of the nonce is short */
    firstTriedAt: p.datetime().nullable(),
    /** the message, or the scheduled event; with one, the next sending edits it */
    messageId: p.text().nullable(),
    /** a hash of what stands there */
    shown: p.text().nullable(),
    errorMessage: p.text().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [
    {
      name: 'outbox_message_one_waiting',
      expression: `create unique index "outbox_message_one_waiting" on "outbox_message" ("dedupe_key") where state in ('queued', 'sending')`,
    },
    {
      // an order, or a mission in a guild, has one message for good
      name: 'outbox_message_one_kept',
      expression: `create unique index "outbox_message_one_kept" on "outbox_message" ("dedupe_key") where kind in ('order', 'event', 'news')`,
    },
  ],
  indexes: [{ name: 'outbox_message_subject_idx', properties: ['subjectId'] }],
  checks: [
    { name: 'outbox_message_state_known', expression: oneOf('state', OUTBOX_STATES) },
    { name: 'outbox_message_kind_known', expression: oneOf('kind', OUTBOX_KINDS) },
  ],
});
export class OutboxMessage extends OutboxMessageSchema.class {}
OutboxMessageSchema.setClass(OutboxMessage);

export const IdempotencyKeySchema = defineEntity({
  name: 'IdempotencyKey',
  properties: {
    user: () => p.manyToOne(User).primary().deleteRule('cascade'),
    key: p.text().primary(),
    requestHash: p.text(),
    answer: p.json<unknown>(),
    createdAt: createdAt().index('idempotency_key_created_at_idx'),
  },
});
export class IdempotencyKey extends IdempotencyKeySchema.class {}
IdempotencyKeySchema.setClass(IdempotencyKey);

/** Sign-in attempts by address and by account, counted per minute; they survive a restart. */
export const AttemptSchema = defineEntity({
  name: 'Attempt',
  properties: {
    bucket: p.text().primary(),
    minute: p.datetime().primary(),
    count: p.integer(),
  },
});
export class Attempt extends AttemptSchema.class {}
AttemptSchema.setClass(Attempt);

export const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  properties: {
    id: id(),
    actor: () => p.manyToOne(User).nullable().deleteRule('set null'),
    action: p.text(),
    subjectType: p.text(),
    subjectId: p.text(),
    detail: p.json<Record<string, unknown>>(),
    occurredAt: createdAt(),
  },
  indexes: [
    { name: 'audit_entry_recent_idx', properties: ['occurredAt', 'id'] },
    { name: 'audit_entry_subject_idx', properties: ['subjectType', 'subjectId'] },
  ],
});
export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);
