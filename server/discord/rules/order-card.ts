/** The card of a frag order, as a direct message that is edited until the order is final. */
import { buttonRow, linkButton } from '#shared/discord-links.ts';
import { formatZulu } from '#shared/clock.ts';
import { copy } from '#shared/copy.ts';
import type { TextKey, Texts } from '#shared/discord-texts/catalogue.ts';
import { fragLabel } from '#shared/labels.ts';
import { STANDBY_CONSENT_HOURS } from '#shared/limits.ts';
import { answersAt, standDownUntilMs } from '#shared/order-answers.ts';
import { shorten } from '#shared/order-changes.ts';
import { type OrderFacts, orderTexts, type PackagedOrder, type ShownOn } from '#shared/order-facts.ts';
import { lostSeat, misfitReason, momentsOf, type OrderState, orderStateAt } from '#shared/order-state.ts';
import type { DiscordButton, DiscordEmbed, DiscordMessage } from '#shared/schemas/bot.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import { type Rsvp, type RsvpResponse, SIDES } from '#shared/vocabulary.ts';
import { zuluDayWords } from '#server/time/clock-text.ts';
import { discordMarkdown, discordTime, escapeMarkdown, fitLines, maskedLink } from './markdown.ts';
import { acceptButton, actionButton, sideText, stateButton } from './parts.ts';
import { COLOURS } from './colours.ts';

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

interface Face {
  colour: number;
  /** label of the disabled button that shows the state; null while an answer is needed */
  badge: TextKey | null;
  sentence: (order: OrderFacts, texts: Texts) => string;
}

const FACES: Record<OrderCardState, Face> = {
  pending: {
    colour: COLOURS.asks,
    badge: null,
    sentence: (order, texts) => texts('order.pending', { deadline: deadline(order) }),
  },
  'asked again': {
    colour: COLOURS.asks,
    badge: null,
    sentence: (order, texts) => texts('order.askedAgain', { deadline: deadline(order) }),
  },
  accepted: { colour: COLOURS.holds, badge: 'badge.accepted', sentence: (_order, texts) => texts('order.accepted') },
  promoted: {
    colour: COLOURS.holds,
    badge: 'badge.accepted',
    sentence: ({ flightCallsign, seatIndex }, texts) =>
      texts('order.promoted', { seat: seatIndex + 1, flight: said(flightCallsign) }),
  },
  standby: {
    colour: COLOURS.waits,
    badge: 'badge.standby',
    sentence: (_order, texts) => texts('order.standby', { hours: STANDBY_CONSENT_HOURS }),
  },
  declined: { colour: COLOURS.over, badge: 'badge.declined', sentence: (_order, texts) => texts('order.declined') },
  expired: { colour: COLOURS.over, badge: 'badge.expired', sentence: (_order, texts) => texts('order.expired') },
  'mission cancelled': {
    colour: COLOURS.over,
    badge: 'badge.cancelled',
    sentence: (_order, texts) => texts('order.missionCancelled'),
  },
  removed: { colour: COLOURS.over, badge: 'badge.removed', sentence: removedText },
  taken: { colour: COLOURS.over, badge: 'badge.taken', sentence: (_order, texts) => texts('order.taken') },
  replaced: { colour: COLOURS.over, badge: 'badge.replaced', sentence: (_order, texts) => texts('order.replaced') },
  missed: { colour: COLOURS.over, badge: 'badge.started', sentence: (_order, texts) => texts('order.missed') },
  flown: { colour: COLOURS.over, badge: 'badge.over', sentence: (_order, texts) => texts('order.flown') },
};

/** Why a pilot was removed; the stored reasons are sentences of the API. */
function removedText(order: OrderFacts, texts: Texts): string {
  if (misfitReason(order) === null) return texts('order.removed');
  return [...order.reasons.map(escapeMarkdown), ...(lostSeat(order) ? [texts('order.seatReleased')] : [])].join(' ');
}

/** A field holds 1,024 characters. */
const LIST_LENGTH = 1000;
/** Characters of all texts together, as Discord counts them. The card holds 6,000. */
const TEXTS_LENGTH = 1000;

const said = (text: string) => escapeMarkdown(shorten(text));
const listLines = (entries: readonly string[], texts: Texts) =>
  fitLines(
    entries.map((entry) => `• ${escapeMarkdown(entry)}`),
    LIST_LENGTH,
    (left) => texts('list.more', { left }),
  );

/** A change as on the site; its values are stored words, apart from the side. */
function changeText({ field, from, to }: OrderChange, texts: Texts): string {
  const valueText = (value: string | null) => {
    if (value === null) return texts('changes.none');
    if (field === 'side' && (value === 'Blue' || value === 'Red'))
      return sideText(SIDES[value === 'Red' ? 'red' : 'blue'], texts);
    return shorten(value);
  };
  if (field === 'seat' && to === null) return texts('changes.lostSeat', { seat: valueText(from) });
  const values = { field: texts(`change.${field}`), from: valueText(from), to: valueText(to) };
  return texts(values.to.endsWith('…') ? 'changes.fromToCut' : 'changes.fromTo', values);
}

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
const headWords = (
  { flightCallsign, seatIndex, aircraftName, role, side }: Pick<PackagedOrder, HeadFact>,
  texts: Texts,
): string => [`${said(flightCallsign)}-${seatIndex + 1}`, said(aircraftName), role, sideText(side, texts)].join(' · ');

