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

export const secondFactorRouter = router({
  /** For the page of a sign-in that waits: null, and not an error, when none does. */
  step: publicProcedure.output(secondStep.nullable()).query(({ ctx }) => describeSecondStep(ctx.em, ctx)),

  challenge: publicProcedure.output(passkeyQuestion).mutation(({ ctx }) => challengeSecondStep(ctx.em, ctx)),

  finish: publicProcedure
    .meta(withBody(BODY_BYTES.visitorText))
    .input(secondStepInput)
    .output(user)
    .mutation(({ ctx, input }) => finishSecondStep(ctx.em, ctx, input)),

  get: signedInProcedure
    .meta(sessionOnly)
    .output(secondFactor)
    .query(({ ctx }) => readSecondFactor(ctx)),

  beginAuthenticator: signedInProcedure
    .meta(sessionOnly)
    .input(ownerInput)
    .output(newAuthenticator)
    .mutation(({ ctx, input }) => beginAuthenticator(ctx, input.currentPassword)),

  confirmAuthenticator: signedInProcedure
    .meta(sessionOnly)
    .input(confirmAuthenticatorInput)
    .output(recoveryCodes)
    .mutation(async ({ ctx, input }) => ({ recoveryCodes: await confirmAuthenticator(ctx, input.code) })),

  removeAuthenticator: signedInProcedure
    .meta(sessionOnly)
    .input(ownerInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await removeAuthenticator(ctx, input.currentPassword);
      return SUCCESS;
    }),

  beginPasskey: signedInProcedure
    .meta(sessionOnly)
    .input(ownerInput)
    .output(newPasskeyOptions)
    .mutation(({ ctx, input }) => beginPasskey(ctx, input.currentPassword)),

  addPasskey: signedInProcedure
    .meta(sessionOnly)
    .input(addPasskeyInput)
    .output(recoveryCodes)
    .mutation(async ({ ctx, input }) => ({ recoveryCodes: await addPasskey(ctx, input) })),

  renamePasskey: signedInProcedure
    .meta(sessionOnly)
    .input(renamePasskeyInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await renamePasskey(ctx.em, ctx.viewer, input);
      return SUCCESS;
    }),

  removePasskey: signedInProcedure
    .meta(sessionOnly)
    .input(removePasskeyInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await removePasskey(ctx, input);
      return SUCCESS;
    }),

  renewRecoveryCodes: signedInProcedure
    .meta(sessionOnly)
    .input(ownerInput)
    .output(recoveryCodes)
    .mutation(async ({ ctx, input }) => ({ recoveryCodes: await renewRecoveryCodes(ctx, input.currentPassword) })),

  forgetDevice: signedInProcedure
    .meta(sessionOnly)
    .input(deviceInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await forgetDevice(ctx.em, ctx.viewer.id, input.deviceId);
      return SUCCESS;
    }),

  history: signedInProcedure
    .meta(sessionOnly)
    .output(signInHistory)
    .query(({ ctx }) => readSignInHistory(ctx.em, ctx.viewer.id)),
});
