/** Procedures for registration, sign-in, sessions and passwords. */
import {
  admitVerified,
  changePassword,
  ensureDevUser,
  prepareAccount,
  presentSignedIn,
} from '#server/accounts/accounts.ts';
import { describeRegistration } from '#server/accounts/admission.ts';
import { createDevToken } from '#server/accounts/access-tokens.ts';
import { attemptBuckets } from '#server/accounts/attempt-limits.ts';
import { offersDiscordSignIn } from '#server/discord/sign-in/oauth.ts';
import { verifySignIn } from '#server/accounts/sign-in.ts';
import { requestPasswordMail } from '#server/delivery/mail/requests.ts';
import { preparePassword, readPasswordLink } from '#server/accounts/password-links.ts';
import { isSignInLinkLive, redeemSignInLink, setCredentials } from '#server/accounts/sign-in-links.ts';
import { presentUser } from '#server/accounts/present.ts';
import { requestSlot } from '#server/accounts/slot-requests.ts';
import { startSession } from '#server/accounts/start-session.ts';
import { freshSession, sessionOnly } from '#server/http/access.ts';
import { publicProcedure, router, signedInProcedure, withBody } from '#server/http/trpc.ts';
import { AppError } from '#server/platform/errors.ts';
import { BODY_BYTES } from '#shared/limits.ts';
import {
  changePasswordInput,
  credentialsInput,
  devToken,
  devTokenInput,
  loginInput,
  registerInput,
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
import { slotRequestInput } from '#shared/schemas/slot-requests.ts';
import { rest } from '#server/http/operation.ts';
import { limitAttempts } from './limit-attempts.ts';
import { secondFactorRouter } from './second-factor.ts';
import { tokensRouter } from './tokens.ts';
import { sessionProcedures } from './auth-sessions.ts';

export const authRouter = router({
  me: signedInProcedure
    .meta(
      rest('get', '/auth/me', {
        id: 'getMe',
        tag: 'Auth',
        summary: 'Get the signed-in account',
        description: 'Answers 401 when nobody is signed in. A good first call to try a token.',
        answer: "The caller's account.",
      }),
    )
    .output(user)
    .query(({ ctx }) => presentUser(ctx.viewer)),

  /** The viewer for a page that starts: null, and not an error, when nobody is signed in. */
  viewer: publicProcedure
    .meta(
      rest('get', '/auth/viewer', {
        id: 'getViewer',
        tag: 'Auth',
        summary: 'Get the signed-in account or null',
        description:
          'Like `getMe`, but answers null when nobody is signed in, so that a page can start without an error.',
        answer: "The caller's account, or null.",
      }),
    )
    .output(signedInUser.nullable())
    .query(async ({ ctx: { app, em, viewer, sessionToken, now } }) => {
      if (viewer === null) return null;
      const newSignIn = sessionToken === null ? null : await app.sessions.findNew(em, viewer.id, sessionToken);
      return presentSignedIn(em, viewer, { isFactorRequired: app.env.REQUIRE_ADMIN_2FA, newSignIn }, now);
    }),

  /** Checked when a page opens, so that nobody fills in a form in vain. */
  registration: publicProcedure
    .meta(
      rest('get', '/auth/registration', {
        id: 'getRegistration',
        tag: 'Auth',
        summary: 'Get who can register',
        description: 'With the token of an invite link, also whether somebody can join by it. Does not use it up.',
      }),
    )
    .input(registrationInput)
    .output(registration)
    .query(async ({ ctx: { app, em, now }, input: { invite } }) =>
      describeRegistration(em, invite === null ? null : await app.inviteLinks.find(em, invite), now),
    ),

  /** Does not use up the link. */
  signInLink: publicProcedure
    .meta(
      rest('get', '/auth/sign-in-link', {
        id: 'getSignInLink',
        tag: 'Auth',
        summary: 'Check a one-time sign-in link',
        description: 'Does not use up the link.',
      }),
    )
    .input(redeemSignInLinkInput)
    .output(signInLink)
    .query(async ({ ctx, input }) => ({ isLive: await isSignInLinkLive(ctx.em, input.token, ctx.now) })),

  ways: publicProcedure
    .meta(
      rest('get', '/auth/ways', {
        id: 'getSignInWays',
        tag: 'Auth',
        summary: 'Get the ways to sign in',
        description: 'Ways that this installation offers besides email and password.',
      }),
    )
    .output(signInWays)
    .query(({ ctx }) => ({ discord: offersDiscordSignIn(ctx.app.env), mail: ctx.app.mailer !== null })),

  login: publicProcedure
    .meta(
      rest('post', '/auth/login', {
        id: 'login',
        tag: 'Auth',
        summary: 'Sign in with email and password',
        description:
          'Starts a browser session. An unknown email and a wrong password have the same answer. Attempts are limited per address and per account; `Retry-After` says when to try again. For an account with a second factor the answer is SECOND_FACTOR_REQUIRED, with a cookie for `finishSignIn`. Programs should use a token instead.',
        answer: 'The account that is now signed in.',
        refusals: ['SECOND_FACTOR_REQUIRED', 'LOGIN_FAILED', 'RATE_LIMITED', 'ACCOUNT_REFUSED'],
        setsCookie: true,
      }),
    )
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
    .meta(
      rest('post', '/auth/register', {
        status: 201,
        id: 'register',
        tag: 'Auth',
        summary: 'Create an account and sign in',
        description:
          'Creates a pilot with an email and a password, and starts a browser session. The number of attempts per address is limited. Common passwords are refused.',
        answer: 'The new account, signed in. `approval` tells whether it waits for an admin.',
        refusals: ['EMAIL_TAKEN', 'RATE_LIMITED', 'INVITE_REQUIRED', 'INVITE_INVALID', 'ACCOUNT_REFUSED'],
        setsCookie: true,
      }),
    )
    .meta(withBody(BODY_BYTES.visitorText))
    .input(registerInput)
    .output(user)
    .mutation(async ({ ctx, input }) => {
      await limitAttempts(ctx, attemptBuckets.address(ctx.address));
      const create = await prepareAccount(ctx.em, ctx.app, input, ctx.now);
      const { user: account } = await startSession(ctx, 'registration', async (tx) => ({ user: await create(tx) }));
      return account;
    }),

  /** POST only, so that link previews and scanners cannot use up the link. */
  redeemSignInLink: publicProcedure
    .meta(
      rest('post', '/auth/sign-in-link', {
        id: 'redeemSignInLink',
        tag: 'Auth',
        summary: 'Sign in with a one-time link',
        description:
          'Uses up the token of a sign-in link and starts a browser session. A link is valid for minutes and once.',
        refusals: ['LINK_INVALID', 'SECOND_FACTOR_REQUIRED', 'RATE_LIMITED', 'ACCOUNT_REFUSED'],
        setsCookie: true,
      }),
    )
    .input(redeemSignInLinkInput)
    .output(redeemedSignInLink)
    .mutation(async ({ ctx, input }) => {
      await limitAttempts(ctx, attemptBuckets.address(ctx.address));
      return startSession(ctx, 'link', (tx) => redeemSignInLink(tx, input.token, ctx.now));
    }),

  /** Whom a link is for, when its page opens. POST, so that the token is in no log of addresses. */
  passwordLink: publicProcedure
    .meta(
      rest('post', '/auth/password-link', {
        id: 'readPasswordLink',
        tag: 'Auth',
        summary: 'Read whom a password link is for',
        description: 'Does not use up the link.',
        refusals: ['LINK_INVALID', 'RATE_LIMITED'],
      }),
    )
    .input(readPasswordLinkInput)
    .output(passwordLinkHolder)
    .mutation(async ({ ctx, input }) => {
      await limitAttempts(ctx, attemptBuckets.address(ctx.address));
      return readPasswordLink(ctx.em, input.token, ctx.now);
    }),

  /** The same answer for everybody, with and without email. */
  requestSlot: publicProcedure
    .meta(
      rest('post', '/slot-requests', {
        id: 'requestSlot',
        tag: 'Community',
        summary: 'Ask for a slot as a visitor',
        description:
          'Tells the admins that somebody without an account would like to fly; a request with the same address replaces the one before. The answer is the same for everybody: nothing is stored for an address that has an account or is banned. Limited per client. Deleted after 30 days.',
        refusals: ['RATE_LIMITED'],
      }),
    )
    .meta(withBody(BODY_BYTES.visitorText))
    .input(slotRequestInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await requestSlot(ctx.em, ctx.app.env, ctx.address, input, ctx.now);
      return { success: true } as const;
    }),

  /** The same answer for every address: whether it has an account is looked up later, when the email is composed. */
  requestPassword: publicProcedure
    .meta(
      rest('post', '/auth/password-request', {
        id: 'requestPassword',
        tag: 'Auth',
        summary: 'Send a link to choose a new password',
        description:
          'Sends an email with a link that works once, within 30 minutes, if the address belongs to an account. The answer is the same for every address. Limited per address and per client.',
        refusals: ['MAIL_OFF', 'RATE_LIMITED'],
      }),
    )
    .input(requestPasswordInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await requestPasswordMail(ctx.em, ctx.app, { address: ctx.address, email: input.email });
      return { success: true } as const;
    }),

  setPassword: publicProcedure
    .meta(
      rest('post', '/auth/set-password', {
        id: 'setPassword',
        tag: 'Auth',
        summary: 'Set a password with a personal link',
        description:
          'Uses up the link, ends all sessions, tokens and other links of the account, and starts a browser session.',
        answer: 'The account that is now signed in.',
        refusals: ['LINK_INVALID', 'SECOND_FACTOR_REQUIRED', 'RATE_LIMITED', 'ACCOUNT_REFUSED'],
        setsCookie: true,
      }),
    )
    .input(setPasswordInput)
    .output(user)
    .mutation(async ({ ctx, input }) => {
      await limitAttempts(ctx, attemptBuckets.address(ctx.address));
      const set = await preparePassword(ctx.em, ctx.app.passwords, input, ctx.now);
      const { user: account } = await startSession(ctx, 'password_link', async (tx) => ({ user: await set(tx) }));
      return account;
    }),

  setCredentials: signedInProcedure
    .meta(
      rest('post', '/auth/credentials', {
        id: 'setCredentials',
        tag: 'Auth',
        summary: 'Set the first email and password',
        description:
          'For an account that has no password yet, because it registered from Discord or an admin imported it. Deletes its unused sign-in links.',
        answer: 'The account with its email.',
        refusals: ['PASSWORD_EXISTS', 'EMAIL_TAKEN', 'ACCOUNT_REFUSED'],
      }),
    )
    .meta(freshSession)
    .input(credentialsInput)
    .output(user)
    .mutation(async ({ ctx, input }) => {
      await limitAttempts(ctx, attemptBuckets.password(ctx.viewer.id));
      return setCredentials(ctx.em, ctx.viewer, ctx.app.passwords, input);
    }),

  logout: publicProcedure
    .meta(
      rest('post', '/auth/logout', {
        id: 'logout',
        tag: 'Auth',
        summary: 'Sign out',
        description: 'Ends the session of the request. Succeeds also when nobody is signed in.',
        setsCookie: true,
      }),
    )
    .output(success)
    .mutation(async ({ ctx }) => {
      if (ctx.sessionToken !== null) await ctx.app.sessions.end(ctx.sessionToken);
      ctx.setCookie(ctx.app.sessions.blankCookie());
      ctx.clearBrowserCache();
      return { success: true } as const;
    }),

  /** For development only: answers 404 without DEV_TOKENS=1, and always in production. */
  devToken: publicProcedure
    .meta(
      rest('post', '/users/dev-token', {
        id: 'createDevToken',
        tag: 'Auth',
        summary: 'Create a development token',
        description:
          'For development only: finds or creates an account and answers a bearer token for it. Answers 404 unless the setting `DEV_TOKENS` is 1, and always in production.',
        refusals: ['NOT_FOUND'],
      }),
    )
    .input(devTokenInput)
    .output(devToken)
    .mutation(async ({ ctx, input }) => {
      const { DEV_TOKENS, NODE_ENV } = ctx.app.env;
      if (!DEV_TOKENS || NODE_ENV === 'production') throw new AppError('NOT_FOUND');
      const account = await ensureDevUser(ctx.em, input);
      return { token: await createDevToken(ctx.em, account, ctx.now), user: account };
    }),

  changePassword: signedInProcedure
    .meta(
      rest('post', '/auth/password', {
        id: 'changePassword',
        tag: 'Auth',
        summary: "Change one's own password",
        description:
          'Needs the current password. Ends every other session and all other push devices of the account. Attempts are limited.',
        refusals: ['WRONG_PASSWORD'],
      }),
    )
    .meta(sessionOnly)
    .input(changePasswordInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await limitAttempts(ctx, attemptBuckets.password(ctx.viewer.id));
      await changePassword(ctx.em, ctx.viewer, ctx.app.passwords, ctx.sessionToken, input);
      return { success: true } as const;
    }),

  secondFactor: secondFactorRouter,
  tokens: tokensRouter,
  ...sessionProcedures,
});
