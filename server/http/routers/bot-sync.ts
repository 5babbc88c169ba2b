/** Procedures for the bot's lease and connection, and for syncing guilds and members. */
import { z } from 'zod';
import { listPendingGuilds } from '#server/discord/guilds/acceptance.ts';
import { loseGuild, reconcile, recordBotEvent, saveGuild, saveGuilds } from '#server/discord/guilds/guild-sync.ts';
import { beat, standDown } from '#server/discord/bot/lease.ts';
import { saveMembers, syncMembers } from '#server/discord/guilds/member-sync.ts';
import { botProcedure, router } from '#server/http/trpc.ts';
import {
  beatAnswer,
  beatInput,
  guildGoneInput,
  reconcileInput,
  recordEventInput,
  saveGuildInput,
  savedGuilds,
  saveGuildsInput,
  saveMembersInput,
  standDownInput,
  syncMembersAnswer,
  syncMembersInput,
} from '#shared/schemas/bot.ts';

export const botSyncRouter = router({
  beat: botProcedure
    .input(beatInput)
    .output(beatAnswer)
    .mutation(async ({ ctx, input }) => ({
      isActing: await beat(ctx.em, input),
      pendingIds: await listPendingGuilds(ctx.em),
    })),

  standDown: botProcedure
    .input(standDownInput)
    .output(z.void())
    .mutation(({ ctx, input }) => standDown(ctx.em, input.instanceId)),

  reconcile: botProcedure
    .input(reconcileInput)
    .output(z.void())
    .mutation(({ ctx, input }) => reconcile(ctx.em, input, ctx.now)),

  saveGuilds: botProcedure
    .input(saveGuildsInput)
    .output(savedGuilds)
    .mutation(({ ctx, input }) => saveGuilds(ctx.em, input, ctx.now)),

  saveGuild: botProcedure
    .input(saveGuildInput)
    .output(savedGuilds)
    .mutation(({ ctx, input }) => saveGuild(ctx.em, input, ctx.now)),

  guildGone: botProcedure
    .input(guildGoneInput)
    .output(z.void())
    .mutation(({ ctx, input }) => loseGuild(ctx.em, input, ctx.now)),

  syncMembers: botProcedure
    .input(syncMembersInput)
    .output(syncMembersAnswer)
    .mutation(({ ctx, input }) => syncMembers(ctx.em, input, ctx.now)),

  saveMembers: botProcedure
    .input(saveMembersInput)
    .output(z.void())
    .mutation(({ ctx, input }) => saveMembers(ctx.em, input, ctx.now)),

  recordEvent: botProcedure
    .input(recordEventInput)
    .output(z.void())
    .mutation(({ ctx, input }) => recordBotEvent(ctx.em, input, ctx.now)),
});
