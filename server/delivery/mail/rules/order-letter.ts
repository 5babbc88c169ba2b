/** Letters about frag orders: a new one, a seat from standby, a change, a swap. */
import { type MailTopic, type NewsChoice, type NewsFacts, ORDER_NEWS } from '#server/signals/rules/order-news.ts';
import { zuluAndLocal } from '#server/time/clock-text.ts';
import { fragLabel, seatLabel, sideName } from '#shared/labels.ts';
import type { MissionRole, Side } from '#shared/vocabulary.ts';
import { STILL_FLYING } from '#shared/reminders.ts';
import type { Letter } from './letter.ts';

/** An order as the letters tell of it. Instants are epoch milliseconds. */
export interface LetterOrder extends NewsFacts {
  seq: number;
  theater: string;
  flightCallsign: string;
  aircraftName: string;
  /** from 0 */
  seatIndex: number;
  side: Side;
  role: MissionRole;
  startMs: number;
  launchMs: number | null;
  expiresMs: number;
}

interface News {
  topic: MailTopic;
  order: LetterOrder;
  /** of the push notification */
  sentence: string;
  name: string | null;
  timeZone: string;
  url: string;
  unsubscribeUrl: string;
}

export const seatWords = ({ flightCallsign, seatIndex }: LetterOrder) => `${flightCallsign}, ${seatLabel(seatIndex)}`;

/** The facts of a seat, with times in Zulu and in the reader's zone. */
function seatFacts(order: LetterOrder, timeZone: string): (readonly [string, string])[] {
  const { missionName, theater, aircraftName, role, side, startMs, launchMs } = order;
  return [
    ['Mission', `${missionName} (${theater})`],
    ['Seat', seatWords(order)],
    ['Aircraft', aircraftName],
    ['Task', `${role}, ${sideName(side)}`],
    ['Start', zuluAndLocal(startMs, timeZone)],
    ...(launchMs === null ? [] : [['Launch', zuluAndLocal(launchMs, timeZone)] as const]),
  ];
}

const CHOICES: Record<NewsChoice, { sent: string; unsubscribe: string }> = {
  orders: { sent: 'new frag orders', unsubscribe: 'No more email about new frag orders' },
  changes: { sent: 'changes to your seats', unsubscribe: 'No more email about changes to my seats' },
};

const hello = (name: string | null) => (name === null ? 'Hello,' : `Hello ${name},`);

export function orderLetter(news: News): Letter {
  const { topic, order, sentence, name, timeZone, url, unsubscribeUrl } = news;
  const { letter } = ORDER_NEWS[topic];
  const choice = CHOICES[ORDER_NEWS[topic].choice];
  const { missionName } = order;
  const when = (ms: number) => zuluAndLocal(ms, timeZone);
  const seat = seatWords(order);
  const facts = [
    ...seatFacts(order, timeZone),
    ...(order.asks && !letter.asksApart ? [['Answer by', when(order.expiresMs)] as const] : []),
  ];
  return {
    subject: `${letter.subject(order)}: ${missionName} (${fragLabel(order.seq)})`,
    preview: letter.hasSentence ? sentence : `${seat}, ${order.aircraftName}. Start ${when(order.startMs)}.`,
    heading: `${fragLabel(order.seq)}: ${missionName}`,
    paragraphs: [hello(name), letter.opening(order), ...(letter.hasSentence ? [sentence] : [])],
    facts: order.isOver ? [] : facts,
    button: { label: order.asks || letter.asksApart ? 'Open and answer' : 'Open the order', url },
    because: `You get this because ${choice.sent} are sent to you by email. Your profile has more choices.`,
    unsubscribe: { label: choice.unsubscribe, url: unsubscribeUrl },
  };
}

interface ReminderNews extends Omit<News, 'topic' | 'sentence'> {
  /** asks "Still flying?" */
  asks: boolean;
  /** until the start, such as `24 hours` */
  lead: string;
}

export function reminderLetter({ order, asks, lead, name, timeZone, url, unsubscribeUrl }: ReminderNews): Letter {
  const { missionName } = order;
  return {
    subject: `${asks ? `${STILL_FLYING.question} ` : ''}${missionName} starts in ${lead} (${fragLabel(order.seq)})`,
    preview: `${seatWords(order)}, ${order.aircraftName}. Start ${zuluAndLocal(order.startMs, timeZone)}.`,
    heading: asks ? STILL_FLYING.question : `${missionName} starts in ${lead}`,
    paragraphs: [
      hello(name),
      asks ? `${missionName} starts in ${lead}, and you have a seat.` : 'You have a seat in this mission.',
      ...(asks ? [STILL_FLYING.meaning] : []),
    ],
    facts: seatFacts(order, timeZone),
    button: { label: asks ? "Confirm, or say you can't make it" : 'Open the order', url },
    because: 'You get this because reminders of your missions are sent to you by email. Your profile has more choices.',
    unsubscribe: { label: 'No more reminders by email', url: unsubscribeUrl },
  };
}
