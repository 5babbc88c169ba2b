/**
 * Localised text is only displayed, never parsed: its order and separators depend on the browser's locale data. `en-CA`
 * alone formats a date as 2026-11-22, 22/11/2026 or 11/22/2026.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clockDigits, dateShift, formatLocal, formatZulu, localDate } from '#shared/clock.ts';
import { localTime, zoneOffsetMinutes, zuluOfWallTime } from '#client/lib/time.ts';
import { instantOfWallTime } from '#client/lib/wall-time.ts';
import { zuluDayWords } from '#server/time/clock-text.ts';

const ROOT = join(import.meta.dirname, '..', '..');

describe('with locale data that formats every date and time differently', () => {
  beforeEach(() => {
    const anotherAge = () => '١١/٢٢ (2026) at 7.05 in the evening';
    const formatters: { format: unknown } = Intl.DateTimeFormat.prototype;
    vi.spyOn(formatters, 'format', 'get').mockReturnValue(anotherAge);
    for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const) {
      vi.spyOn(Date.prototype, name).mockImplementation(anotherAge);
    }
  });
  afterEach(() => vi.restoreAllMocks());

  const evening = '2026-11-22T19:05:00Z';
  test.each([
    ['the date', () => localDate(evening, 'Asia/Tokyo'), '2026-11-23'],
    ['the time', () => localTime(evening, 'Asia/Tokyo'), '04:05'],
    ['midnight', () => localTime('2026-11-22T00:00:00Z', 'UTC'), '00:00'],
    ['a year of four digits', () => localDate('0987-01-02T12:00:00Z', 'UTC'), '0987-01-02'],
    ['the clock', () => clockDigits(new Date(evening), 'UTC'), '1905'],
    ['the Zulu clock', () => formatZulu(evening), '1905Z'],
    ['the local clock', () => formatLocal(evening, 'Europe/Berlin'), '2005L'],
    ['the shift of the date', () => dateShift(evening, 'Asia/Tokyo'), 1],
    ['the offset', () => zoneOffsetMinutes('Asia/Kolkata', new Date(evening)), 330],
    ['a wall time in Zulu', () => zuluOfWallTime('18:00', 'Europe/Berlin', new Date(evening)), '1700Z'],
    [
      'the instant of a wall time',
      () => instantOfWallTime('2026-11-22', '20:05', 'Europe/Berlin')?.toISOString(),
      '2026-11-22T19:05:00.000Z',
    ],
    ["Discord's date", () => zuluDayWords(Date.parse(evening)), 'SUN 22 NOV 1905Z'],
  ])('%s does not depend on the format', (_what, read, value) => {
    expect(read()).toBe(value);
  });
});

/** A call's arguments, brackets within brackets up to three deep. */
const ARGUMENTS = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;
const RULES: readonly [rule: string, found: RegExp][] = [
  [
    'takes a formatted text apart',
    new RegExp(String.raw`\.(?:format|formatRange|toLocale(?:Date|Time)?String)${ARGUMENTS}\s*(?:\?\.|\.|\[)`),
  ],
  [
    'makes a number or a date of a formatted text',
    new RegExp(
      String.raw`\b(?:Number|parseInt|parseFloat|Date(?:\.parse)?)\((?:[^()]|${ARGUMENTS})*\.(?:format|toLocale(?:Date|Time)?String)\(`,
    ),
  ],
  ['asks for the words of a place for their shape', /\(\s*['"`](?!en-US['"`])[a-z]{2}-[A-Z]{2}['"`]/],
  ["compares in the language of whoever's machine it is", /\.toLocale(?:Lower|Upper)Case\(/],
];

/** Programs that run with any locale data; tests run with known data. */
const FOLDERS = ['client', 'shared', 'bot', 'server', 'tests/discord/sandbox'];

function findIn(source: string): string[] {
  return RULES.filter(([, found]) => found.test(source)).map(([rule]) => rule);
}

describe('no program parses text that it formatted for users', () => {
  test.each([
    ["const [d, m] = date.toLocaleDateString('en-US').split('/');", 'takes a formatted text apart'],
    [
      "new Intl.DateTimeFormat('en-US', options(zone))\n    .format(toDate(instant))\n    .replace(':', '')",
      'takes a formatted text apart',
    ],
    ["clock.format(now)[0] === '1'", 'takes a formatted text apart'],
    ["const hour = Number(formatter('en-US', HOUR).format(now));", 'makes a number or a date of a formatted text'],
    ['new Date(now.toLocaleString("en-US", { timeZone }))', 'makes a number or a date of a formatted text'],
    ["return formatter('en-CA', { timeZone }).format(at);", 'asks for the words of a place for their shape'],
    ['call.toLocaleLowerCase().includes(text)', "compares in the language of whoever's machine it is"],
  ])('%s is found', (source, rule) => {
    expect(findIn(source)).toContain(rule);
  });

  test('text that is only shown is allowed', () => {
    expect(findIn("return `${total.toLocaleString('en-US')} users, ${count.format(running)}`;")).toEqual([]);
  });

  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:ts|tsx|js)$/.test(file) && !/^dist\b|node_modules|\.test\.ts$/.test(file))
      .map((file) => join(folder, file)),
  );
  test('finds the files', () => expect(files.length).toBeGreaterThan(400));
  test('in any file', () => {
    const found = files.flatMap((file) =>
      findIn(readFileSync(join(ROOT, file), 'utf8')).map((rule) => `${file} ${rule}`),
    );
    expect(found).toEqual([]);
  });
});
