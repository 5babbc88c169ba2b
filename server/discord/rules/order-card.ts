/** The card of a frag order, as a direct message that is edited until the order is final. */
import { formatZulu } from '#shared/clock.ts';
import { copy } from '#shared/copy.ts';
import { fragLabel, sideName } from '#shared/labels.ts';
import { STANDBY_CONSENT_HOURS } from '#shared/limits.ts';
import { answersAt, standDownUntilMs } from '#shared/order-answers.ts';
import { LINK_KIND_LABELS } from '#shared/mission-links.ts';
import { shorten } from '#shared/order-changes.ts';
import { FACT_LABELS, type OrderFacts, orderTexts, type PackagedOrder, type ShownOn } from '#shared/order-facts.ts';
import { misfitReason, momentsOf, type OrderState, orderStateAt, removedSentence } from '#shared/order-state.ts';
import type { DiscordButton, DiscordEmbed, DiscordMessage } from '#shared/schemas/bot.ts';
import type { Rsvp, RsvpResponse } from '#shared/vocabulary.ts';
import { zuluDayWords } from '#server/time/clock-text.ts';
import { changeWords } from '#server/seats/rules/order-changes.ts';
import { discordMarkdown, discordTime, escapeMarkdown, fitLines, maskedLink } from './markdown.ts';
import { acceptButton, actionButton, buttonRow, linkButton, stateButton } from './parts.ts';

type Field = NonNullable<DiscordEmbed['fields']>[number];

/** `asked again`: pending after an admin's change. `promoted`: a standby pilot got the seat. */
type OrderCardState = OrderState | 'asked again' | 'promoted';

function orderCardState(order: OrderFacts, nowMs: number): OrderCardState {
  const state = orderStateAt(momentsOf(order), nowMs);
  if (state === 'pending') return order.changes.length > 0 ? 'asked again' : 'pending';
  return state === 'accepted' && order.reasons.includes(copy.wasOnStandby) ? 'promoted' : state;
}

/**
 * The next time at which the clock alone changes the card; null if it never does.
 * @returns epoch milliseconds, later than `nowMs`
 */
export function nextCardChangeMs(order: OrderFacts, nowMs: number): number | null {
  if (order.status !== 'issued') return null;
  const { startMs, endMs } = momentsOf(order);
  const moments = order.rsvp === 'accepted' ? [standDownUntilMs(startMs) + 1, startMs, endMs] : [startMs];
  return moments.find((ms) => ms > nowMs) ?? null;
}

const COLOURS = { asks: 0xf2a33a, holds: 0x3fa34d, waits: 0x4a7fb5, over: 0x6b7280 } as const;

interface Face {
  colour: number;
  /** label of the disabled button that shows the state; null while an answer is needed */
  badge: string | null;
  sentence: (order: OrderFacts) => string;
}

