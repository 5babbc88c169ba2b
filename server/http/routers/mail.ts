/** Procedures for email: verification, unsubscribing, and what admins send and see. */
import { attemptBuckets } from '#server/accounts/attempt-limits.ts';
import { adminProcedure, publicProcedure, router, signedInProcedure } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import { freshSession, freshSessionByRow, freshSessionOf, noAccess } from '#server/http/access.ts';
import { sendInvite, sendPasswordLinks, sendTestMail } from '#server/delivery/mail/invite-mail.ts';
import { readMailLog } from '#server/delivery/mail/mail-log.ts';
import { setSubscription } from '#server/delivery/mail/subscriptions.ts';
import { readMailAccount, sendVerification, verifyAddress } from '#server/delivery/mail/verification.ts';
import { countAttempt } from '#server/platform/attempts.ts';
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
  account: signedInProcedure
    .meta(
      rest('get', '/mail/account', {
        id: 'getMailAccount',
        tag: 'Email',
        summary: 'Get the state of the own address',
        description: 'Whether the address was verified. Nothing depends on it except what the profile shows.',
      }),
    )
    .output(mailAccount)
    .query(({ ctx }) => readMailAccount(ctx.em, ctx.app, ctx.viewer)),

  sendVerification: signedInProcedure
    .meta(
      rest('post', '/mail/verification', {
        id: 'sendVerification',
        tag: 'Email',
        summary: 'Send a link that verifies the own address',
        description: 'At most 5 in a quarter of an hour. The link works for 7 days.',
        refusals: ['MAIL_OFF', 'EMAIL_REQUIRED', 'RATE_LIMITED'],
      }),
    )
    .meta(noAccess)
    .output(success)
    .mutation(async ({ ctx }) => {
      await sendVerification(ctx.em, ctx.app, ctx.viewer);
      return SUCCESS;
    }),

  verify: publicProcedure
    .meta(
      rest('post', '/mail/verification/confirm', {
        id: 'verifyAddress',
        tag: 'Email',
        summary: 'Verify an address by the link of an email',
        description: 'Works without a session, and more than once.',
        refusals: ['LINK_INVALID', 'RATE_LIMITED'],
      }),
    )
    .input(verifyAddressInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await countAttempt(ctx.em, attemptBuckets.address(ctx.address), ctx.app.env.AUTH_ATTEMPTS_PER_MINUTE);
      await verifyAddress(ctx.em, ctx.app.mailLinks, input.token, ctx.now);
      return SUCCESS;
    }),

  setSubscription: publicProcedure
    .meta(
      rest('post', '/mail/subscription', {
        id: 'setSubscription',
        tag: 'Email',
        summary: 'Unsubscribe by the link of an email, or undo it',
        description:
          'Works without a session, for the account or address of the link and one kind of email. Mail programs post to the address in `List-Unsubscribe` instead.',
        refusals: ['LINK_INVALID'],
      }),
    )
    .input(setSubscriptionInput)
    .output(mailSubscription)
    .mutation(({ ctx, input }) => setSubscription(ctx.em, ctx.app.mailLinks, input, ctx.now)),
});

export const adminMailRouter = router({
  log: adminProcedure
    .meta(
      rest('get', '/admin/mail', {
        id: 'getMailLog',
        tag: 'Email',
        summary: 'Get counts and failures of email',
        description: 'The failures include email that will be tried again.',
      }),
    )
    .output(mailLog)
    .query(({ ctx }) => readMailLog(ctx.em, ctx.app)),

  test: adminProcedure
    .meta(
      rest('post', '/admin/mail/test', {
        id: 'sendTestMail',
        tag: 'Email',
        summary: 'Send a test email to oneself',
        description: 'At most 5 in a quarter of an hour.',
        refusals: ['MAIL_OFF', 'EMAIL_REQUIRED', 'RATE_LIMITED'],
      }),
    )
    .meta(noAccess)
    .output(success)
    .mutation(async ({ ctx }) => {
      await sendTestMail(ctx.em, ctx.app, ctx.viewer);
      return SUCCESS;
    }),

  sendInvite: adminProcedure
    .meta(
      rest('post', '/admin/invites/:id/send', {
        id: 'sendInvite',
        tag: 'Email',
        summary: 'Send an invite to addresses',
        description:
          'Addresses that have an account, or whose owners want no invites, are left out and named in the answer.',
        refusals: ['MAIL_OFF', 'INVITE_NOT_FOUND', 'INVITE_INVALID'],
      }),
    )
    .meta(freshSessionByRow)
    .input(sendInviteInput)
    .output(sentInvites)
    .mutation(({ ctx, input }) => sendInvite(ctx.em, ctx.app, ctx.viewer, input, freshSessionOf(ctx), ctx.now)),

  sendPasswordLinks: adminProcedure
    .meta(
      rest('post', '/admin/users/password-links/send', {
        id: 'sendPasswordLinks',
        tag: 'Email',
        summary: 'Send accounts personal links to set a password',
        description: 'Like `makePasswordLinks`, by email instead of in the answer.',
        refusals: ['MAIL_OFF', 'USER_NOT_FOUND', 'DELETION_REQUESTED', 'EMAIL_REQUIRED', 'FORBIDDEN'],
      }),
    )
    .meta(freshSession)
    .input(sendPasswordLinksInput)
    .output(sentPasswordLinks)
    .mutation(({ ctx, input }) => sendPasswordLinks(ctx.em, ctx.app, ctx.viewer, input.ids)),
});
