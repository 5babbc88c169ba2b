/** Procedures for a pilot's push devices. */
import { z } from 'zod';
import { getPushKey, listSubscriptions, subscribe, unsubscribe } from '#server/push/devices.ts';
import { sendTestPush } from '#server/push/push-sender.ts';
import { pilotProcedure, router, signedInProcedure } from '#server/http/trpc.ts';
import { sessionOnly } from '#server/http/access.ts';
import { success } from '#shared/schemas/common.ts';
import { pushKey, pushSubscription, pushTestResult, subscribeInput, unsubscribeInput } from '#shared/schemas/push.ts';

export const pushRouter = router({
  key: pilotProcedure.output(pushKey).query(({ ctx }) => getPushKey(ctx.em)),

  subscriptions: pilotProcedure
    .meta(sessionOnly)
    .output(z.array(pushSubscription))
    .query(({ ctx }) => listSubscriptions(ctx.em, ctx.viewer)),

  subscribe: pilotProcedure
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
    .meta(sessionOnly)
    .input(unsubscribeInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await unsubscribe(ctx.em, ctx.viewer, input.endpoint);
      return { success: true } as const;
    }),

  test: pilotProcedure
    .meta(sessionOnly)
    .output(pushTestResult)
    .mutation(({ ctx }) => sendTestPush(ctx.em, ctx.app, ctx.viewer)),
});
