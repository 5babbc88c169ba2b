/** Procedures for the secret calendar link of a pilot. */
import { createCalendar, endCalendar, getCalendar } from '#server/briefing/calendar.ts';
import { pilotProcedure, router } from '#server/http/trpc.ts';
import { sessionOnly } from '#server/http/access.ts';
import { calendarFeed, newCalendarFeed } from '#shared/schemas/calendar.ts';
import { success } from '#shared/schemas/common.ts';

export const calendarRouter = router({
  feed: pilotProcedure.output(calendarFeed).query(({ ctx }) => getCalendar(ctx.em, ctx.viewer)),

  renew: pilotProcedure
    .meta(sessionOnly)
    .output(newCalendarFeed)
    .mutation(({ ctx }) => createCalendar(ctx.em, ctx.viewer, ctx.sessionToken ?? '', ctx.app.env.PUBLIC_URL, ctx.now)),

  end: pilotProcedure
    .meta(sessionOnly)
    .output(success)
    .mutation(async ({ ctx }) => {
      await endCalendar(ctx.em, ctx.viewer);
      return { success: true } as const;
    }),
});
