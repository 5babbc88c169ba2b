/** Procedures for a pilot's own profile, status and frag orders, and the public statistics. */
import { z } from 'zod';
import { getUser, updateProfile } from '#server/accounts/accounts.ts';
import { answer } from '#server/orders/answer.ts';
import { getDiscordLink, removeDiscordLink, setDiscordChoices } from '#server/discord/sign-in/link-view.ts';
import { getInboxStatus, getOrder, listAccepted, listInbox } from '#server/orders/inbox.ts';
import { closeNotice, listNotices } from '#server/orders/notices.ts';
import { getNotificationChoices, setNotificationChoices } from '#server/push/notification-choices.ts';
import { listProficiencies, removeProficiency, setProficiency } from '#server/pilots/proficiencies.ts';
import { getStanding, listOutcomes } from '#server/pilots/track-record.ts';
import { getStats } from '#server/board/stats.ts';
import { getStatus, setStatus } from '#server/availability/status.ts';
import { heavy, pilotProcedure, polled, publicProcedure, router, selfPilotProcedure } from '#server/http/trpc.ts';
import { noAccess, sessionOnly } from '#server/http/access.ts';
import { typedAnswer } from '#server/http/typed-answer.ts';
import { comparedUser, updateProfileInput, user, userInput } from '#shared/schemas/auth.ts';
import { success } from '#shared/schemas/common.ts';
import { discordLink, discordLinkInput, setDiscordInput } from '#shared/schemas/discord-link.ts';
import { closeNoticeInput, notices } from '#shared/schemas/notices.ts';
import {
  acceptedMission,
  fragOrder,
  inboxInput,
  inboxStatus,
  orderInput,
  rsvpInput,
  setStatusInput,
  stats,
  status,
  statusInput,
} from '#shared/schemas/pilot.ts';
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

export const pilotRouter = router({
  push: pushRouter,
  seats: seatsRouter,
  swaps: swapsRouter,

  user: selfPilotProcedure
    .input(userInput)
    .output(user)
    .query(({ ctx, input }) => getUser(ctx.em, input.id)),

  updateProfile: selfPilotProcedure
    .meta(noAccess)
    .input(updateProfileInput)
    .output(comparedUser)
    .mutation(({ ctx, input }) => updateProfile(ctx.em, input)),

  status: selfPilotProcedure
    .meta(polled)
    .input(statusInput)
    .output(typedAnswer(status))
    .query(({ ctx, input }) => getStatus(ctx.em, input.id, ctx.now)),

  setStatus: selfPilotProcedure
    .meta(noAccess)
    .input(setStatusInput)
    .output(status)
    .mutation(({ ctx, input }) => setStatus(ctx.em, input, ctx.now)),

  proficiencies: selfPilotProcedure
    .input(proficienciesInput)
    .output(z.array(proficiency))
    .query(({ ctx, input }) => listProficiencies(ctx.em, input.id)),

  setProficiency: selfPilotProcedure
    .meta(noAccess)
    .input(setProficiencyInput)
    .output(proficiency)
    .mutation(({ ctx, input }) => setProficiency(ctx.em, ctx.viewer, input)),

  removeProficiency: selfPilotProcedure
    .meta(noAccess)
    .input(removeProficiencyInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await removeProficiency(ctx.em, ctx.viewer, input);
      return { success: true } as const;
    }),

  notifications: selfPilotProcedure
    .input(notificationsInput)
    .output(notificationChoices)
    .query(({ ctx, input }) => getNotificationChoices(ctx.em, input.id)),

  setNotifications: selfPilotProcedure
    .meta(noAccess)
    .input(setNotificationsInput)
    .output(notificationChoices)
    .mutation(({ ctx, input }) => setNotificationChoices(ctx.em, input, ctx.now)),

  discord: selfPilotProcedure
    .input(discordLinkInput)
    .output(discordLink)
    .query(({ ctx, input }) => getDiscordLink(ctx.em, ctx.app.env, input.id)),

  setDiscord: selfPilotProcedure
    .meta(noAccess)
    .input(setDiscordInput)
    .output(discordLink)
    .mutation(({ ctx, input }) => setDiscordChoices(ctx.em, ctx.app.env, input)),

  unlinkDiscord: selfPilotProcedure
    .meta(sessionOnly)
    .input(discordLinkInput)
    .output(discordLink)
    .mutation(({ ctx, input }) => removeDiscordLink(ctx.em, ctx.app.env, input.id, ctx.now)),

  standing: selfPilotProcedure
    .input(trackRecordInput)
    .output(trackRecord)
    .query(({ ctx, input }) => getStanding(ctx.em, input.id, ctx.now)),

  missionOutcomes: selfPilotProcedure
    .meta(heavy)
    .input(trackRecordInput)
    .output(missionOutcomes)
    .query(({ ctx, input }) => listOutcomes(ctx.em, input.id, ctx.now)),

  stats: publicProcedure
    .meta(polled)
    .output(typedAnswer(stats))
    .query(({ ctx }) => getStats(ctx.em, ctx.now)),

  inbox: pilotProcedure
    .meta(polled)
    .input(inboxInput.optional())
    .output(z.array(fragOrder))
    .query(({ ctx, input }) => {
      const options = { includeCompleted: input?.includeCompleted ?? false, marksRead: ctx.token === null };
      return listInbox(ctx.em, ctx.viewer, options, ctx.now);
    }),

  inboxStatus: pilotProcedure
    .meta(polled)
    .output(typedAnswer(inboxStatus))
    .query(({ ctx }) => getInboxStatus(ctx.em, ctx.viewer, ctx.now)),

  order: pilotProcedure
    .input(orderInput)
    .output(acceptedMission)
    .query(({ ctx, input }) => getOrder(ctx.em, ctx.viewer, { id: input.id, marksRead: ctx.token === null }, ctx.now)),

  accepted: pilotProcedure
    .meta(polled)
    .output(typedAnswer(z.array(acceptedMission)))
    .query(({ ctx }) => listAccepted(ctx.em, ctx.viewer, ctx.now)),

  rsvp: pilotProcedure
    .meta(noAccess)
    .input(rsvpInput)
    .output(fragOrder)
    .mutation(({ ctx, input }) => answer(ctx.em, ctx.viewer, input, ctx.now)),

  notices: pilotProcedure
    .meta(polled)
    .output(typedAnswer(notices))
    .query(({ ctx }) => listNotices(ctx.em, ctx.viewer, ctx.now)),

  closeNotice: pilotProcedure
    .meta(noAccess)
    .input(closeNoticeInput)
    .output(success)
    .mutation(async ({ ctx, input }) => {
      await closeNotice(ctx.em, ctx.viewer, input.id, ctx.now);
      return { success: true } as const;
    }),
});
