/** Schemas of webhooks and their deliveries, for admins. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { ADMIN_PAGE_SIZE, PAGE_SIZE, WEBHOOKS } from '#shared/limits.ts';
import { DELIVERY_STATES, SENT_EVENTS, WEBHOOK_EVENT_NAMES } from '#shared/webhook-events.ts';
import { idInput, isoInstant, optionalText, safeText, wholeNumber } from './common.ts';

const webhookEventsInput = z
  .array(z.enum(WEBHOOK_EVENT_NAMES, { error: copy.webhookEventFromList }), { error: copy.webhookEventsRequired })
  .min(1, copy.webhookEventsRequired)
  .max(WEBHOOK_EVENT_NAMES.length, copy.webhookEventFromList)
  .transform((events) => WEBHOOK_EVENT_NAMES.filter((name) => events.includes(name)));

export const createWebhookInput = z.object({
  /** Address that events are posted to: https, and public. */
  url: safeText(WEBHOOKS.urlLength, { missing: copy.webhookUrlRequired }).refine(
    (url) => url !== '',
    copy.webhookUrlRequired,
  ),
  /** Events to send. */
  events: webhookEventsInput,
  /** Note for admins, such as what the receiver does. */
  description: optionalText(WEBHOOKS.descriptionLength).optional(),
});
export type CreateWebhookInput = z.infer<typeof createWebhookInput>;

export const updateWebhookInput = createWebhookInput.extend({
  id: idInput,
  /** False pauses the webhook: events that happen meanwhile are not sent later. */
  enabled: z.boolean({ error: copy.trueOrFalse }),
});
export type UpdateWebhookInput = z.infer<typeof updateWebhookInput>;

export const webhookInput = z.object({ id: idInput });

export const webhook = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(z.enum(WEBHOOK_EVENT_NAMES)),
  enabled: z.boolean(),
  /** Why Marshal has disabled the webhook; null when it is enabled or an admin has paused it. */
  disabledReason: z.string().nullable(),
  /** The first failed attempt since the last success; null when the last delivery succeeded. */
  failingSince: isoInstant.nullable(),
  /** Number of deliveries that are still to be sent. */
  waiting: z.number(),
  /** After a rotation: until when the former secret signs, too; otherwise null. */
  previousSecretUntil: isoInstant.nullable(),
  createdAt: isoInstant,
});
export type WebhookDto = z.infer<typeof webhook>;

/** A secret is only shown here. */
export const createdWebhook = webhook.extend({
  /** Signing secret (`whsec_…`), shown only once. */
  secret: z.string(),
});
export type CreatedWebhookDto = z.infer<typeof createdWebhook>;

export const rotatedSecret = z.object({
  /** New signing secret (`whsec_…`), shown only once. */
  secret: z.string(),
  /** Until then, each request also has a signature by the former secret. */
  previousSecretUntil: isoInstant,
});

export const deliveriesInput = z.object({
  id: idInput,
  page: wholeNumber(1, 1_000_000, copy.pageRange).default(1),
  pageSize: wholeNumber(PAGE_SIZE.min, PAGE_SIZE.max, copy.pageSizeRange).default(ADMIN_PAGE_SIZE),
});

export const deliveryInput = z.object({ id: idInput, deliveryId: idInput });

export const webhookDelivery = z.object({
  id: z.string(),
  /** Id of the event: the same when it is sent again, so that receivers can recognize it. */
  eventId: z.string(),
  type: z.enum(SENT_EVENTS),
  occurredAt: isoInstant,
  /** Mission of the event; null for events without one. */
  missionId: z.string().nullable(),
  state: z.enum(DELIVERY_STATES),
  /** Number of requests so far. */
  attempts: z.number(),
  /** Status of the last answer; null without one. */
  responseStatus: z.number().nullable(),
  /** Why the last attempt failed; null when it succeeded, and before the first one. */
  error: z.string().nullable(),
  /** Time of the next attempt; null when there is none. */
  nextAttemptAt: isoInstant.nullable(),
  deliveredAt: isoInstant.nullable(),
  /** True for a delivery that an admin has asked for. */
  isReplay: z.boolean(),
  createdAt: isoInstant,
});
export type WebhookDeliveryDto = z.infer<typeof webhookDelivery>;

export const deliveriesPage = z.object({
  /** Deliveries, newest first. */
  deliveries: z.array(webhookDelivery),
  total: z.number(),
  page: z.number(),
  pageSize: z.number(),
});
