/** Procedures for the calendars of a pilot elsewhere, whose busy times take away from the weekly ones. Nobody else sees them. */
import { z } from 'zod';
import {
  addBusyCalendar,
  listBusyCalendars,
  refreshBusyCalendar,
  removeBusyCalendar,
} from '#server/availability/busy/busy-calendars.ts';
import { pilotProcedure, router } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import { noAccess } from '#server/http/access.ts';
import { addBusyCalendarInput, busyCalendar, busyCalendarInput } from '#shared/schemas/busy-calendars.ts';
import { success } from '#shared/schemas/common.ts';

export const busyCalendarsRouter = router({
  list: pilotProcedure
    .meta(
      rest('get', '/pilot/busy-calendars', {
        id: 'listBusyCalendars',
        tag: 'Availability',
        summary: 'List your busy calendars',
        description: 'Without their addresses, which are secrets.',
        answer: 'The calendars, the oldest first.',
      }),
    )
    .output(z.array(busyCalendar))
    .query(({ ctx }) => listBusyCalendars(ctx.em, ctx.viewer, ctx.now)),

  add: pilotProcedure
    .meta(
      rest('post', '/pilot/busy-calendars', {
        status: 201,
        id: 'addBusyCalendar',
        tag: 'Availability',
        summary: 'Add a busy calendar',
        description:
          'Reads the calendar at its secret address (ICS), and again about every half an hour. Its busy times take away from the weekly times like dated exceptions, and an available exception takes precedence. Only the times are stored, never what they are about. A calendar that cannot be read is not added. At most 5.',
        refusals: ['CALENDAR_UNREADABLE', 'LIMIT_REACHED'],
      }),
    )
    .meta(noAccess)
    .input(addBusyCalendarInput)
    .output(busyCalendar)
    .mutation(({ ctx, input }) => addBusyCalendar(ctx.em, ctx.app, ctx.viewer, input, ctx.now)),

  refresh: pilotProcedure
    .meta(
      rest('post', '/pilot/busy-calendars/:calendarId/refresh', {
        id: 'refreshBusyCalendar',
        tag: 'Availability',
        summary: 'Read a busy calendar again',
        description: 'A calendar that cannot be read keeps its busy times, and the answer says why.',
        refusals: ['BUSY_CALENDAR_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(busyCalendarInput)
    .output(busyCalendar)
    .mutation(({ ctx, input }) => refreshBusyCalendar(ctx.em, ctx.app, ctx.viewer, input.calendarId, ctx.now)),

  remove: pilotProcedure
    .meta(
      rest('delete', '/pilot/busy-calendars/:calendarId', {
        id: 'removeBusyCalendar',
        tag: 'Availability',
        summary: 'Remove a busy calendar',
        description: 'Its busy times stop counting. Succeeds also when it is already gone.',
      }),
    )
    .meta(noAccess)
    .input(busyCalendarInput)
    .output(success)
    .mutation(({ ctx, input }) => removeBusyCalendar(ctx.em, ctx.viewer, input.calendarId)),
});
