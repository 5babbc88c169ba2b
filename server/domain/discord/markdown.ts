/** Text of people in Discord's markdown: shown as they wrote it, formatting and mentioning nothing. */

/** A member, a role or a channel by id, `@everyone`, `@here`: a space without width keeps them from being read. */
const MENTION = /@(?=everyone|here)|<(?=[@#:/a-z])/gi;
const FORMATTING = /[\\*_~`|>#[\]()]/g;

export function escapeMarkdown(text: string): string {
  return text.replaceAll(FORMATTING, (character) => `\\${character}`).replaceAll(MENTION, '$&\u200b');
}

/** `<t:1771000000:F>`: everybody reads it in their own zone. `F` date and time, `R` how long until. */
export function discordTime(ms: number, style: 'F' | 'R' | 't'): string {
  return `<t:${Math.floor(ms / 1000)}:${style}>`;
}
