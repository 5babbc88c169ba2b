/** Push notifications: allowed push services, texts and timing. */
import { youAreIn } from '#shared/labels.ts';
import { markdownLines } from '#shared/markdown.ts';
import { misfitReason } from '#shared/order-state.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import type { PushMessage } from '#shared/schemas/push.ts';
import type { Attendance, OrderStatusReason, Rsvp } from '#shared/vocabulary.ts';
import { STILL_FLYING } from '#shared/reminders.ts';
import { attendanceSentence } from '#server/orders/rules/notices.ts';
import { changeWords, instantWords } from '#server/orders/seats/rules/order-changes.ts';
import { toIso } from '#server/time/time.ts';

/** The push services of Chrome (and browsers based on it), Firefox, Edge and Safari. */
const SERVICES = [
  /^fcm\.googleapis\.com$/,
  /^([\w-]+\.)+push\.services\.mozilla\.com$/,
  /^([\w-]+\.)+notify\.windows\.com$/,
  /^([\w-]+\.)+push\.apple\.com$/,
];

/** A message this close to its deadline wakes the device. */
const URGENT_MS = 3_600_000;

/**
 * True if the server may send to an endpoint, which comes from a browser or an attacker: https, a known push service, the
 * default port and no user name; or an origin that the configuration allows.
 */
export function isPushEndpoint(endpoint: string, extraOrigins: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password, origin } = new URL(endpoint);
  if (username !== '' || password !== '') return false;
  if (extraOrigins.includes(origin)) return true;
  return protocol === 'https:' && port === '' && SERVICES.some((service) => service.test(hostname));
}

/** The facts of an order that notifications show. Instants are epoch milliseconds. */
export interface OrderNews {
  id: string;
  label: string;
  missionName: string;
  flightCallsign: string;
  aircraftName: string;
  /** from 0 */
  seatIndex: number;
  launchMs: number | null;
  startMs: number;
  expiresMs: number;
  /** the last time an admin changed it; null when never */
  changedMs: number | null;
}

const changedAt = ({ changedMs }: OrderNews) => (changedMs === null ? null : toIso(changedMs));

/**
 * The message about a new order, which asks for an answer, or about a seat that a standby pilot was given.
 * @param kind `order` or `seat`
 */
export function orderMessage(news: OrderNews, kind: 'order' | 'seat'): PushMessage {
  const place = `${placeWords(news)}.`;
  const time =
    news.launchMs === null ? `Start ${instantWords(news.startMs)}.` : `Launch ${instantWords(news.launchMs)}.`;
  return {
    title: `${news.label}: ${news.missionName}`,
    body:
      kind === 'order'
        ? `${place} ${time} Answer by ${instantWords(news.expiresMs)}.`
        : `${youAreIn(news)} (${news.aircraftName}). ${time}`,
    url: `/orders/${news.id}`,
    tag: `order-${news.id}`,
    orderId: kind === 'order' ? news.id : null,
    changedAt: changedAt(news),
  };
}

/** News of missions with open seats, by start; at least one. */
export function newsMessage(
  missions: readonly { id: string; name: string; theater: string; startMs: number }[],
): PushMessage {
  const [first, ...others] = missions;
  if (!first) throw new RangeError('News without a mission');
  const isAlone = others.length === 0;
  return {
    title: isAlone ? `Open mission: ${first.name}` : `${missions.length} open missions`,
    body: isAlone
      ? `${first.theater}, ${instantWords(first.startMs)}. There are free seats.`
      : missions.map(({ name, startMs }) => `${name}, ${instantWords(startMs)}`).join('\n'),
    url: isAlone ? `/missions/${first.id}` : '/missions',
    tag: `news-${first.id}`,
    orderId: null,
    changedAt: null,
  };
}

/** So much of a message fits into a notification. */
const BODY_LENGTH = 300;

/** An admin's message to the community, without its marks of Markdown. */
export function communityPush({
  id,
  text,
  community,
}: {
  id: string;
  text: string;
  community: string | null;
}): PushMessage {
  const words = markdownLines(text).join('\n').trim();
  const characters = Array.from(words);
  return {
    title: community === null ? 'Community news' : `News from ${community}`,
    body: characters.length > BODY_LENGTH ? `${characters.slice(0, BODY_LENGTH - 1).join('')}…` : words,
    url: '/home',
    tag: `community-${id}`,
    orderId: null,
    changedAt: null,
  };
}

/** A seat, as named in a notification. */
interface PlaceNews {
  flightCallsign: string;
  aircraftName: string;
  /** from 0 */
  seatIndex: number;
}

const placeWords = ({ flightCallsign, aircraftName, seatIndex }: PlaceNews) =>
  `${flightCallsign}, ${aircraftName}, seat ${seatIndex + 1}`;