/** The pilots of the order's flight by seat; only for a reader who may see them. */
function crewField({ flightCallsign, package: { composition } }: PackagedOrder, texts: Texts): Field[] {
  const pilots = composition.find(({ callsign }) => callsign === flightCallsign)?.pilots ?? [];
  if (!pilots.some((pilot) => pilot !== null)) return [];
  const lines = pilots.map((pilot, seat) => `${seat + 1} ${pilot === null ? texts('order.openSeat') : said(pilot)}`);
  return [{ name: texts('fact.crew'), value: lines.join('\n') }];
}

/** Fields of a card in the order in which they stand; the mission's name is its title. */
const FIELDS: Record<
  Exclude<ShownOn<'dm'>, 'missionName' | HeadFact>,
  (order: PackagedOrder, texts: Texts) => Field[]
> = {
  startUtc: ({ startUtc }, texts) => [timeField(texts('fact.start'), startUtc)],
  launchUtc: ({ startUtc, launchUtc }, texts) =>
    launchUtc === null || launchUtc === startUtc ? [] : [shortTime(texts('fact.launchUtc'), launchUtc)],
  totUtc: ({ totUtc }, texts) => (totUtc === null ? [] : [shortTime(texts('fact.totUtc'), totUtc)]),
  radioFreq: ({ radioFreq }, texts) => (radioFreq === null ? [] : [short(texts('fact.radioFreq'), radioFreq)]),
  package: (order, texts) => [
    ...(order.package.callsign === ''
      ? []
      : [short(texts('fact.package'), `${said(order.package.callsign)} (${said(order.package.objective)})`)]),
    ...crewField(order, texts),
  ],
  texts: (order, texts) => {
    const written = orderTexts(order);
    const length = Math.floor(TEXTS_LENGTH / written.length);
    return written.map(({ key, parts }) => ({
      name: texts(`missionText.${key}`),
      value: discordMarkdown(parts, length),
    }));
  },
  links: ({ links }, texts) =>
    links.length === 0
      ? []
      : [
          {
            name: texts('fact.links'),
            value: fitLines(
              links.map(
                ({ kind, title, url }) => `• ${texts(`linkKind.${kind}`)}: ${maskedLink(escapeMarkdown(title), url)}`,
              ),
              LIST_LENGTH,
              (left) => texts('list.more', { left }),
            ),
          },
        ],
  changes: ({ changes }, texts) =>
    changes.length === 0
      ? []
      : [
          {
            name: texts('fact.changes'),
            value: listLines(
              changes.map((change) => changeText(change, texts)),
              texts,
            ),
          },
        ],
  reasons: ({ reasons }, texts) =>
    reasons.length === 0 || misfitReason({ reasons }) !== null
      ? []
      : [{ name: texts('fact.reasons'), value: listLines(reasons, texts) }],
};

const DECLINE_WORDS: Record<Rsvp, TextKey> = {
  pending: 'order.decline',
  accepted: 'order.giveBack',
  standby: 'order.leaveStandby',
  declined: 'order.decline',
};

/** Buttons for the possible answers, as on the site, which alone has Confirm. */
function answerButtons(order: OrderFacts, nowMs: number, texts: Texts): DiscordButton[] {
  const buttons: Record<RsvpResponse, DiscordButton> = {
    accepted: acceptButton(
      texts('order.accept'),
      order.id,
      order.changedAt === null ? null : Date.parse(order.changedAt),
    ),
    standby: actionButton(texts('order.standBy'), 'standby', order.id, 'primary'),
    declined: actionButton(texts(DECLINE_WORDS[order.rsvp]), 'decline', order.id, 'danger'),
  };
  return answersAt(momentsOf(order), nowMs).map((response) => buttons[response]);
}

/**
 * The card of an order at an instant, with the buttons for that time. Their ids contain the order's id, so that the card can
 * be found among other messages.
 * @param publicUrl origin of the site
 */
export function orderCard(order: PackagedOrder, publicUrl: string, nowMs: number, texts: Texts): DiscordMessage {
  const state = orderCardState(order, nowMs);
  const face = FACES[state];
  const url = `${publicUrl}/orders/${order.id}`;
  const badge: DiscordButton[] = face.badge === null ? [] : [stateButton(texts(face.badge), 'inbox', order.id)];
  return {
    embeds: [
      {
        title: `${fragLabel(order.seq)}: ${said(order.missionName)}`,
        url,
        description: `**${headWords(order, texts)}**\n${face.sentence(order, texts)}`,
        color: face.colour,
        fields: Object.values(FIELDS).flatMap((list) => list(order, texts)),
      },
    ],
    components: [buttonRow(...badge, ...answerButtons(order, nowMs, texts), linkButton(texts('site.openHere'), url))],
  };
}

/** A card whose order has a newer message: the same facts, without buttons for answers. */
export function replacedCard(order: OrderFacts, publicUrl: string, texts: Texts): DiscordMessage {
  const url = `${publicUrl}/orders/${order.id}`;
  return {
    embeds: [
      {
        title: `${fragLabel(order.seq)}: ${said(order.missionName)}`,
        url,
        description: texts('order.newer'),
        color: COLOURS.over,
      },
    ],
    components: [
      buttonRow(stateButton(texts('badge.replaced'), 'inbox', order.id), linkButton(texts('site.openHere'), url)),
    ],
  };
}
