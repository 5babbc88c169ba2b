/** Replies to the buttons of a mission's card, through the same rooms and rules as on the site. */
import type { z } from 'zod';
import { loadOrderCard } from '#server/discord/posts/order-messages.ts';
import { registerFromDiscord } from '#server/discord/registration/register.ts';
import { closedMessage } from '#server/discord/rules/closed-text.ts';
import { answeredMessage } from '#server/discord/rules/inbox-text.ts';
import { sentence } from '#server/discord/rules/parts.ts';
import { seatMenu, seatTaken } from '#server/discord/rules/seat-menu.ts';
import { AppError } from '#server/platform/errors.ts';
import { joinStandby as standBy } from '#server/orders/join-standby.ts';
import { takeOpenSeat } from '#server/orders/take-seat.ts';
import { listOpenMissions } from '#server/orders/seating/open-missions.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { copy } from '#shared/copy.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import type { RefusalCode } from '#shared/refusals.ts';
import type {
  Actor,
  aboutMissionInput,
  DiscordMessage,
  joinStandbyFromDiscordInput,
  takeSeatFromDiscordInput,
} from '#shared/schemas/bot.ts';
import type { SeatFixesInput } from '#shared/schemas/seats.ts';
import type { Rsvp, SeatFix } from '#shared/vocabulary.ts';
import { asPilot, findLinkedPilot } from './actor.ts';
import { answerFromDiscord } from './order-replies.ts';

type About = z.infer<typeof aboutMissionInput>;

/** The pilot's issued order in a mission, the one that holds a seat or waits first; undefined for none. */
async function findOwnOrder(
  em: Em,
  pilotId: string,
  missionId: string,
): Promise<{ id: string; rsvp: Rsvp } | undefined> {
  return db(em)
    .selectFrom('frag_order')
    .select(['id', 'rsvp'])
    .where('mission_id', '=', missionId)
    .where('pilot_id', '=', pilotId)
    .where('status', '=', 'issued')
    .orderBy((eb) => eb('rsvp', '=', 'declined'))
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** As `asPilot`; people who are not linked get their personal registration link. */
async function asMember(
  em: Em,
  actor: Actor,
  publicUrl: string,
  now: Date,
  work: (viewer: Viewer) => Promise<DiscordMessage>,
): Promise<DiscordMessage> {
  if ((await findLinkedPilot(em, actor.discordUserId)) === null) {
    const { content = '', ...link } = await registerFromDiscord(em, { actor, campaignId: null }, publicUrl, now);
    return { ...link, content: textsFor(actor.locale)('register.first', { link: content }) };
  }
  return asPilot(em, actor, work);
}

/** The pilot's order as a message; the sentence if there is none. */
async function showOrder(
  em: Em,
  { locale }: Actor,
  orderId: string | undefined,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage> {
  const card = orderId === undefined ? null : await loadOrderCard(em, orderId, publicUrl, now, textsFor(locale));
  return card ?? sentence(textsFor(locale)('missionCard.noOrder'));
}

/** The open seats of a mission that fit the pilot, as a menu; the pilot's own order instead, if there is one. */
export async function offerSeats(
  em: Em,
  { actor, missionId }: About,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage> {
  return asMember(em, actor, publicUrl, now, async (viewer) => {
    const own = await findOwnOrder(em, viewer.id, missionId);
    if (own && (own.rsvp === 'pending' || own.rsvp === 'accepted')) return showOrder(em, actor, own.id, publicUrl, now);
    const { open, closed } = await listOpenMissions(em, viewer, now, missionId);
    const [mission] = open;
    if (mission) return seatMenu(mission, textsFor(actor.locale));
    const texts = textsFor(actor.locale);
    return closed[0] ? closedMessage(closed[0], publicUrl, texts) : sentence(copy.missionNotOpen);
  });
}

/** Refusals after which the mission has something else for the pilot: another seat, the queue, or the pilot's own order. */
const INSTEAD: ReadonlySet<RefusalCode> = new Set(['SEAT_TAKEN', 'SEAT_HELD_ALREADY', 'SEAT_OPEN']);

/** Answers a refusal with the seats or the queue that are still open, below its sentence. @throws any other refusal */
async function offerInstead(
  em: Em,
  error: unknown,
  about: About,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage> {
  if (!(error instanceof AppError)) throw error;
  // the offer names the reason itself, with the changes that help
  if (error.code === 'NOT_ELIGIBLE') return offerSeats(em.fork(), about, publicUrl, now);
  if (!INSTEAD.has(error.code)) throw error;
  const { content = '', ...rest } = await offerSeats(em.fork(), about, publicUrl, now);
  const said = textsFor(about.actor.locale).refusal(error.code, error.message);
  return { ...rest, content: content === '' ? said : `${said}\n${content}` };
}

const flagsOf = (fixes: readonly SeatFix[]): SeatFixesInput => Object.fromEntries(fixes.map((fix) => [fix, true]));

/**
 * Take the seat that the pilot chose from the menu. If somebody was faster, or an order has reached the pilot while the menu was
 * open, the reply says so above what there is now.
 * @throws as `takeOpenSeat`
 */
export async function takeSeatFromDiscord(
  em: Em,
  { actor, missionId, flightId, seatIndex, fixes }: z.infer<typeof takeSeatFromDiscordInput>,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage> {
  return asPilot(em, actor, async (viewer) => {
    try {
      const order = await takeOpenSeat(em, viewer, { missionId, flightId, seatIndex, ...flagsOf(fixes) }, now);
      const card = await showOrder(em.fork(), actor, order.id, publicUrl, now);
      return seatTaken(order, card, textsFor(actor.locale));
    } catch (error) {
      return offerInstead(em, error, { actor, missionId }, publicUrl, now);
    }
  });
}

/**
 * Stand by for a mission: by the pilot's order, or by joining the queue of a full mission. A pilot who cannot reads why, with the
 * changes that help; one for whom a seat is free gets the menu of seats.
 * @throws as `standBy`
 */
export async function joinStandby(
  em: Em,
  { actor, missionId, fixes }: z.infer<typeof joinStandbyFromDiscordInput>,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage> {
  return asMember(em, actor, publicUrl, now, async (viewer) => {
    const own = await findOwnOrder(em, viewer.id, missionId);
    if (!own || own.rsvp === 'declined') {
      try {
        const order = await standBy(em, viewer, { id: missionId, ...flagsOf(fixes) }, now);
        return answeredMessage(order, publicUrl, textsFor(actor.locale));
      } catch (error) {
        return offerInstead(em, error, { actor, missionId }, publicUrl, now);
      }
    }
    const { reply } = await answerFromDiscord(em, { actor, orderId: own.id, response: 'standby' }, publicUrl, now);
    return reply;
  });
}

/** Give the pilot's seat or place in the queue back, or decline the order. */
export async function dropOut(
  em: Em,
  { actor, missionId }: About,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage> {
  return asMember(em, actor, publicUrl, now, async (viewer) => {
    const own = await findOwnOrder(em, viewer.id, missionId);
    if (!own) return sentence(textsFor(actor.locale)('missionCard.noOrder'));
    const { reply } = await answerFromDiscord(em, { actor, orderId: own.id, response: 'declined' }, publicUrl, now);
    return reply;
  });
}

export async function showMyOrder(
  em: Em,
  { actor, missionId }: About,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage> {
  return asMember(em, actor, publicUrl, now, async (viewer) => {
    const own = await findOwnOrder(em, viewer.id, missionId);
    return showOrder(em, actor, own?.id, publicUrl, now);
  });
}
