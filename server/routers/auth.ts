/** Procedures for registration, sign-in, sessions and passwords. */
import { z } from 'zod';
import {
  admitVerified,
  changePassword,
  ensureDevUser,
  prepareAccount,
  presentSignedIn,
} from '#server/accounts/accounts.ts';
import { readDeletion, requestDeletion, undoDeletion } from '#server/accounts/account-deletion.ts';
import { describeRegistration } from '#server/accounts/admission.ts';
import { createDevToken } from '#server/accounts/access-tokens.ts';
import { attemptBuckets } from '#server/accounts/attempt-limits.ts';
import { countAttempt } from '#server/platform/rate-limit.ts';
import { offersDiscordSignIn } from '#server/discord/sign-in/oauth.ts';
import { verifySignIn } from '#server/accounts/sign-in.ts';
import { requestPasswordMail } from '#server/mail/requests.ts';
import { preparePassword, readPasswordLink } from '#server/accounts/password-links.ts';
import { isSignInLinkLive, redeemSignInLink, setCredentials } from '#server/accounts/sign-in-links.ts';
import { presentUser } from '#server/accounts/present.ts';
import { requestSlot } from '#server/accounts/slot-requests.ts';
import { startSession } from '#server/accounts/start-session.ts';
import type { ProcedureContext } from '#server/http/context.ts';
import { freshSession, sessionOnly } from '#server/http/access.ts';
import { publicProcedure, router, signedInProcedure, withBody } from '#server/http/trpc.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { BODY_BYTES } from '#shared/limits.ts';
import {
  changePasswordInput,
  credentialsInput,
  deletion,
  devToken,
  devTokenInput,
  loginInput,
  registerInput,
  requestDeletionInput,
  signedInUser,
  user,
} from '#shared/schemas/auth.ts';
import { signInWays } from '#shared/schemas/discord-link.ts';
import { registration, registrationInput } from '#shared/schemas/community.ts';
import { redeemedSignInLink, redeemSignInLinkInput, signInLink } from '#shared/schemas/registration.ts';
import { success } from '#shared/schemas/common.ts';
import {
  passwordLinkHolder,
  readPasswordLinkInput,
  requestPasswordInput,
  setPasswordInput,
} from '#shared/schemas/password-links.ts';
import { session, sessionInput } from '#shared/schemas/profile.ts';
import { slotRequestInput } from '#shared/schemas/slot-requests.ts';

const SUCCESS = { success: true } as const;

function limit({ em, app }: ProcedureContext, bucket: string): Promise<void> {
  return countAttempt(em, bucket, app.env.AUTH_ATTEMPTS_PER_MINUTE);
}

