/** Procedures for a pilot's own profile, status and frag orders, and the public statistics. */
import { z } from 'zod';
import { getUser, updateProfile } from '#server/accounts/accounts.ts';
import { getDiscordLink, removeDiscordLink, setDiscordChoices } from '#server/discord/sign-in/link-view.ts';
import { getNotificationChoices, setNotificationChoices } from '#server/delivery/push/notification-choices.ts';
import { listProficiencies, removeProficiency, setProficiency } from '#server/accounts/pilots/proficiencies.ts';
import { getStanding, listOutcomes } from '#server/accounts/pilots/track-record.ts';
import { getStats } from '#server/board/stats.ts';
import { getStatus, setStatus } from '#server/availability/status.ts';
import { heavy, polled, publicProcedure, router, selfPilotProcedure } from '#server/http/trpc.ts';
import { noAccess, sessionOnly } from '#server/http/access.ts';
import { typedAnswer } from '#server/http/typed-answer.ts';
import { comparedUser, updateProfileInput, user, userInput } from '#shared/schemas/auth.ts';
import { success } from '#shared/schemas/common.ts';
import { discordLink, discordLinkInput, setDiscordInput } from '#shared/schemas/discord-link.ts';
import { setStatusInput, stats, status, statusInput } from '#shared/schemas/pilot.ts';
import {
  notificationChoices,
  notificationsInput,
  proficienciesInput,
  proficiency,
  removeProficiencyInput,
  setNotificationsInput,
  setProficiencyInput,
} from '#shared/schemas/profile.ts';
import { missionOutcomes, trackRecord, trackRecordInput } from '#shared/schemas/track-record.ts';
import { seatsRouter, swapsRouter } from './pilot-seats.ts';
import { pushRouter } from './push.ts';
import { rest } from '#server/http/operation.ts';
import { calendarRouter } from './calendar.ts';
import { mailRouter } from './mail.ts';
import { missionsRouter } from './missions.ts';
import { threadRouter } from './thread.ts';
import { vocabularyRouter } from './vocabulary.ts';
import { inboxProcedures } from './pilot-inbox.ts';

