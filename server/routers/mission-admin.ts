/** Procedures for admins on missions: dry run, edit, publish, cancel, seats, orders, attendance. */
import { recordAttendance } from '#server/missions/attendance.ts';
import { cancelMission, publishMission } from '#server/missions/mission-cancel.ts';
import { getMission } from '#server/missions/mission-detail.ts';
import { editMission, previewEdit } from '#server/missions/mission-edit.ts';
import { listFileVersions } from '#server/mission-file/mission-files.ts';
import { applyMissionFile, previewMissionFile } from '#server/missions/mission-file-changes.ts';
import { readMissionsVersion } from '#server/missions/mission-version.queries.ts';
import { listMissionOrders } from '#server/missions/mission-orders.ts';
import { assignPilot, removePilot } from '#server/missions/mission-seats.ts';
import { createPractice, removePractice } from '#server/missions/practice.ts';
import { publishWeek } from '#server/missions/publish-week.ts';
import { planWeek } from '#server/seating/week-plan.ts';
import type { AccessToken } from '#server/accounts/access-tokens.ts';
import { adminProcedure, heavy, replicated, router, tagAnswer } from '#server/http/trpc.ts';
import { noAccess } from '#server/http/access.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { success } from '#shared/schemas/common.ts';
import { createdMission } from '#shared/schemas/missions.ts';
import {
  assignedPilot,
  assignPilotInput,
  attendanceInput,
  cancelledMission,
  missionDetail,
  missionIdInput,
  missionInput,
  missionOrders,
  publishedMission,
  removePilotInput,
  candidatesInput,
  seatCandidates,
} from '#shared/schemas/mission-admin.ts';
import { editedMission, editMissionInput, editPreview } from '#shared/schemas/mission-edit.ts';
import {
  applyMissionFileInput,
  missionFileChanges,
  missionFileChangesInput,
  missionFileVersions,
} from '#shared/schemas/mission-file.ts';
import {
  dryRun,
  dryRunInput,
  publishedWeek,
  publishWeekInput,
  rivalDrafts,
  ineligiblePilots,
  weekPlan,
  weekPlanInput,
} from '#shared/schemas/mission-plan.ts';

/**
 * 400 for local times without their zone from a script: in a browser they are those of the admin's profile, which the form
 * shows, but a script that reads times in one zone would send them in another.
 * @param within path of the mission in the input, with a dot at its end
 */
export function requireTimeZone(
  token: AccessToken | null,
  { startLocal, endLocal, timeZone }: { startLocal?: unknown; endLocal?: unknown; timeZone?: unknown },
  within = '',
): void {
  const hasTimes = startLocal !== undefined || endLocal !== undefined;
  if (token && hasTimes && timeZone === undefined) {
    throw new AppError('VALIDATION', copy.timeZoneForToken, { field: `${within}timeZone` });
  }
}

