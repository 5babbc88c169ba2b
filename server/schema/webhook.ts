/** Webhooks: the addresses that admins register, the events of the outbox, and the delivery of each event to each address. */
import { defineEntity } from '@mikro-orm/core';
import {
  DELIVERY_STATES,
  SENT_EVENTS,
  type DeliveryState,
  type SentEvent,
  type WebhookEvent,
} from '#shared/webhook-events.ts';
import { createdAt, id, oneOf, updatedAt } from './base.ts';
import { freeJson, freeText, p, text, texts } from './columns.ts';
import { none, quotes } from './personal.ts';
import { User } from './user.ts';

export const WebhookSchema = defineEntity({
  name: 'Webhook',
  properties: {
    id: id(),
    url: text(none),
    description: freeText(200, quotes('marks', 'as long as the webhook')).nullable(),
    events: texts(none).$type<WebhookEvent[]>(),
    isEnabled: p.boolean().default(true),
    /** events before this are not sent: when it was created, enabled, or its events were changed */
    listensSince: p.datetime(),
    /** why Marshal has disabled it; null when it is enabled or an admin has paused it */
    disabledReason: text(none).nullable(),
    /** the first failed attempt since the last success; null for none */
    failingSince: p.datetime().nullable(),
    /** `whsec_…`, in the clear, because it signs what is sent */
    secret: text(none),
    /** the secret before the last rotation, which signs beside the new one until `previousSecretUntil` */
    previousSecret: text(none).nullable(),
    previousSecretUntil: p.datetime().nullable(),
    createdBy: () => p.manyToOne(User).nullable().deleteRule('set null'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
});
export class Webhook extends WebhookSchema.class {}
WebhookSchema.setClass(Webhook);

const KEPT_IN_LOG = 'as long as the log of deliveries';

/** An event that at least one webhook wants, with its data as they were when it happened. */
export const WebhookEventSchema = defineEntity({
  name: 'WebhookEvent',
  properties: {
    /** also the id by which receivers recognize an event that they get twice */
    id: id(),
    type: text(none).$type<SentEvent>(),
    /** events of one stream reach a webhook in their order: the id of a mission, or of the event itself */
    stream: text(none),
    /** set for events that happen once, such as the end of a mission */
    dedupeKey: text(none).nullable().unique(),
    data: freeJson<Record<string, unknown>>(['name', 'callSign', 'notes', 'reason'], quotes('people', KEPT_IN_LOG)),
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
    stream: text(none),
    /** the order in which a stream is sent */
    seq: p.bigint('number').autoincrement().unique(),
    isReplay: p.boolean().default(false),
    state: text(none).$type<DeliveryState>().default('waiting'),
    attempts: p.smallint().default(0),
    /** due from then on; null when it is no longer waiting */
    nextAttemptAt: p.datetime().nullable(),
    responseStatus: p.smallint().nullable(),
    /** the last failure, as a sentence */
    errorMessage: freeText(300, quotes('marks', KEPT_IN_LOG)).nullable(),
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
