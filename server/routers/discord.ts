/** Procedures for stored Discord guilds, the bot's status, and registration from Discord. */
import { z } from 'zod';
import { getBotStatus } from '#server/discord/bot/bot-status.ts';
import { acceptGuild, leaveGuild } from '#server/discord/guilds/acceptance.ts';
import { getGuild, listGuilds } from '#server/discord/guilds/guilds.ts';
import { changeMissionSettings } from '#server/discord/guilds/mission-settings.ts';
import { attemptBuckets } from '#server/accounts/attempt-limits.ts';
import { countAttempt } from '#server/platform/rate-limit.ts';
import { resendRegistration } from '#server/discord/registration/registration-announcement.ts';
import { completeRegistration, readLink, startRegistration } from '#server/discord/registration/registration.ts';
import { adminProcedure, publicProcedure, router } from '#server/http/trpc.ts';
import { freshSession, noAccess } from '#server/http/access.ts';
import {
  botStatus,
  guild,
  guildDetail,
  guildInput,
  guildMissionsInput,
  resendRegistrationInput,
  resentRegistration,
} from '#shared/schemas/discord.ts';
import {
  completedRegistration,
  completeRegistrationInput,
  registrationStart,
  registrationLink,
  registrationLinkInput,
  startRegistrationInput,
} from '#shared/schemas/registration.ts';

export const discordRouter = router({
  bot: adminProcedure.output(botStatus).query(({ ctx }) => getBotStatus(ctx.em, ctx.app.env)),

  guilds: adminProcedure.output(z.array(guild)).query(({ ctx }) => listGuilds(ctx.em)),

  guild: adminProcedure
    .input(guildInput)
    .output(guildDetail)
    .query(({ ctx, input }) => getGuild(ctx.em, input.guildId)),

  resendRegistration: adminProcedure
    .meta(noAccess)
    .input(resendRegistrationInput)
    .output(resentRegistration)
    .mutation(({ ctx: { app, em, viewer, now }, input }) =>
      resendRegistration(em, viewer, input, { publicUrl: app.env.PUBLIC_URL, isDiscordOn: app.discord !== null }, now),
    ),

  setMissions: adminProcedure
    .meta(noAccess)
    .input(guildMissionsInput)
    .output(guildDetail)
    .mutation(async ({ ctx, input }) => {
      await changeMissionSettings(ctx.em, ctx.viewer, input, ctx.now);
      return getGuild(ctx.em.fork(), input.guildId);
    }),

  acceptGuild: adminProcedure
    .meta(freshSession)
    .input(guildInput)
    .output(guildDetail)
    .mutation(async ({ ctx, input: { guildId } }) => {
      await acceptGuild(ctx.em, ctx.viewer, guildId, ctx.now);
      return getGuild(ctx.em.fork(), guildId);
    }),

  leaveGuild: adminProcedure
    .meta(noAccess)
    .input(guildInput)
    .output(guildDetail)
    .mutation(async ({ ctx, input: { guildId } }) => {
      await leaveGuild(ctx.em, ctx.viewer, guildId, ctx.app.discord !== null);
      return getGuild(ctx.em.fork(), guildId);
    }),

  /** Does not use up the link. */
  registrationLink: publicProcedure
    .input(registrationLinkInput)
    .output(registrationLink)
    .query(({ ctx, input }) => readLink(ctx.em, input, ctx.now)),

  startRegistration: publicProcedure
    .input(startRegistrationInput)
    .output(registrationStart)
    .mutation(({ ctx, input }) => startRegistration(ctx.em, input, ctx.app.env)),

  completeRegistration: publicProcedure
    .input(completeRegistrationInput)
    .output(completedRegistration)
    .mutation(async ({ ctx: { app, em, address, now }, input }) => {
      await countAttempt(em, attemptBuckets.address(address), app.env.AUTH_ATTEMPTS_PER_MINUTE);
      return completeRegistration(em, input, app.env.PUBLIC_URL, now);
    }),
});
