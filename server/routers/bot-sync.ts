/** The bot's own life, and what it sees of guilds. */
import { z } from 'zod';
import { beat, standDown } from '#server/services/discord/lease.ts';
import { botProcedure, router } from '#server/trpc.ts';
import { beatAnswer, beatInput, standDownInput } from '#shared/schemas/bot.ts';

export const botSyncRouter = router({
  beat: botProcedure
    .input(beatInput)
    .output(beatAnswer)
    .mutation(async ({ ctx, input }) => ({
      isActing: await beat(ctx.em, input),
      publicUrl: ctx.app.env.PUBLIC_URL,
    })),

  standDown: botProcedure
    .input(standDownInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await standDown(ctx.em, input.instanceId);
      return null;
    }),
});
