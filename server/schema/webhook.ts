/** Webhooks: the addresses that admins register, the events of the outbox, and the delivery of each event to each address. */
import { defineEntity, p } from '@mikro-orm/core';
import {
  DELIVERY_STATES,
  SENT_EVENTS,
  type DeliveryState,
  type SentEvent,
  type WebhookEvent,
} from '#shared/webhook-events.ts';
import { createdAt, id, oneOf, updatedAt } from './base.ts';
import { User } from './user.ts';

export const WebhookSchema = defineEntity({
  name: 'Webhook',
  properties: {
    id: id(),
    url: p.text(),
    description: p.text().nullable(),
    events: p.array().columnType('text[]').$type<WebhookEvent[]>(),
    isEnabled: p.boolean().default(true),
    /** events before this are not sent: when it was created, enabled, or its events were changed */
    listensSince: p.datetime(),
    /** why Marshal has disabled it; null when it is enabled or an admin has paused it */
    disabledReason: p.text().nullable(),
    /** the first failed attempt since the last success; null for none */
    failingSince: p.datetime().nullable(),
    /** `whsec_…`, in the clear, because it signs what is sent */
    secret: p.text(),
    /** the secret before the last rotation, which signs beside the new one until `previousSecretUntil` */
    previousSecret: p.text().nullable(),
    previousSecretUntil: p.datetime().nullable(),
    createdBy: () => p.manyToOne(User).nullable().deleteRule('set null'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
});
export class Webhook extends WebhookSchema.class {}
WebhookSchema.setClass(Webhook);

/** An event that at least one webhook wants, with its data as they were when it happened. */
export const WebhookEventSchema = defineEntity({
  name: 'WebhookEvent',
  properties: {
    /** also the id by which receivers recognize an event that they get twice */
    id: id(),
    type: p.text().$type<SentEvent>(),
    /** events of one stream reach a webhook in their order: the id of a mission, or of the event itself */
    stream: p.text(),
    /** set for events that happen once, such as the end of a mission */
    dedupeKey: p.text().nullable().unique(),
    data: p.json<Record<string, unknown>>(),
    occurredAt: p.datetime(),
    createdAt: createdAt().index('webhook_event_created_at_idx'),
  },
  checks: [{ name: 'webhook_event_type_known', expression: oneOf('type', SENT_EVENTS) }],
});
export class WebhookEventRow extends WebhookEventSchema.class {}
WebhookEventSchema.setClass(WebhookEventRow);

/** An event on its way to one webhook; sending it again by hand adds another row. */
export const WebhookDeliverySchema = defineEntity({
  name: 'WebhookDelivery',
  properties: {
    id: id(),
    webhook: () => p.manyToOne(Webhook).deleteRule('cascade'),
    event: () => p.manyToOne(WebhookEventRow).deleteRule('cascade').index('webhook_delivery_event_idx'),
    /** of the event */
    stream: p.text(),
    /** the order in which a stream is sent */
    seq: p.bigint('number').autoincrement().unique(),
    isReplay: p.boolean().default(false),
    state: p.text().$type<DeliveryState>().default('waiting'),
    attempts: p.smallint().default(0),
    /** due from then on; null when it is no longer waiting */
    nextAttemptAt: p.datetime().nullable(),
    responseStatus: p.smallint().nullable(),
    /** the last failure, as a sentence */
    errorMessage: p.text().nullable(),
    deliveredAt: p.datetime().nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'webhook_delivery_recent_idx', properties: ['webhook', 'seq'] },
    {
      name: 'webhook_delivery_waiting_idx',
      expression: `create index "webhook_delivery_waiting_idx" on "webhook_delivery" ("webhook_id", "stream", "seq") where state = 'waiting'`,
    },
  ],
  checks: [{ name: 'webhook_delivery_state_known', expression: oneOf('state', DELIVERY_STATES) }],
});
export class WebhookDelivery extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDelivery);
