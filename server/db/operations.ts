/** Rows that keep the service honest: what is to be sent, what was asked before, who tried, who changed what. */
import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, id, oneOf, updatedAt } from './base.ts';
import { Guild } from './guild.ts';
import { User } from './user.ts';

export const OUTBOX_STATES = ['queued', 'sending', 'sent', 'failed', 'uncertain', 'cancelled'] as const;
export type OutboxState = (typeof OUTBOX_STATES)[number];

const OutboxMessageSchema = defineEntity({
  name: 'OutboxMessage',
  properties: {
    id: id(),
    /** what it is about; a second request joins the row that is still to be sent */
    dedupeKey: p.text(),
    guild: () => p.manyToOne(Guild).nullable().deleteRule('cascade'),
    channelId: p.text().nullable(),
    discordUserId: p.text().nullable(),
    payload: p.json<Record<string, unknown>>(),
    state: p.text().$type<OutboxState>().default('queued'),
    attempts: p.smallint().default(0),
    messageId: p.text().nullable(),
    errorMessage: p.text().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [
    {
      name: 'outbox_message_one_waiting',
      expression: `create unique index "outbox_message_one_waiting" on "outbox_message" ("dedupe_key") where state in ('queued', 'sending')`,
    },
  ],
  checks: [{ name: 'outbox_message_state_known', expression: oneOf('state', OUTBOX_STATES) }],
});
export class OutboxMessage extends OutboxMessageSchema.class {}
OutboxMessageSchema.setClass(OutboxMessage);

const IdempotencyKeySchema = defineEntity({
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
const AttemptSchema = defineEntity({
  name: 'Attempt',
  properties: {
    bucket: p.text().primary(),
    minute: p.datetime().primary(),
    count: p.integer(),
  },
});
export class Attempt extends AttemptSchema.class {}
AttemptSchema.setClass(Attempt);

const AuditEntrySchema = defineEntity({
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
