/** Texts of the inbox and of replies about frag orders, which the bot shows to that pilot alone. */
import { buttonRow, linkButton } from '#shared/discord-links.ts';
import { formatZulu } from '#shared/clock.ts';
import type { TextKey, Texts } from '#shared/discord-texts/catalogue.ts';
import { answersTo } from '#shared/order-answers.ts';
import type { DiscordButton, DiscordEmbed, DiscordMessage } from '#shared/schemas/bot.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { Rsvp, RsvpResponse } from '#shared/vocabulary.ts';
import { instantWords } from '#server/orders/seats/rules/order-changes.ts';
import { cutText, discordTime, fitLines, nameText } from './markdown.ts';
import { acceptButton, actionButton } from './parts.ts';

/** Discord allows five rows of buttons; one is for the orders as a whole. */
const ROWS_OF_ORDERS = 4;
/** Discord allows 4096 characters in an embed's description, and 6000 in all embeds of a message. */
const LIST_MAX = 1900;
const CHOICE_NAME_MAX = 100;

export type InboxWords = {
  readonly pending: readonly FragOrderDto[];
  /** of missions that have not ended, the next one first */
  readonly accepted: readonly FragOrderDto[];
  readonly standby: readonly FragOrderDto[];
  readonly wantsOrders: boolean;
  /** this site's origin */
  readonly publicUrl: string;
};

/** `**FRAG-007** Op Iron Hound: CAP, F-16C Viper, seat 1 in Viper 1` */
export function orderWords(
  { label, missionName, flightCallsign, role, aircraftName: aircraft, seatIndex }: FragOrderDto,
  texts: Texts,
): string {
  const title = texts('order.title', { role, aircraft, seat: seatIndex + 1 });
  return texts('order.inFlight', {
    label,
    mission: nameText(missionName),
    seat: nameText(title),
    flight: nameText(flightCallsign),
  });
}

/** The start of a mission, in the reader's zone and in Zulu. */
export function startWords(startUtc: string): string {
  const ms = Date.parse(startUtc);
  return `${discordTime(ms, 'F')} · ${formatZulu(ms)} · ${discordTime(ms, 'R')}`;
}

function changedWords({ changes }: FragOrderDto, texts: Texts): string[] {
  if (changes.length === 0) return [];
  const fields = changes.map(({ field }) => texts(`changed.${field}`)).join(', ');
  return [texts('inbox.changed', { fields })];
}

function pendingWords(order: FragOrderDto, texts: Texts): string {
  const answerBy = texts('inbox.answerBy', { when: discordTime(Date.parse(order.expiresAt), 'F') });
  return [orderWords(order, texts), startWords(order.startUtc), answerBy, ...changedWords(order, texts)].join('\n');
}

function answeredWords(order: FragOrderDto, texts: Texts): string {
  const place = order.standbyPosition === null ? [] : [texts('inbox.queue', { position: order.standbyPosition })];
  return [orderWords(order, texts), startWords(order.startUtc), ...place, ...changedWords(order, texts)].join('\n');
}

/** A title and entries separated by blank lines; entries that do not fit are on the site. @param most how many to show */
export function listEmbed(title: string, entries: readonly string[], texts: Texts, most?: number): DiscordEmbed[] {
  if (entries.length === 0) return [];
  const lines = entries.map((entry) => `${entry}\n`);
  return [{ title, description: fitLines(lines, LIST_MAX, (left) => texts('list.more', { left }), most).trim() }];
}

function answerButtons({ id, label: order, rsvp, changedAt }: FragOrderDto, texts: Texts): DiscordButton[] {
  const buttons: Record<RsvpResponse, DiscordButton> = {
    accepted: acceptButton(texts('inbox.accept', { order }), id, changedAt === null ? null : Date.parse(changedAt)),
    standby: actionButton(texts('inbox.standBy', { order }), 'standby', id),
    declined: actionButton(texts('inbox.decline', { order }), 'decline', id, 'danger'),
  };
  return answersTo(rsvp).map((response) => buttons[response]);
}

/** The inbox: pending orders with their buttons, then accepted orders, then those on standby. */
export function inboxMessage(
  { pending, accepted, standby, wantsOrders, publicUrl }: InboxWords,
  texts: Texts,
): DiscordMessage {
  const isEmpty = pending.length + accepted.length + standby.length === 0;
  const shown = pending.slice(0, ROWS_OF_ORDERS);
  return {
    content: isEmpty ? texts('inbox.empty') : pending.length === 0 ? texts('inbox.nonePending') : undefined,
    embeds: [
      ...listEmbed(
        texts('inbox.pending'),
        pending.map((order) => pendingWords(order, texts)),
        texts,
        ROWS_OF_ORDERS,
      ),
      ...listEmbed(
        texts('inbox.flying'),
        accepted.map((order) => answeredWords(order, texts)),
        texts,
      ),
      ...listEmbed(
        texts('inbox.standby'),
        standby.map((order) => answeredWords(order, texts)),
        texts,
      ),
    ],
    components: [
      ...shown.map((order) => buttonRow(...answerButtons(order, texts))),
      buttonRow(
        wantsOrders
          ? actionButton(texts('directMessages.stop'), 'orders-off', 'inbox')
          : actionButton(texts('directMessages.send'), 'orders-on', 'inbox'),
        linkButton(texts('site.open'), `${publicUrl}/home`),
      ),
    ],
  };
}

const ANSWERED: Record<Rsvp, TextKey> = {
  pending: 'answered.pending',
  accepted: 'answered.accepted',
  standby: 'answered.standby',
  declined: 'answered.declined',
};

/** The reply after an answer. */
export function answeredMessage(order: FragOrderDto, publicUrl: string, texts: Texts): DiscordMessage {
  const { rsvp, standbyPosition: position } = order;
  const place = { flight: nameText(order.flightCallsign), seat: order.seatIndex + 1 };
  const said =
    rsvp === 'standby' && position !== null ? texts('answered.standbyAt', { position }) : texts(ANSWERED[rsvp], place);
  return {
    content: `${said}\n${orderWords(order, texts)}\n${startWords(order.startUtc)}`,
    components: [buttonRow(linkButton(texts('answered.open'), `${publicUrl}/orders/${order.id}`))],
  };
}

/** Confirms that orders will or will not arrive as direct messages. */
export function wantsOrdersMessage(wantsOrders: boolean, texts: Texts): DiscordMessage {
  return {
    content: wantsOrders ? texts('directMessages.on') : texts('directMessages.off'),
    components: [
      buttonRow(
        wantsOrders
          ? actionButton(texts('directMessages.stop'), 'orders-off', 'choice')
          : actionButton(texts('directMessages.send'), 'orders-on', 'choice'),
      ),
    ],
  };
}

const STATES: Record<Rsvp, TextKey> = {
  pending: 'choice.pending',
  accepted: 'choice.accepted',
  standby: 'choice.standby',
  declined: 'choice.declined',
};

/** An order in the list that Discord offers while a pilot types; plain text, which formats nothing. */
export function orderChoice(order: FragOrderDto, texts: Texts): { name: string; value: string } {
  const head = `${order.label} · ${texts(STATES[order.rsvp])} · ${instantWords(Date.parse(order.startUtc))} · `;
  return { name: `${head}${cutText(order.missionName, CHOICE_NAME_MAX - Array.from(head).length)}`, value: order.id };
}
