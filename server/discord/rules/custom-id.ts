/**
 * What a button carries: a version, an action, and what it is about. Never who may press it: that is whoever does, by the
 * account linked to them. Buttons of old messages so keep working.
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

/**
 * @param subject an order's id for answers; the outbox row's id where the button only opens something
 * @param seenMs when the order was last changed, as the button's message shows it; null when never
 */
export function customId(action: ButtonAction, subject: string, seenMs: number | null = null): string {
  return seenMs === null ? `v1:${action}:${subject}` : `v1:${action}:${seenMs}:${subject}`;
}
