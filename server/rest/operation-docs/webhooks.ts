/** Documentation of the calls for webhooks. */
import type { OperationDocs, ProcedureName } from './docs.ts';

export const WEBHOOK_DOCS = {
  'admin.webhooks.list': {
    id: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'List webhooks',
    answer: 'Webhooks without their secrets, the oldest first.',
  },
  'admin.webhooks.create': {
    id: 'createWebhook',
    tag: 'Webhooks',
    summary: 'Create a webhook',
    description:
      'The answer holds the signing secret, which cannot be read again. The address must be public and use https. An installation can have 20 webhooks.',
    refusals: ['LIMIT_REACHED'],
  },
  'admin.webhooks.update': {
    id: 'updateWebhook',
    tag: 'Webhooks',
    summary: 'Change, pause or enable a webhook',
    refusals: ['WEBHOOK_NOT_FOUND'],
  },
  'admin.webhooks.remove': {
    id: 'deleteWebhook',
    tag: 'Webhooks',
    summary: 'Delete a webhook',
    description: 'Deletes its log too. Events that are waiting are not sent.',
    refusals: ['WEBHOOK_NOT_FOUND'],
  },
  'admin.webhooks.rotateSecret': {
    id: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Rotate the signing secret',
    description: 'For 24 hours, requests are signed with both secrets.',
    answer: 'The new secret, which cannot be read again.',
    refusals: ['WEBHOOK_NOT_FOUND'],
  },
  'admin.webhooks.deliveries': {
    id: 'listWebhookDeliveries',
    tag: 'Webhooks',
    summary: 'List the deliveries of a webhook',
    answer: 'A page of deliveries, newest first.',
    refusals: ['WEBHOOK_NOT_FOUND'],
  },
  'admin.webhooks.replay': {
    id: 'replayWebhookDelivery',
    tag: 'Webhooks',
    summary: 'Send a delivery again',
    description: 'The event keeps its id.',
    answer: 'The new delivery.',
    refusals: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND', 'DELIVERY_WAITING', 'WEBHOOK_PAUSED'],
  },
  'admin.webhooks.test': {
    id: 'testWebhook',
    tag: 'Webhooks',
    summary: 'Send a test event',
    answer: 'The delivery of the test event.',
    refusals: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_PAUSED'],
  },
} as const satisfies Record<Extract<ProcedureName, `admin.webhooks.${string}`>, OperationDocs>;
