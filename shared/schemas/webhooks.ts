/** Schemas of webhooks and their deliveries, for admins. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { ADMIN_PAGE_SIZE, PAGE_SIZE, WEBHOOKS } from '#shared/limits.ts';
import { DELIVERY_STATES, SENT_EVENTS, WEBHOOK_EVENT_NAMES } from '#shared/webhook-events.ts';
import { count, idInput, isoInstant, optionalText, pageFields, rowId, safeText, wholeNumber } from './common.ts';

const webhookEventsInput = z
  .array(z.enum(WEBHOOK_EVENT_NAMES, { error: copy.webhookEventFromList }), { error: copy.webhookEventsRequired })
  .min(1, copy.webhookEventsRequired)
  .max(WEBHOOK_EVENT_NAMES.length, copy.webhookEventFromList)
  .transform((events) => WEBHOOK_EVENT_NAMES.filter((name) => events.includes(name)))
  .meta({ description: 'Events to send.', examples: [['order.issued', 'order.answered']] });

const webhookUrl = safeText(WEBHOOKS.urlLength, { missing: copy.webhookUrlRequired })
  .refine((url) => url !== '', copy.webhookUrlRequired)
  .meta({
    description: 'Address that events are posted to: https, and public.',
    examples: ['https://hooks.example.org/marshal'],
  });
const note = 'Note for admins, such as what the receiver does.';
const EVENTS = { examples: [['order.issued', 'order.answered']] };
const eventNames = z.array(z.enum(WEBHOOK_EVENT_NAMES));
const webhookId = idInput.meta({ description: 'Id of the webhook.' });

const webhookFields = {
  url: webhookUrl,
  events: webhookEventsInput,
  description: optionalText(WEBHOOKS.descriptionLength)
    .optional()
    .meta({ description: note, examples: ['Roster sheet'] }),
};
export const createWebhookInput = z
  .object(webhookFields)
  .meta({ id: 'CreateWebhook', description: 'A webhook to create.' });
export type CreateWebhookInput = z.infer<typeof createWebhookInput>;

export const updateWebhookInput = z
  .object({
    id: webhookId,
    ...webhookFields,
    enabled: z
      .boolean({ error: copy.trueOrFalse })
      .meta({ description: 'False pauses the webhook: events that happen meanwhile are not sent later.' }),
  })
  .meta({ id: 'UpdateWebhook', description: 'A webhook with its changes.' });
export type UpdateWebhookInput = z.infer<typeof updateWebhookInput>;

export const webhookInput = z.object({ id: webhookId });

const previousSecretUntil = isoInstant.meta({ description: 'Until then, the former secret signs each request too.' });

export const webhook = z
  .object({
    id: rowId.meta({ description: 'Id of the webhook.' }),
    url: z
      .string()
      .meta({ description: 'Address that events are posted to.', examples: ['https://hooks.example.org/marshal'] }),
    description: z
      .string()
      .nullable()
      .meta({ description: note, examples: ['Roster sheet'] }),
    events: eventNames.meta({ description: 'Events that are sent.', ...EVENTS }),
    enabled: z.boolean().meta({ description: 'False for a webhook that is paused or disabled.' }),
    disabledReason: z.string().nullable().meta({
      description: 'Why Marshal has disabled the webhook; null when it is enabled or an admin has paused it.',
    }),
    failingSince: isoInstant
      .nullable()
      .meta({ description: 'First failed attempt since the last success; null when the last delivery succeeded.' }),
    waiting: count.meta({ description: 'Deliveries that are still to be sent.', examples: [0] }),
    previousSecretUntil: previousSecretUntil.nullable(),
    createdAt: isoInstant.meta({ description: 'When the webhook was created.' }),
  })
  .meta({ id: 'Webhook', description: 'An address to which events are posted, without its secret.' });
export type WebhookDto = z.infer<typeof webhook>;

const secret = z
  .string()
  .meta({ description: 'Signing secret, answered only once.', examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] });

export const createdWebhook = webhook
  .extend({ secret })
  .meta({ id: 'CreatedWebhook', description: 'A new webhook with its secret.' });
export type CreatedWebhookDto = z.infer<typeof createdWebhook>;

export const rotatedSecret = z
  .object({ secret, previousSecretUntil })
  .meta({ id: 'RotatedSecret', description: 'The new secret of a webhook.' });

export const deliveriesInput = z.object({
  id: webhookId,
  page: wholeNumber(1, 1_000_000, copy.pageRange).default(1).meta({ description: 'Page, from 1.' }),
  pageSize: wholeNumber(PAGE_SIZE.min, PAGE_SIZE.max, copy.pageSizeRange)
    .default(ADMIN_PAGE_SIZE)
    .meta({ description: 'Deliveries per page.' }),
});

export const deliveryInput = z.object({
  id: webhookId,
  deliveryId: idInput.meta({ description: 'Id of the delivery.' }),
});

export const webhookDelivery = z
  .object({
    id: rowId.meta({ description: 'Id of the delivery.' }),
    eventId: z.string().meta({
      description: 'Id of the event, which is sent as `webhook-id`: the same when the event is sent again.',
      examples: ['0192c0de-7a11-7c3e-9d21-5f0e8a4b6c01'],
    }),
    type: z.enum(SENT_EVENTS).meta({ description: 'Type of the event.' }),
    occurredAt: isoInstant.meta({ description: 'When the event happened.' }),
    missionId: rowId.nullable().meta({ description: 'Id of the mission; null for an event without one.' }),
    state: z.enum(DELIVERY_STATES).meta({ description: 'Waiting for an attempt, delivered, or given up.' }),
    attempts: count.meta({ description: 'Requests so far.', examples: [1] }),
    responseStatus: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the last answer; null without one.', examples: [200] }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why the last attempt failed; null when it succeeded, and before the first one.' }),
    nextAttemptAt: isoInstant.nullable().meta({ description: 'Next attempt; null when there is none.' }),
    deliveredAt: isoInstant.nullable().meta({ description: 'When the receiver accepted the event.' }),
    isReplay: z.boolean().meta({ description: 'True for a delivery that an admin has asked for.' }),
    createdAt: isoInstant.meta({ description: 'When the delivery was enqueued.' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'An event on its way to a webhook.' });
export type WebhookDeliveryDto = z.infer<typeof webhookDelivery>;

export const deliveriesPage = z
  .object({
    deliveries: z.array(webhookDelivery).meta({ description: 'Deliveries of the page, the newest first.' }),
    ...pageFields('Deliveries', { total: 48, pageSize: 20 }),
  })
  .meta({ id: 'DeliveriesPage', description: 'A page of the log of a webhook.' });
