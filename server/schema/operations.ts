/** Operational tables: the Discord outbox, idempotency keys, counted attempts, the audit log. */
import { defineEntity } from '@mikro-orm/core';
import { OUTBOX_STATES } from '#shared/vocabulary.ts';
import { createdAt, id, oneOf, updatedAt } from './base.ts';
import { freeJson, freeText, json, p, text } from './columns.ts';
import { none, owner, personal, quotes, shown } from './personal.ts';
import { Guild } from './guild.ts';
import { User } from './user.ts';

export type OutboxState = (typeof OUTBOX_STATES)[number];

/**
 * Kinds of message: the registration announcement, a pilot's order (a direct message that edits keep up to date), a public
 * mention of a pilot whose direct messages are closed, news of a mission with open seats, a guild scheduled event, a reminder of a mission,
 * the card of a mission in a server's missions channel, the welcome after the bot was installed, a warning of too few pilots to the
 * mission's creator, news of the open missions of a published week, an admin's message to pilots who want
 * community news, the thread of a mission's card.
 */
export const OUTBOX_KINDS = [
  'registration',
  'order',
  'mention',
  'news',
  'event',
  'reminder',
  'card',
  'welcome',
  'turnout',
  'week',
  'community',
  'thread',
] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

const KEPT_IN_OUTBOX = 'for 90 days after the last change';

/** The thread of a mission's card as Discord shows it. */
export interface ThreadState {
  name: string;
  /** the members that Marshal has added; others came by themselves and stay */
  members: string[];
  /** pilots who fly but are not in the server, as Discord said */
  strangers: string[];
  isArchived: boolean;
}

export const OutboxMessageSchema = defineEntity({
  name: 'OutboxMessage',
  properties: {
    id: id(),
    kind: text(none).$type<OutboxKind>(),
    /** a second request joins the row that is still waiting to be sent */
    dedupeKey: text(none),
    guild: () => p.manyToOne(Guild).nullable().deleteRule('cascade'),
    channelId: text(none).nullable(),
    discordUserId: text(owner('discord id')).nullable(),
    /** the order, mission, published week or community message it is about */
    subjectId: text(none).nullable(),
    payload: json<Record<string, unknown>>(quotes('people', KEPT_IN_OUTBOX)),
    state: text(none).$type<OutboxState>().default('queued'),
    attempts: p.smallint().default(0),
    /** the first attempt: Discord remembers a nonce only for a short time after it */
    firstTriedAt: p.datetime().nullable(),
    /** the last call to Discord about it: a mission's card is edited at most every few seconds */
    calledAt: p.datetime().nullable(),
    /** id of the sent message or scheduled event; once there is one, sending again edits it */
    messageId: text(none).nullable(),
    /** hash of the content that Discord shows; null if that is unknown, so that it is edited whatever it says */
    shown: text(none).nullable(),
    /** counts the messages that replaced one another: each has a nonce of its own, by which Discord knows it from the others */
    posting: p.smallint().default(0),
    /** when it was found deleted in Discord, or its event was called off: nothing takes its place */
    removedAt: p.datetime().nullable(),
    /** for a thread */
    thread: json<ThreadState>(quotes('thread', KEPT_IN_OUTBOX)).nullable(),
    errorMessage: freeText(300, quotes('marks', KEPT_IN_OUTBOX)).nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [
    {
      name: 'outbox_message_one_waiting',
      expression: `create unique index "outbox_message_one_waiting" on "outbox_message" ("dedupe_key") where state in ('queued', 'sending')`,
    },
    {
      // an order, or a mission in a guild, keeps one message for ever
      name: 'outbox_message_one_kept',
      expression: `create unique index "outbox_message_one_kept" on "outbox_message" ("dedupe_key") where kind in ('order', 'event', 'news', 'reminder', 'card', 'week', 'community', 'thread')`,
    },
  ],
  indexes: [
    { name: 'outbox_message_subject_idx', properties: ['subjectId'] },
    {
      name: 'outbox_message_waiting_idx',
      expression: `create index "outbox_message_waiting_idx" on "outbox_message" ("created_at", "id") where state in ('queued', 'sending')`,
    },
  ],
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
    user: () => personal(p.manyToOne(User).primary().deleteRule('cascade'), owner('account')),
    key: text(none).primary(),
    requestHash: text(none),
    answer: json<unknown>(quotes('people', 'for 24 hours')),
    createdAt: createdAt().index('idempotency_key_created_at_idx'),
  },
});
export class IdempotencyKey extends IdempotencyKeySchema.class {}
IdempotencyKeySchema.setClass(IdempotencyKey);

/** Counted attempts (sign-ins and others) per bucket and minute, which survive a restart. */
export const AttemptSchema = defineEntity({
  name: 'Attempt',
  properties: {
    bucket: text(none).primary(),
    minute: p.datetime().primary(),
    count: p.integer(),
  },
});
export class Attempt extends AttemptSchema.class {}
AttemptSchema.setClass(Attempt);

/** Steps of jobs that failed when they last ran, of which admins are told. */
export const FailingStepSchema = defineEntity({
  name: 'FailingStep',
  properties: {
    job: text(none).primary(),
    /** in the words that admins read */
    step: text(none).primary(),
    since: p.datetime(),
  },
});
export class FailingStep extends FailingStepSchema.class {}
FailingStepSchema.setClass(FailingStep);

export const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  properties: {
    id: id(),
    actor: () => p.manyToOne(User).nullable().deleteRule('set null'),
    action: text(shown('action')),
    subjectType: text(shown('subjectType')),
    subjectId: text(shown('subjectId')),
    detail: freeJson<Record<string, unknown>>(
      ['name', 'device', 'label', 'from', 'to', 'reason', 'title'],
      quotes('people', 'as long as the audit log', { as: 'detail', about: 'subjectId' }),
    ),
    occurredAt: personal(createdAt(), shown('occurredAt')),
  },
  indexes: [
    { name: 'audit_entry_recent_idx', properties: ['occurredAt', 'id'] },
    { name: 'audit_entry_subject_idx', properties: ['subjectType', 'subjectId'] },
    { name: 'audit_entry_subject_id_idx', properties: ['subjectId'] },
    { name: 'audit_entry_actor_idx', properties: ['actor'] },
    { name: 'audit_entry_action_idx', properties: ['action', 'occurredAt'] },
    // counts are read from it alone
    { name: 'audit_entry_kind_idx', properties: ['action', 'subjectType'] },
    {
      name: 'audit_entry_words_idx',
      expression: `create index "audit_entry_words_idx" on "audit_entry" using gin (jsonb_to_tsvector('simple'::regconfig, detail, '["string"]'::jsonb))`,
    },
  ],
});
export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);
