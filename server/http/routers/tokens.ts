/** Procedures for a user's personal access tokens, in a browser session only: a token must not make another one. */
import { z } from 'zod';
import { createToken, listTokens, revokeToken } from '#server/accounts/access-tokens.ts';
import { router, selfPilotProcedure } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
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
    .meta(
      rest('get', '/users/:id/tokens', {
        id: 'listTokens',
        tag: 'Tokens',
        summary: "List a user's access tokens",
        description: 'Tokens that have not expired, without their secrets.',
        answer: 'The tokens, newest first.',
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .meta(sessionOnly)
    .input(tokensInput)
    .output(z.array(accessToken))
    .query(({ ctx, input }) => listTokens(ctx.em, input.id)),

  create: selfPilotProcedure
    .meta(
      rest('post', '/users/:id/tokens', {
        status: 201,
        id: 'createToken',
        tag: 'Tokens',
        summary: 'Make an access token',
        description:
          'Users make tokens only for themselves. The answer holds the secret, which cannot be read again. An account can have 10 tokens.',
        refusals: ['USER_NOT_FOUND', 'ADMINS_ONLY', 'LIMIT_REACHED'],
      }),
    )
    .meta(freshSession)
    .input(createTokenInput)
    .output(newAccessToken)
    .mutation(({ ctx, input }) => createToken(ctx.em, ctx.viewer, ctx.sessionToken ?? '', input, ctx.now)),

  revoke: selfPilotProcedure
    .meta(
      rest('delete', '/users/:id/tokens/:tokenId', {
        id: 'revokeToken',
        tag: 'Tokens',
        summary: 'Revoke an access token',
        description: 'The token stops working at once, and event streams opened with it end.',
        refusals: ['USER_NOT_FOUND', 'TOKEN_NOT_FOUND'],
      }),
    )
    .meta(sessionOnly)
    .input(revokeTokenInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await revokeToken(ctx.em, ctx.viewer, input);
      return { success: true } as const;
    }),
});
