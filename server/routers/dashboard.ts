/** Procedures for the admins' board. */
import { getWeeklySummary } from '#server/board/dashboard.ts';
import { getFillRate } from '#server/board/fill-rate.ts';
import { listTurnoutAlerts } from '#server/board/turnout.ts';
import { adminProcedure, heavy, replicated, router } from '#server/http/trpc.ts';
import {
  daySummary,
  daySummaryInput,
  expectedOnline,
  expectedOnlineInput,
  fillRate,
  fillRateInput,
  heat,
  heatInput,
  recommendedTimes,
  recommendedTimesInput,
  turnoutAlerts,
  weeklySummary,
  weeklySummaryInput,
} from '#shared/schemas/dashboard.ts';

export const dashboardRouter = router({
  summary: adminProcedure
    .meta(heavy)
    .input(daySummaryInput)
    .output(daySummary)
    .query(({ ctx, input }) => ctx.app.heavyReads.run(ctx.em, 'daySummary', input, ctx.now)),

  weeklySummary: adminProcedure
    .meta(replicated)
    .input(weeklySummaryInput)
    .output(weeklySummary)
    .query(({ ctx, input }) => getWeeklySummary(ctx.em, input, ctx.now)),

  expectedOnline: adminProcedure
    .meta(heavy)
    .input(expectedOnlineInput)
    .output(expectedOnline)
    .query(({ ctx, input }) => ctx.app.heavyReads.run(ctx.em, 'expectedOnline', input, ctx.now)),

  heat: adminProcedure
    .meta(heavy)
    .input(heatInput)
    .output(heat)
    .query(({ ctx, input }) => ctx.app.heavyReads.run(ctx.em, 'heat', input, ctx.now)),

  recommendedTimes: adminProcedure
    .meta(heavy)
    .input(recommendedTimesInput)
    .output(recommendedTimes)
    .query(({ ctx, input }) => ctx.app.heavyReads.run(ctx.em, 'recommendedTimes', input, ctx.now)),

  fillRate: adminProcedure
    .meta(replicated)
    .input(fillRateInput)
    .output(fillRate)
    .query(({ ctx, input }) => getFillRate(ctx.em, input, ctx.now)),

  turnout: adminProcedure
    .meta(replicated)
    .output(turnoutAlerts)
    .query(({ ctx }) => listTurnoutAlerts(ctx.em, ctx.now)),
});
