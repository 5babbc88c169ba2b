/** Procedures for series of missions. */
import {
  adoptMission,
  createSeries,
  endSeries,
  skipDate,
  takeSeriesOver,
  updateSeries,
} from '#server/series/series.ts';
import { listSeries } from '#server/series/series-list.ts';
import { adminProcedure, heavy, keyedCaller, router } from '#server/http/trpc.ts';
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
    .meta(heavy)
    .output(seriesList)
    .query(({ ctx }) => listSeries(ctx.em, ctx.now)),

  create: adminProcedure
    .meta(noAccess)
    .input(createSeriesInput)
    .output(changedSeries)
    .mutation(({ ctx, input }) => createSeries(ctx.em, ctx.viewer, input, keyedCaller(ctx))),

  update: adminProcedure
    .meta(noAccess)
    .input(updateSeriesInput)
    .output(changedSeries)
    .mutation(({ ctx, input }) => updateSeries(ctx.em, ctx.viewer, input, ctx.now)),

  adopt: adminProcedure
    .meta(noAccess)
    .input(adoptInput)
    .output(changedSeries)
    .mutation(({ ctx, input }) => adoptMission(ctx.em, ctx.viewer, input, ctx.now)),

  skip: adminProcedure
    .meta(noAccess)
    .input(skipDateInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await skipDate(ctx.em, ctx.viewer, input, ctx.now);
      return { success: true } as const;
    }),

  end: adminProcedure
    .meta(noAccess)
    .input(endSeriesInput)
    .output(endedSeries)
    .mutation(({ ctx, input }) => endSeries(ctx.em, ctx.viewer, input, ctx.now)),

  takeOver: adminProcedure
    .meta(noAccess)
    .input(seriesInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await takeSeriesOver(ctx.em, ctx.viewer, input.id, ctx.now);
      return { success: true } as const;
    }),
});
