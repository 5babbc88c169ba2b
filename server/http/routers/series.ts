/** Procedures for series of missions. */
import {
  adoptMission,
  createSeries,
  endSeries,
  skipDate,
  takeSeriesOver,
  updateSeries,
} from '#server/missions/series/series.ts';
import { listSeries } from '#server/missions/series/series-list.ts';
import { adminProcedure, heavy, keyedCaller, router } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import { noAccess } from '#server/http/access.ts';
import { success } from '#shared/schemas/common.ts';
import {
  adoptInput,
  changedSeries,
  createSeriesInput,
  endedSeries,
  endSeriesInput,
  seriesInput,
  seriesList,
  skipDateInput,
  updateSeriesInput,
} from '#shared/schemas/series.ts';

export const seriesRouter = router({
  list: adminProcedure
    .meta(
      rest('get', '/admin/series', {
        id: 'listSeries',
        tag: 'Templates and series',
        summary: 'List series',
        answer: 'The series that go on, by name, each with its coming dates.',
      }),
    )
    .meta(heavy)
    .output(seriesList)
    .query(({ ctx }) => listSeries(ctx.em, ctx.now)),

  create: adminProcedure
    .meta(
      rest('post', '/admin/series', {
        status: 201,
        id: 'createSeries',
        tag: 'Templates and series',
        summary: 'Repeat a mission or a template',
        description:
          'A background job makes the missions as drafts, as far ahead as the horizon, and publishes them if the series says so. An installation can have 100 series.',
        refusals: [
          'MISSION_NOT_FOUND',
          'MISSION_TEMPLATE_NOT_FOUND',
          'SERIES_ALREADY',
          'SERIES_OF_PRACTICE',
          'LIMIT_REACHED',
        ],
      }),
    )
    .meta(noAccess)
    .input(createSeriesInput)
    .output(changedSeries)
    .mutation(({ ctx, input }) => createSeries(ctx.em, ctx.viewer, input, keyedCaller(ctx))),

  update: adminProcedure
    .meta(
      rest('put', '/admin/series/:id', {
        id: 'updateSeries',
        tag: 'Templates and series',
        summary: 'Change a series, or its following dates',
        description:
          'Coming missions are edited like any mission. One that was edited separately stays as it is. Drafts on dates that the series no longer has are cancelled; published missions there stay, on their own.',
        refusals: ['SERIES_NOT_FOUND', 'SERIES_ENDED', 'SERIES_DATE', 'LIMIT_REACHED'],
      }),
    )
    .meta(noAccess)
    .input(updateSeriesInput)
    .output(changedSeries)
    .mutation(({ ctx, input }) => updateSeries(ctx.em, ctx.viewer, input, ctx.now)),

  adopt: adminProcedure
    .meta(
      rest('post', '/admin/missions/:missionId/adopt', {
        id: 'adoptMission',
        tag: 'Templates and series',
        summary: 'Take a mission over into its series',
        description: 'The other missions are edited as by a change of the series.',
        refusals: ['SERIES_NOT_FOUND', 'SERIES_ENDED', 'SERIES_DATE', 'LIMIT_REACHED'],
      }),
    )
    .meta(noAccess)
    .input(adoptInput)
    .output(changedSeries)
    .mutation(({ ctx, input }) => adoptMission(ctx.em, ctx.viewer, input, ctx.now)),

  skip: adminProcedure
    .meta(
      rest('post', '/admin/series/:id/skip', {
        id: 'skipSeriesDate',
        tag: 'Templates and series',
        summary: 'Skip a date of a series',
        description: 'Its mission is cancelled, and never made again.',
        refusals: ['SERIES_NOT_FOUND', 'SERIES_ENDED', 'SERIES_DATE'],
      }),
    )
    .meta(noAccess)
    .input(skipDateInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await skipDate(ctx.em, ctx.viewer, input, ctx.now);
      return { success: true } as const;
    }),

  end: adminProcedure
    .meta(
      rest('post', '/admin/series/:id/end', {
        id: 'endSeries',
        tag: 'Templates and series',
        summary: 'End a series',
        description: 'Coming drafts are cancelled.',
        refusals: ['SERIES_NOT_FOUND', 'SERIES_ENDED'],
      }),
    )
    .meta(noAccess)
    .input(endSeriesInput)
    .output(endedSeries)
    .mutation(({ ctx, input }) => endSeries(ctx.em, ctx.viewer, input, ctx.now)),

  takeOver: adminProcedure
    .meta(
      rest('post', '/admin/series/:id/take-over', {
        id: 'takeSeriesOver',
        tag: 'Templates and series',
        summary: 'Take a series over',
        description: 'From now on its missions are those of the caller. A series that has paused goes on.',
        refusals: ['SERIES_NOT_FOUND', 'SERIES_ENDED'],
      }),
    )
    .meta(noAccess)
    .input(seriesInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await takeSeriesOver(ctx.em, ctx.viewer, input.id, ctx.now);
      return { success: true } as const;
    }),
});
