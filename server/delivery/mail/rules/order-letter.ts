/** Letters about frag orders: a new one, a seat from standby, a change, a swap. */
import { type MailTopic, type NewsChoice, ORDER_NEWS } from '#server/signals/rules/order-news.ts';
import { zuluAndLocal } from '#server/time/clock-text.ts';
import { fragLabel, seatLabel, sideName } from '#shared/labels.ts';
import type { MissionRole, Side } from '#shared/vocabulary.ts';
import { STILL_FLYING } from '#shared/reminders.ts';
import type { Letter } from './letter.ts';

/** An order as the letters tell of it. Instants are epoch milliseconds. */
export interface LetterOrder {
  seq: number;
  missionName: string;
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
  /** the pilot has to answer */
  asks: boolean;
  /** withdrawn, or its mission cancelled */
  isOver: boolean;
  isMissionCancelled: boolean;
}

interface News {
  topic: MailTopic;
  order: LetterOrder;
  /** the sentence of the push notification, for a change or a swap */
  sentence: string;
  name: string | null;
  timeZone: string;
  url: string;
  unsubscribeUrl: string;
}

function subjectWords(topic: MailTopic, { asks, isOver, isMissionCancelled }: LetterOrder): string {
  if (topic === 'order') return 'A seat for you, please answer';
  if (topic === 'seat') return "You're in";
  if (topic === 'swap') return 'Seat swap proposed';
  if (topic === 'swapAnswer') return 'Your seat swap';
  if (isMissionCancelled) return 'Cancelled';
  if (isOver) return 'You no longer have a seat';
  return asks ? 'Changed, please answer again' : 'Changed';
}

const OPENINGS: Record<MailTopic, (order: LetterOrder) => string> = {
  order: ({ missionName }) => `${missionName} has a seat for you.`,
  seat: ({ missionName }) => `You were on standby for ${missionName}, and now you have a seat.`,
  change: ({ missionName, isOver, isMissionCancelled }) =>
    isMissionCancelled
      ? `${missionName} will not take place.`
      : isOver
        ? `Your seat in ${missionName} was withdrawn.`
        : `${missionName} has changed.`,
  swap: ({ missionName }) => `Another pilot of ${missionName} asks to swap seats with you.`,
  swapAnswer: ({ missionName }) => `Your proposal to swap seats in ${missionName} was answered.`,
};

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
  const { missionName } = order;
  const when = (ms: number) => zuluAndLocal(ms, timeZone);
  const seat = seatWords(order);
  const isChange = topic === 'change' || topic === 'swap' || topic === 'swapAnswer';
  const facts = [
    ...seatFacts(order, timeZone),
    ...(order.asks && topic !== 'swap' ? [['Answer by', when(order.expiresMs)] as const] : []),
  ];
  const isAsking = topic === 'order' || topic === 'swap' || (topic === 'change' && order.asks);
  const choice = CHOICES[ORDER_NEWS[topic].choice];
  return {
    subject: `${subjectWords(topic, order)}: ${missionName} (${fragLabel(order.seq)})`,
    preview: isChange ? sentence : `${seat}, ${order.aircraftName}. Start ${when(order.startMs)}.`,
    heading: `${fragLabel(order.seq)}: ${missionName}`,
    paragraphs: [hello(name), OPENINGS[topic](order), ...(isChange ? [sentence] : [])],
    facts: order.isOver ? [] : facts,
    button: { label: isAsking ? 'Open and answer' : 'Open the order', url },
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
