/** Escaping of people's text in Discord's markdown, so that it formats nothing and mentions nobody. */

import { markdownLines, type LineDialect } from '#shared/markdown.ts';

/** Mentions cannot be escaped with a backslash; a zero-width space breaks them up. */
const MENTION = /@(?=everyone|here)|<(?=[@#:/a-z])/gi;
const ZERO_WIDTH_SPACE = '\u200b';
/** Characters that format text anywhere: emphasis, spoilers, code, quotes, headings, links, angle brackets. */
const FORMATTING = /[\\*_~`|>#[\]()<]/g;
/** An address with a scheme becomes a link automatically, a server invite even without one. */
const LINK = /:(?=\/\/)|(?<=discord(?:app)?\.(?:gg|com|me|io|li)|dsc\.gg)\//gi;
/** List bullets only format at the start of a line. */
const BULLET = /^([^\S\n]*)([-+])(?=\s|$)/gm;
const NUMBER = /^([^\S\n]*\d+)(?=\.(?:\s|$))/gm;

/** Escaped text that reads the same; at most three times as long. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(MENTION, `$&${ZERO_WIDTH_SPACE}`)
    .replaceAll(FORMATTING, String.raw`\$&`)
    .replaceAll(LINK, String.raw`\$&`)
    .replaceAll(BULLET, String.raw`$1\$2`)
    .replaceAll(NUMBER, '$1\\');
}

/** @param max in code points, as people count; truncated text ends in `…` */
export function cutText(text: string, max: number): string {
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

/** `[words](https://…)`; the address must not end the parentheses. */
export function maskedLink(words: string, url: string): string {
  return `[${words}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

/** Inside code a backslash is shown, and only a backtick has a meaning. */
const codeText = (text: string) => `\`${text.replaceAll('`', "'").replaceAll(MENTION, `$&${ZERO_WIDTH_SPACE}`)}\``;

/** Discord's own Markdown, of which it knows the same elements. */
const DISCORD_LINES: LineDialect = {
  text: escapeMarkdown,
  code: codeText,
  strong: (words) => `**${words}**`,
  emphasis: (words) => `*${words}*`,
  link: (words, url, plain) => (plain === url ? `<${url}>` : maskedLink(words, url)),
  heading: (words) => `**${words}**`,
  bullet: '- ',
  quote: '> ',
  rule: '———',
};

/**
 * Notes in Markdown as Discord shows them, with every mention broken up. Cut after whole lines; a first line that is too
 * long alone is cut as plain text.
 * @param max in UTF-16 units, the larger way to count
 */
export function discordMarkdown(texts: readonly string[], max: number): string {
  const lines = texts.flatMap((text) => markdownLines(text, DISCORD_LINES));
  const all = lines.join('\n');
  if (all.length <= max) return all;
  const kept: string[] = [];
  let room = max - 2;
  for (const line of lines) {
    if (line.length + 1 > room) break;
    kept.push(line);
    room -= line.length + 1;
  }
  const next = texts.flatMap((text) => markdownLines(text))[kept.length] ?? '';
  // escaped text is up to three times as long
  const cut = room > 60 ? escapeMarkdown(cutText(next, Math.floor(room / 3))) : '…';
  return [...kept, cut.endsWith('…') ? cut : `${cut}…`].join('\n');
}

const NAME_MAX = 60;

/** A name for use in a sentence: truncated if it is very long, and escaped. */
export function nameText(name: string): string {
  return escapeMarkdown(cutText(name, NAME_MAX));
}

/** `<t:1771000000:F>`, which Discord shows in the reader's zone. `F`: date and time; `R`: relative. */
export function discordTime(ms: number, style: 'F' | 'R' | 't'): string {
  return `<t:${Math.floor(ms / 1000)}:${style}>`;
}

/**
 * As many lines as fit.
 * @param max in UTF-16 units, the larger way to count
 * @param more the line about those left out, which is counted too
 * @param most maximum number of lines
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