export const missionWorkRouter = router({
  /** Changes nothing; a mutation only because the input can be too long for a URL. */
  dryRun: adminProcedure
    .meta(noAccess)
    .meta(heavy)
    .input(dryRunInput)
    .output(dryRun)
    .mutation(({ ctx, input }) => {
      requireTimeZone(ctx.token, input);
      return ctx.app.heavyReads.run(ctx.em, 'dryRun', ctx.viewer, input, ctx.now);
    }),

  /** Changes nothing; a mutation for the same reason as the dry run. */
  weekPlan: adminProcedure
    .meta(noAccess)
    .meta(heavy)
    .input(weekPlanInput)
    .output(weekPlan)
    .mutation(({ ctx, input }) => {
      requireTimeZone(ctx.token, input.request ?? {}, 'request.');
      return planWeek(ctx.em, ctx.viewer, ctx.app.weekSolver, input, ctx.now);
    }),

  publishWeek: adminProcedure
    .meta(noAccess)
    .meta(heavy)
    .input(publishWeekInput)
    .output(publishedWeek)
    .mutation(({ ctx, input }) => publishWeek(ctx.em, ctx.viewer, ctx.app.weekSolver, input, ctx.now)),

  rivals: adminProcedure
    .meta(heavy)
    .input(missionIdInput)
    .output(rivalDrafts)
    .query(({ ctx, input }) => ctx.app.heavyReads.run(ctx.em, 'rivals', input.id, ctx.now)),

  unseated: adminProcedure
    .meta(heavy)
    .input(missionIdInput)
    .output(ineligiblePilots)
    .query(({ ctx, input }) => ctx.app.heavyReads.run(ctx.em, 'ineligible', input.id, ctx.now)),

  get: adminProcedure
    .meta(heavy)
    .input(missionInput)
    .output(missionDetail)
    .query(async ({ ctx, input }) => {
      await tagAnswer(ctx, () => readMissionsVersion(ctx.em, { id: input.id }, ctx.now));
      return getMission(ctx.em, input, ctx.now);
    }),

  edit: adminProcedure
    .meta(noAccess)
    .input(editMissionInput)
    .output(editedMission)
    .mutation(({ ctx, input }) => {
      requireTimeZone(ctx.token, input);
      return editMission(ctx.em, ctx.viewer, input, ctx.now);
    }),

  /** Changes nothing; a mutation for the same reason as the dry run. */
  previewEdit: adminProcedure
    .meta(noAccess)
    .meta(heavy)
    .input(editMissionInput)
    .output(editPreview)
    .mutation(({ ctx, input }) => {
      requireTimeZone(ctx.token, input);
      return previewEdit(ctx.em, input, ctx.now);
    }),

  files: adminProcedure
    .input(missionIdInput)
    .output(missionFileVersions)
    .query(({ ctx, input }) => listFileVersions(ctx.em, input.id)),

  /** Changes nothing; a mutation because it is asked once, when a file has been chosen. */
  fileChanges: adminProcedure
    .meta(noAccess)
    .input(missionFileChangesInput)
    .output(missionFileChanges)
    .mutation(({ ctx, input }) => previewMissionFile(ctx.em, ctx.viewer, input, ctx.now)),

  applyFile: adminProcedure
    .meta(noAccess)
    .input(applyMissionFileInput)
    .output(editedMission)
    .mutation(({ ctx, input }) => applyMissionFile(ctx.em, ctx.viewer, input, ctx.now)),

  createPractice: adminProcedure
    .meta(noAccess)
    .output(createdMission)
    .mutation(({ ctx }) => createPractice(ctx.em, ctx.viewer, ctx.now)),

  removePractice: adminProcedure
    .meta(noAccess)
    .input(missionIdInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await removePractice(ctx.em, ctx.viewer, input.id, ctx.now);
      return { success: true } as const;
    }),

  cancel: adminProcedure
    .meta(noAccess)
    .input(missionIdInput)
    .output(cancelledMission)
    .mutation(({ ctx, input }) => cancelMission(ctx.em, ctx.viewer, input.id, ctx.now)),

  publish: adminProcedure
    .meta(noAccess)
    .input(missionIdInput)
    .output(publishedMission)
    .mutation(({ ctx, input }) => publishMission(ctx.em, ctx.viewer, input.id, ctx.now)),

  assignPilot: adminProcedure
    .meta(noAccess)
    .input(assignPilotInput)
    .output(assignedPilot)
    .mutation(({ ctx, input }) => assignPilot(ctx.em, ctx.viewer, input, ctx.now)),

  removePilot: adminProcedure
    .meta(noAccess)
    .input(removePilotInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await removePilot(ctx.em, ctx.viewer, input, ctx.now);
      return { success: true } as const;
    }),

  candidates: adminProcedure
    .meta(heavy)
    .input(candidatesInput)
    .output(seatCandidates)
    .query(({ ctx, input }) => ctx.app.heavyReads.run(ctx.em, 'seatCandidates', input, ctx.now)),

  orders: adminProcedure
    .meta(replicated)
    .input(missionIdInput)
    .output(missionOrders)
    .query(({ ctx, input }) => listMissionOrders(ctx.em, input.id, ctx.now)),

  recordAttendance: adminProcedure
    .meta(noAccess)
    .input(attendanceInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await recordAttendance(ctx.em, ctx.viewer, input, ctx.now);
      return { success: true } as const;
    }),
});
