/** Guilds as stored; the bot itself joins through this router. */
import { z } from 'zod';
import { getGuild, listGuilds } from '#server/services/guilds.ts';
import { adminProcedure, router } from '#server/trpc.ts';
import { guild, guildDetail, guildInput } from '#shared/schemas/discord.ts';

export const discordRouter = router({
  guilds: adminProcedure.output(z.array(guild)).query(({ ctx }) => listGuilds(ctx.em)),

  guild: adminProcedure
    .input(guildInput)
    .output(guildDetail)
    .query(({ ctx, input }) => getGuild(ctx.em, input.guildId)),
});
