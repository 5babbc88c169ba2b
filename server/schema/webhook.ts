/** Webhooks: the addresses that admins register, and the events that are sent to them. */
import { defineEntity } from '@mikro-orm/core';
import { SENT_EVENTS, type SentEvent, type WebhookEvent } from '#shared/webhook-events.ts';
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
    data: freeJson<Record<string, unknown>>(
      ['name', 'callSign', 'notes', 'reason', 'text'],
      quotes('people', 'as long as the log of deliveries'),
    ),
    occurredAt: p.datetime(),
    createdAt: createdAt().index('webhook_event_created_at_idx'),
  },
  checks: [{ name: 'webhook_event_type_known', expression: oneOf('type', SENT_EVENTS) }],
});
export class WebhookEventRow extends WebhookEventSchema.class {}
WebhookEventSchema.setClass(WebhookEventRow);