/** A seat swap from the point of view of one of its pilots. */
export interface SwapNews {
  /** `proposed`: the other pilot asks; otherwise the other pilot's answer */
  state: 'proposed' | 'agreed' | 'declined';
  /** the other pilot's call sign */
  pilotName: string;
  /** the reader's seat before and after the swap */
  from: PlaceNews;
  to: PlaceNews;
  expiresMs: number;
}

/** The message about a proposed swap, or about the answer to one. */
export function swapMessage(news: OrderNews, { state, pilotName, from, to, expiresMs }: SwapNews): PushMessage {
  const bodies = {
    proposed: `${pilotName} asks to swap seats: your ${placeWords(from)} for ${placeWords(to)}. Answer by ${instantWords(expiresMs)}.`,
    agreed: `${pilotName} agreed to swap seats. You have ${placeWords(to)}.`,
    declined: `${pilotName} declined to swap seats. You keep ${placeWords(from)}.`,
  };
  return {
    title: `${news.label}: ${news.missionName}`,
    body: bodies[state],
    url: `/orders/${news.id}`,
    tag: `swap-${news.id}`,
    orderId: null,
    changedAt: changedAt(news),
  };
}

/** The state of an order after an admin changed it. */
export interface OrderTurn {
  /** why it was cancelled; null otherwise */
  statusReason: OrderStatusReason | null;
  rsvp: Rsvp;
  changes: readonly OrderChange[];
  reasons: readonly string[];
}

/**
 * The message about an order that an admin changed, with old and new values. The pilot may have to answer again, or the
 * order may have been withdrawn or its mission cancelled.
 * @returns null when there is nothing to report, or no longer
 */
export function changeMessage(
  news: OrderNews,
  { statusReason, rsvp, changes, reasons }: OrderTurn,
): PushMessage | null {
  const asks = statusReason === null && rsvp === 'pending';
  const words = [...changes.map(changeWords), misfitReason({ reasons }) ?? []].flat().join(' ');
  const body = () => {
    if (statusReason === 'mission cancelled') return `The mission on ${instantWords(news.startMs)} has been cancelled.`;
    if (words === '' || statusReason === 'expired') return null;
    return asks ? `Changed: ${words} Answer by ${instantWords(news.expiresMs)}.` : `Changed: ${words}`;
  };
  const text = body();
  if (text === null) return null;
  return {
    title: `${news.label}: ${news.missionName}`,
    body: text,
    url: `/orders/${news.id}`,
    tag: `order-${news.id}`,
    orderId: asks ? news.id : null,
    changedAt: changedAt(news),
  };
}

/** The message that reminds of a mission. @param lead until the start, such as `24 hours` */
export function reminderMessage(news: OrderNews, { asks, lead }: { asks: boolean; lead: string }): PushMessage {
  const place = `${placeWords(news)}. Start ${instantWords(news.startMs)}.`;
  return {
    title: `${news.label}: ${news.missionName}`,
    body: `${asks ? `${STILL_FLYING.question} ` : ''}Starts in ${lead}. ${place}`,
    url: `/orders/${news.id}`,
    tag: `reminder-${news.id}`,
    orderId: asks ? news.id : null,
    changedAt: changedAt(news),
    ...(asks && { asks: 'confirmation' as const }),
  };
}

/** The message of an admin's nudge. @param asks for an answer; otherwise for a confirmation */
export function nudgeMessage(news: OrderNews, asks: boolean): PushMessage {
  const place = `${placeWords(news)}. Start ${instantWords(news.startMs)}.`;
  return {
    title: `${news.label}: ${news.missionName}`,
    body: asks
      ? `Can you fly? ${place} Answer by ${instantWords(news.expiresMs)}.`
      : `${STILL_FLYING.question} ${place}`,
    url: `/orders/${news.id}`,
    tag: `order-${news.id}`,
    orderId: news.id,
    changedAt: changedAt(news),
    ...(!asks && { asks: 'confirmation' as const }),
  };
}

/** The message about the attendance that an admin recorded. */
export function attendanceMessage(news: OrderNews, attendance: Attendance): PushMessage {
  return {
    title: `${news.label}: ${news.missionName}`,
    body: attendanceSentence(attendance, news),
    url: '/home',
    tag: `order-${news.id}`,
    orderId: null,
    changedAt: changedAt(news),
  };
}

/** The time that a push service keeps a message for a device that is off, and the urgency, which decides if it wakes it. */
export function pushTiming(deadlineMs: number, nowMs: number): { ttlSeconds: number; urgency: 'normal' | 'high' } {
  const left = Math.max(0, deadlineMs - nowMs);
  return { ttlSeconds: Math.floor(left / 1000), urgency: left <= URGENT_MS ? 'high' : 'normal' };
}
