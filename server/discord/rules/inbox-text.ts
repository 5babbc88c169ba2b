/** Texts of the inbox and of replies about frag orders, which the bot shows to that pilot alone. */
import { formatZulu } from '#shared/clock.ts';
import { CHANGES } from '#shared/mission-fields.ts';
import { answersTo } from '#shared/order-answers.ts';
import type { DiscordButton, DiscordEmbed, DiscordMessage } from '#shared/schemas/bot.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { instantWords } from '#server/seats/rules/order-changes.ts';
import { cutText, discordTime, fitLines, nameText } from './markdown.ts';
import { acceptButton, actionButton, buttonRow, linkButton } from './parts.ts';

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
export function orderWords({ label, missionName, title, flightCallsign }: FragOrderDto): string {
  return `**${label}** ${nameText(missionName)}: ${nameText(title)} in ${nameText(flightCallsign)}`;
}

/** The start of a mission, in the reader's zone and in Zulu. */
export function startWords(startUtc: string): string {
  const ms = Date.parse(startUtc);
  return `${discordTime(ms, 'F')} · ${formatZulu(ms)} · ${discordTime(ms, 'R')}`;
}

function changedWords({ changes }: FragOrderDto): string[] {
  if (changes.length === 0) return [];
  return [`An admin changed: ${changes.map(({ field }) => CHANGES[field].words.toLowerCase()).join(', ')}`];
}

function pendingWords(order: FragOrderDto): string {
  const answerBy = `Answer by ${discordTime(Date.parse(order.expiresAt), 'F')}`;
  return [orderWords(order), startWords(order.startUtc), answerBy, ...changedWords(order)].join('\n');
}

function answeredWords(order: FragOrderDto): string {
  const place = order.standbyPosition === null ? [] : [`Number ${order.standbyPosition} in the queue`];
  return [orderWords(order), startWords(order.startUtc), ...place, ...changedWords(order)].join('\n');
}

/** A title and entries separated by blank lines; entries that do not fit are on the site. @param most how many to show */
export function listEmbed(title: string, entries: readonly string[], most?: number): DiscordEmbed[] {
  if (entries.length === 0) return [];
  const lines = entries.map((entry) => `${entry}\n`);
  return [{ title, description: fitLines(lines, LIST_MAX, (left) => `… and ${left} more on the site`, most).trim() }];
}

function answerButtons({ id, label, rsvp, changedAt }: FragOrderDto): DiscordButton[] {
  const buttons: Record<RsvpResponse, DiscordButton> = {
    accepted: acceptButton(`Accept ${label}`, id, changedAt === null ? null : Date.parse(changedAt)),
    standby: actionButton(`Standby ${label}`, 'standby', id),
    declined: actionButton(`Decline ${label}`, 'decline', id, 'danger'),
  };
  return answersTo(rsvp).map((response) => buttons[response]);
}

/** The inbox: pending orders with their buttons, then accepted orders, then those on standby. */
export function inboxMessage({ pending, accepted, standby, wantsOrders, publicUrl }: InboxWords): DiscordMessage {
  const isEmpty = pending.length + accepted.length + standby.length === 0;
  const shown = pending.slice(0, ROWS_OF_ORDERS);
  return {
    content: isEmpty
      ? 'You have no frag orders. Missions with open seats: /missions'
      : pending.length === 0
        ? 'No frag orders need your answer.'
        : undefined,
    embeds: [
      ...listEmbed('Waiting for your answer', pending.map(pendingWords), ROWS_OF_ORDERS),
      ...listEmbed("You're flying", accepted.map(answeredWords)),
      ...listEmbed("You're on standby", standby.map(answeredWords)),
    ],
    components: [
      ...shown.map((order) => buttonRow(...answerButtons(order))),
      buttonRow(
        wantsOrders
          ? actionButton('Stop direct messages', 'orders-off', 'inbox')
          : actionButton('Send me direct messages', 'orders-on', 'inbox'),
        linkButton('Open Marshal', `${publicUrl}/home`),
      ),
    ],
  };
}

/** The reply after an answer. */
export function answeredMessage(order: FragOrderDto, publicUrl: string): DiscordMessage {
  const place = order.standbyPosition === null ? '' : `, number ${order.standbyPosition} in the queue`;
  const said = {
    pending: 'This order needs your answer:',
    accepted: "You're in. See you there:",
    standby: `You're on standby${place}:`,
    declined: 'You declined:',
  }[order.rsvp];
  return {
    content: `${said}\n${orderWords(order)}\n${startWords(order.startUtc)}`,
    components: [buttonRow(linkButton('Open this order', `${publicUrl}/orders/${order.id}`))],
  };
}

/** Confirms that orders will or will not arrive as direct messages. */
export function wantsOrdersMessage(wantsOrders: boolean): DiscordMessage {
  return {
    content: wantsOrders
      ? 'Frag orders and reminders will reach you as direct messages.'
      : 'Frag orders and reminders no longer reach you as direct messages. You can find your orders on the site and with /inbox.',
    components: [
      buttonRow(
        wantsOrders
          ? actionButton('Stop direct messages', 'orders-off', 'choice')
          : actionButton('Send me direct messages', 'orders-on', 'choice'),
      ),
    ],
  };
}

const STATES = {
  pending: 'needs your answer',
  accepted: "you're flying",
  standby: "you're on standby",
  declined: 'declined',
} as const;

/** An order in the list that Discord offers while a pilot types; plain text, which formats nothing. */
export function orderChoice(order: FragOrderDto): { name: string; value: string } {
  const head = `${order.label} · ${STATES[order.rsvp]} · ${instantWords(Date.parse(order.startUtc))} · `;
  return { name: `${head}${cutText(order.missionName, CHOICE_NAME_MAX - Array.from(head).length)}`, value: order.id };
}
