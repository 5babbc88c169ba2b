/** Escaping of names in Discord's markdown: no formatting, no links, no pings. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PAYLOADS } from '#tests/security/payloads.ts';
import { cutText, escapeMarkdown, fitLines, nameText } from '#server/discord/rules/markdown.ts';

/** Discord's markup: the patterns that its clients look for at the start of a piece of text. */
const INLINE: readonly RegExp[] = [
  /^(`+)[\s\S]*?[^`]\1(?!`)/, // code
  /^\*\*[\s\S]+?\*\*(?!\*)/,
  /^\*(?=\S)[\s\S]+?\*(?!\*)/,
  /^__[\s\S]+?__(?!_)/,
  /^_[\s\S]+?_(?![\da-z])/i,
  /^~~[\s\S]+?~~(?!~)/,
  /^\|\|[\s\S]+?\|\|/,
  /^\[[^\]]*\]\([^)]*\)/, // masked link
  /^<[^: >]+:\/[^ >]+>/, // link in angle brackets
  /^https?:\/\/[^\s<]+[^<.,:;"')\]\s]/i,
  /^[a-z][a-z0-9+.-]*:\/\/\S/i, // any other scheme, to be safe
  /^(?:https?:\/\/)?(?:discord(?:app)?\.com\/invite|discord\.gg(?:\/invite)?|dsc\.gg)\/[\w-]{2,}/i,
  /^<a?:\w+:\d+>/, // emoji
  /^<t:-?\d+(?::[tTdDfFR])?>/,
  /^<id:\w+>/,
  /^<\/[^:>]+:\d+>/, // a command
];
const AT_LINE_START: readonly RegExp[] = [
  /^#{1,3}\s+\S/,
  /^-#\s+\S/,
  /^>{1,3}\s/,
  /^ *(?:[*+-]|\d+\.)\s/, // lists
  /^```/,
];
/** The patterns by which Discord's servers notify people; these ignore escapes. */
const PINGS = [/@everyone/i, /@here/i, /<@[!&]?\d+>/, /<#\d+>/, /<id:/i];

/** Parses as a client does: escapes are removed, and every matching rule is reported. */
function read(source: string): { text: string; found: string[] } {
  const found: string[] = PINGS.filter((ping) => ping.test(source)).map(String);
  let text = '';
  for (let at = 0; at < source.length;) {
    const rest = source.slice(at);
    const escape = /^\\([^0-9A-Za-z\s])/.exec(rest);
    if (escape) {
      text += escape[1];
      at += 2;
      continue;
    }
    const isLineStart = at === 0 || /\n[^\S\n]*$/.test(source.slice(0, at)) || /^[^\S\n]*$/.test(source.slice(0, at));
    found.push(...[...INLINE, ...(isLineStart ? AT_LINE_START : [])].filter((rule) => rule.test(rest)).map(String));
    text += rest[0];
    at += 1;
  }
  return { text: text.replaceAll('\u200b', ''), found };
}

const NASTY = [
  '@everyone',
  '@here',
  '@Everyone @HERE',
  '<@123456789012345678>',
  '<@!123456789012345678>',
  '<@&123456789012345678>',
  '<#1>',
  '<id:customize>',
  '</status set:123456789012345678>',
  '<:smile:123456789012345678>',
  '<a:dance:123456789012345678>',
  '<t:1771000000:R>',
  '[x](https://evil.example)',
  '[free](<https://evil.example>)',
  '<https://evil.example>',
  'https://evil.example/path?x=1',
  'HTTP://EVIL.EXAMPLE',
  'discord.gg/abcdef',
  'discord.com/invite/abcdef',
  'discordapp.com/invite/abcdef',
  'steam://run/1',
  '`code`',
  '``a ` b``',
  '```js\nalert(1)\n```',
  '**bold** *it* __under__ _it_ ~~gone~~ ||secret||',
  '***all***',
  '# Heading',
  '### Heading',
  '-# small',
  '> quote',
  '>>> quote',
  '- item',
  '+ item',
  '* item',
  '1. item',
  '12. item\n13. item',
  'a\n# b\n- c\n> d',
  '  - indented',
  '\\@everyone',
  '\\',
  '\\\\*x*',
  '*\\*x*',
  '¯\\_(ツ)_/¯',
  'O’Neil "Duke" 2-1 (lead)',
];

describe("the tests' parser", () => {
  test.each(NASTY.slice(0, 40).filter((text) => !text.startsWith('\\') && !text.startsWith('*\\')))(
    'finds markup in the unescaped %j',
    (text) => expect(read(text).found).not.toEqual([]),
  );
});

describe('escapeMarkdown', () => {
  test.each([...NASTY, ...PAYLOADS])('%j is shown literally, without markup', (text) => {
    expect(read(escapeMarkdown(text))).toEqual({ text, found: [] });
  });

  test('the same before and after other text', () => {
    for (const text of NASTY) {
      expect(read(`${escapeMarkdown(text)} flies`)).toEqual({ text: `${text} flies`, found: [] });
      expect(read(`With ${escapeMarkdown(text)}`)).toEqual({ text: `With ${text}`, found: [] });
    }
  });

  test('the same for any mixture, and never more than three times as long', () => {
    const piece = fc.oneof(
      fc.constantFrom(...NASTY),
      fc.constantFrom(...'\\*_~`|>#[]()<@:/-+.1 \nае'),
      fc.string({ unit: 'grapheme', maxLength: 5 }).map((text) => text.replaceAll('\u200b', '')),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const escaped = escapeMarkdown(text);
        expect(escaped.length).toBeLessThanOrEqual(3 * text.length);
        expect(read(escaped)).toEqual({ text, found: [] });
      }),
      { numRuns: 500 },
    );
  });
});

describe('names that are too long', () => {
  test('are cut by code points, never inside a character, and before escaping', () => {
    expect(cutText('🚀'.repeat(5), 5)).toBe('🚀🚀🚀🚀🚀');
    expect(cutText('🚀'.repeat(6), 5)).toBe('🚀🚀🚀🚀…');
    const name = nameText('*'.repeat(200));
    expect(read(name)).toEqual({ text: `${'*'.repeat(59)}…`, found: [] });
    expect(nameText('🚀'.repeat(200)).isWellFormed()).toBe(true);
    expect(Array.from(nameText('🚀'.repeat(200)))).toHaveLength(60);
  });
});

describe('fitLines', () => {
  const more = (left: number) => `… and ${left} more`;
  test.each([
    ['all when they fit to the last letter', ['aaa', 'bbb'], 7, 'aaa\nbbb'],
    ['as many as leave room for the word about the rest', ['aaaaaa', 'bbbbbb', 'cccccc'], 19, 'aaaaaa\n… and 2 more'],
    ['the number alone when not even one fits', ['a'.repeat(50)], 20, '… and 1 more'],
    ['nothing of nothing', [], 0, ''],
  ])('%s', (_rule, lines, max, text) => expect(fitLines(lines, max, more)).toBe(text));
});
