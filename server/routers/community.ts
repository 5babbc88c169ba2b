/** Admin procedures for the community: settings, invites, visitors' requests, accounts that wait for approval, messages to pilots. */
import { z } from 'zod';
import { decideAccounts, listWaiting } from '#server/accounts/approvals.ts';
import { readCommunity, updateCommunity } from '#server/accounts/community.ts';
import { dismissGuidedStart, readGuidedStart } from '#server/accounts/guided-start.ts';
import { createInvite, listInvited, listInvites, revokeInvite } from '#server/accounts/invites.ts';
import { dismissSlotRequest, listSlotRequests } from '#server/accounts/slot-requests.ts';
import { readCommunityMessages, sendCommunityMessage } from '#server/discord/outbox/community-messages.ts';
import { adminProcedure, keyedCaller, router } from '#server/http/trpc.ts';
import { freshSessionByRow, freshSessionIf, freshSessionOf, noAccess } from '#server/http/access.ts';
import {
  community,
  communityMessageInput,
  communityMessages,
  createInviteInput,
  decideAccountsInput,
  decidedAccounts,
  guidedStart,
  invite,
  invitedPilot,
  inviteInput,
  updateCommunityInput,
  waitingAccounts,
} from '#shared/schemas/community.ts';
import { success } from '#shared/schemas/common.ts';
import { slotRequestIdInput, slotRequests } from '#shared/schemas/slot-requests.ts';

export const communityRouter = router({
  get: adminProcedure.output(community).query(({ ctx }) => readCommunity(ctx.em)),

  update: adminProcedure
    .meta(noAccess)
    .input(updateCommunityInput)
    .output(community)
    .mutation(({ ctx, input }) => updateCommunity(ctx.em, ctx.viewer, input)),

  start: adminProcedure.output(guidedStart).query(({ ctx }) => readGuidedStart(ctx.em, ctx.viewer)),

  dismissStart: adminProcedure
    .meta(noAccess)
    .output(success)
    .mutation(async ({ ctx }) => {
      await dismissGuidedStart(ctx.em);
      return { success: true } as const;
    }),

  invites: adminProcedure
    .output(z.array(invite))
    .query(({ ctx }) => listInvites(ctx.em, ctx.app.inviteLinks, { isByToken: ctx.token !== null }, ctx.now)),

  createInvite: adminProcedure
    .meta(freshSessionIf(createInviteInput, ({ role }) => role === 'admin'))
    .input(createInviteInput)
    .output(invite)
    .mutation(({ ctx, input }) => createInvite(ctx.em, ctx.viewer, input, ctx.app.inviteLinks, keyedCaller(ctx))),

  revokeInvite: adminProcedure
    .meta(noAccess)
    .input(inviteInput)
    .output(invite)
    .mutation(({ ctx, input }) => revokeInvite(ctx.em, ctx.viewer, input.id, ctx.app.inviteLinks, ctx.now)),

  invited: adminProcedure
    .input(inviteInput)
    .output(z.array(invitedPilot))
    .query(({ ctx, input }) => listInvited(ctx.em, input.id)),

  requests: adminProcedure.output(slotRequests).query(({ ctx }) => listSlotRequests(ctx.em, ctx.now)),

  dismissRequest: adminProcedure
    .meta(noAccess)
    .input(slotRequestIdInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await dismissSlotRequest(ctx.em, ctx.viewer, input.id);
      return { success: true } as const;
    }),

  waiting: adminProcedure.output(waitingAccounts).query(({ ctx }) => listWaiting(ctx.em)),

  messages: adminProcedure
    .output(communityMessages)
    .query(({ ctx: { em, app, now } }) => readCommunityMessages(em, app.discord !== null, now)),

  sendMessage: adminProcedure
    .meta(noAccess)
    .input(communityMessageInput)
    .output(communityMessages)
    .mutation(({ ctx, input }) =>
      sendCommunityMessage(ctx.em, ctx.viewer, input, keyedCaller(ctx), ctx.app.discord !== null),
    ),

  decide: adminProcedure
    .meta(freshSessionByRow)
    .input(decideAccountsInput)
    .output(decidedAccounts)
    .mutation(async ({ ctx, input }) => ({
      decided: await decideAccounts(ctx.em, ctx.viewer, input, freshSessionOf(ctx), ctx.now),
    })),
});
