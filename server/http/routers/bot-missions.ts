/** Procedures for `/mission`: the bot calls them for admins and shows the reply. */
import {
  announceMission,
  askToCancel,
  cancelFromDiscord,
  discardDraft,
  draftMission,
  listMissionChoices,
  publishDraft,
  showRoster,
} from '#server/discord/replies/mission-replies.ts';
import { requireFactor } from '#server/discord/replies/actor.ts';
import { router } from '#server/http/trpc.ts';
import {
  chosenMissionInput,
  discordMessage,
  draftMissionInput,
  missionChoicesInput,
  orderChoices,
} from '#shared/schemas/bot.ts';
import { replyProcedure } from './reply-procedure.ts';

const aboutMission = replyProcedure
  .input(chosenMissionInput)
  .use(async ({ ctx, input, next }) => {
    await requireFactor(ctx.em, input.actor, ctx.app.env.REQUIRE_ADMIN_2FA);
    return next();
  })
  .output(discordMessage);

export const botMissionRouter = router({
  draft: replyProcedure
    .input(draftMissionInput)
    .output(discordMessage)
    .mutation(async ({ ctx, input }) => {
      const { heavyReads, env } = ctx.app;
      await requireFactor(ctx.em, input.actor, env.REQUIRE_ADMIN_2FA);
      return draftMission(ctx.em, input, { heavyReads, publicUrl: env.PUBLIC_URL }, ctx.now);
    }),

  publish: aboutMission.mutation(({ ctx, input }) => publishDraft(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),
  discard: aboutMission.mutation(({ ctx, input }) => discardDraft(ctx.em, input, ctx.now)),
  roster: aboutMission.query(({ ctx, input }) => showRoster(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),
  askToCancel: aboutMission.query(({ ctx, input }) => askToCancel(ctx.em, input, ctx.now)),
  cancel: aboutMission.mutation(({ ctx, input }) => cancelFromDiscord(ctx.em, input, ctx.now)),
  announce: aboutMission.mutation(({ ctx, input }) => announceMission(ctx.em, input, ctx.now)),

  choices: replyProcedure
    .input(missionChoicesInput)
    .output(orderChoices)
    .query(({ ctx, input }) => listMissionChoices(ctx.em, input, ctx.now)),
});
