/** News about an order that pilots are notified of: which of a pilot's choices decides whether it is sent. */

/** The pilot's choices, of which push notifications and email have one each: "New frag orders" and "Changes to my seats". */
export type NewsChoice = 'orders' | 'changes';

interface NewsRow {
  choice: NewsChoice;
}

export const ORDER_NEWS = {
  /** a new order, which asks for an answer */
  order: { choice: 'orders' },
  /** a seat for a pilot on standby */
  seat: { choice: 'orders' },
  /** a change or cancellation by an admin */
  change: { choice: 'changes' },
  attendance: { choice: 'changes' },
  /** another pilot's request to swap seats */
  swap: { choice: 'changes' },
  /** the answer to one */
  swapAnswer: { choice: 'changes' },
} as const satisfies Record<string, NewsRow>;

export type NewsKind = keyof typeof ORDER_NEWS;

/** What happened to an order that its pilot gets an email about: all but attendance, which is read on the site. */
export type MailTopic = Exclude<NewsKind, 'attendance'>;

export const isNewsKind = (topic: string | null): topic is NewsKind =>
  topic !== null && Object.hasOwn(ORDER_NEWS, topic);
