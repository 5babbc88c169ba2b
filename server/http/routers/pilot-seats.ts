/** Procedures for pilots' seats: find and take an open seat, stand by for one, swap seats with another pilot. */
import { listOpenMissions } from '#server/orders/seating/open-missions.ts';
import { answerSwap, proposeSwap, withdrawSwap } from '#server/orders/seat-swaps.ts';
import { listSwapPartners } from '#server/orders/swap-partners.ts';
import { listSwaps } from '#server/orders/swap-view.ts';
import { joinStandby, leaveStandby } from '#server/orders/join-standby.ts';
import { takeOpenSeat } from '#server/orders/take-seat.ts';
import { heavy, keyedCaller, pilotProcedure, polled, router } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import { noAccess } from '#server/http/access.ts';
import { typedAnswer } from '#server/http/typed-answer.ts';
import { success } from '#shared/schemas/common.ts';
import { fragOrder } from '#shared/schemas/pilot.ts';
import {
  answerSwapInput,
  joinStandbyInput,
  openings,
  proposeSwapInput,
  seatSwap,
  seatSwaps,
  standbyInput,
  swapInput,
  swapPartners,
  swapPartnersInput,
  takeSeatInput,
} from '#shared/schemas/seats.ts';

export const seatsRouter = router({
  openings: pilotProcedure
    .meta(
      rest('get', '/pilot/openings', {
        id: 'listOpenings',
        tag: 'Seats',
        summary: 'List missions with open seats',
        description: 'Upcoming missions with a seat that the caller may take, and the others with the reason why not.',
      }),
    )
    .meta(heavy)
    .output(openings)
    .query(({ ctx }) => listOpenMissions(ctx.em, ctx.viewer, ctx.now)),

  take: pilotProcedure
    .meta(
      rest('post', '/pilot/seats', {
        status: 201,
        id: 'takeSeat',
        tag: 'Seats',
        summary: 'Take an open seat',
        description:
          "The seat is accepted at once. The first caller gets it. Pending offers at the same time are declined. The flags let the call change the caller's own data so that the seat fits; all of it happens, or nothing.",
        answer: 'The new order, accepted.',
        refusals: [
          'MISSION_NOT_FOUND',
          'FLIGHT_NOT_FOUND',
          'SEAT_NOT_FOUND',
          'ORDER_NOT_FOUND',
          'MISSION_FINAL',
          'MISSION_STARTED',
          'SEAT_HELD_ALREADY',
          'SEAT_TAKEN',
          'OVERLAP',
          'NOT_ELIGIBLE',
          'LIMIT_REACHED',
        ],
      }),
    )
    .meta(noAccess)
    .input(takeSeatInput)
    .output(fragOrder)
    .mutation(({ ctx, input }) => takeOpenSeat(ctx.em, ctx.viewer, input, ctx.now, keyedCaller(ctx))),

  joinStandby: pilotProcedure
    .meta(
      rest('put', '/pilot/missions/:id/standby', {
        id: 'joinStandby',
        tag: 'Seats',
        summary: 'Join the standby queue of a mission',
        description:
          'For a mission whose seats that fit the caller are all taken. The caller joins the end of the queue, and gets a seat, or an offer of one, when it is free. A pending order is answered with standby. Repeating it keeps the place. The flags are those of taking a seat.',
        answer: 'The order, on standby, with the place in the queue.',
        refusals: [
          'MISSION_NOT_FOUND',
          'MISSION_FINAL',
          'MISSION_STARTED',
          'SEAT_HELD_ALREADY',
          'SEAT_OPEN',
          'OVERLAP',
          'NOT_ELIGIBLE',
          'LIMIT_REACHED',
        ],
      }),
    )
    .meta(noAccess)
    .input(joinStandbyInput)
    .output(fragOrder)
    .mutation(({ ctx, input }) => joinStandby(ctx.em, ctx.viewer, input, ctx.now)),

  leaveStandby: pilotProcedure
    .meta(
      rest('delete', '/pilot/missions/:id/standby', {
        id: 'leaveStandby',
        tag: 'Seats',
        summary: 'Leave the standby queue of a mission',
        description:
          'The order is declined, however the caller came into the queue. Does nothing for a caller who is not in it.',
        refusals: ['MISSION_NOT_FOUND', 'MISSION_STARTED'],
      }),
    )
    .meta(noAccess)
    .input(standbyInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await leaveStandby(ctx.em, ctx.viewer, input.id, ctx.now);
      return { success: true } as const;
    }),
});

export const swapsRouter = router({
  partners: pilotProcedure
    .meta(
      rest('get', '/pilot/inbox/:id/swap-partners', {
        id: 'listSwapPartners',
        tag: 'Seats',
        summary: 'List seats to swap with',
        answer: 'Accepted seats of the same mission whose pilots could swap with the caller, in board order.',
        refusals: ['ORDER_NOT_FOUND'],
      }),
    )
    .meta(heavy)
    .input(swapPartnersInput)
    .output(swapPartners)
    .query(({ ctx, input }) => listSwapPartners(ctx.em, ctx.viewer, input.id, ctx.now)),

  list: pilotProcedure
    .meta(
      rest('get', '/pilot/swaps', {
        id: 'listSwaps',
        tag: 'Seats',
        summary: 'List open swaps',
        answer: 'Swaps in upcoming missions that await an answer, proposed by or to the caller.',
      }),
    )
    .meta(polled)
    .output(typedAnswer(seatSwaps))
    .query(({ ctx }) => listSwaps(ctx.em, ctx.viewer, ctx.now)),

  propose: pilotProcedure
    .meta(
      rest('post', '/pilot/inbox/:id/swaps', {
        status: 201,
        id: 'proposeSwap',
        tag: 'Seats',
        summary: 'Propose a swap of seats',
        description: 'Asks the other pilot. Nothing changes until that pilot agrees.',
        answer: 'The proposal.',
        refusals: ['ORDER_NOT_FOUND', 'SWAP_NOT_FOUND', 'SWAP_NOT_POSSIBLE', 'SWAP_OPEN_ALREADY', 'LIMIT_REACHED'],
      }),
    )
    .meta(noAccess)
    .input(proposeSwapInput)
    .output(seatSwap)
    .mutation(({ ctx, input }) => proposeSwap(ctx.em, ctx.viewer, input, ctx.now, keyedCaller(ctx))),

  answer: pilotProcedure
    .meta(
      rest('post', '/pilot/swaps/:id/answer', {
        id: 'answerSwap',
        tag: 'Seats',
        summary: 'Agree to a swap or decline it',
        description: 'For the pilot who was asked. With `agreed` the two seats are exchanged.',
        answer: 'The swap with the answer.',
        refusals: ['SWAP_NOT_FOUND', 'SWAP_OVER', 'SWAP_NOT_POSSIBLE'],
      }),
    )
    .meta(noAccess)
    .input(answerSwapInput)
    .output(seatSwap)
    .mutation(({ ctx, input }) => answerSwap(ctx.em, ctx.viewer, input, ctx.now)),

  withdraw: pilotProcedure
    .meta(
      rest('delete', '/pilot/swaps/:id', {
        id: 'withdrawSwap',
        tag: 'Seats',
        summary: "Withdraw one's own proposal",
        refusals: ['SWAP_NOT_FOUND', 'SWAP_OVER'],
      }),
    )
    .meta(noAccess)
    .input(swapInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await withdrawSwap(ctx.em, ctx.viewer, input.id, ctx.now);
      return { success: true } as const;
    }),
});
