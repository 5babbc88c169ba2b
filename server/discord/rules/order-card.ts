/** A frag order as a direct message: one card per order, edited until nothing about it can change any more. */
import { copy } from '#shared/copy.ts';
import { fragLabel, sideName } from '#shared/labels.ts';
import { STANDBY_CONSENT_HOURS } from '#shared/limits.ts';
import { answersAt, standDownUntilMs } from '#shared/order-answers.ts';
import { shorten } from '#shared/order-changes.ts';
import { type OrderState, orderStateAt } from '#shared/order-state.ts';
import type { DiscordButton, DiscordEmbed, DiscordMessage } from '#shared/schemas/bot.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import type { MissionRole, OrderStatus, OrderStatusReason, Rsvp, RsvpResponse, Side } from '#shared/vocabulary.ts';
import { zuluDayWords } from '#server/time/clock-text.ts';
import { changeWords } from '#server/seats/rules/order-changes.ts';
import { discordTime, escapeMarkdown, fitLines } from './markdown.ts';
import { acceptButton, actionButton, buttonRow, linkButton, stateButton } from './parts.ts';

/** What a card is made of. Instants are epoch milliseconds. */
export interface OrderFacts {
  id: string;
  seq: number;
  status: OrderStatus;
  statusReason: OrderStatusReason | null;
  rsvp: Rsvp;
  missionName: string;
  flightCallsign: string;
  aircraftName: string;
  /** from 0 */
  seatIndex: number;
  role: MissionRole;
  side: Side;
  startMs: number;
  endMs: number;
  launchMs: number | null;
  expiresMs: number;
  reasons: readonly string[];
  changes: readonly OrderChange[];
  /** the last time an admin changed it; null when never */
  changedMs: number | null;
}

/** `asked again`: pending, after an admin's change. `promoted`: accepted, by a seat that came to a pilot on standby. */
type OrderCardState = OrderState | 'asked again' | 'promoted';

function orderCardState(order: OrderFacts, nowMs: number): OrderCardState {
  const state = orderStateAt(order, nowMs);
  if (state === 'pending') return order.changes.length > 0 ? 'asked again' : 'pending';
  return state === 'accepted' && order.reasons.includes(copy.wasOnStandby) ? 'promoted' : state;
}

/**
 * When time alone changes what the card says or offers next; null when it will not.
 * @returns epoch milliseconds, later than `nowMs`
 */
export function nextCardChangeMs(order: OrderFacts, nowMs: number): number | null {
  if (order.status !== 'issued') return null;
  const { startMs, endMs } = order;
  const moments = order.rsvp === 'accepted' ? [standDownUntilMs(startMs) + 1, startMs, endMs] : [startMs];
  return moments.find((ms) => ms > nowMs) ?? null;
}

const COLOURS = { asks: 0xf2a33a, holds: 0x3fa34d, waits: 0x4a7fb5, over: 0x6b7280 } as const;

interface Face {
  colour: number;
  /** what the button that stands for the state says; null while an answer is asked for */
  badge: string | null;
  sentence: (order: OrderFacts) => string;
}

const FACES: Record<OrderCardState, Face> = {
  pending: {
    colour: COLOURS.asks,
    badge: null,
    sentence: ({ expiresMs }) =>
      `You're offered a seat. Answer by ${discordTime(expiresMs, 'F')} (${discordTime(expiresMs, 'R')}), or it is offered to the next pilot.`,
  },
  'asked again': {
    colour: COLOURS.asks,
    badge: null,
    sentence: ({ expiresMs }) =>
      `This order has changed. Please answer again by ${discordTime(expiresMs, 'F')} (${discordTime(expiresMs, 'R')}).`,
  },
  accepted: { colour: COLOURS.holds, badge: 'Accepted', sentence: () => 'This seat is yours.' },
  promoted: {
    colour: COLOURS.holds,
    badge: 'Accepted',
    sentence: ({ flightCallsign, seatIndex }) =>
      `You're in: seat ${seatIndex + 1}, ${said(flightCallsign)}. Give the seat back if you can't come.`,
  },
  standby: {
    colour: COLOURS.waits,
    badge: 'On standby',
    sentence: () =>
      `You're on standby. Until ${STANDBY_CONSENT_HOURS} hours before the start, a seat that opens for you is yours right away; after that you're asked first.`,
  },
  declined: { colour: COLOURS.over, badge: 'Declined', sentence: () => 'You declined this order.' },
  expired: {
    colour: COLOURS.over,
    badge: 'Expired',
    sentence: () => `${copy.orderExpired} You didn't answer in time, so the seat was released.`,
  },
  'mission cancelled': {
    colour: COLOURS.over,
    badge: 'Cancelled',
    sentence: () => `${copy.orderCancelled} The mission won't take place.`,
  },
  removed: { colour: COLOURS.over, badge: 'Removed', sentence: () => 'An admin removed you from this mission.' },
  taken: { colour: COLOURS.over, badge: 'Taken', sentence: () => copy.seatTaken },
  replaced: {
    colour: COLOURS.over,
    badge: 'Replaced',
    sentence: () => 'A newer order for this mission replaced this one.',
  },
  missed: { colour: COLOURS.over, badge: 'Started', sentence: () => copy.missionStarted },
  flown: { colour: COLOURS.over, badge: 'Over', sentence: () => 'This mission is over.' },
};

