/** Procedures for a pilot's frag orders and notices. */
import { z } from 'zod';
import { answer } from '#server/orders/answer.ts';
import { getInboxStatus, getOrder, listAccepted, listInbox } from '#server/orders/inbox.ts';
import { closeNotice, listNotices } from '#server/orders/notices.ts';
import { keyedCaller, pilotProcedure, polled } from '#server/http/trpc.ts';
import { noAccess } from '#server/http/access.ts';
import { typedAnswer } from '#server/http/typed-answer.ts';
import { success } from '#shared/schemas/common.ts';
import { closeNoticeInput, notices } from '#shared/schemas/notices.ts';
import { acceptedMission, fragOrder, inboxInput, inboxStatus, orderInput, rsvpInput } from '#shared/schemas/pilot.ts';
import { rest } from '#server/http/operation.ts';

export const inboxProcedures = {
  inbox: pilotProcedure
    .meta(
      rest('get', '/pilot/inbox', {
        id: 'listInbox',
        tag: 'Inbox',
        summary: "List one's own frag orders",
        description:
          'Orders that wait for an answer or whose mission has not ended; with `includeCompleted` also those of the last 30 days. With a session, marks the inbox as read.',
        answer: 'Frag orders.',
      }),
    )
    .meta(polled)
    .input(inboxInput.optional())
    .output(z.array(fragOrder))
    .query(({ ctx, input }) => {
      const options = { includeCompleted: input?.includeCompleted ?? false, marksRead: ctx.token === null };
      return listInbox(ctx.em, ctx.viewer, options, ctx.now);
    }),

  inboxStatus: pilotProcedure
    .meta(
      rest('get', '/pilot/inbox/status', {
        id: 'getInboxStatus',
        tag: 'Inbox',
        summary: 'Check for new frag orders',
        description: 'A small answer for polling.',
      }),
    )
    .meta(polled)
    .output(typedAnswer(inboxStatus))
    .query(({ ctx }) => getInboxStatus(ctx.em, ctx.viewer, ctx.now)),

  order: pilotProcedure
    .meta(
      rest('get', '/pilot/inbox/:id', {
        id: 'getOrder',
        tag: 'Inbox',
        summary: 'Get one frag order with its briefing',
        description: 'In any state. With a session, marks the order as read.',
        refusals: ['ORDER_NOT_FOUND'],
      }),
    )
    .input(orderInput)
    .output(acceptedMission)
    .query(({ ctx, input }) => getOrder(ctx.em, ctx.viewer, { id: input.id, marksRead: ctx.token === null }, ctx.now)),

  accepted: pilotProcedure
    .meta(
      rest('get', '/pilot/inbox/accepted', {
        id: 'listAccepted',
        tag: 'Inbox',
        summary: "List one's own accepted missions",
        description: 'Accepted orders of missions that have not ended, each with its briefing.',
        answer: 'Accepted missions, the soonest first.',
      }),
    )
    .meta(polled)
    .output(typedAnswer(z.array(acceptedMission)))
    .query(({ ctx }) => listAccepted(ctx.em, ctx.viewer, ctx.now)),

  rsvp: pilotProcedure
    .meta(
      rest('post', '/pilot/inbox/:id/rsvp', {
        id: 'answerOrder',
        tag: 'Inbox',
        summary: 'Answer a frag order',
        description:
          'Accept, stand by or decline. Giving a seat back asks the next pilot. Repeating an answer changes nothing. With `seen`, an acceptance is refused if an admin has changed the order since.',
        answer: 'The order with the answer.',
        takesKey: true,
        refusals: [
          'ORDER_NOT_FOUND',
          'CHANGED',
          'OVERLAP',
          'ON_LEAVE',
          'SEAT_TAKEN',
          'NO_SEAT_FREE',
          'ANSWER_NOT_POSSIBLE',
          'STANDBY_TOO_LATE',
          'MISSION_STARTED',
          'ORDER_EXPIRED',
          'ORDER_CANCELLED',
        ],
      }),
    )
    .meta(noAccess)
    .input(rsvpInput)
    .output(fragOrder)
    .mutation(({ ctx, input }) => answer(ctx.em, ctx.viewer, input, ctx.now, keyedCaller(ctx))),

  notices: pilotProcedure
    .meta(
      rest('get', '/pilot/notices', {
        id: 'listNotices',
        tag: 'Notifications',
        summary: "List one's own notices",
        description:
          'Orders that ended, and seats assigned from standby, without dismissed notices and those older than a week.',
        answer: 'Notices, the newest first.',
      }),
    )
    .meta(polled)
    .output(typedAnswer(notices))
    .query(({ ctx }) => listNotices(ctx.em, ctx.viewer, ctx.now)),

  closeNotice: pilotProcedure
    .meta(
      rest('delete', '/pilot/notices/:id', {
        id: 'closeNotice',
        tag: 'Notifications',
        summary: 'Dismiss a notice',
        refusals: ['NOTICE_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(closeNoticeInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await closeNotice(ctx.em, ctx.viewer, input.id, ctx.now);
      return { success: true } as const;
    }),
};
