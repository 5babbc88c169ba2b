/** Procedures for admins on missions: dry run, edit, publish, cancel, seats, orders, attendance. */
import { cancelMission, publishMission } from '#server/missions/mission-cancel.ts';
import { getMission } from '#server/missions/mission-detail.ts';
import { editMission, previewEdit } from '#server/missions/mission-edit.ts';
import { listFileVersions } from '#server/missions/mission-file/mission-files.ts';
import { applyMissionFile, previewMissionFile } from '#server/missions/mission-file-changes.ts';
import { readMissionsVersion } from '#server/missions/mission-version.queries.ts';
import { createPractice, removePractice } from '#server/missions/practice.ts';
import { publishWeek } from '#server/missions/publish-week.ts';
import { planWeek } from '#server/orders/seating/week-plan.ts';
import type { AccessToken } from '#server/accounts/access-tokens.ts';
import { adminProcedure, heavy, router, tagAnswer } from '#server/http/trpc.ts';
import { noAccess } from '#server/http/access.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { success } from '#shared/schemas/common.ts';
import { createdMission } from '#shared/schemas/missions.ts';
import {
  cancelledMission,
  missionDetail,
  missionIdInput,
  missionInput,
  publishedMission,
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
import { rest } from '#server/http/operation.ts';
import { missionSeatProcedures } from './mission-seats.ts';
import { LISTED_MAX } from '#shared/limits.ts';

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

/** Refusals of an edit, of its preview and of a new mission file. */
const EDIT_REFUSALS = [
  'MISSION_NOT_FOUND',
  'FLIGHT_NOT_FOUND',
  'PACKAGE_NOT_FOUND',
  'AIRCRAFT_NOT_FOUND',
  'AIRCRAFT_SWITCHED_OFF',
  'GUILD_NOT_FOUND',
  'START_IN_PAST',
  'CHANGED',
  'MISSION_UNDER_WAY',
  'MISSION_FINAL',
  'CALLSIGN_IN_USE',
  'RADIO_IN_USE',
] as const;

export const missionWorkRouter = router({
  /** Changes nothing; a mutation only because the input can be too long for a URL. */
  dryRun: adminProcedure
    .meta(
      rest('post', '/admin/missions/dry-run', {
        id: 'dryRunMission',
        tag: 'Missions',
        summary: 'Try how a mission would be seated',
        description: 'Changes nothing. Says who would be asked, why seats stay open, and which times would be better.',
        refusals: ['START_IN_PAST', 'AIRCRAFT_NOT_FOUND', 'AIRCRAFT_SWITCHED_OFF'],
      }),
    )
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
    .meta(
      rest('post', '/admin/missions/week-plan', {
        id: 'planWeek',
        tag: 'Missions',
        summary: 'Try how drafts would be seated together',
        description: 'Changes nothing. Compares seating all drafts together with publishing them one after the other.',
        refusals: [
          'MISSION_NOT_FOUND',
          'MISSION_FINAL',
          'MISSION_PUBLISHED',
          'START_IN_PAST',
          'AIRCRAFT_NOT_FOUND',
          'AIRCRAFT_SWITCHED_OFF',
        ],
      }),
    )
    .meta(noAccess)
    .meta(heavy)
    .input(weekPlanInput)
    .output(weekPlan)
    .mutation(({ ctx, input }) => {
      requireTimeZone(ctx.token, input.request ?? {}, 'request.');
      return planWeek(ctx.em, ctx.viewer, ctx.app.weekSolver, input, ctx.now);
    }),

  publishWeek: adminProcedure
    .meta(
      rest('post', '/admin/missions/publish-week', {
        id: 'publishWeek',
        tag: 'Missions',
        summary: 'Publish drafts together',
        description: 'Seats all drafts together and issues their frag orders. All of them are published or none.',
        refusals: ['MISSION_NOT_FOUND', 'MISSION_FINAL', 'MISSION_PUBLISHED', 'START_IN_PAST'],
      }),
    )
    .meta(noAccess)
    .meta(heavy)
    .input(publishWeekInput)
    .output(publishedWeek)
    .mutation(({ ctx, input }) => publishWeek(ctx.em, ctx.viewer, ctx.app.weekSolver, input, ctx.now)),

  rivals: adminProcedure
    .meta(
      rest('get', '/admin/missions/:id/rivals', {
        id: 'listRivalDrafts',
        tag: 'Missions',
        summary: 'List drafts that compete for pilots',
        answer: 'Drafts of the same week that could be seated together with this one, by start.',
        refusals: ['MISSION_NOT_FOUND'],
      }),
    )
    .meta(heavy)
    .input(missionIdInput)
    .output(rivalDrafts)
    .query(({ ctx, input }) => ctx.app.heavyReads.run(ctx.em, 'rivals', input.id, ctx.now)),

  unseated: adminProcedure
    .meta(
      rest('get', '/admin/missions/:id/unseated', {
        id: 'listUnseatedPilots',
        tag: 'Missions',
        summary: 'List pilots without a seat in a mission',
        answer: `Active pilots without a seat, with the reason: near misses first, then by reason and name, at most ${LISTED_MAX.ineligible} of each.`,
        refusals: ['MISSION_NOT_FOUND'],
      }),
    )
    .meta(heavy)
    .input(missionIdInput)
    .output(ineligiblePilots)
    .query(({ ctx, input }) => ctx.app.heavyReads.run(ctx.em, 'ineligible', input.id, ctx.now)),

  get: adminProcedure
    .meta(
      rest('get', '/admin/missions/:id', {
        id: 'getMission',
        tag: 'Missions',
        summary: 'Get a mission',
        description:
          'With the request that it was built from, for editing and copying. Local times are in `tz`, or else in the zone of the mission.',
        refusals: ['MISSION_NOT_FOUND'],
      }),
    )
    .meta(heavy)
    .input(missionInput)
    .output(missionDetail)
    .query(async ({ ctx, input }) => {
      await tagAnswer(ctx, () => readMissionsVersion(ctx.em, { id: input.id }, ctx.now));
      return getMission(ctx.em, input, ctx.now);
    }),

  edit: adminProcedure
    .meta(
      rest('put', '/admin/missions/:id', {
        id: 'editMission',
        tag: 'Missions',
        summary: 'Edit a mission',
        description:
          'Omitted fields stay unchanged. Pilots are asked again when the time, side, aircraft or role changes, and notified of smaller changes. Those who no longer fit lose their seat, unless `keepPilotIds` names them. A mission under way takes only notes, radio and end.',
        refusals: EDIT_REFUSALS,
      }),
    )
    .meta(noAccess)
    .input(editMissionInput)
    .output(editedMission)
    .mutation(({ ctx, input }) => {
      requireTimeZone(ctx.token, input);
      return editMission(ctx.em, ctx.viewer, input, ctx.now);
    }),

  /** Changes nothing; a mutation for the same reason as the dry run. */
  previewEdit: adminProcedure
    .meta(
      rest('post', '/admin/missions/:id/edit-preview', {
        id: 'previewMissionEdit',
        tag: 'Missions',
        summary: 'Try what an edit means for pilots',
        description:
          'Changes nothing. Takes the same input as the edit, and lists the pilots who would lose their seat.',
        refusals: EDIT_REFUSALS,
      }),
    )
    .meta(noAccess)
    .meta(heavy)
    .input(editMissionInput)
    .output(editPreview)
    .mutation(({ ctx, input }) => {
      requireTimeZone(ctx.token, input);
      return previewEdit(ctx.em, input, ctx.now);
    }),

  files: adminProcedure
    .meta(
      rest('get', '/admin/missions/:id/files', {
        id: 'listMissionFiles',
        tag: 'Missions',
        summary: "List the versions of a mission's file",
        description:
          'The file of DCS World that the mission was created from, and the changed ones that were brought in.',
      }),
    )
    .input(missionIdInput)
    .output(missionFileVersions)
    .query(({ ctx, input }) => listFileVersions(ctx.em, input.id)),

  /** Changes nothing; a mutation because it is asked once, when a file has been chosen. */
  fileChanges: adminProcedure
    .meta(
      rest('post', '/admin/missions/:id/file-changes', {
        id: 'previewMissionFile',
        tag: 'Missions',
        summary: 'Compare an uploaded file with that of a mission',
        description:
          'Changes nothing. Lists the differences between both files, what cannot be brought in, and the pilots who would lose their seat.',
        refusals: [...EDIT_REFUSALS, 'MISSION_FILE_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(missionFileChangesInput)
    .output(missionFileChanges)
    .mutation(({ ctx, input }) => previewMissionFile(ctx.em, ctx.viewer, input, ctx.now)),

  applyFile: adminProcedure
    .meta(
      rest('put', '/admin/missions/:id/file', {
        id: 'applyMissionFile',
        tag: 'Missions',
        summary: 'Bring a changed file into a mission',
        description:
          'Edits the mission by the differences between both files, with the rules of any edit: orders of seats that stay as they are do not change. The file becomes the newest version; the five newest are kept.',
        refusals: [...EDIT_REFUSALS, 'MISSION_FILE_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(applyMissionFileInput)
    .output(editedMission)
    .mutation(({ ctx, input }) => applyMissionFile(ctx.em, ctx.viewer, input, ctx.now)),

  createPractice: adminProcedure
    .meta(
      rest('post', '/admin/practice-missions', {
        status: 201,
        id: 'createPracticeMission',
        tag: 'Missions',
        summary: 'Make a practice mission',
        description:
          'Issues one order to the caller, a day ahead, in place of an earlier practice mission. Nobody else is asked, it counts nowhere, and no message or event leaves the site.',
        refusals: ['SUSPENDED', 'OVERLAP', 'LIMIT_REACHED', 'AIRCRAFT_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .output(createdMission)
    .mutation(({ ctx }) => createPractice(ctx.em, ctx.viewer, ctx.now)),

  removePractice: adminProcedure
    .meta(
      rest('delete', '/admin/practice-missions/:id', {
        id: 'removePracticeMission',
        tag: 'Missions',
        summary: 'Remove a practice mission',
        description: 'With its orders, without a trace.',
        refusals: ['MISSION_NOT_FOUND', 'MISSION_NOT_PRACTICE'],
      }),
    )
    .meta(noAccess)
    .input(missionIdInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await removePractice(ctx.em, ctx.viewer, input.id, ctx.now);
      return { success: true } as const;
    }),

  cancel: adminProcedure
    .meta(
      rest('post', '/admin/missions/:id/cancel', {
        id: 'cancelMission',
        tag: 'Missions',
        summary: 'Cancel a mission',
        description: 'Cancels its orders and tells the pilots. A draft is cancelled without telling anybody.',
        refusals: ['MISSION_NOT_FOUND', 'MISSION_FINAL'],
      }),
    )
    .meta(noAccess)
    .input(missionIdInput)
    .output(cancelledMission)
    .mutation(({ ctx, input }) => cancelMission(ctx.em, ctx.viewer, input.id, ctx.now)),

  publish: adminProcedure
    .meta(
      rest('post', '/admin/missions/:id/publish', {
        id: 'publishMission',
        tag: 'Missions',
        summary: 'Publish a draft',
        description: 'Fills the seats and issues frag orders.',
        refusals: ['MISSION_NOT_FOUND', 'MISSION_FINAL', 'MISSION_PUBLISHED', 'START_IN_PAST'],
      }),
    )
    .meta(noAccess)
    .input(missionIdInput)
    .output(publishedMission)
    .mutation(({ ctx, input }) => publishMission(ctx.em, ctx.viewer, input.id, ctx.now)),

  ...missionSeatProcedures,
});
