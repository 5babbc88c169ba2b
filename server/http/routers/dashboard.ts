/** Procedures for the admins' board. */
import { getWeeklySummary } from '#server/board/dashboard.ts';
import { getFillRate } from '#server/board/fill-rate.ts';
import { listTurnoutAlerts } from '#server/board/turnout-alerts.ts';
import { listNeeds } from '#server/board/needs.ts';
import { adminProcedure, heavy, replicated, router } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import {
  boardNeeds,
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
    .meta(
      rest('get', '/admin/dashboard/summary', {
        id: 'getDaySummary',
        tag: 'Dashboard',
        summary: 'Get the figures of one day',
        description: 'Today by default, in `tz` (UTC by default).',
      }),
    )
    .meta(heavy)
    .input(daySummaryInput)
    .output(daySummary)
    .query(({ ctx, input }) => ctx.app.heavyReads.run(ctx.em, 'daySummary', input, ctx.now)),

  weeklySummary: adminProcedure
    .meta(
      rest('get', '/admin/dashboard/weekly-summary', {
        id: 'getWeekSummary',
        tag: 'Dashboard',
        summary: 'Get the figures of seven days',
        description: 'Seven days from `startDate` (today by default), in `tz` (UTC by default), and the next launches.',
      }),
    )
    .meta(replicated)
    .input(weeklySummaryInput)
    .output(weeklySummary)
    .query(({ ctx, input }) => getWeeklySummary(ctx.em, input, ctx.now)),

  expectedOnline: adminProcedure
    .meta(
      rest('get', '/admin/dashboard/series/expected-online', {
        id: 'getExpectedOnline',
        tag: 'Dashboard',
        summary: 'Get the expected pilots over time',
        description: 'Buckets of equal length from `from` to `to`, at most 31 days.',
      }),
    )
    .meta(heavy)
    .input(expectedOnlineInput)
    .output(expectedOnline)
    .query(({ ctx, input }) => ctx.app.heavyReads.run(ctx.em, 'expectedOnline', input, ctx.now)),

  heat: adminProcedure
    .meta(
      rest('get', '/admin/dashboard/heat', {
        id: 'getHeatMap',
        tag: 'Dashboard',
        summary: 'Get the free pilots by hour for seven days',
        refusals: ['AIRCRAFT_NOT_FOUND'],
      }),
    )
    .meta(heavy)
    .input(heatInput)
    .output(heat)
    .query(({ ctx, input }) => ctx.app.heavyReads.run(ctx.em, 'heat', input, ctx.now)),

  recommendedTimes: adminProcedure
    .meta(
      rest('get', '/admin/missions/recommended-time', {
        id: 'getRecommendedTimes',
        tag: 'Dashboard',
        summary: 'Get the best times for a mission on a date',
        description:
          'Times at which most pilots are free, ranked; with `seats`, times that fill most of these seats. Local times are in `tz`, which is UTC by default.',
        refusals: ['AIRCRAFT_NOT_FOUND'],
      }),
    )
    .meta(heavy)
    .input(recommendedTimesInput)
    .output(recommendedTimes)
    .query(({ ctx, input }) => ctx.app.heavyReads.run(ctx.em, 'recommendedTimes', input, ctx.now)),

  fillRate: adminProcedure
    .meta(
      rest('get', '/admin/dashboard/fill-rate', {
        id: 'getFillRate',
        tag: 'Dashboard',
        summary: 'Get the share of filled seats by week',
        description: 'Of missions that have started in the last 12 weeks. Days are in `tz`, which is UTC by default.',
      }),
    )
    .meta(replicated)
    .input(fillRateInput)
    .output(fillRate)
    .query(({ ctx, input }) => getFillRate(ctx.em, input, ctx.now)),

  needs: adminProcedure
    .meta(
      rest('get', '/admin/dashboard/needs', {
        id: 'listBoardNeeds',
        tag: 'Dashboard',
        summary: 'List what missions need of an admin',
        answer: 'Missions of the next 7 days that may lack pilots, or whose pilots are silent, the soonest first.',
      }),
    )
    .meta(replicated)
    .output(boardNeeds)
    .query(({ ctx }) => listNeeds(ctx.em, ctx.now)),

  turnout: adminProcedure
    .meta(
      rest('get', '/admin/dashboard/turnout', {
        id: 'listTurnoutAlerts',
        tag: 'Dashboard',
        summary: 'List missions that may lack pilots',
        answer: 'Missions of the next 7 days that are unlikely to have enough pilots, the soonest first.',
      }),
    )
    .meta(replicated)
    .output(turnoutAlerts)
    .query(({ ctx }) => listTurnoutAlerts(ctx.em, ctx.now)),
});
