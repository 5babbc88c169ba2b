/** What people do in Discord: the bot passes it on and shows what is answered. The same services as the site's. */
import { registerFromDiscord } from '#server/services/discord/register.ts';
import { botProcedure, router } from '#server/trpc.ts';
import { discordMessage, registerInput } from '#shared/schemas/bot.ts';

export const botReplyRouter = router({
  register: botProcedure
    .input(registerInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => registerFromDiscord(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),
});
