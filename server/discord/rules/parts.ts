/** Pieces of Discord messages that several of them use. */
import { type ButtonAction, writeButtonId } from '#shared/discord-button-ids.ts';
import { BUTTON_STYLES, type DiscordButton, type DiscordMessage } from '#shared/schemas/bot.ts';

/** One row of buttons; at most five. */
export const buttonRow = (...buttons: DiscordButton[]) => ({ type: 1 as const, components: buttons });

export const linkButton = (label: string, url: string): DiscordButton => ({
  type: 2,
  style: BUTTON_STYLES.link,
  label,
  url,
});

export function actionButton(
  label: string,
  action: ButtonAction,
  subject: string,
  style: 'primary' | 'secondary' | 'success' | 'danger' = 'secondary',
): DiscordButton {
  return { type: 2, style: BUTTON_STYLES[style], label, custom_id: writeButtonId({ action, subject, seenMs: null }) };
}

/** Accepts an order as it is shown: one that an admin has changed since is not accepted by it. */
export function acceptButton(label: string, orderId: string, changedMs: number | null): DiscordButton {
  const custom_id = writeButtonId({ action: 'accept', subject: orderId, seenMs: changedMs });
  return { type: 2, style: BUTTON_STYLES.success, label, custom_id };
}

/** What is so, in the place of what could be pressed; named like the others, so that a message without them is known too. */
export function stateButton(label: string, action: ButtonAction, subject: string): DiscordButton {
  const { secondary: style } = BUTTON_STYLES;
  return { type: 2, style, label, custom_id: writeButtonId({ action, subject, seenMs: null }), disabled: true };
}

/** A sentence, and nothing to press. */
export const sentence = (content: string): DiscordMessage => ({ content });
