/** Procedures for pilots' seats: find and take an open seat, stand by for one, swap seats with another pilot. */
import { listOpenMissions } from '#server/seating/open-missions.ts';
import { answerSwap, proposeSwap, withdrawSwap } from '#server/orders/seat-swaps.ts';
import { listSwapPartners, listSwaps } from '#server/orders/swap-view.ts';
import { joinStandby, leaveStandby } from '#server/orders/standby.ts';
import { takeOpenSeat } from '#server/orders/take-seat.ts';
import { heavy, keyedCaller, pilotProcedure, polled, router } from '#server/http/trpc.ts';
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
    .meta(heavy)
    .output(openings)
    .query(({ ctx }) => listOpenMissions(ctx.em, ctx.viewer, ctx.now)),

  take: pilotProcedure
    .meta(noAccess)
    .input(takeSeatInput)
    .output(fragOrder)
    .mutation(({ ctx, input }) => takeOpenSeat(ctx.em, ctx.viewer, input, ctx.now, keyedCaller(ctx))),

  joinStandby: pilotProcedure
    .meta(noAccess)
    .input(joinStandbyInput)
    .output(fragOrder)
    .mutation(({ ctx, input }) => joinStandby(ctx.em, ctx.viewer, input, ctx.now)),

  leaveStandby: pilotProcedure
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
    .meta(heavy)
    .input(swapPartnersInput)
    .output(swapPartners)
    .query(({ ctx, input }) => listSwapPartners(ctx.em, ctx.viewer, input.id, ctx.now)),

  list: pilotProcedure
    .meta(polled)
    .output(typedAnswer(seatSwaps))
    .query(({ ctx }) => listSwaps(ctx.em, ctx.viewer, ctx.now)),

  propose: pilotProcedure
    .meta(noAccess)
    .input(proposeSwapInput)
    .output(seatSwap)
    .mutation(({ ctx, input }) => proposeSwap(ctx.em, ctx.viewer, input, ctx.now, keyedCaller(ctx))),

  answer: pilotProcedure
    .meta(noAccess)
    .input(answerSwapInput)
    .output(seatSwap)
    .mutation(({ ctx, input }) => answerSwap(ctx.em, ctx.viewer, input, ctx.now)),

  withdraw: pilotProcedure
    .meta(noAccess)
    .input(swapInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await withdrawSwap(ctx.em, ctx.viewer, input.id, ctx.now);
      return { success: true } as const;
    }),
});
