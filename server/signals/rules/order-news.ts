/**
 * News of orders: everything that is decided once for each kind. A new kind does not compile until each column has decided. What a
 * notification or an email says is composed when it is sent, from the order as it is then: `server/delivery/push/order-push.ts`.
 */

import { STILL_FLYING } from '#shared/reminders.ts';

/** The pilot's choices, of which push notifications and email have one each: "New frag orders" and "Changes to my seats". */
export type NewsChoice = 'orders' | 'changes';

/** The facts of an order that decide how a letter begins. */
export interface NewsFacts {
  missionName: string;
  /** the pilot has to answer */
  asks: boolean;
  /** withdrawn, or its mission cancelled */
  isOver: boolean;
  isMissionCancelled: boolean;
}

interface NewsLetter {
  /** before the names of mission and order */
  subject: (order: NewsFacts) => string;
  opening: (order: NewsFacts) => string;
  /** the notification's sentence follows the opening */
  hasSentence: boolean;
  /** asks something beside the order's own question; the sentence says until when */
  asksApart: boolean;
}

interface NewsRow {
  choice: NewsChoice;
  /** notifications about an order with the same word replace each other while they wait */
  replaces: string;
  /** null: read on the site */
  letter: NewsLetter | null;
  /** Discord does not notify of edits, so a new message needs a row in `server/discord/rules/order-ring.ts`; null: at most an edit */
  discord: 'first message' | 'new message' | null;
}

const plain = { hasSentence: false, asksApart: false };

export const ORDER_NEWS = {
  /** a new order, which asks for an answer */
  order: {
    choice: 'orders',
    replaces: 'seat',
    letter: {
      ...plain,
      subject: () => 'A seat for you, please answer',
      opening: ({ missionName }) => `${missionName} has a seat for you.`,
    },
    discord: 'first message',
  },
  /** a seat for a pilot on standby */
  seat: {
    choice: 'orders',
    replaces: 'seat',
    letter: {
      ...plain,
      subject: () => "You're in",
      opening: ({ missionName }) => `You were on standby for ${missionName}, and now you have a seat.`,
    },
    discord: 'new message',
  },
  /** an admin asks again, for an answer or a confirmation */
  nudge: {
    choice: 'orders',
    replaces: 'seat',
    letter: {
      subject: ({ asks }) => (asks ? 'Please answer' : STILL_FLYING.question),
      opening: ({ missionName, asks }) =>
        asks
          ? `${missionName} still waits for your answer.`
          : `${missionName} is soon, and you have not confirmed yet.`,
      hasSentence: true,
      asksApart: true,
    },
    discord: 'new message',
  },
  /** a change or cancellation by an admin */
  change: {
    choice: 'changes',
    replaces: 'change',
    letter: {
      subject: ({ asks, isOver, isMissionCancelled }) => {
        if (isMissionCancelled) return 'Cancelled';
        if (isOver) return 'You no longer have a seat';
        return asks ? 'Changed, please answer again' : 'Changed';
      },
      opening: ({ missionName, isOver, isMissionCancelled }) => {
        if (isMissionCancelled) return `${missionName} will not take place.`;
        return isOver ? `Your seat in ${missionName} was withdrawn.` : `${missionName} has changed.`;
      },
      hasSentence: true,
      asksApart: false,
    },
    discord: 'new message',
  },
  attendance: { choice: 'changes', replaces: 'attendance', letter: null, discord: null },
  /** another pilot's request to swap seats */
  swap: {
    choice: 'changes',
    replaces: 'swap',
    letter: {
      subject: () => 'Seat swap proposed',
      opening: ({ missionName }) => `Another pilot of ${missionName} asks to swap seats with you.`,
      hasSentence: true,
      asksApart: true,
    },
    discord: null,
  },
  /** the answer to one */
  swapAnswer: {
    choice: 'changes',
    replaces: 'swap-answer',
    letter: {
      subject: () => 'Your seat swap',
      opening: ({ missionName }) => `Your proposal to swap seats in ${missionName} was answered.`,
      hasSentence: true,
      asksApart: false,
    },
    discord: null,
  },
} as const satisfies Record<string, NewsRow>;

type Rows = typeof ORDER_NEWS;
export type NewsKind = keyof Rows;

/** The kinds that have a letter. */
export type MailTopic = { [Kind in NewsKind]: Rows[Kind]['letter'] extends null ? never : Kind }[NewsKind];

/** The kinds that need a new message in Discord beside the order's first. */
export type RingingKind = { [Kind in NewsKind]: Rows[Kind]['discord'] extends 'new message' ? Kind : never }[NewsKind];

export const isNewsKind = (topic: string | null): topic is NewsKind =>
  topic !== null && Object.hasOwn(ORDER_NEWS, topic);

export const hasLetter = (kind: NewsKind): kind is MailTopic => ORDER_NEWS[kind].letter !== null;
