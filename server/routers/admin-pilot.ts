/** Procedures for admins about one pilot: availability summary and schedule. */
import { getAvailabilitySummary, getSchedule } from '#server/board/pilot-summary.ts';
import { comparePeers } from '#server/board/fairness-peers.ts';
import { adminProcedure, heavy, router } from '#server/http/trpc.ts';
import { availabilitySummary, availabilitySummaryInput, schedule, scheduleInput } from '#shared/schemas/admin-pilot.ts';
import { fairness, trackRecordInput } from '#shared/schemas/track-record.ts';

export const adminPilotRouter = router({
  availabilitySummary: adminProcedure
    .input(availabilitySummaryInput)
    .output(availabilitySummary)
    .query(({ ctx, input }) => getAvailabilitySummary(ctx.em, input, ctx.now)),

  schedule: adminProcedure
    .meta(heavy)
    .input(scheduleInput)
    .output(schedule)
    .query(({ ctx, input }) => getSchedule(ctx.em, input, ctx.now)),

  fairness: adminProcedure
    .meta(heavy)
    .input(trackRecordInput)
    .output(fairness)
    .query(({ ctx, input }) => comparePeers(ctx.em, input.id, ctx.now)),
});
