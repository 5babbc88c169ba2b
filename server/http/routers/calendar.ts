/** Procedures for the secret calendar link of a pilot. */
import { createCalendar, endCalendar, getCalendar } from '#server/missions/briefing/calendar.ts';
import { pilotProcedure, router } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import { sessionOnly } from '#server/http/access.ts';
import { calendarFeed, newCalendarFeed } from '#shared/schemas/calendar.ts';
import { success } from '#shared/schemas/common.ts';

export const calendarRouter = router({
  feed: pilotProcedure
    .meta(
      rest('get', '/pilot/calendar', {
        id: 'getCalendarLink',
        tag: 'Notifications',
        summary: 'Get the time of the calendar link',
        description: 'The address itself is shown only once, when it is created.',
      }),
    )
    .output(calendarFeed)
    .query(({ ctx }) => getCalendar(ctx.em, ctx.viewer)),

  renew: pilotProcedure
    .meta(
      rest('post', '/pilot/calendar', {
        status: 201,
        id: 'createCalendarLink',
        tag: 'Notifications',
        summary: 'Create a calendar link',
        description: 'Calendars subscribe to it without a sign-in. A link that exists stops to work.',
      }),
    )
    .meta(sessionOnly)
    .output(newCalendarFeed)
    .mutation(({ ctx }) => createCalendar(ctx.em, ctx.viewer, ctx.sessionToken ?? '', ctx.app.env.PUBLIC_URL, ctx.now)),

  end: pilotProcedure
    .meta(
      rest('delete', '/pilot/calendar', {
        id: 'endCalendarLink',
        tag: 'Notifications',
        summary: 'End the calendar link',
        description: 'Succeeds also when there is none.',
      }),
    )
    .meta(sessionOnly)
    .output(success)
    .mutation(async ({ ctx }) => {
      await endCalendar(ctx.em, ctx.viewer);
      return { success: true } as const;
    }),
});
