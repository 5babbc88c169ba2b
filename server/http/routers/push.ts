/** Procedures for a pilot's push devices. */
import { z } from 'zod';
import { getPushKey, listSubscriptions, subscribe, unsubscribe } from '#server/delivery/push/devices.ts';
import { sendTestPush } from '#server/delivery/push/push-sender.ts';
import { pilotProcedure, router, signedInProcedure } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import { sessionOnly } from '#server/http/access.ts';
import { success } from '#shared/schemas/common.ts';
import { pushKey, pushSubscription, pushTestResult, subscribeInput, unsubscribeInput } from '#shared/schemas/push.ts';

export const pushRouter = router({
  key: pilotProcedure
    .meta(
      rest('get', '/pilot/push/key', {
        id: 'getPushKey',
        tag: 'Notifications',
        summary: 'Get the public key for push',
        description: 'A browser needs it to subscribe.',
      }),
    )
    .output(pushKey)
    .query(({ ctx }) => getPushKey(ctx.em)),

  subscriptions: pilotProcedure
    .meta(
      rest('get', '/pilot/push/subscriptions', {
        id: 'listPushDevices',
        tag: 'Notifications',
        summary: 'List push devices',
        answer: 'Devices that receive notifications.',
      }),
    )
    .meta(sessionOnly)
    .output(z.array(pushSubscription))
    .query(({ ctx }) => listSubscriptions(ctx.em, ctx.viewer)),

  subscribe: pilotProcedure
    .meta(
      rest('post', '/pilot/push/subscriptions', {
        status: 201,
        id: 'addPushDevice',
        tag: 'Notifications',
        summary: 'Send notifications to a device',
        description: "Takes a browser's push subscription. It ends with the session that made it.",
        refusals: ['SUBSCRIPTION_ELSEWHERE', 'LIMIT_REACHED'],
      }),
    )
    .meta(sessionOnly)
    .input(subscribeInput)
    .output(pushSubscription)
    .mutation(({ ctx, input }) =>
      subscribe(ctx.em, ctx.viewer, input, {
        env: ctx.app.env,
        userAgent: ctx.userAgent,
        now: ctx.now,
        sessionToken: ctx.sessionToken ?? '',
      }),
    ),

  // A suspended pilot may turn notifications off too.
  unsubscribe: signedInProcedure
    .meta(
      rest('delete', '/pilot/push/subscriptions', {
        id: 'removePushDevice',
        tag: 'Notifications',
        summary: 'Stop notifications to a device',
        description: 'Suspended pilots may do this, too. Succeeds also when the device is unknown.',
      }),
    )
    .meta(sessionOnly)
    .input(unsubscribeInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await unsubscribe(ctx.em, ctx.viewer, input.endpoint);
      return { success: true } as const;
    }),

  test: pilotProcedure
    .meta(
      rest('post', '/pilot/push/test', {
        id: 'testPush',
        tag: 'Notifications',
        summary: "Send a test to one's own devices",
      }),
    )
    .meta(sessionOnly)
    .output(pushTestResult)
    .mutation(({ ctx }) => sendTestPush(ctx.em, ctx.app, ctx.viewer)),
});
