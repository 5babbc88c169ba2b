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
import {
  aboutMissionInput,
  actorInput,
  addTimesInput,
  answeredOrder,
  answerOrderInput,
  answerReminderInput,
  commandFailedInput,
  discordMessage,
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

  help: botProcedure
    .input(actorInput)
    .output(discordMessage)
    .query(({ ctx, input }) => helpMessage(ctx.app.env.PUBLIC_URL, textsFor(input.actor.locale))),

  register: botProcedure
    .input(registerInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => registerFromDiscord(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  login: botProcedure
    .input(actorInput)
    .output(discordMessage)
    .mutation(({ ctx, input: { actor } }) => {
      const { PUBLIC_URL: publicUrl, AUTH_ATTEMPTS_PER_MINUTE: attemptsPerMinute } = ctx.app.env;
      return giveSignInLink(ctx.em, actor, { publicUrl, attemptsPerMinute }, ctx.now);
    }),

  status: botProcedure
    .input(actorInput)
    .output(discordMessage)
    .query(({ ctx, input }) => showStatus(ctx.em, input.actor, ctx.now)),

  setStatus: botProcedure
    .input(setStatusInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => setStatusFromDiscord(ctx.em, input, ctx.now)),

  missions: botProcedure
    .input(actorInput)
    .output(discordMessage)
    .query(({ ctx, input }) => showMissions(ctx.em, input.actor, ctx.app.env.PUBLIC_URL, ctx.now)),

  inbox: botProcedure
    .input(actorInput)
    .output(discordMessage)
    .query(({ ctx, input }) => showInbox(ctx.em, input.actor, ctx.app.env.PUBLIC_URL, ctx.now)),

  orderChoices: botProcedure
    .input(orderChoicesInput)
    .output(orderChoices)
    .query(({ ctx, input }) => listOrderChoices(ctx.em, input, ctx.now)),

  answerOrder: botProcedure
    .input(answerOrderInput)
    .output(answeredOrder)
    .mutation(({ ctx, input }) => answerFromDiscord(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  answerReminder: botProcedure
    .input(answerReminderInput)
    .output(answeredOrder)
    .mutation(({ ctx, input }) => answerReminder(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  setWantsOrders: botProcedure
    .input(setWantsOrdersInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => setWantsOrders(ctx.em, input)),

  availability: botProcedure
    .input(actorInput)
    .output(discordMessage)
    .query(({ ctx, input }) => showAvailability(ctx.em, input.actor, ctx.app.env.PUBLIC_URL, ctx.now)),

  addTimes: botProcedure
    .input(addTimesInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => addTimes(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  undoTimes: botProcedure
    .input(undoTimesInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => undoTimes(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  unlink: botProcedure
    .input(unlinkInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => unlinkFromDiscord(ctx.em, input, ctx.now)),

  setChannel: botProcedure
    .input(setChannelInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => setChannel(ctx.em, input, ctx.now)),

  setMissions: botProcedure
    .input(setMissionsInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => setMissions(ctx.em, input, ctx.now)),

  offerSeats: botProcedure
    .input(aboutMissionInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => offerSeats(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  takeSeat: botProcedure
    .input(takeSeatFromDiscordInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => takeSeatFromDiscord(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  joinStandby: botProcedure
    .input(aboutMissionInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => joinStandby(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  dropOut: botProcedure
    .input(aboutMissionInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => dropOut(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  myOrder: botProcedure
    .input(aboutMissionInput)
    .output(discordMessage)
    .mutation(({ ctx, input }) => showMyOrder(ctx.em, input, ctx.app.env.PUBLIC_URL, ctx.now)),

  failed: botProcedure
    .input(commandFailedInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      await recordFailure(ctx.em, input, ctx.now);
      return null;
    }),
});
