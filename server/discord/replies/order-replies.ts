/** Replies about frag orders: inbox, order choices and answers, through the same rooms and rules as on the site. */
import type { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { DiscordAccount } from '#server/schema/guild.ts';
import { answeredMessage, inboxMessage, orderChoice, wantsOrdersMessage } from '#server/discord/rules/inbox-text.ts';
import { AppError } from '#server/platform/errors.ts';
import { emit } from '#server/signals/emit.ts';
import { answer } from '#server/orders/answer.ts';
import { recordGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { lockGuild } from '#server/discord/guilds/guild-sync.ts';
import { listAccepted, listInbox } from '#server/orders/inbox.ts';
import { presentOrder, selectOrders } from '#server/orders/order-view.ts';
import { isPilot } from '#server/platform/viewer.ts';
import { answersAt } from '#shared/order-answers.ts';
import { momentsOf } from '#shared/order-state.ts';
import { refusalMessage } from '#shared/discord-refusal.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import type {
  Actor,
  answeredOrder,
  answerOrderInput,
  DiscordMessage,
  orderChoices,
  orderChoicesInput,
  setWantsOrdersInput,
} from '#shared/schemas/bot.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import { asPilot, findGuildsOf, findLinkedPilot } from './actor.ts';
import { loadOrderCard } from '#server/discord/posts/order-messages.ts';

/** Discord's limit on autocomplete choices. */
const CHOICES_MAX = 25;

/** The inbox: pending, accepted and standby orders. Reading it marks orders as "not new", as on the site. */
export async function showInbox(em: Em, actor: Actor, publicUrl: string, now: Date): Promise<DiscordMessage> {
  return asPilot(em, actor, async (viewer) => {
    const orders = await listInbox(em, viewer, { includeCompleted: true, marksRead: true }, now);
    const accepted = await listAccepted(em, viewer, now);
    const account = await em.findOneOrFail(DiscordAccount, { discordUserId: actor.discordUserId });
    const isAhead = ({ startUtc }: FragOrderDto) => Date.parse(startUtc) > now.getTime();
    return inboxMessage(
      {
        pending: orders.filter(({ rsvp }) => rsvp === 'pending'),
        accepted,
        standby: orders.filter((order) => order.rsvp === 'standby' && isAhead(order)),
        wantsOrders: account.wantsOrders,
        publicUrl,
      },
      textsFor(actor.locale),
    );
  });
}

/** Orders whose answer can be given or changed now; [] for people who are not pilots. */
export async function listOrderChoices(
  em: Em,
  { actor, text }: z.infer<typeof orderChoicesInput>,
  now: Date,
): Promise<z.infer<typeof orderChoices>> {
  const viewer = await findLinkedPilot(em, actor.discordUserId);
  if (!viewer || !isPilot(viewer)) return [];
  const rows = await selectOrders(em)
    .where('o.pilot_id', '=', viewer.id)
    .where('o.status', '=', 'issued')
    .where('m.status', '=', 'scheduled')
    .where('m.starts_at', '>', now)
    .execute();
  const typed = text.trim().toLowerCase();
  return rows
    .map((row) => presentOrder(row, now))
    .filter((order) => answersAt(momentsOf(order), now.getTime()).length > 0)
    .map((order) => orderChoice(order, textsFor(actor.locale)))
    .filter(({ name }) => name.toLowerCase().includes(typed))
    .slice(0, CHOICES_MAX);
}

/** Record an answer in the events of the guild where it was given or, for a direct message, of the pilot's first known guild. */
async function recordAnswer(
  em: Em,
  { discordUserId, discordUsername, guildId }: Actor,
  order: FragOrderDto,
  now: Date,
) {
  const guild = guildId ?? (await findGuildsOf(em, discordUserId))[0];
  if (guild === undefined) return;
  const line = `${discordUsername}: ${order.label} ${order.rsvp}`;
  await transact(em, async (tx) => {
    if (await lockGuild(tx, guild)) await recordGuildEvent(tx, guild, 'rsvp_from_discord', line, null, now);
  });
}

/**
 * Answer an order of the pilot. Repeating an answer succeeds.
 * @returns the sentence and the order's current card, also after a refusal, since something has changed
 * @throws 404 "Frag order not found" for another pilot's order; 403 for a suspended account
 */
export async function answerFromDiscord(
  em: Em,
  { actor, orderId, response, seen }: z.infer<typeof answerOrderInput>,
  publicUrl: string,
  now: Date,
): Promise<z.infer<typeof answeredOrder>> {
  let isRefused = true;
  let card: DiscordMessage | null = null;
  const reply = await asPilot(em, actor, async (viewer) => {
    let said: DiscordMessage;
    try {
      const order = await answer(em, viewer, { id: orderId, response, seen }, now);
      await recordAnswer(em, actor, order, now);
      isRefused = false;
      said = answeredMessage(order, publicUrl, textsFor(actor.locale));
    } catch (error) {
      // after a 404 there is no card to show: the order is unknown or another pilot's
      if (!(error instanceof AppError) || (error.status !== 409 && error.status !== 410)) throw error;
      said = refusalMessage(error.code, error.message, { texts: textsFor(actor.locale), publicUrl });
    }
    card = await loadOrderCard(em.fork(), orderId, publicUrl, now, textsFor(actor.locale));
    return said;
  });
  return { reply, isRefused, card };
}

/** Turn direct messages about orders on or off. */
export async function setWantsOrders(
  em: Em,
  { actor, wantsOrders }: z.infer<typeof setWantsOrdersInput>,
): Promise<DiscordMessage> {
  return asPilot(em, actor, async (viewer) => {
    await transact(em, async (tx) => {
      await tx.nativeUpdate(DiscordAccount, { discordUserId: actor.discordUserId }, { wantsOrders });
      emit(tx, { type: 'discord.choices_changed', userId: viewer.id });
    });
    return wantsOrdersMessage(wantsOrders, textsFor(actor.locale));
  });
}
