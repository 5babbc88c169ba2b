/** Admin procedures: missions, users, roles and the audit log. */
import { z } from 'zod';
import { listAttendance, listMissions, requireRange } from '#server/missions/mission-range.ts';
import { readMissionsVersion } from '#server/missions/mission-version.queries.ts';
import { createMission, listMissionsByDate } from '#server/missions/missions.ts';
import { addRole, listRoles, listUsers, removeRole, resetPassword } from '#server/accounts/admin-users.ts';
import { attemptBuckets } from '#server/accounts/attempt-limits.ts';
import { makePasswordLinks } from '#server/accounts/password-links.ts';
import { resetSecondFactorOf } from '#server/accounts/second-factor/state.ts';
import { countAttempt } from '#server/platform/attempts.ts';
import { listAudit } from '#server/board/audit-log.ts';
import { freshSession, freshSessionIf, noAccess } from '#server/http/access.ts';
import { describeFailingSteps } from '#server/jobs/steps.ts';
import { adminProcedure, replicated, router, tagAnswer } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
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
import { backupsRouter } from './backups.ts';
import { bansRouter } from './bans.ts';
import { communityRouter } from './community.ts';
import { dashboardRouter } from './dashboard.ts';
import { adminMailRouter } from './mail.ts';
import { seriesRouter } from './series.ts';
import { slotsRouter } from './slots.ts';
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
  backups: backupsRouter,
  bans: bansRouter,
  community: communityRouter,
  slots: slotsRouter,
  spreadsheet: spreadsheetRouter,

  createMission: adminProcedure
    .meta(
      rest('post', '/admin/missions', {
        status: 201,
        id: 'createMission',
        tag: 'Missions',
        summary: 'Create a mission',
        description:
          "Groups the aircraft into packages and flights, with callsigns and frequencies. Unless `publish` is false, the seats are filled at once and the pilots get frag orders. Local times are in `timeZone`, or else in the admin's own zone. An end at or before the start is on the next day.",
        answer: 'The mission, what was built, and the orders that were issued.',
        refusals: [
          'START_IN_PAST',
          'AIRCRAFT_NOT_FOUND',
          'AIRCRAFT_SWITCHED_OFF',
          'GUILD_NOT_FOUND',
          'LIMIT_REACHED',
          'MISSION_FILE_NOT_FOUND',
          'MISSION_TEMPLATE_NOT_FOUND',
        ],
      }),
    )
    .meta(noAccess)
    .input(createMissionInput)
    .output(createdMission)
    .mutation(({ ctx, input }) => {
      requireTimeZone(ctx.token, input);
      return createMission(ctx.em, ctx.viewer, input, ctx.idempotencyKey, ctx.now);
    }),

  missionsByDate: adminProcedure
    .meta(
      rest('get', '/admin/missions/by-date', {
        id: 'listMissionsByDate',
        tag: 'Missions',
        summary: 'List the missions of a date',
        description:
          'Missions of any status that start on the date in `tz` (UTC by default), with packages, flights and accepted pilots. At most 200; `totalMissions` counts them all.',
      }),
    )
    .meta(replicated)
    .input(missionsByDateInput)
    .output(missionsByDate)
    .query(async ({ ctx, input }) => {
      await tagAnswer(ctx, () => readMissionsVersion(ctx.em, dayBounds(input.date, input.tz ?? 'UTC'), ctx.now));
      return listMissionsByDate(ctx.em, input, ctx.now);
    }),

  missions: adminProcedure
    .meta(
      rest('get', '/admin/missions', {
        id: 'listMissionsForAdmin',
        tag: 'Missions',
        summary: 'List missions of a range of dates',
        description: 'All missions, drafts and cancelled ones included, that start on these dates of `tz`.',
        answer: 'Missions by start, with packages, flights and accepted pilots.',
      }),
    )
    .meta(replicated)
    .input(missionRangeInput)
    .output(missionList)
    .query(async ({ ctx, input }) => {
      const range = requireRange(input, input.tz ?? 'UTC', ctx.now);
      await tagAnswer(ctx, () => readMissionsVersion(ctx.em, range, ctx.now));
      return listMissions(ctx.em, range, ctx.now);
    }),

  attendance: adminProcedure
    .meta(
      rest('get', '/admin/attendance', {
        id: 'exportAttendance',
        tag: 'Missions',
        summary: 'Export attendance',
        description:
          'Seats that pilots held until the end of missions that are over. Also as CSV, with `Accept: text/csv`: one line for each seat.',
        answer: 'One entry for each seat, by start of the mission.',
      }),
    )
    .meta(replicated)
    .input(attendanceRangeInput)
    .output(attendanceList)
    .query(({ ctx, input }) => listAttendance(ctx.em, input, ctx.now)),

  users: adminProcedure
    .meta(
      rest('get', '/admin/users', {
        id: 'listUsers',
        tag: 'Users',
        summary: 'List accounts',
        description:
          '`query` searches in call sign and email. Reliability counts as on the board; new pilots have none yet and come last.',
      }),
    )
    .meta(replicated)
    .input(usersInput)
    .output(usersPage)
    .query(({ ctx, input }) => listUsers(ctx.em, input, ctx.now)),

  resetPassword: adminProcedure
    .meta(
      rest('post', '/admin/users/:id/reset-password', {
        id: 'resetPassword',
        tag: 'Users',
        summary: "Reset an account's password",
        description:
          "Ends the account's sessions, sign-in links and push devices. Admins need `currentPassword` to reset their own.",
        refusals: ['USER_NOT_FOUND', 'DELETION_REQUESTED', 'EMAIL_REQUIRED', 'WRONG_PASSWORD'],
      }),
    )
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
    .meta(
      rest('post', '/admin/users/:id/reset-second-factor', {
        id: 'resetSecondFactor',
        tag: 'Users',
        summary: "Remove an account's second factor",
        description:
          'For a pilot who has lost it: removes the authenticator app, passkeys, recovery codes and remembered devices. The pilot gets an email, where the server sends email. Not for the own account.',
        refusals: ['USER_NOT_FOUND', 'DELETION_REQUESTED', 'SECOND_FACTOR_MISSING', 'OWN_ACCOUNT'],
      }),
    )
    .meta(freshSession)
    .input(rolesInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await resetSecondFactorOf(ctx.em, ctx.viewer, input.id);
      return { success: true } as const;
    }),

  passwordLinks: adminProcedure
    .meta(
      rest('post', '/admin/users/password-links', {
        status: 201,
        id: 'makePasswordLinks',
        tag: 'Users',
        summary: 'Make personal links to set a password',
        description:
          'Each link works once, for 14 days, and replaces earlier ones of the account. A present password keeps working until the link is used. `sendPasswordLinks` sends such links by email instead.',
        answer: 'A link for each account, in the order of the ids.',
        refusals: ['USER_NOT_FOUND', 'DELETION_REQUESTED', 'EMAIL_REQUIRED', 'FORBIDDEN'],
      }),
    )
    .meta(freshSession)
    .input(passwordLinksInput)
    .output(z.array(passwordLink))
    .mutation(({ ctx, input }) => makePasswordLinks(ctx.em, ctx.viewer, input.ids, ctx.app.env.PUBLIC_URL, ctx.now)),

  roles: adminProcedure
    .meta(
      rest('get', '/admin/users/:id/roles', {
        id: 'listRoles',
        tag: 'Users',
        summary: "List an account's roles",
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .input(rolesInput)
    .output(roles)
    .query(async ({ ctx, input }) => ({ roles: await listRoles(ctx.em, input.id) })),

  addRole: adminProcedure
    .meta(
      rest('post', '/admin/users/:id/roles', {
        id: 'addRole',
        tag: 'Users',
        summary: 'Add a role',
        description: 'Adding a role that the account has already changes nothing.',
        refusals: ['USER_NOT_FOUND', 'DELETION_REQUESTED', 'BANNED'],
      }),
    )
    .meta(freshSessionIf(roleInput, ({ role }) => role === 'admin'))
    .input(roleInput)
    .output(roles)
    .mutation(async ({ ctx, input }) => ({ roles: await addRole(ctx.em, ctx.viewer, input) })),

  removeRole: adminProcedure
    .meta(
      rest('delete', '/admin/users/:id/roles/:role', {
        id: 'removeRole',
        tag: 'Users',
        summary: 'Remove a role',
        description:
          'Removing `user` suspends the pilot and frees the seats. Removing either role revokes the open invites for admins that the account has made. Removing a role that the account lacks changes nothing.',
        refusals: ['USER_NOT_FOUND', 'OWN_ADMIN_ROLE', 'LAST_ADMIN', 'DELETION_REQUESTED'],
      }),
    )
    .meta(noAccess)
    .input(roleInput)
    .output(roles)
    .mutation(async ({ ctx, input }) => ({ roles: await removeRole(ctx.em, ctx.viewer, input, ctx.now) })),

  warnings: adminProcedure
    .meta(
      rest('get', '/admin/warnings', {
        id: 'listWarnings',
        tag: 'Users',
        summary: 'List warnings about the configuration',
      }),
    )
    .output(warnings)
    .query(async ({ ctx }) => ({
      warnings: [...(ctx.isForwardingIgnored ? [copy.forwardingIgnored] : []), ...(await describeFailingSteps(ctx.em))],
    })),

  audit: adminProcedure
    .meta(
      rest('get', '/admin/audit', {
        id: 'listAudit',
        tag: 'Users',
        summary: 'List the audit log',
        description: "Admins' changes are kept for good, sign-ins for 90 days.",
      }),
    )
    .meta(replicated)
    .input(auditInput)
    .output(auditPage)
    .query(({ ctx, input }) => listAudit(ctx.em, input)),
});
