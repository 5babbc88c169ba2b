/** Procedures for the second factor: the second step of a sign-in, the owner's changes, and the sign-in history. */
import {
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
} from '#server/accounts/second-factor/authenticator.ts';
import { readSecondFactor, renewRecoveryCodes } from '#server/accounts/second-factor/overview.ts';
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from '#server/accounts/second-factor/passkeys.ts';
import { forgetDevice } from '#server/accounts/second-factor/remembered-devices.ts';
import {
  challengeSecondStep,
  describeSecondStep,
  finishSecondStep,
} from '#server/accounts/second-factor/second-step.ts';
import { readSignInHistory } from '#server/board/sign-in-history.ts';
import { sessionOnly } from '#server/http/access.ts';
import { publicProcedure, router, signedInProcedure, withBody } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import { BODY_BYTES } from '#shared/limits.ts';
import { user } from '#shared/schemas/auth.ts';
import { success } from '#shared/schemas/common.ts';
import {
  addPasskeyInput,
  confirmAuthenticatorInput,
  deviceInput,
  newAuthenticator,
  newPasskeyOptions,
  ownerInput,
  passkeyQuestion,
  recoveryCodes,
  removePasskeyInput,
  renamePasskeyInput,
  secondFactor,
  secondStep,
  secondStepInput,
  signInHistory,
} from '#shared/schemas/second-factor.ts';

const SUCCESS = { success: true } as const;

const OWNER = 'Needs the current password, or for an account without one a session of the last 10 minutes.';

