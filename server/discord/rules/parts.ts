/** Shared parts of Discord messages: buttons with an action, sides. */
import { type ButtonAction, writeButtonId } from '#shared/discord-button-ids.ts';
import type { Texts } from '#shared/discord-texts/catalogue.ts';
import { BUTTON_STYLES, type DiscordButton, type DiscordMessage } from '#shared/schemas/bot.ts';
import { SIDES, type Side } from '#shared/vocabulary.ts';

export function actionButton(
  label: string,
  action: ButtonAction,
  subject: string,
  style: 'primary' | 'secondary' | 'success' | 'danger' = 'secondary',
): DiscordButton {
  return { type: 2, style: BUTTON_STYLES[style], label, custom_id: writeButtonId({ action, subject, seenMs: null }) };
}

/** Button that accepts the shown version of an order; it has no effect if an admin has changed the order since. */
export function acceptButton(label: string, orderId: string, changedMs: number | null): DiscordButton {
  const custom_id = writeButtonId({ action: 'accept', subject: orderId, seenMs: changedMs });
  return { type: 2, style: BUTTON_STYLES.success, label, custom_id };
}

/** A disabled button that shows a state. It has an id like the others, by which a message without them can be found. */
export function stateButton(label: string, action: ButtonAction, subject: string): DiscordButton {
  const { secondary: style } = BUTTON_STYLES;
  return { type: 2, style, label, custom_id: writeButtonId({ action, subject, seenMs: null }), disabled: true };
}

export const sideText = (side: Side, texts: Texts): string => texts(side === SIDES.blue ? 'side.blue' : 'side.red');

/** A message of one sentence, without buttons. */
export const sentence = (content: string): DiscordMessage => ({ content });
