/** Admin procedures for the community: settings, invites, visitors' requests, accounts that wait for approval, messages to pilots. */
import { z } from 'zod';
import { decideAccounts, listWaiting } from '#server/accounts/approvals.ts';
import { readCommunity, updateCommunity } from '#server/accounts/community.ts';
import { dismissGuidedStart, readGuidedStart } from '#server/accounts/guided-start.ts';
import { createInvite, listInvited, listInvites, revokeInvite } from '#server/accounts/invites.ts';
import { dismissSlotRequest, listSlotRequests } from '#server/accounts/slot-requests.ts';
import { readCommunityMessages, sendCommunityMessage } from '#server/discord/posts/community-messages.ts';
import { adminProcedure, keyedCaller, router } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
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
  get: adminProcedure
    .meta(
      rest('get', '/admin/community', {
        id: 'getCommunity',
        tag: 'Community',
        summary: "Get the community's settings",
      }),
    )
    .output(community)
    .query(({ ctx }) => readCommunity(ctx.em)),

  update: adminProcedure
    .meta(
      rest('put', '/admin/community', {
        id: 'updateCommunity',
        tag: 'Community',
        summary: "Change the community's settings",
        description: 'Accounts that already wait for approval keep waiting when registration is opened.',
      }),
    )
    .meta(noAccess)
    .input(updateCommunityInput)
    .output(community)
    .mutation(({ ctx, input }) => updateCommunity(ctx.em, ctx.viewer, input)),

  start: adminProcedure
    .meta(
      rest('get', '/admin/guided-start', {
        id: 'getGuidedStart',
        tag: 'Community',
        summary: 'Get the guided start',
        description: 'Each step follows from what the community has.',
      }),
    )
    .output(guidedStart)
    .query(({ ctx }) => readGuidedStart(ctx.em, ctx.viewer)),

  dismissStart: adminProcedure
    .meta(
      rest('post', '/admin/guided-start/dismiss', {
        id: 'dismissGuidedStart',
        tag: 'Community',
        summary: 'Put the guided start away',
        description: 'For all admins.',
      }),
    )
    .meta(noAccess)
    .output(success)
    .mutation(async ({ ctx }) => {
      await dismissGuidedStart(ctx.em);
      return { success: true } as const;
    }),

  invites: adminProcedure
    .meta(
      rest('get', '/admin/invites', {
        id: 'listInvites',
        tag: 'Community',
        summary: 'List invites',
        answer: 'Invites with their links, the newest first.',
      }),
    )
    .output(z.array(invite))
    .query(({ ctx }) => listInvites(ctx.em, ctx.app.inviteLinks, { isByToken: ctx.token !== null }, ctx.now)),

  createInvite: adminProcedure
    .meta(
      rest('post', '/admin/invites', {
        status: 201,
        id: 'createInvite',
        tag: 'Community',
        summary: 'Make an invite',
        description:
          'People who open the link can register, also where registration is by invite. An installation can have 100 open invites. With a request it answers that: the request stays until its address has an account.',
        refusals: ['LIMIT_REACHED', 'AIRCRAFT_NOT_FOUND', 'REQUEST_NOT_FOUND'],
      }),
    )
    .meta(freshSessionIf(createInviteInput, ({ role }) => role === 'admin'))
    .input(createInviteInput)
    .output(invite)
    .mutation(({ ctx, input }) => createInvite(ctx.em, ctx.viewer, input, ctx.app.inviteLinks, keyedCaller(ctx))),

  revokeInvite: adminProcedure
    .meta(
      rest('post', '/admin/invites/:id/revoke', {
        id: 'revokeInvite',
        tag: 'Community',
        summary: 'Revoke an invite',
        description: 'Its link stops working at once. The accounts that came by it stay.',
        refusals: ['INVITE_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(inviteInput)
    .output(invite)
    .mutation(({ ctx, input }) => revokeInvite(ctx.em, ctx.viewer, input.id, ctx.app.inviteLinks, ctx.now)),

  invited: adminProcedure
    .meta(
      rest('get', '/admin/invites/:id/accounts', {
        id: 'listInvitedAccounts',
        tag: 'Community',
        summary: 'List the accounts that joined by an invite',
        answer: 'Accounts, the newest first.',
        refusals: ['INVITE_NOT_FOUND'],
      }),
    )
    .input(inviteInput)
    .output(z.array(invitedPilot))
    .query(({ ctx, input }) => listInvited(ctx.em, input.id)),

  requests: adminProcedure
    .meta(
      rest('get', '/admin/slot-requests', {
        id: 'listSlotRequests',
        tag: 'Community',
        summary: "List visitors' requests for a slot",
        description: 'They come from the form on the front page. One is closed by an account with its address.',
      }),
    )
    .output(slotRequests)
    .query(({ ctx }) => listSlotRequests(ctx.em, ctx.now)),

  dismissRequest: adminProcedure
    .meta(
      rest('delete', '/admin/slot-requests/:id', {
        id: 'dismissSlotRequest',
        tag: 'Community',
        summary: "Dismiss a visitor's request",
        description: 'Deletes it. The visitor is not told.',
        refusals: ['REQUEST_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(slotRequestIdInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await dismissSlotRequest(ctx.em, ctx.viewer, input.id);
      return { success: true } as const;
    }),

  waiting: adminProcedure
    .meta(
      rest('get', '/admin/waiting-accounts', {
        id: 'listWaitingAccounts',
        tag: 'Community',
        summary: 'List the accounts that wait for approval',
      }),
    )
    .output(waitingAccounts)
    .query(({ ctx }) => listWaiting(ctx.em)),

  messages: adminProcedure
    .meta(
      rest('get', '/admin/community-messages', {
        id: 'listCommunityMessages',
        tag: 'Community',
        summary: 'List the messages to pilots who want community news',
        description: 'With the number of pilots whom a message would reach now.',
      }),
    )
    .output(communityMessages)
    .query(({ ctx: { em, app, now } }) => readCommunityMessages(em, app.discord !== null, now)),

  sendMessage: adminProcedure
    .meta(
      rest('post', '/admin/community-messages', {
        status: 201,
        id: 'sendCommunityMessage',
        tag: 'Community',
        summary: 'Send a message to pilots who want community news',
        description:
          'By direct message in Discord and by notification, once to each pilot. At most 3 within 24 hours. Do Not Disturb holds it back.',
        answer: 'As the list, with the new message.',
        refusals: ['LIMIT_REACHED'],
      }),
    )
    .meta(noAccess)
    .input(communityMessageInput)
    .output(communityMessages)
    .mutation(({ ctx, input }) =>
      sendCommunityMessage(ctx.em, ctx.viewer, input, keyedCaller(ctx), ctx.app.discord !== null),
    ),

  decide: adminProcedure
    .meta(
      rest('post', '/admin/waiting-accounts', {
        id: 'decideWaitingAccounts',
        tag: 'Community',
        summary: 'Approve or decline accounts',
        description:
          'An approved account becomes a pilot, and an admin if its invite makes admins and `admins` names it. A declined one is deleted after 30 days, and can be approved until then.',
        refusals: ['BANNED', 'DELETION_REQUESTED', 'USER_NOT_FOUND', 'ADMIN_UNCONFIRMED', 'CHANGED'],
      }),
    )
    .meta(freshSessionByRow)
    .input(decideAccountsInput)
    .output(decidedAccounts)
    .mutation(async ({ ctx, input }) => ({
      decided: await decideAccounts(ctx.em, ctx.viewer, input, freshSessionOf(ctx), ctx.now),
    })),
});
