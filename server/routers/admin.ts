/** Admin procedures: missions, users, roles and the audit log. */
import { z } from 'zod';
import { listAttendance, listMissions, requireRange } from '#server/missions/mission-range.ts';
import { readMissionsVersion } from '#server/missions/mission-version.queries.ts';
import { createMission, listMissionsByDate } from '#server/missions/missions.ts';
import { addRole, listRoles, listUsers, removeRole, resetPassword } from '#server/accounts/admin-users.ts';
import { attemptBuckets } from '#server/accounts/attempt-limits.ts';
import { makePasswordLinks } from '#server/accounts/password-links.ts';
import { resetSecondFactorOf } from '#server/accounts/second-factor/state.ts';
import { countAttempt } from '#server/platform/rate-limit.ts';
import { listAudit } from '#server/board/audit-log.ts';
import { freshSession, freshSessionIf, noAccess } from '#server/http/access.ts';
import { describeFailingSteps } from '#server/jobs/steps.ts';
import { adminProcedure, replicated, router, tagAnswer } from '#server/http/trpc.ts';
import { dayBounds } from '#server/time/time.ts';
import { auditInput, auditPage } from '#shared/schemas/audit.ts';
import { copy } from '#shared/copy.ts';
import {
  resetPasswordInput,
  roleInput,
  roles,
  rolesInput,
  usersInput,
  usersPage,
  warnings,
} from '#shared/schemas/admin.ts';
import { success } from '#shared/schemas/common.ts';
import { passwordLink, passwordLinksInput } from '#shared/schemas/password-links.ts';
import { attendanceList, attendanceRangeInput, missionList, missionRangeInput } from '#shared/schemas/mission-lists.ts';
import { createdMission, createMissionInput, missionsByDate, missionsByDateInput } from '#shared/schemas/missions.ts';
import { adminPilotRouter } from './admin-pilot.ts';
import { aircraftRouter } from './aircraft.ts';
import { bansRouter } from './bans.ts';
import { communityRouter } from './community.ts';
import { dashboardRouter } from './dashboard.ts';
import { adminMailRouter } from './mail.ts';
import { seriesRouter } from './series.ts';
import { spreadsheetRouter } from './spreadsheet.ts';
import { webhooksRouter } from './webhooks.ts';
import { missionWorkRouter, requireTimeZone } from './mission-admin.ts';
import { missionTemplatesRouter } from './mission-templates.ts';

export const adminRouter = router({
  dashboard: dashboardRouter,
  mail: adminMailRouter,
  pilot: adminPilotRouter,
  mission: missionWorkRouter,
  missionTemplates: missionTemplatesRouter,
  series: seriesRouter,
  aircraft: aircraftRouter,
  webhooks: webhooksRouter,
  bans: bansRouter,
  community: communityRouter,
  spreadsheet: spreadsheetRouter,

  createMission: adminProcedure
    .meta(noAccess)
    .input(createMissionInput)
    .output(createdMission)
    .mutation(({ ctx, input }) => {
      requireTimeZone(ctx.token, input);
      return createMission(ctx.em, ctx.viewer, input, ctx.idempotencyKey, ctx.now);
    }),

  missionsByDate: adminProcedure
    .meta(replicated)
    .input(missionsByDateInput)
    .output(missionsByDate)
    .query(async ({ ctx, input }) => {
      await tagAnswer(ctx, () => readMissionsVersion(ctx.em, dayBounds(input.date, input.tz ?? 'UTC'), ctx.now));
      return listMissionsByDate(ctx.em, input, ctx.now);
    }),

  missions: adminProcedure
    .meta(replicated)
    .input(missionRangeInput)
    .output(missionList)
    .query(async ({ ctx, input }) => {
      const range = requireRange(input, input.tz ?? 'UTC', ctx.now);
      await tagAnswer(ctx, () => readMissionsVersion(ctx.em, range, ctx.now));
      return listMissions(ctx.em, range, ctx.now);
    }),

  attendance: adminProcedure
    .meta(replicated)
    .input(attendanceRangeInput)
    .output(attendanceList)
    .query(({ ctx, input }) => listAttendance(ctx.em, input, ctx.now)),

  users: adminProcedure
    .meta(replicated)
    .input(usersInput)
    .output(usersPage)
    .query(({ ctx, input }) => listUsers(ctx.em, input, ctx.now)),

  resetPassword: adminProcedure
    .meta(freshSession)
    .input(resetPasswordInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      // resetting one's own password asks for the current one, with the same attempt limit as changing it
      if (input.id === ctx.viewer.id) {
        await countAttempt(ctx.em, attemptBuckets.password(ctx.viewer.id), ctx.app.env.AUTH_ATTEMPTS_PER_MINUTE);
      }
      await resetPassword(ctx.em, ctx.viewer, ctx.app.passwords, input);
      return { success: true } as const;
    }),

  resetSecondFactor: adminProcedure
    .meta(freshSession)
    .input(rolesInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await resetSecondFactorOf(ctx.em, ctx.viewer, input.id);
      return { success: true } as const;
    }),

  passwordLinks: adminProcedure
    .meta(freshSession)
    .input(passwordLinksInput)
    .output(z.array(passwordLink))
    .mutation(({ ctx, input }) => makePasswordLinks(ctx.em, ctx.viewer, input.ids, ctx.app.env.PUBLIC_URL, ctx.now)),

  roles: adminProcedure
    .input(rolesInput)
    .output(roles)
    .query(async ({ ctx, input }) => ({ roles: await listRoles(ctx.em, input.id) })),

  addRole: adminProcedure
    .meta(freshSessionIf(roleInput, ({ role }) => role === 'admin'))
    .input(roleInput)
    .output(roles)
    .mutation(async ({ ctx, input }) => ({ roles: await addRole(ctx.em, ctx.viewer, input) })),

  removeRole: adminProcedure
    .meta(noAccess)
    .input(roleInput)
    .output(roles)
    .mutation(async ({ ctx, input }) => ({ roles: await removeRole(ctx.em, ctx.viewer, input, ctx.now) })),

  warnings: adminProcedure.output(warnings).query(async ({ ctx }) => ({
    warnings: [...(ctx.isForwardingIgnored ? [copy.forwardingIgnored] : []), ...(await describeFailingSteps(ctx.em))],
  })),

  audit: adminProcedure
    .meta(replicated)
    .input(auditInput)
    .output(auditPage)
    .query(({ ctx, input }) => listAudit(ctx.em, input)),
});
