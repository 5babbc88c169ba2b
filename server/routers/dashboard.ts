/** The admins' board. */
import { getDaySummary, getWeeklySummary } from '#server/services/dashboard.ts';
import { getExpectedOnline, getHeat, getRecommendedTimes } from '#server/services/expected-pilots.ts';
import { listTurnoutAlerts } from '#server/services/turnout.ts';
import { adminProcedure, router } from '#server/trpc.ts';
import {
  daySummary,
  daySummaryInput,
  expectedOnline,
  expectedOnlineInput,
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
    .input(daySummaryInput)
    .output(daySummary)
    .query(({ ctx, input }) => getDaySummary(ctx.em, input, ctx.now)),

  weeklySummary: adminProcedure
    .input(weeklySummaryInput)
    .output(weeklySummary)
    .query(({ ctx, input }) => getWeeklySummary(ctx.em, input, ctx.now)),

  expectedOnline: adminProcedure
    .input(expectedOnlineInput)
    .output(expectedOnline)
    .query(({ ctx, input }) => getExpectedOnline(ctx.em, input, ctx.now)),

  heat: adminProcedure
    .input(heatInput)
    .output(heat)
    .query(({ ctx, input }) => getHeat(ctx.em, input, ctx.now)),

  recommendedTimes: adminProcedure
    .input(recommendedTimesInput)
    .output(recommendedTimes)
    .query(({ ctx, input }) => getRecommendedTimes(ctx.em, input, ctx.now)),

  turnout: adminProcedure.output(turnoutAlerts).query(({ ctx }) => listTurnoutAlerts(ctx.em, ctx.now)),
});
