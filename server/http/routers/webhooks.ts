/** Procedures for webhooks. */
import { z } from 'zod';
import type { App } from '#server/http/context.ts';
import { adminProcedure, keyedCaller, router } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import { noAccess } from '#server/http/access.ts';
import { listDeliveries, replayDelivery, sendTestEvent } from '#server/delivery/webhooks/deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
} from '#server/delivery/webhooks/webhooks.ts';
import { success } from '#shared/schemas/common.ts';
import {
  createdWebhook,
  createWebhookInput,
  deliveriesInput,
  deliveriesPage,
  deliveryInput,
  rotatedSecret,
  updateWebhookInput,
  webhook,
  webhookDelivery,
  webhookInput,
} from '#shared/schemas/webhooks.ts';

const addressRules = ({ env }: App) => ({ allowPrivate: env.WEBHOOKS_ALLOW_PRIVATE });

export const webhooksRouter = router({
  list: adminProcedure
    .meta(
      rest('get', '/admin/webhooks', {
        id: 'listWebhooks',
        tag: 'Webhooks',
        summary: 'List webhooks',
        answer: 'Webhooks without their secrets, the oldest first.',
      }),
    )
    .output(z.array(webhook))
    .query(({ ctx }) => listWebhooks(ctx.em, ctx.now)),

  create: adminProcedure
    .meta(
      rest('post', '/admin/webhooks', {
        status: 201,
        id: 'createWebhook',
        tag: 'Webhooks',
        summary: 'Create a webhook',
        description:
          'The answer holds the signing secret, which cannot be read again. The address must be public and use https. An installation can have 20 webhooks.',
        refusals: ['LIMIT_REACHED'],
      }),
    )
    .meta(noAccess)
    .input(createWebhookInput)
    .output(createdWebhook)
    .mutation(({ ctx, input }) => createWebhook(ctx.em, ctx.viewer, input, addressRules(ctx.app), keyedCaller(ctx))),

  update: adminProcedure
    .meta(
      rest('put', '/admin/webhooks/:id', {
        id: 'updateWebhook',
        tag: 'Webhooks',
        summary: 'Change, pause or enable a webhook',
        refusals: ['WEBHOOK_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(updateWebhookInput)
    .output(webhook)
    .mutation(({ ctx, input }) => updateWebhook(ctx.em, ctx.viewer, input, addressRules(ctx.app), ctx.now)),

  remove: adminProcedure
    .meta(
      rest('delete', '/admin/webhooks/:id', {
        id: 'deleteWebhook',
        tag: 'Webhooks',
        summary: 'Delete a webhook',
        description: 'Deletes its log too. Events that are waiting are not sent.',
        refusals: ['WEBHOOK_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(webhookInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await deleteWebhook(ctx.em, ctx.viewer, input.id);
      return { success: true } as const;
    }),

  rotateSecret: adminProcedure
    .meta(
      rest('post', '/admin/webhooks/:id/rotate-secret', {
        id: 'rotateWebhookSecret',
        tag: 'Webhooks',
        summary: 'Rotate the signing secret',
        description: 'For 24 hours, requests are signed with both secrets.',
        answer: 'The new secret, which cannot be read again.',
        refusals: ['WEBHOOK_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(webhookInput)
    .output(rotatedSecret)
    .mutation(({ ctx, input }) => rotateSecret(ctx.em, ctx.viewer, input.id, ctx.now)),

  deliveries: adminProcedure
    .meta(
      rest('get', '/admin/webhooks/:id/deliveries', {
        id: 'listWebhookDeliveries',
        tag: 'Webhooks',
        summary: 'List the deliveries of a webhook',
        answer: 'A page of deliveries, newest first.',
        refusals: ['WEBHOOK_NOT_FOUND'],
      }),
    )
    .input(deliveriesInput)
    .output(deliveriesPage)
    .query(({ ctx, input }) => listDeliveries(ctx.em, input)),

  replay: adminProcedure
    .meta(
      rest('post', '/admin/webhooks/:id/deliveries/:deliveryId/replay', {
        status: 201,
        id: 'replayWebhookDelivery',
        tag: 'Webhooks',
        summary: 'Send a delivery again',
        description: 'The event keeps its id.',
        answer: 'The new delivery.',
        refusals: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND', 'DELIVERY_WAITING', 'WEBHOOK_PAUSED'],
      }),
    )
    .meta(noAccess)
    .input(deliveryInput)
    .output(webhookDelivery)
    .mutation(({ ctx, input }) => replayDelivery(ctx.em, input, keyedCaller(ctx))),

  test: adminProcedure
    .meta(
      rest('post', '/admin/webhooks/:id/test', {
        status: 201,
        id: 'testWebhook',
        tag: 'Webhooks',
        summary: 'Send a test event',
        answer: 'The delivery of the test event.',
        refusals: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_PAUSED'],
      }),
    )
    .meta(noAccess)
    .input(webhookInput)
    .output(webhookDelivery)
    .mutation(({ ctx, input }) => sendTestEvent(ctx.em, input.id, keyedCaller(ctx))),
});
