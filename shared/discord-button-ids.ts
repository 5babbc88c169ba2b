/**
 * The custom_id of Discord buttons: a version, an action, and its subject. It never says who may press it: the person who
 * does is known by the linked account. The format is fixed, since buttons of old messages carry it.
 */

/** The actions a button can ask for. */
export const BUTTON_ACTIONS = [
  'register',
  'accept',
  'standby',
  'decline',
  'orders-off',
  'orders-on',
  'inbox',
  'unlink',
] as const;
export type ButtonAction = (typeof BUTTON_ACTIONS)[number];

export interface ButtonId {
  action: ButtonAction;
  /** an order's id for answers; the outbox row's id where the button only opens something */
  subject: string;
  /** epoch milliseconds of the order's last change, as the button's message shows it; null when there was none */
  seenMs: number | null;
}

/** @returns `v1:accept:0199…`, or `v1:accept:1795201500123:0199…` for an order that has changed */
export function writeButtonId({ action, subject, seenMs }: ButtonId): string {
  return seenMs === null ? `v1:${action}:${subject}` : `v1:${action}:${seenMs}:${subject}`;
}

const BUTTON_ID = /^v1:(?<action>[a-z-]{1,20}):(?:(?<seen>\d{1,14}):)?(?<subject>[\w-]{1,50})$/;

/** @returns null for the id of another version, of an unknown action, or of a button that is not ours */
export function parseButtonId(customId: string): ButtonId | null {
  const { action: name, seen, subject = '' } = BUTTON_ID.exec(customId)?.groups ?? {};
  const action = BUTTON_ACTIONS.find((known) => known === name);
  return action === undefined ? null : { action, subject, seenMs: seen === undefined ? null : Number(seen) };
}