export const authRouter = router({
  me: signedInProcedure.output(user).query(({ ctx }) => presentUser(ctx.viewer)),

  /** The viewer for a page that starts: null, and not an error, when nobody is signed in. */
  viewer: publicProcedure
    .output(signedInUser.nullable())
    .query(async ({ ctx: { app, em, viewer, sessionToken, now } }) => {
      if (viewer === null) return null;
      const newSignIn = sessionToken === null ? null : await app.sessions.findNew(em, viewer.id, sessionToken);
      return presentSignedIn(em, viewer, { isFactorRequired: app.env.REQUIRE_ADMIN_2FA, newSignIn }, now);
    }),

  /** Checked when a page opens, so that nobody fills in a form in vain. */
  registration: publicProcedure
    .input(registrationInput)
    .output(registration)
    .query(({ ctx, input }) =>
      describeRegistration(ctx.em, input.invite === null ? null : ctx.app.inviteLinks.open(input.invite), ctx.now),
    ),

  /** Does not use up the link. */
  signInLink: publicProcedure
    .input(redeemSignInLinkInput)
    .output(signInLink)
    .query(async ({ ctx, input }) => ({ isLive: await isSignInLinkLive(ctx.em, input.token, ctx.now) })),

  ways: publicProcedure
    .output(signInWays)
    .query(({ ctx }) => ({ discord: offersDiscordSignIn(ctx.app.env), mail: ctx.app.mailer !== null })),

  login: publicProcedure
    .input(loginInput)
    .output(user)
    .mutation(async ({ ctx, input }) => {
      const verified = await ctx.app.passwords.inTurn(() => verifySignIn(ctx.em, ctx.app, ctx, input));
      const { withSecondFactor } = input;
      const { user: account } = await startSession(
        ctx,
        'password',
        async (tx) => ({ user: await admitVerified(tx, verified) }),
        { withSecondFactor },
      );
      return account;
    }),

  register: publicProcedure
    .meta(withBody(BODY_BYTES.visitorText))
    .input(registerInput)
    .output(user)
    .mutation(async ({ ctx, input }) => {
      await limit(ctx, attemptBuckets.address(ctx.address));
      const create = await prepareAccount(ctx.em, ctx.app, input, ctx.now);
      const { user: account } = await startSession(ctx, 'registration', async (tx) => ({ user: await create(tx) }));
      return account;
    }),

  /** POST only, so that link previews and scanners cannot use up the link. */
  redeemSignInLink: publicProcedure
    .input(redeemSignInLinkInput)
    .output(redeemedSignInLink)
    .mutation(async ({ ctx, input }) => {
      await limit(ctx, attemptBuckets.address(ctx.address));
      return startSession(ctx, 'link', (tx) => redeemSignInLink(tx, input.token, ctx.now));
    }),

  /** Whom a link is for, when its page opens. POST, so that the token is in no log of addresses. */
  passwordLink: publicProcedure
    .input(readPasswordLinkInput)
    .output(passwordLinkHolder)
    .mutation(async ({ ctx, input }) => {
      await limit(ctx, attemptBuckets.address(ctx.address));
      return readPasswordLink(ctx.em, input.token, ctx.now);
    }),

  /** The same answer for everybody, with and without email. */
  requestSlot: publicProcedure
    .meta(withBody(BODY_BYTES.visitorText))
    .input(slotRequestInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await requestSlot(ctx.em, ctx.app.env, ctx.address, input, ctx.now);
      return SUCCESS;
    }),

  /** The same answer for every address: whether it has an account is looked up later, when the email is composed. */
  requestPassword: publicProcedure
    .input(requestPasswordInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await requestPasswordMail(ctx.em, ctx.app, { address: ctx.address, email: input.email });
      return SUCCESS;
    }),

  setPassword: publicProcedure
    .input(setPasswordInput)
    .output(user)
    .mutation(async ({ ctx, input }) => {
      await limit(ctx, attemptBuckets.address(ctx.address));
      const set = await preparePassword(ctx.em, ctx.app.passwords, input, ctx.now);
      const { user: account } = await startSession(ctx, 'password_link', async (tx) => ({ user: await set(tx) }));
      return account;
    }),

  setCredentials: signedInProcedure
    .meta(freshSession)
    .input(credentialsInput)
    .output(user)
    .mutation(async ({ ctx, input }) => {
      await limit(ctx, attemptBuckets.password(ctx.viewer.id));
      return setCredentials(ctx.em, ctx.viewer, ctx.app.passwords, input);
    }),

  logout: publicProcedure.output(success).mutation(async ({ ctx }) => {
    if (ctx.sessionToken !== null) await ctx.app.sessions.end(ctx.sessionToken);
    ctx.setCookie(ctx.app.sessions.blankCookie());
    ctx.clearBrowserCache();
    return SUCCESS;
  }),

  /** For development only: answers 404 without DEV_TOKENS=1, and always in production. */
  devToken: publicProcedure
    .input(devTokenInput)
    .output(devToken)
    .mutation(async ({ ctx, input }) => {
      const { DEV_TOKENS, NODE_ENV } = ctx.app.env;
      if (!DEV_TOKENS || NODE_ENV === 'production') throw new AppError('NOT_FOUND', copy.notFound);
      const account = await ensureDevUser(ctx.em, input);
      return { token: await createDevToken(ctx.em, account, ctx.now), user: account };
    }),

  changePassword: signedInProcedure
    .meta(sessionOnly)
    .input(changePasswordInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await limit(ctx, attemptBuckets.password(ctx.viewer.id));
      await changePassword(ctx.em, ctx.viewer, ctx.app.passwords, ctx.sessionToken, input);
      return SUCCESS;
    }),

  deletion: signedInProcedure
    .meta(sessionOnly)
    .output(deletion)
    .query(({ ctx }) => readDeletion(ctx.em, ctx.viewer)),

  requestDeletion: signedInProcedure
    .meta(sessionOnly)
    .input(requestDeletionInput)
    .output(deletion)
    .mutation(async ({ ctx, input }) => {
      await limit(ctx, attemptBuckets.password(ctx.viewer.id));
      const kept = { sessionToken: ctx.sessionToken, pushEndpoint: null };
      return requestDeletion(ctx.em, ctx.viewer, ctx.app.passwords, input, kept, ctx.now);
    }),

  undoDeletion: signedInProcedure
    .meta(sessionOnly)
    .output(deletion)
    .mutation(({ ctx }) => undoDeletion(ctx.em, ctx.viewer)),

  sessions: signedInProcedure
    .meta(sessionOnly)
    .output(z.array(session))
    .query(({ ctx }) => ctx.app.sessions.list(ctx.viewer.id, ctx.sessionToken ?? '')),

  endSession: signedInProcedure
    .meta(sessionOnly)
    .input(sessionInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await ctx.app.sessions.endByHandle(ctx.viewer.id, input.id, ctx.sessionToken ?? '');
      return SUCCESS;
    }),

  confirmSession: signedInProcedure
    .meta(sessionOnly)
    .input(sessionInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await ctx.app.sessions.confirm(ctx.viewer.id, input.id, ctx.sessionToken ?? '');
      return SUCCESS;
    }),

  endOtherSessions: signedInProcedure
    .meta(sessionOnly)
    .output(success)
    .mutation(async ({ ctx }) => {
      await ctx.app.sessions.endOthers(ctx.viewer.id, ctx.sessionToken ?? '');
      return SUCCESS;
    }),
});
