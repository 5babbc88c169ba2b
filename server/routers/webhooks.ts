/** Procedures for webhooks. */
import { z } from 'zod';
import type { App } from '#server/http/context.ts';
import { adminProcedure, keyedCaller, router } from '#server/http/trpc.ts';
import { noAccess } from '#server/http/access.ts';
import { listDeliveries, replayDelivery, sendTestEvent } from '#server/webhooks/deliveries.ts';
import { createWebhook, deleteWebhook, listWebhooks, rotateSecret, updateWebhook } from '#server/webhooks/webhooks.ts';
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
  list: adminProcedure.output(z.array(webhook)).query(({ ctx }) => listWebhooks(ctx.em, ctx.now)),

  create: adminProcedure
    .meta(noAccess)
    .input(createWebhookInput)
    .output(createdWebhook)
    .mutation(({ ctx, input }) => createWebhook(ctx.em, ctx.viewer, input, addressRules(ctx.app), keyedCaller(ctx))),

  update: adminProcedure
    .meta(noAccess)
    .input(updateWebhookInput)
    .output(webhook)
    .mutation(({ ctx, input }) => updateWebhook(ctx.em, ctx.viewer, input, addressRules(ctx.app), ctx.now)),

  remove: adminProcedure
    .meta(noAccess)
    .input(webhookInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await deleteWebhook(ctx.em, ctx.viewer, input.id);
      return { success: true } as const;
    }),

  rotateSecret: adminProcedure
    .meta(noAccess)
    .input(webhookInput)
    .output(rotatedSecret)
    .mutation(({ ctx, input }) => rotateSecret(ctx.em, ctx.viewer, input.id, ctx.now)),

  deliveries: adminProcedure
    .input(deliveriesInput)
    .output(deliveriesPage)
    .query(({ ctx, input }) => listDeliveries(ctx.em, input)),

  replay: adminProcedure
    .meta(noAccess)
    .input(deliveryInput)
    .output(webhookDelivery)
    .mutation(({ ctx, input }) => replayDelivery(ctx.em, input, keyedCaller(ctx))),

  test: adminProcedure
    .meta(noAccess)
    .input(webhookInput)
    .output(webhookDelivery)
    .mutation(({ ctx, input }) => sendTestEvent(ctx.em, input.id, keyedCaller(ctx))),
});
