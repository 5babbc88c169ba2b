/** Procedures for admins about one pilot: availability summary and schedule. */
import { getAvailabilitySummary, getSchedule } from '#server/board/pilot-summary.ts';
import { comparePeers } from '#server/board/fairness-peers.ts';
import { adminProcedure, heavy, router } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
import { availabilitySummary, availabilitySummaryInput, schedule, scheduleInput } from '#shared/schemas/admin-pilot.ts';
import { fairness, trackRecordInput } from '#shared/schemas/track-record.ts';

export const adminPilotRouter = router({
  availabilitySummary: adminProcedure
    .meta(
      rest('get', '/admin/users/:id/availability-summary', {
        id: 'getAvailabilitySummary',
        tag: 'Users',
        summary: "Get a pilot's availability and missions",
        description: 'Free times of the next days, aircraft, upcoming and previous missions, in `tz` (UTC by default).',
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .input(availabilitySummaryInput)
    .output(availabilitySummary)
    .query(({ ctx, input }) => getAvailabilitySummary(ctx.em, input, ctx.now)),

  schedule: adminProcedure
    .meta(
      rest('get', '/admin/users/:id/availability', {
        id: 'getSchedule',
        tag: 'Users',
        summary: "Get a pilot's weekly schedule",
        description: "The active template, in `tz` or else in the pilot's own time zone.",
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .meta(heavy)
    .input(scheduleInput)
    .output(schedule)
    .query(({ ctx, input }) => getSchedule(ctx.em, input, ctx.now)),

  fairness: adminProcedure
    .meta(
      rest('get', '/admin/users/:id/fairness', {
        id: 'getFairness',
        tag: 'Users',
        summary: "Compare a pilot's seats with those of peers",
        description:
          'Seats and fair shares of the pilot and of pilots with the same aircraft, in missions of the last 90 days and upcoming ones: the figures that seating uses.',
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .meta(heavy)
    .input(trackRecordInput)
    .output(fairness)
    .query(({ ctx, input }) => comparePeers(ctx.em, input.id, ctx.now)),
});
