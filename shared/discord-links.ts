/** Links in Discord messages. Discord refuses a message with a link to a host without a dot, such as localhost. */
import { BUTTON_STYLES, type DiscordButton, type DiscordMessage } from './schemas/bot.ts';

/** True if Discord accepts this address in an embed and on a button (otherwise 50035, "Not a well formed URL"). */
export function isLinkable(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname.includes('.');
}

/** One row of buttons; at most five. */
export const buttonRow = (...buttons: DiscordButton[]) => ({ type: 1 as const, components: buttons });

export const linkButton = (label: string, url: string): DiscordButton => ({
  type: 2,
  style: BUTTON_STYLES.link,
  label,
  url,
});

const CONTENT_MAX = 2000;

/**
 * The message without links that Discord would refuse, and with it the whole message. The links of buttons become text, so
 * that somebody who tries Marshal on their own machine can still follow them.
 */
export function withoutRefusedLinks(message: DiscordMessage): DiscordMessage {
  const { content = '', embeds, components } = message;
  const lines: string[] = [];
  const rows = components?.map((row) => ({
    ...row,
    components: row.components.filter((part) => {
      if (!('url' in part) || isLinkable(part.url)) return true;
      lines.push(`${part.label}: <${part.url}>`);
      return false;
    }),
  }));
  const shown = [content, ...lines].filter((line) => line !== '').join('\n');
  return {
    ...message,
    ...(lines.length > 0 && shown.length <= CONTENT_MAX && { content: shown }),
    ...(embeds && {
      embeds: embeds.map(({ url, ...embed }) => ({ ...embed, ...(url !== undefined && isLinkable(url) && { url }) })),
    }),
    ...(rows && { components: rows.filter((row) => row.components.length > 0) }),
  };
}
