/** Procedures for email: verification, unsubscribing, and what admins send and see. */
import { attemptBuckets } from '#server/accounts/attempt-limits.ts';
import { adminProcedure, publicProcedure, router, signedInProcedure } from '#server/http/trpc.ts';
import { freshSession, freshSessionByRow, freshSessionOf, noAccess } from '#server/http/access.ts';
import { sendInvite, sendPasswordLinks, sendTestMail } from '#server/mail/invite-mail.ts';
import { readMailLog } from '#server/mail/mail-log.ts';
import { setSubscription } from '#server/mail/subscriptions.ts';
import { readMailAccount, sendVerification, verifyAddress } from '#server/mail/verification.ts';
import { countAttempt } from '#server/platform/rate-limit.ts';
import { success } from '#shared/schemas/common.ts';
import {
  mailAccount,
  mailLog,
  mailSubscription,
  sendInviteInput,
  sendPasswordLinksInput,
  sentInvites,
  sentPasswordLinks,
  setSubscriptionInput,
  verifyAddressInput,
} from '#shared/schemas/mail.ts';

const SUCCESS = { success: true } as const;

export const mailRouter = router({
  account: signedInProcedure.output(mailAccount).query(({ ctx }) => readMailAccount(ctx.em, ctx.app, ctx.viewer)),

  sendVerification: signedInProcedure
    .meta(noAccess)
    .output(success)
    .mutation(async ({ ctx }) => {
      await sendVerification(ctx.em, ctx.app, ctx.viewer);
      return SUCCESS;
    }),

  verify: publicProcedure
    .input(verifyAddressInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await countAttempt(ctx.em, attemptBuckets.address(ctx.address), ctx.app.env.AUTH_ATTEMPTS_PER_MINUTE);
      await verifyAddress(ctx.em, ctx.app.mailLinks, input.token, ctx.now);
      return SUCCESS;
    }),

  setSubscription: publicProcedure
    .input(setSubscriptionInput)
    .output(mailSubscription)
    .mutation(({ ctx, input }) => setSubscription(ctx.em, ctx.app.mailLinks, input, ctx.now)),
});

export const adminMailRouter = router({
  log: adminProcedure.output(mailLog).query(({ ctx }) => readMailLog(ctx.em, ctx.app)),

  test: adminProcedure
    .meta(noAccess)
    .output(success)
    .mutation(async ({ ctx }) => {
      await sendTestMail(ctx.em, ctx.app, ctx.viewer);
      return SUCCESS;
    }),

  sendInvite: adminProcedure
    .meta(freshSessionByRow)
    .input(sendInviteInput)
    .output(sentInvites)
    .mutation(({ ctx, input }) => sendInvite(ctx.em, ctx.app, ctx.viewer, input, freshSessionOf(ctx), ctx.now)),

  sendPasswordLinks: adminProcedure
    .meta(freshSession)
    .input(sendPasswordLinksInput)
    .output(sentPasswordLinks)
    .mutation(({ ctx, input }) => sendPasswordLinks(ctx.em, ctx.app, ctx.viewer, input.ids)),
});