/** A field holds 1,024 characters. */
const LIST_LENGTH = 1000;

const said = (text: string) => escapeMarkdown(shorten(text));
const listLines = (texts: readonly string[]) =>
  fitLines(
    texts.map((text) => `• ${escapeMarkdown(text)}`),
    LIST_LENGTH,
    (left) => `… and ${left} more on the site`,
  );

/** `<t:…:F> (<t:…:R>)` and `FRI 20 NOV 1900Z` below it. */
function timeLines(ms: number): string {
  return `${discordTime(ms, 'F')} (${discordTime(ms, 'R')})\n${zuluDayWords(ms)}`;
}

function listFields(order: OrderFacts): DiscordEmbed['fields'] {
  const { flightCallsign, aircraftName, seatIndex, role, side, startMs, launchMs, reasons, changes } = order;
  const short = (name: string, value: string) => ({ name, value, inline: true });
  return [
    short('Flight', said(flightCallsign)),
    short('Aircraft', said(aircraftName)),
    short('Seat', String(seatIndex + 1)),
    short('Role', role),
    short('Side', sideName(side)),
    { name: 'Start', value: timeLines(startMs) },
    ...(launchMs === null || launchMs === startMs ? [] : [{ name: 'Launch', value: timeLines(launchMs) }]),
    ...(changes.length === 0 ? [] : [{ name: 'What changed', value: listLines(changes.map(changeWords)) }]),
    ...(reasons.length === 0 ? [] : [{ name: 'Why you', value: listLines(reasons.map(shorten)) }]),
  ];
}

const DECLINE_WORDS: Record<Rsvp, string> = {
  pending: 'Decline',
  accepted: 'Give the seat back',
  standby: 'Leave standby',
  declined: 'Decline',
};

/** The answers that the order still takes, as the site offers them; Confirm is the site's alone. */
function answerButtons(order: OrderFacts, nowMs: number): DiscordButton[] {
  const buttons: Record<RsvpResponse, DiscordButton> = {
    accepted: acceptButton('Accept', order.id, order.changedMs),
    standby: actionButton('Standby', 'standby', order.id, 'primary'),
    declined: actionButton(DECLINE_WORDS[order.rsvp], 'decline', order.id, 'danger'),
  };
  return answersAt(order, nowMs).map((response) => buttons[response]);
}

/**
 * The card of an order at an instant, with the buttons that make sense then. Its buttons name the order, so that the card
 * is found again among other messages.
 * @param publicUrl origin of the site
 */
export function orderCard(order: OrderFacts, publicUrl: string, nowMs: number): DiscordMessage {
  const state = orderCardState(order, nowMs);
  const face = FACES[state];
  const url = `${publicUrl}/orders/${order.id}`;
  const badge: DiscordButton[] = face.badge === null ? [] : [stateButton(face.badge, 'inbox', order.id)];
  const off = actionButton('No more direct messages', 'orders-off', order.id);
  return {
    embeds: [
      {
        title: `${fragLabel(order.seq)}: ${said(order.missionName)}`,
        url,
        description: face.sentence(order),
        color: face.colour,
        fields: listFields(order),
      },
    ],
    components: [
      buttonRow(...badge, ...answerButtons(order, nowMs), linkButton('Open on the site', url)),
      ...(face.badge === null ? [buttonRow(off)] : []),
    ],
  };
}
