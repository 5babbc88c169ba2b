/** Procedures for Discord commands: the bot calls them and shows the reply. They use the same rooms as the site. */
import { z } from 'zod';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import { helpMessage } from '#server/discord/rules/reply-text.ts';
import {
  answerFromDiscord,
  listOrderChoices,
  setWantsOrders,
  showInbox,
} from '#server/discord/replies/order-replies.ts';
import { addTimes, showAvailability, undoTimes } from '#server/discord/replies/availability-replies.ts';
import { answerReminder } from '#server/discord/replies/reminder-replies.ts';
import { registerFromDiscord } from '#server/discord/registration/register.ts';
import {
  giveSignInLink,
  recordFailure,
  setStatusFromDiscord,
  showMissions,
  showStatus,
  unlinkFromDiscord,
} from '#server/discord/replies/replies.ts';
import { setChannel, setMissions } from '#server/discord/replies/setup-replies.ts';
import {
  dropOut,
  joinStandby,
  offerSeats,
  showMyOrder,
  takeSeatFromDiscord,
} from '#server/discord/replies/card-replies.ts';
import { botProcedure, router } from '#server/http/trpc.ts';
import { botMissionRouter } from './bot-missions.ts';
import { replyProcedure } from './reply-procedure.ts';
import {
  aboutMissionInput,
  actorInput,
  addTimesInput,
  answeredOrder,
  answerOrderInput,
  answerReminderInput,
  commandFailedInput,
  discordMessage,
  joinStandbyFromDiscordInput,
  orderChoices,
  orderChoicesInput,
  registerInput,
  setChannelInput,
  setMissionsInput,
  setStatusInput,
  setWantsOrdersInput,
  takeSeatFromDiscordInput,
  undoTimesInput,
  unlinkInput,
} from '#shared/schemas/bot.ts';

export const botReplyRouter = router({
  mission: botMissionRouter,

  help: replyProcedure
    .input(actorInput)
    .output(discordMessage)
    .query(({ ctx, input }) => helpMessage(ctx.app.env.PUBLIC_URL, textsFor(input.actor.locale))),

  register: replyProcedure
    .input(registerInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => registerFromDiscord(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  login: replyProcedure
    .input(actorInput)
    .output(discordMessage)
    .mutation(({ ctx, input: { actor } }) => {
      const { PUBLIC_URL: publicUrl, AUTH_ATTEMPTS_PER_MINUTE: attemptsPerMinute } = ctx.app.env;
      return giveSignInLink(ctx.em, actor, { publicUrl, attemptsPerMinute }, ctx.now);
    }),

  status: replyProcedure
    .input(actorInput)
    .output(discordMessage)
    .query(({ ctx, input }) => showStatus(ctx.em, input.actor, ctx.now)),

  setStatus: replyProcedure
    .input(setStatusInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => setStatusFromDiscord(ctx.em, input, ctx.now)),

  missions: replyProcedure
    .input(actorInput)
    .output(discordMessage)
    .query(({ ctx, input }) => showMissions(ctx.em, input.actor, ctx.app.env.PUBLIC_URL, ctx.now)),

  inbox: replyProcedure
    .input(actorInput)
    .output(discordMessage)
    .query(({ ctx, input }) => showInbox(ctx.em, input.actor, ctx.app.env.PUBLIC_URL, ctx.now)),

  orderChoices: replyProcedure
    .input(orderChoicesInput)
    .output(orderChoices)
    .query(({ ctx, input }) => listOrderChoices(ctx.em, input, ctx.now)),

  answerOrder: replyProcedure
    .input(answerOrderInput)
    .output(answeredOrder)
    .mutation(({ ctx, input }) => answerFromDiscord(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  answerReminder: replyProcedure
    .input(answerReminderInput)
    .output(answeredOrder)
    .mutation(({ ctx, input }) => answerReminder(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  setWantsOrders: replyProcedure
    .input(setWantsOrdersInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => setWantsOrders(ctx.em, input)),

  availability: replyProcedure
    .input(actorInput)
    .output(discordMessage)
    .query(({ ctx, input }) => showAvailability(ctx.em, input.actor, ctx.app.env.PUBLIC_URL, ctx.now)),

  addTimes: replyProcedure
    .input(addTimesInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => addTimes(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  undoTimes: replyProcedure
    .input(undoTimesInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => undoTimes(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  unlink: replyProcedure
    .input(unlinkInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => unlinkFromDiscord(ctx.em, input, ctx.now)),

  setChannel: replyProcedure
    .input(setChannelInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => setChannel(ctx.em, input, ctx.now)),

  setMissions: replyProcedure
    .input(setMissionsInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => setMissions(ctx.em, input, ctx.now)),

  offerSeats: replyProcedure
    .input(aboutMissionInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => offerSeats(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  takeSeat: replyProcedure
    .input(takeSeatFromDiscordInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => takeSeatFromDiscord(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  joinStandby: replyProcedure
    .input(joinStandbyFromDiscordInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => joinStandby(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  dropOut: replyProcedure
    .input(aboutMissionInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => dropOut(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  myOrder: replyProcedure
    .input(aboutMissionInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => showMyOrder(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  /** Also from servers that no admin has accepted. */
  failed: botProcedure
    .input(commandFailedInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await recordFailure(ctx.em, input, ctx.now);
      return null;
    }),
});
