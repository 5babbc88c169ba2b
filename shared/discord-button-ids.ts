/**
 * The custom_id of Discord buttons: a version, an action, and its subject. It names no pilot: the linked account of the
 * person who presses the button decides. The format must not change, because the buttons of old messages carry it.
 */

/** The actions a button can ask for. */
export const BUTTON_ACTIONS = [
  'register',
  'accept',
  'standby',
  'decline',
  'confirm',
  'cant-fly',
  'orders-off',
  'orders-on',
  'inbox',
  'unlink',
  'take-seat',
  'join-standby',
  'drop-out',
  'my-order',
  'pick-seat',
  'publish',
  'discard',
  'cancel-mission',
  'set-status',
  'add-times',
  'undo-times',
] as const;
export type ButtonAction = (typeof BUTTON_ACTIONS)[number];

export interface ButtonId {
  action: ButtonAction;
  /** the order's id for an answer, the reminder's for one to "Still flying?", the mission's for one about a mission; what to set or to undo for status and availability; the outbox row's id for a button that only opens something */
  subject: string;
  /** time of the order's last change when the message was written, epoch milliseconds; null for an unchanged order */
  seenMs: number | null;
}

/** @returns `v1:accept:0199…`, or `v1:accept:1795201500123:0199…` for an order that has changed */
export function writeButtonId({ action, subject, seenMs }: ButtonId): string {
  return seenMs === null ? `v1:${action}:${subject}` : `v1:${action}:${seenMs}:${subject}`;
}

const BUTTON_ID = /^v1:(?<action>[a-z-]{1,20}):(?:(?<seen>\d{1,14}):)?(?<subject>[\w-]{1,50})$/;

/** @returns null for another version's id, an unknown action, or a button that is not Marshal's */
export function parseButtonId(customId: string): ButtonId | null {
  const { action: name, seen, subject = '' } = BUTTON_ID.exec(customId)?.groups ?? {};
  const action = BUTTON_ACTIONS.find((known) => known === name);
  return action === undefined ? null : { action, subject, seenMs: seen === undefined ? null : Number(seen) };
}
