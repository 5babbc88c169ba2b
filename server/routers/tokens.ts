/** Procedures for a user's personal access tokens, in a browser session only: a token must not make another one. */
import { z } from 'zod';
import { createToken, listTokens, revokeToken } from '#server/accounts/access-tokens.ts';
import { router, selfPilotProcedure } from '#server/http/trpc.ts';
import { freshSession, sessionOnly } from '#server/http/access.ts';
import { success } from '#shared/schemas/common.ts';
import {
  accessToken,
  createTokenInput,
  newAccessToken,
  revokeTokenInput,
  tokensInput,
} from '#shared/schemas/tokens.ts';

export const tokensRouter = router({
  list: selfPilotProcedure
    .meta(sessionOnly)
    .input(tokensInput)
    .output(z.array(accessToken))
    .query(({ ctx, input }) => listTokens(ctx.em, input.id)),

  create: selfPilotProcedure
    .meta(freshSession)
    .input(createTokenInput)
    .output(newAccessToken)
    .mutation(({ ctx, input }) => createToken(ctx.em, ctx.viewer, ctx.sessionToken ?? '', input, ctx.now)),

  revoke: selfPilotProcedure
    .meta(sessionOnly)
    .input(revokeTokenInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await revokeToken(ctx.em, ctx.viewer, input);
      return { success: true } as const;
    }),
});
