/** Operational tables: idempotency keys, counted attempts, the audit log. */
import { defineEntity } from '@mikro-orm/core';
import { createdAt, id } from './base.ts';
import { freeJson, json, p, text } from './columns.ts';
import { none, owner, personal, quotes, shown } from './personal.ts';
import { User } from './user.ts';

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
