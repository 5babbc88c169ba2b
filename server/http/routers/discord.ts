/** Procedures for stored Discord guilds, the bot's status, and registration from Discord. */
import { z } from 'zod';
import { getBotStatus } from '#server/discord/bot/bot-status.ts';
import { acceptGuild, leaveGuild } from '#server/discord/guilds/acceptance.ts';
import { getGuild, listGuilds } from '#server/discord/guilds/guilds.ts';
import { changeMissionSettings } from '#server/discord/guilds/mission-settings.ts';
import { attemptBuckets } from '#server/accounts/attempt-limits.ts';
import { countAttempt } from '#server/platform/attempts.ts';
import { resendRegistration } from '#server/discord/registration/registration-announcement.ts';
import { completeRegistration, readLink, startRegistration } from '#server/discord/registration/registration.ts';
import { adminProcedure, publicProcedure, router } from '#server/http/trpc.ts';
import { rest } from '#server/http/operation.ts';
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
  bot: adminProcedure
    .meta(
      rest('get', '/discord/bot', {
        id: 'getBotStatus',
        tag: 'Discord',
        summary: 'Get the state of the bot',
      }),
    )
    .output(botStatus)
    .query(({ ctx }) => getBotStatus(ctx.em, ctx.app.env)),

  guilds: adminProcedure
    .meta(
      rest('get', '/discord/guilds', {
        id: 'listGuilds',
        tag: 'Discord',
        summary: 'List Discord servers',
        answer: 'Discord servers that the bot knows.',
      }),
    )
    .output(z.array(guild))
    .query(({ ctx }) => listGuilds(ctx.em)),

  guild: adminProcedure
    .meta(
      rest('get', '/discord/guilds/:guildId', {
        id: 'getGuild',
        tag: 'Discord',
        summary: 'Get a Discord server',
        refusals: ['GUILD_NOT_FOUND'],
      }),
    )
    .input(guildInput)
    .output(guildDetail)
    .query(({ ctx, input }) => getGuild(ctx.em, input.guildId)),

  resendRegistration: adminProcedure
    .meta(
      rest('post', '/discord/guilds/:guildId/registration', {
        id: 'postRegistration',
        tag: 'Discord',
        summary: 'Post the registration announcement',
        description:
          'Posts it in the channel and waits some seconds for the result. At most one post per minute and server. Without `channelId` the default channel is used, or else the first postable one.',
        refusals: ['GUILD_NOT_FOUND', 'CHANNEL_NOT_FOUND'],
      }),
    )
    .meta(noAccess)
    .input(resendRegistrationInput)
    .output(resentRegistration)
    .mutation(({ ctx: { app, em, viewer, now }, input }) =>
      resendRegistration(em, viewer, input, { publicUrl: app.env.PUBLIC_URL, isDiscordOn: app.discord !== null }, now),
    ),

  setMissions: adminProcedure
    .meta(
      rest('put', '/discord/guilds/:guildId/missions', {
        id: 'setGuildMissions',
        tag: 'Discord',
        summary: 'Set what a Discord server shows of missions',
        description:
          'Each mission gets a card in the channel, which shows who sits where and is kept up to date; upcoming missions get theirs at once. Cards that are already posted stay where they are.',
        refusals: [
          'GUILD_NOT_FOUND',
          'GUILD_PENDING',
          'CHANNEL_NOT_FOUND',
          'CHANNEL_NOT_POSTABLE',
          'CHANNEL_AGE_RESTRICTED',
          'ROLE_NOT_FOUND',
        ],
      }),
    )
    .meta(noAccess)
    .input(guildMissionsInput)
    .output(guildDetail)
    .mutation(async ({ ctx, input }) => {
      await changeMissionSettings(ctx.em, ctx.viewer, input, ctx.now);
      return getGuild(ctx.em.fork(), input.guildId);
    }),

  acceptGuild: adminProcedure
    .meta(
      rest('post', '/discord/guilds/:guildId/accept', {
        id: 'acceptGuild',
        tag: 'Discord',
        summary: 'Accept a Discord server',
        description:
          'Until then a server that has installed the bot is pending: it gets no missions, nobody can register from it, its members are not read, and commands there only say that it waits. Accepting it again changes nothing.',
        refusals: ['GUILD_NOT_FOUND', 'BOT_NOT_IN_GUILD'],
      }),
    )
    .meta(freshSession)
    .input(guildInput)
    .output(guildDetail)
    .mutation(async ({ ctx, input: { guildId } }) => {
      await acceptGuild(ctx.em, ctx.viewer, guildId, ctx.now);
      return getGuild(ctx.em.fork(), guildId);
    }),

  leaveGuild: adminProcedure
    .meta(
      rest('post', '/discord/guilds/:guildId/leave', {
        id: 'leaveGuild',
        tag: 'Discord',
        summary: 'Make the bot leave a Discord server',
        description:
          'The bot leaves a moment after the answer. The data of the server is kept for 30 days; if it installs the bot again, it is pending.',
        refusals: ['GUILD_NOT_FOUND', 'BOT_NOT_IN_GUILD', 'DISCORD_OFF'],
      }),
    )
    .meta(noAccess)
    .input(guildInput)
    .output(guildDetail)
    .mutation(async ({ ctx, input: { guildId } }) => {
      await leaveGuild(ctx.em, ctx.viewer, guildId, ctx.app.discord !== null);
      return getGuild(ctx.em.fork(), guildId);
    }),

  /** Does not use up the link. */
  registrationLink: publicProcedure
    .meta(
      rest('get', '/public/registration/link', {
        id: 'getRegistrationLink',
        tag: 'Registration',
        summary: 'Check a personal registration link',
        description: 'Does not use up the link.',
      }),
    )
    .input(registrationLinkInput)
    .output(registrationLink)
    .query(({ ctx, input }) => readLink(ctx.em, input, ctx.now)),

  startRegistration: publicProcedure
    .meta(
      rest('post', '/public/registration/start', {
        id: 'startRegistration',
        tag: 'Registration',
        summary: 'Start a registration from Discord',
        description:
          'The Discord server to register for, and the address of sign-in with Discord for visitors without a personal link.',
        refusals: ['GUILD_NOT_FOUND', 'GUILD_PENDING'],
        inputIn: 'query',
      }),
    )
    .input(startRegistrationInput)
    .output(registrationStart)
    .mutation(({ ctx, input }) => startRegistration(ctx.em, input, ctx.app.env)),

  completeRegistration: publicProcedure
    .meta(
      rest('post', '/public/registration/complete', {
        id: 'completeRegistration',
        tag: 'Registration',
        summary: 'Complete a registration from Discord',
        description:
          'The personal link (`session`) proves who registers: the ids must match it. Repeating the call with the same link succeeds for some minutes.',
        refusals: ['LINK_INVALID', 'SUSPENDED', 'NOT_APPROVED', 'INVITE_REQUIRED', 'ACCOUNT_REFUSED', 'RATE_LIMITED'],
      }),
    )
    .input(completeRegistrationInput)
    .output(completedRegistration)
    .mutation(async ({ ctx: { app, em, address, now }, input }) => {
      await countAttempt(em, attemptBuckets.address(address), app.env.AUTH_ATTEMPTS_PER_MINUTE);
      return completeRegistration(em, input, app.env.PUBLIC_URL, now);
    }),
});