export const secondFactorRouter = router({
  /** For the page of a sign-in that waits: null, and not an error, when none does. */
  step: publicProcedure
    .meta(
      rest('get', '/auth/second-step', {
        id: 'getSecondStep',
        tag: 'Auth',
        summary: 'Get the sign-in that waits for its second factor',
        description: 'Reads the cookie that a sign-in has set with SECOND_FACTOR_REQUIRED.',
        answer: 'The factors that can finish it; null when none waits.',
      }),
    )
    .output(secondStep.nullable())
    .query(({ ctx }) => describeSecondStep(ctx.em, ctx)),

  challenge: publicProcedure
    .meta(
      rest('post', '/auth/second-step/challenge', {
        id: 'challengeSecondStep',
        tag: 'Auth',
        summary: 'Ask for a passkey in the second step of a sign-in',
        description: 'The challenge can be answered once, within 5 minutes, by `finishSignIn`.',
        refusals: ['SECOND_STEP_OVER', 'PASSKEY_REFUSED'],
      }),
    )
    .output(passkeyQuestion)
    .mutation(({ ctx }) => challengeSecondStep(ctx.em, ctx)),

  finish: publicProcedure
    .meta(
      rest('post', '/auth/second-step', {
        id: 'finishSignIn',
        tag: 'Auth',
        summary: 'Finish a sign-in with the second factor',
        description:
          'Takes a code of the authenticator app, a recovery code or the answer of a passkey, each of which works once, and starts a browser session. A wrong answer leaves the sign-in waiting; attempts are limited.',
        answer: 'The account that is now signed in.',
        refusals: ['SECOND_STEP_OVER', 'CODE_WRONG', 'PASSKEY_REFUSED', 'RATE_LIMITED', 'ACCOUNT_REFUSED'],
        setsCookie: true,
      }),
    )
    .meta(withBody(BODY_BYTES.visitorText))
    .input(secondStepInput)
    .output(user)
    .mutation(({ ctx, input }) => finishSecondStep(ctx.em, ctx, input)),

  get: signedInProcedure
    .meta(
      rest('get', '/auth/second-factor', {
        id: 'getSecondFactor',
        tag: 'Auth',
        summary: "Get one's own second factor",
        description: 'Without keys and codes, which cannot be read again.',
      }),
    )
    .meta(sessionOnly)
    .output(secondFactor)
    .query(({ ctx }) => readSecondFactor(ctx)),

  beginAuthenticator: signedInProcedure
    .meta(
      rest('post', '/auth/second-factor/authenticator', {
        id: 'beginAuthenticator',
        tag: 'Auth',
        summary: 'Begin to set up an authenticator app',
        description: `${OWNER} The app counts once \`confirmAuthenticator\` has a code of it, within 30 minutes.`,
        refusals: ['WRONG_PASSWORD', 'FRESH_SIGN_IN_REQUIRED', 'AUTHENTICATOR_EXISTS', 'RATE_LIMITED'],
      }),
    )
    .meta(sessionOnly)
    .input(ownerInput)
    .output(newAuthenticator)
    .mutation(({ ctx, input }) => beginAuthenticator(ctx, input.currentPassword)),

  confirmAuthenticator: signedInProcedure
    .meta(
      rest('post', '/auth/second-factor/authenticator/confirm', {
        id: 'confirmAuthenticator',
        tag: 'Auth',
        summary: 'Confirm the authenticator app with its first code',
        description: 'From now on sign-ins ask for a second factor. Attempts are limited.',
        refusals: ['CODE_WRONG', 'AUTHENTICATOR_NOT_FOUND', 'RATE_LIMITED'],
      }),
    )
    .meta(sessionOnly)
    .input(confirmAuthenticatorInput)
    .output(recoveryCodes)
    .mutation(async ({ ctx, input }) => ({ recoveryCodes: await confirmAuthenticator(ctx, input.code) })),

  removeAuthenticator: signedInProcedure
    .meta(
      rest('post', '/auth/second-factor/authenticator/remove', {
        id: 'removeAuthenticator',
        tag: 'Auth',
        summary: 'Remove the authenticator app',
        description: `${OWNER} Without a passkey this turns the second factor off, with recovery codes and remembered devices.`,
        refusals: ['WRONG_PASSWORD', 'FRESH_SIGN_IN_REQUIRED', 'AUTHENTICATOR_NOT_FOUND', 'RATE_LIMITED'],
      }),
    )
    .meta(sessionOnly)
    .input(ownerInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await removeAuthenticator(ctx, input.currentPassword);
      return SUCCESS;
    }),

  beginPasskey: signedInProcedure
    .meta(
      rest('post', '/auth/second-factor/passkeys/challenge', {
        id: 'beginPasskey',
        tag: 'Auth',
        summary: 'Begin to add a passkey or security key',
        description: `${OWNER} The challenge can be answered once, within 5 minutes, by \`addPasskey\` of the same session.`,
        refusals: ['WRONG_PASSWORD', 'FRESH_SIGN_IN_REQUIRED', 'PASSKEY_REFUSED', 'RATE_LIMITED'],
      }),
    )
    .meta(sessionOnly)
    .input(ownerInput)
    .output(newPasskeyOptions)
    .mutation(({ ctx, input }) => beginPasskey(ctx, input.currentPassword)),

  addPasskey: signedInProcedure
    .meta(
      rest('post', '/auth/second-factor/passkeys', {
        status: 201,
        id: 'addPasskey',
        tag: 'Auth',
        summary: 'Add a passkey or security key',
        description: 'From now on sign-ins ask for a second factor. An account can have 10 passkeys.',
        refusals: ['PASSKEY_REFUSED', 'LIMIT_REACHED'],
      }),
    )
    .meta(sessionOnly)
    .input(addPasskeyInput)
    .output(recoveryCodes)
    .mutation(async ({ ctx, input }) => ({ recoveryCodes: await addPasskey(ctx, input) })),

  renamePasskey: signedInProcedure
    .meta(
      rest('put', '/auth/second-factor/passkeys/:passkeyId', {
        id: 'renamePasskey',
        tag: 'Auth',
        summary: 'Rename a passkey',
        refusals: ['PASSKEY_NOT_FOUND'],
      }),
    )
    .meta(sessionOnly)
    .input(renamePasskeyInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await renamePasskey(ctx.em, ctx.viewer, input);
      return SUCCESS;
    }),

  removePasskey: signedInProcedure
    .meta(
      rest('post', '/auth/second-factor/passkeys/:passkeyId/remove', {
        id: 'removePasskey',
        tag: 'Auth',
        summary: 'Remove a passkey',
        description: `${OWNER} Without another factor this turns the second factor off, with recovery codes and remembered devices.`,
        refusals: ['WRONG_PASSWORD', 'FRESH_SIGN_IN_REQUIRED', 'PASSKEY_NOT_FOUND', 'RATE_LIMITED'],
      }),
    )
    .meta(sessionOnly)
    .input(removePasskeyInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await removePasskey(ctx, input);
      return SUCCESS;
    }),

  renewRecoveryCodes: signedInProcedure
    .meta(
      rest('post', '/auth/second-factor/recovery-codes', {
        id: 'renewRecoveryCodes',
        tag: 'Auth',
        summary: 'Make new recovery codes',
        description: `${OWNER} The old codes stop working.`,
        refusals: ['WRONG_PASSWORD', 'FRESH_SIGN_IN_REQUIRED', 'SECOND_FACTOR_MISSING', 'RATE_LIMITED'],
      }),
    )
    .meta(sessionOnly)
    .input(ownerInput)
    .output(recoveryCodes)
    .mutation(async ({ ctx, input }) => ({ recoveryCodes: await renewRecoveryCodes(ctx, input.currentPassword) })),

  forgetDevice: signedInProcedure
    .meta(
      rest('delete', '/auth/second-factor/devices/:deviceId', {
        id: 'forgetDevice',
        tag: 'Auth',
        summary: 'Forget a remembered device',
        description: 'Its next sign-in asks for a second factor again. Sessions on it go on.',
        refusals: ['DEVICE_NOT_FOUND'],
      }),
    )
    .meta(sessionOnly)
    .input(deviceInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await forgetDevice(ctx.em, ctx.viewer.id, input.deviceId);
      return SUCCESS;
    }),

  history: signedInProcedure
    .meta(
      rest('get', '/auth/sign-in-history', {
        id: 'getSignInHistory',
        tag: 'Auth',
        summary: "List one's own sign-ins",
        description: 'Sign-ins, refused attempts and changes of the second factor in the last 90 days, at most 50.',
        answer: 'The entries, the newest first.',
      }),
    )
    .meta(sessionOnly)
    .output(signInHistory)
    .query(({ ctx }) => readSignInHistory(ctx.em, ctx.viewer.id)),
});
