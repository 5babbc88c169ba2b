/** The procedure behind every command and button: refused in a Discord server that no admin has accepted. */
import { refuseInPendingGuild } from '#server/discord/guilds/acceptance.ts';
import { botProcedure } from '#server/http/trpc.ts';
import { actorInput } from '#shared/schemas/bot.ts';

export const replyProcedure = botProcedure.input(actorInput).use(async ({ ctx, input, next }) => {
  await refuseInPendingGuild(ctx.em, input.actor, ctx.app.env.PUBLIC_URL);
  return next();
});
