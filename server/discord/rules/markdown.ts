/** Text of people in Discord's markdown: shown as they wrote it, formatting and mentioning nothing. */

/** Readers of mentions know no escapes: a space without width keeps them from finding one. */
const MENTION = /@(?=everyone|here)|<(?=[@#:/a-z])/gi;
const ZERO_WIDTH_SPACE = '\u200b';
/** What formats wherever it stands: emphasis, spoilers, code, quotes, headings, links, and what stands in angle brackets. */
const FORMATTING = /[\\*_~`|>#[\]()<]/g;
/** An address with a scheme becomes a link by itself, an invitation to a server even without one. */
const LINK = /:(?=\/\/)|(?<=discord(?:app)?\.(?:gg|com|me|io|li)|dsc\.gg)\//gi;
/** Lists count only where a line begins; the text may be put before other text. */
const BULLET = /^([^\S\n]*)([-+])(?=\s|$)/gm;
const NUMBER = /^([^\S\n]*\d+)(?=\.(?:\s|$))/gm;

/** The same text to a reader; at most three times as long. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(MENTION, `$&${ZERO_WIDTH_SPACE}`)
    .replaceAll(FORMATTING, String.raw`\$&`)
    .replaceAll(LINK, String.raw`\$&`)
    .replaceAll(BULLET, String.raw`$1\$2`)
    .replaceAll(NUMBER, '$1\\');
}

/** @param max in code points, as people count; a text that was cut ends in `…` */
export function cutText(text: string, max: number): string {
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

const NAME_MAX = 60;

/** A name of people's in a line among others: cut where it is very long, and escaped. */
export function nameText(name: string): string {
  return escapeMarkdown(cutText(name, NAME_MAX));
}

/** `<t:1771000000:F>`: everybody reads it in their own zone. `F` date and time, `R` how long until. */
export function discordTime(ms: number, style: 'F' | 'R' | 't'): string {
  return `<t:${Math.floor(ms / 1000)}:${style}>`;
}

/**
 * Lines, as many as fit.
 * @param max UTF-16 units, the larger of the ways to count
 * @param more what to say of those that are left out, which then fits too
 * @param most how many lines at most
 */
export function fitLines(
  lines: readonly string[],
  max: number,
  more: (left: number) => string,
  most = lines.length,
): string {
  for (let count = Math.min(lines.length, most); count > 0; count -= 1) {
    const rest = lines.length === count ? [] : [more(lines.length - count)];
    const text = [...lines.slice(0, count), ...rest].join('\n');
    if (text.length <= max) return text;
  }
  return lines.length === 0 ? '' : more(lines.length);
}
