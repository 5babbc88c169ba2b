/** Procedures for the sessions of an account, and its deletion. */
import { z } from 'zod';
import { readDeletion, requestDeletion, undoDeletion } from '#server/accounts/account-deletion.ts';
import { attemptBuckets } from '#server/accounts/attempt-limits.ts';
import { sessionOnly } from '#server/http/access.ts';
import { signedInProcedure } from '#server/http/trpc.ts';
import { deletion, requestDeletionInput } from '#shared/schemas/auth.ts';
import { success } from '#shared/schemas/common.ts';
import { session, sessionInput } from '#shared/schemas/profile.ts';
import { rest } from '#server/http/operation.ts';
import { limitAttempts } from './limit-attempts.ts';

export const sessionProcedures = {
  deletion: signedInProcedure
    .meta(
      rest('get', '/auth/deletion', {
        id: 'getDeletion',
        tag: 'Auth',
        summary: "Tell whether one's own account is about to be deleted",
      }),
    )
    .meta(sessionOnly)
    .output(deletion)
    .query(({ ctx }) => readDeletion(ctx.em, ctx.viewer)),

  requestDeletion: signedInProcedure
    .meta(
      rest('post', '/auth/deletion', {
        id: 'requestDeletion',
        tag: 'Auth',
        summary: "Ask to delete one's own account",
        description:
          'The account is erased 14 days later. Until then it has no roles and no seats, and its owner can keep it. Its tokens, links, devices and other sessions end at once.',
        refusals: ['WRONG_PASSWORD', 'LAST_ADMIN'],
      }),
    )
    .meta(sessionOnly)
    .input(requestDeletionInput)
    .output(deletion)
    .mutation(async ({ ctx, input }) => {
      await limitAttempts(ctx, attemptBuckets.password(ctx.viewer.id));
      const kept = { sessionToken: ctx.sessionToken, pushEndpoint: null };
      return requestDeletion(ctx.em, ctx.viewer, ctx.app.passwords, input, kept, ctx.now);
    }),

  undoDeletion: signedInProcedure
    .meta(
      rest('delete', '/auth/deletion', {
        id: 'undoDeletion',
        tag: 'Auth',
        summary: "Keep one's own account",
        description: 'Within 14 days of the request to delete it. Its roles come back, its seats do not.',
      }),
    )
    .meta(sessionOnly)
    .output(deletion)
    .mutation(({ ctx }) => undoDeletion(ctx.em, ctx.viewer)),

  sessions: signedInProcedure
    .meta(
      rest('get', '/auth/sessions', {
        id: 'listSessions',
        tag: 'Auth',
        summary: "List one's own sessions",
        answer: 'Sessions that have not ended, the latest first.',
      }),
    )
    .meta(sessionOnly)
    .output(z.array(session))
    .query(({ ctx }) => ctx.app.sessions.list(ctx.viewer.id, ctx.sessionToken ?? '')),

  endSession: signedInProcedure
    .meta(
      rest('delete', '/auth/sessions/:id', {
        id: 'endSession',
        tag: 'Auth',
        summary: "End one of one's own sessions",
        description: 'Signs one other device out. To end the session of the request itself, use `logout`.',
        refusals: ['SESSION_NOT_FOUND', 'OWN_SESSION'],
      }),
    )
    .meta(sessionOnly)
    .input(sessionInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await ctx.app.sessions.endByHandle(ctx.viewer.id, input.id, ctx.sessionToken ?? '');
      return { success: true } as const;
    }),

  confirmSession: signedInProcedure
    .meta(
      rest('post', '/auth/sessions/:id/confirm', {
        id: 'confirmSession',
        tag: 'Auth',
        summary: 'Confirm a sign-in from a new device',
        description: 'The other devices no longer ask about it. The session of the request cannot confirm itself.',
        refusals: ['SESSION_NOT_FOUND'],
      }),
    )
    .meta(sessionOnly)
    .input(sessionInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await ctx.app.sessions.confirm(ctx.viewer.id, input.id, ctx.sessionToken ?? '');
      return { success: true } as const;
    }),

  endOtherSessions: signedInProcedure
    .meta(
      rest('post', '/auth/sessions/end-others', {
        id: 'endOtherSessions',
        tag: 'Auth',
        summary: 'End all other sessions',
        description: 'Signs every other device out. The session of the request goes on.',
      }),
    )
    .meta(sessionOnly)
    .output(success)
    .mutation(async ({ ctx }) => {
      await ctx.app.sessions.endOthers(ctx.viewer.id, ctx.sessionToken ?? '');
      return { success: true } as const;
    }),
};