const FACES: Record<OrderCardState, Face> = {
  pending: {
    colour: COLOURS.asks,
    badge: null,
    sentence: (order) => `You're offered a seat. Answer by ${deadline(order)}, or it is offered to the next pilot.`,
  },
  'asked again': {
    colour: COLOURS.asks,
    badge: null,
    sentence: (order) => `This order has changed. Please answer again by ${deadline(order)}.`,
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
  removed: { colour: COLOURS.over, badge: 'Removed', sentence: (order) => escapeMarkdown(removedSentence(order)) },
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
/** Characters of all texts together, as Discord counts them. The card holds 6,000. */
const TEXTS_LENGTH = 1000;

const said = (text: string) => escapeMarkdown(shorten(text));
const listLines = (texts: readonly string[]) =>
  fitLines(
    texts.map((text) => `• ${escapeMarkdown(text)}`),
    LIST_LENGTH,
    (left) => `… and ${left} more on the site`,
  );

/** `<t:…:F> (<t:…:R>)` */
const timeWords = (ms: number) => `${discordTime(ms, 'F')} (${discordTime(ms, 'R')})`;
const deadline = ({ expiresAt }: OrderFacts) => timeWords(Date.parse(expiresAt));

/** The time for every reader, and `FRI 20 NOV 1900Z` below it. */
function timeField(name: string, instant: string): Field {
  const ms = Date.parse(instant);
  return { name, value: `${timeWords(ms)}\n${zuluDayWords(ms)}` };
}

const short = (name: string, value: string): Field => ({ name, value, inline: true });

/** `<t:…:t> (1930Z)`: on the day of the mission, so without the date. */
const shortTime = (name: string, instant: string) =>
  short(name, `${discordTime(Date.parse(instant), 't')} (${formatZulu(instant)})`);

/** The facts of the first line: `Viper 1-3 · F-16C Viper · CAP · Blue`. */
type HeadFact = 'flightCallsign' | 'seatIndex' | 'aircraftName' | 'role' | 'side';
const headWords = ({ flightCallsign, seatIndex, aircraftName, role, side }: Pick<PackagedOrder, HeadFact>): string =>
  [`${said(flightCallsign)}-${seatIndex + 1}`, said(aircraftName), role, sideName(side)].join(' · ');

/** The pilots of the order's flight by seat; only for a reader who may see them. */
function crewField({ flightCallsign, package: { composition } }: PackagedOrder): Field[] {
  const pilots = composition.find(({ callsign }) => callsign === flightCallsign)?.pilots ?? [];
  if (!pilots.some((pilot) => pilot !== null)) return [];
  const lines = pilots.map((pilot, seat) => `${seat + 1} ${pilot === null ? 'open' : said(pilot)}`);
  return [{ name: 'Crew', value: lines.join('\n') }];
}

/** Fields of a card in the order in which they stand; the mission's name is its title. */
const FIELDS: Record<Exclude<ShownOn<'dm'>, 'missionName' | HeadFact>, (order: PackagedOrder) => Field[]> = {
  startUtc: ({ startUtc }) => [timeField('Start', startUtc)],
  launchUtc: ({ startUtc, launchUtc }) =>
    launchUtc === null || launchUtc === startUtc ? [] : [shortTime(FACT_LABELS.launchUtc, launchUtc)],
  totUtc: ({ totUtc }) => (totUtc === null ? [] : [shortTime(FACT_LABELS.totUtc, totUtc)]),
  radioFreq: ({ radioFreq }) => (radioFreq === null ? [] : [short(FACT_LABELS.radioFreq, radioFreq)]),
  package: (order) => [
    ...(order.package.callsign === ''
      ? []
      : [short('Package', `${said(order.package.callsign)} (${said(order.package.objective)})`)]),
    ...crewField(order),
  ],
  texts: (order) => {
    const texts = orderTexts(order);
    const length = Math.floor(TEXTS_LENGTH / texts.length);
    return texts.map(({ label, parts }) => ({ name: label, value: discordMarkdown(parts, length) }));
  },
  links: ({ links }) =>
    links.length === 0
      ? []
      : [
          {
            name: FACT_LABELS.links,
            value: fitLines(
              links.map(
                ({ kind, title, url }) => `• ${LINK_KIND_LABELS[kind]}: ${maskedLink(escapeMarkdown(title), url)}`,
              ),
              LIST_LENGTH,
              (left) => `… and ${left} more on the site`,
            ),
          },
        ],
  changes: ({ changes }) =>
    changes.length === 0 ? [] : [{ name: FACT_LABELS.changes, value: listLines(changes.map(changeWords)) }],
  reasons: ({ reasons }) =>
    reasons.length === 0 || misfitReason({ reasons }) !== null
      ? []
      : [{ name: FACT_LABELS.reasons, value: listLines(reasons) }],
};

const DECLINE_WORDS: Record<Rsvp, string> = {
  pending: 'Decline',
  accepted: 'Give the seat back',
  standby: 'Leave standby',
  declined: 'Decline',
};

/** Buttons for the possible answers, as on the site, which alone has Confirm. */
function answerButtons(order: OrderFacts, nowMs: number): DiscordButton[] {
  const buttons: Record<RsvpResponse, DiscordButton> = {
    accepted: acceptButton('Accept', order.id, order.changedAt === null ? null : Date.parse(order.changedAt)),
    standby: actionButton('Standby', 'standby', order.id, 'primary'),
    declined: actionButton(DECLINE_WORDS[order.rsvp], 'decline', order.id, 'danger'),
  };
  return answersAt(momentsOf(order), nowMs).map((response) => buttons[response]);
}

/**
 * The card of an order at an instant, with the buttons for that time. Their ids contain the order's id, so that the card can
 * be found among other messages.
 * @param publicUrl origin of the site
 */
export function orderCard(order: PackagedOrder, publicUrl: string, nowMs: number): DiscordMessage {
  const state = orderCardState(order, nowMs);
  const face = FACES[state];
  const url = `${publicUrl}/orders/${order.id}`;
  const badge: DiscordButton[] = face.badge === null ? [] : [stateButton(face.badge, 'inbox', order.id)];
  return {
    embeds: [
      {
        title: `${fragLabel(order.seq)}: ${said(order.missionName)}`,
        url,
        description: `**${headWords(order)}**\n${face.sentence(order)}`,
        color: face.colour,
        fields: Object.values(FIELDS).flatMap((list) => list(order)),
      },
    ],
    components: [buttonRow(...badge, ...answerButtons(order, nowMs), linkButton('Open on the site', url))],
  };
}

/** A card whose order has a newer message: the same facts, without buttons for answers. */
export function replacedCard(order: OrderFacts, publicUrl: string): DiscordMessage {
  const url = `${publicUrl}/orders/${order.id}`;
  return {
    embeds: [
      {
        title: `${fragLabel(order.seq)}: ${said(order.missionName)}`,
        url,
        description: 'This order has changed. See the newer message below.',
        color: COLOURS.over,
      },
    ],
    components: [buttonRow(stateButton('Replaced', 'inbox', order.id), linkButton('Open on the site', url))],
  };
}
