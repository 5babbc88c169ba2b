import { describe, expect, test } from 'vitest';
import { discordMarkdown } from '#server/discord/rules/markdown.ts';
import { markdownLines, readMarkdown } from '#shared/markdown.ts';
import { startProcessorTime } from '#tests/harness/processor-time.ts';

const plain = (text: string) => markdownLines(text).join('\n');
const discord = (text: string, max = 1000) => discordMarkdown([text], max);
const kindsOf = (text: string) => JSON.stringify(readMarkdown(text)).match(/"kind":"\w+"/g) ?? [];

const BRIEF = `## Flow
Push at **1905Z**, *not* earlier.
Tanker on \`251.000\`

- SEAD first
- then strike:
  1. north
  2. south

> no fly line

[Chart](https://charts.example/a(1).pdf)`;

describe('notes in Markdown', () => {
  test('become readable lines without marks', () => {
    expect(plain(BRIEF)).toBe(`Flow
Push at 1905Z, not earlier.
Tanker on 251.000

• SEAD first
• then strike:
  1. north
  2. south

> no fly line

Chart (https://charts.example/a(1).pdf)`);
  });

  test("become Discord's own Markdown", () => {
    expect(discord(BRIEF)).toBe(`**Flow**
Push at **1905Z**, *not* earlier.
Tanker on \`251.000\`

- SEAD first
- then strike:
  1. north
  2. south

> no fly line

[Chart](https://charts.example/a%281%29.pdf)`);
  });

  test.each([
    ['plain text', 'Low\nand slow, 2 x MiG-29 * 3 from 270/40 at angels_25\n\nPush 1905Z.'],
    ['indented text', 'Waypoints:\n     a far one'],
    ['HTML', '<b>bold</b> & <script>alert(1)</script>'],
    ['a line of equals signs', 'North\n===\nSouth'],
  ])('%s reads as it was typed', (_what, text) => {
    expect(plain(text).replaceAll(/\n +/g, '\n')).toBe(text.replaceAll(/\n +/g, '\n'));
    expect(kindsOf(text).filter((kind) => !/paragraph|text|break/.test(kind))).toEqual([]);
  });

  test.each([
    ['javascript', '[x](javascript:alert(1))', 'x (javascript:alert(1))'],
    ['http', '[x](http://plain.example)', 'x (http://plain.example)'],
    ['data', '![x](data:text/html,hi)', 'x (data:text/html,hi)'],
    ['a path of this site', '[x](/sign-out)', 'x (/sign-out)'],
    ['an address with a password', '[x](https://me:secret@evil.example)', 'x (https://me:secret@evil.example)'],
  ])('%s is no link', (_scheme, text, words) => {
    expect(kindsOf(text)).not.toContain('"kind":"link"');
    expect(plain(text)).toBe(words);
    expect(discord(text)).not.toContain('](');
  });

  test('an image is a link to it, and an address in angle brackets is a link', () => {
    expect(plain('![Chart](https://charts.example/a.png)')).toBe('Chart (https://charts.example/a.png)');
    expect(plain('<https://charts.example>')).toBe('https://charts.example');
    expect(discord('<https://charts.example>')).toBe('<https://charts.example>');
  });

  test.each([
    ['quotes', '>'.repeat(4000)],
    ['lists', '- '.repeat(2000)],
    ['emphasis', '*a'.repeat(2000)],
    ['nested emphasis', `${'*_'.repeat(999)}a${'_*'.repeat(999)}`],
    ['brackets', '['.repeat(4000)],
    ['links', '[a]('.repeat(1000)],
    ['code', '`'.repeat(4000)],
  ])('4,000 characters of %s are read in time', (_what, text) => {
    const used = startProcessorTime();
    markdownLines(text);
    expect(used()).toBeLessThan(2000);
  });
});

describe('notes in Discord', () => {
  test('mention nobody, also in code and links', () => {
    for (const text of ['@everyone', '`@everyone`', '[@here](https://a.example)', '**<@123>**', '> <@&5>']) {
      expect(discord(text)).not.toMatch(/@everyone|@here|<@/);
    }
  });

  test('are cut after a whole line, or within the text of a long one, with an ellipsis', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `- **step ${index}** of the plan`);
    const cut = discord(lines.join('\n'), 300);
    expect(cut.length).toBeLessThanOrEqual(300);
    expect(cut).toMatch(/…$/);
    expect((cut.match(/\*\*/g) ?? []).length % 2).toBe(0);
    const long = discord(`**${'smoke '.repeat(300)}end**`, 300);
    expect(long).toMatch(/^smoke smoke .*…$/);
    expect(long.length).toBeLessThanOrEqual(300);
  });
});