export const pilotRouter = router({
  missions: missionsRouter,
  thread: threadRouter,
  mail: mailRouter,
  calendar: calendarRouter,
  push: pushRouter,
  seats: seatsRouter,
  swaps: swapsRouter,

  user: selfPilotProcedure
    .meta(
      rest('get', '/users/:id', {
        id: 'getUser',
        tag: 'Profile',
        summary: 'Get an account',
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .input(userInput)
    .output(user)
    .query(({ ctx, input }) => getUser(ctx.em, input.id)),

  updateProfile: selfPilotProcedure
    .meta(
      rest('put', '/users/:id', {
        id: 'updateProfile',
        tag: 'Profile',
        summary: 'Change call sign and time zone',
        description:
          'With `seen`, a value that was changed elsewhere meanwhile is kept, and refused if the request changes it too.',
        answer: 'The account, with the call signs of other pilots that look like its own.',
        refusals: ['USER_NOT_FOUND', 'CHANGED'],
      }),
    )
    .meta(noAccess)
    .input(updateProfileInput)
    .output(comparedUser)
    .mutation(({ ctx, input }) => updateProfile(ctx.em, input)),

  status: selfPilotProcedure
    .meta(
      rest('get', '/users/:id/status', {
        id: 'getStatus',
        tag: 'Profile',
        summary: "Get a pilot's status",
        description: 'A pilot who has never set a status is `available`.',
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .meta(polled)
    .input(statusInput)
    .output(typedAnswer(status))
    .query(({ ctx, input }) => getStatus(ctx.em, input.id, ctx.now)),

  setStatus: selfPilotProcedure
    .meta(
      rest('put', '/users/:id/status', {
        id: 'setStatus',
        tag: 'Profile',
        summary: "Set a pilot's status",
        description:
          '`now` needs `minutes` and ends after them. `dnd` ends after 24 hours. Both fall back to `available`. The change may fill open seats.',
        refusals: ['USER_NOT_FOUND', 'ON_LEAVE'],
      }),
    )
    .meta(noAccess)
    .input(setStatusInput)
    .output(status)
    .mutation(({ ctx, input }) => setStatus(ctx.em, input, ctx.now)),

  proficiencies: selfPilotProcedure
    .meta(
      rest('get', '/users/:id/proficiencies', {
        id: 'listProficiencies',
        tag: 'Profile',
        summary: "List a pilot's aircraft",
        description: 'Aircraft that the pilot flies, with the level in each.',
        answer: 'Aircraft and levels, by the name of the aircraft.',
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .input(proficienciesInput)
    .output(z.array(proficiency))
    .query(({ ctx, input }) => listProficiencies(ctx.em, input.id)),

  setProficiency: selfPilotProcedure
    .meta(
      rest('put', '/users/:id/proficiencies/:aircraftId', {
        id: 'setProficiency',
        tag: 'Profile',
        summary: 'Set the level in an aircraft',
        description:
          'Adds the aircraft, or changes its level. A level set by an admin can only be changed by admins. The change may fill open seats.',
        refusals: ['USER_NOT_FOUND', 'AIRCRAFT_NOT_FOUND', 'LEVEL_SET_BY_ADMIN'],
      }),
    )
    .meta(noAccess)
    .input(setProficiencyInput)
    .output(proficiency)
    .mutation(({ ctx, input }) => setProficiency(ctx.em, ctx.viewer, input, ctx.now)),

  removeProficiency: selfPilotProcedure
    .meta(
      rest('delete', '/users/:id/proficiencies/:aircraftId', {
        id: 'removeProficiency',
        tag: 'Profile',
        summary: 'Remove an aircraft',
        description: 'Succeeds also when the pilot does not have the aircraft.',
        refusals: ['USER_NOT_FOUND', 'AIRCRAFT_NOT_FOUND', 'LEVEL_SET_BY_ADMIN'],
      }),
    )
    .meta(noAccess)
    .input(removeProficiencyInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await removeProficiency(ctx.em, ctx.viewer, input);
      return { success: true } as const;
    }),

  notifications: selfPilotProcedure
    .meta(
      rest('get', '/users/:id/notifications', {
        id: 'getNotificationChoices',
        tag: 'Profile',
        summary: 'Get notification choices',
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .input(notificationsInput)
    .output(notificationChoices)
    .query(({ ctx, input }) => getNotificationChoices(ctx.em, input.id)),

  setNotifications: selfPilotProcedure
    .meta(
      rest('put', '/users/:id/notifications', {
        id: 'setNotificationChoices',
        tag: 'Profile',
        summary: 'Set notification choices',
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(setNotificationsInput)
    .output(notificationChoices)
    .mutation(({ ctx, input }) => setNotificationChoices(ctx.em, input, ctx.now)),

  discord: selfPilotProcedure
    .meta(
      rest('get', '/users/:id/discord', {
        id: 'getDiscordLink',
        tag: 'Profile',
        summary: 'Get the linked Discord account',
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .input(discordLinkInput)
    .output(discordLink)
    .query(({ ctx, input }) => getDiscordLink(ctx.em, ctx.app.env, input.id)),

  setDiscord: selfPilotProcedure
    .meta(
      rest('put', '/users/:id/discord', {
        id: 'setDiscordChoices',
        tag: 'Profile',
        summary: 'Choose whether Discord sends frag orders',
        refusals: ['USER_NOT_FOUND', 'DISCORD_NOT_LINKED'],
      }),
    )
    .meta(noAccess)
    .input(setDiscordInput)
    .output(discordLink)
    .mutation(({ ctx, input }) => setDiscordChoices(ctx.em, ctx.app.env, input)),

  unlinkDiscord: selfPilotProcedure
    .meta(
      rest('delete', '/users/:id/discord', {
        id: 'unlinkDiscord',
        tag: 'Profile',
        summary: 'Unlink the Discord account',
        description: 'Refused for an account without a password, which could no longer sign in.',
        refusals: ['USER_NOT_FOUND', 'PASSWORD_REQUIRED'],
      }),
    )
    .meta(sessionOnly)
    .input(discordLinkInput)
    .output(discordLink)
    .mutation(({ ctx, input }) => removeDiscordLink(ctx.em, ctx.app.env, input.id, ctx.now)),

  standing: selfPilotProcedure
    .meta(
      rest('get', '/users/:id/standing', {
        id: 'getTrackRecord',
        tag: 'Profile',
        summary: "Get a pilot's track record",
        description: 'Reliability, attendance and fairness. Only the pilot and admins can read it.',
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .input(trackRecordInput)
    .output(trackRecord)
    .query(({ ctx, input }) => getStanding(ctx.em, input.id, ctx.now)),

  missionOutcomes: selfPilotProcedure
    .meta(
      rest('get', '/users/:id/mission-outcomes', {
        id: 'listMissionOutcomes',
        tag: 'Profile',
        summary: "List what became of a pilot's missions",
        description:
          'Of the last 90 days: flown, missed, declined, on standby. Practice and cancelled missions are left out. Only the pilot and admins can read it.',
        refusals: ['USER_NOT_FOUND'],
      }),
    )
    .meta(heavy)
    .input(trackRecordInput)
    .output(missionOutcomes)
    .query(({ ctx, input }) => listOutcomes(ctx.em, input.id, ctx.now)),

  stats: publicProcedure
    .meta(
      rest('get', '/stats', {
        id: 'getStats',
        tag: 'Reference',
        summary: 'Get the public figures',
        description: 'Figures of the landing page.',
      }),
    )
    .meta(polled)
    .output(typedAnswer(stats))
    .query(({ ctx }) => getStats(ctx.em, ctx.now)),

  vocabulary: vocabularyRouter,
  ...inboxProcedures,
});
