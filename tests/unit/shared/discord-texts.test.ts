import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '#bot/commands/all.ts';
import { addCatalogue, isTranslated, readCatalogues, textsFor } from '#shared/discord-texts/catalogue.ts';
import { copy } from '#shared/copy.ts';
import { sideName } from '#shared/labels.ts';
import { CHANGES, ORDER_CHANGE_FIELDS } from '#shared/mission-fields.ts';
import { LINK_KIND_LABELS } from '#shared/mission-links.ts';
import { FACT_LABELS } from '#shared/order-facts.ts';
import { REFUSALS } from '#shared/refusals.ts';
import { STILL_FLYING } from '#shared/reminders.ts';
import { SIDES } from '#shared/vocabulary.ts';
import { wayOn, WAYS } from '#shared/ways-on.ts';
import english from '#shared/discord-texts/en.json' with { type: 'json' };
import { pseudoMessages } from '#tests/harness/pseudo-language.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const entries = Object.entries(english);
/** English has none of them: it says what the API says, which names missions and times. */
/** Messages that catalogues may have and English has elsewhere; they have no arguments. */
const PLAIN_KEYS = [
  ...Object.keys(REFUSALS).map((code) => `refusal.${code}`),
  ...Object.keys(WAYS).map((id) => `way.${id}`),
];

type Part = ReturnType<IntlMessageFormat['getAst']>[number];

/** The arguments of a message. @throws SyntaxError for a message that is not ICU MessageFormat */
function argumentsOf(message: string): string[] {
  const found = new Set<string>();
  const walk = (parts: readonly Part[]): void => {
    for (const part of parts) {
      if ('options' in part) for (const { value } of Object.values(part.options)) walk(value);
      // 0 is text and 7 the number of a plural
      if (part.type !== 0 && part.type !== 7 && 'value' in part) found.add(part.value);
    }
  };
  walk(new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true }).getAst());
  return [...found].toSorted();
}

describe('catalogues', () => {
  const catalogues = [...readCatalogues(join(ROOT, 'shared', 'discord-texts')), ['pseudo', pseudoMessages] as const];

  test.each(catalogues)('%s has the messages of English with the same arguments', (_language, messages) => {
    for (const [key, message] of Object.entries(messages)) {
      expect([...Object.keys(english), ...PLAIN_KEYS]).toContain(key);
      const inEnglish = PLAIN_KEYS.includes(key) ? '' : (Reflect.get(english, key) as string);
      expect([key, argumentsOf(message)]).toEqual([key, argumentsOf(inEnglish)]);
    }
  });

  test('an argument that a translation invents is found', () => {
    expect(argumentsOf('{count, plural, one {# seat of {flight}} other {# seats}}')).toEqual(['count', 'flight']);
    expect(() => argumentsOf('{count, plural, one {# seat}')).toThrow(SyntaxError);
  });

  test('what Discord and the site both show has the same words in English', () => {
    const said = (prefix: string, words: Record<string, string>) =>
      Object.entries(words).map(([key, text]) => [text, Reflect.get(english, `${prefix}.${key}`)]);
    const changes = ORDER_CHANGE_FIELDS.map((field) => [field, CHANGES[field].words] as const);
    // an abbreviation keeps its capitals
    const inSentence = (words: string) => (words === words.toUpperCase() ? words : words.toLowerCase());
    const { question, meaning, confirm, decline } = STILL_FLYING;
    const { launchUtc, totUtc, radioFreq, links, changes: changed, reasons } = FACT_LABELS;
    const pairs = [
      ...said('change', Object.fromEntries(changes)),
      ...said('changed', Object.fromEntries(changes.map(([field, words]) => [field, inSentence(words)]))),
      ...said('linkKind', LINK_KIND_LABELS),
      ...said('fact', { launchUtc, totUtc, radioFreq, links, changes: changed, reasons }),
      ...said('reminder', { question, meaning, confirm, decline }),
      ...said('order', { taken: copy.seatTaken, missed: copy.missionStarted }),
      ...said('side', { blue: sideName(SIDES.blue), red: sideName(SIDES.red) }),
    ];
    expect(pairs.map(([, inDiscord]) => inDiscord)).toEqual(pairs.map(([onSite]) => onSite));
  });

  test('English has no text that nothing uses', () => {
    const sources = ['bot', 'server/discord'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
    );
    const all = sources.join('\n');
    const ofCommands = new Set(COMMANDS.flatMap(({ data }) => keysOf(data.toJSON(), `command.${data.name}`)));
    // such as `change.${field}`, whose fields the compiler knows
    const prefixes = new Set([...all.matchAll(/texts\(`(\w+\.)\$\{/g)].map(([, prefix = '']) => prefix));
    const isUsed = (key: string) =>
      all.includes(`'${key}'`) || ofCommands.has(key) || prefixes.has(key.slice(0, key.indexOf('.') + 1));
    expect(entries.map(([key]) => key).filter((key) => !isUsed(key))).toEqual([]);
  });
});

interface Described {
  options?: readonly unknown[];
  choices?: readonly { value: string | number }[];
}

/** The keys of a command's texts: its own, those of its options, and those of their choices. */
function keysOf({ options = [], choices = [] }: Described, path: string): string[] {
  return [
    path,
    ...choices.map(({ value }) => `${path}.${value}`),
    ...options.flatMap((option) => keysOf(option as Described, `${path}.${(option as { name: string }).name}`)),
  ];
}

describe('a language', () => {
  addCatalogue('pt', { 'command.login': 'Entrar' });
  addCatalogue('pt-BR', { 'command.login': 'Entrar no site' });

  test.each([
    ['pt-BR', 'Entrar no site'],
    ['pt-PT', 'Entrar'],
    ['en-GB', english['command.login']],
    ['zh-CN', english['command.login']],
    ['', english['command.login']],
  ])('%s falls back by language, then to English', (locale, said) => {
    expect(textsFor(locale)('command.login')).toBe(said);
  });

  test('a text that a language lacks is said in English', () => {
    expect(textsFor('pt-BR')('command.register')).toBe(english['command.register']);
  });

  test('a refusal is said by its code where the language has it, and as the API says it elsewhere', () => {
    const messages = {
      'refusal.ORDER_NOT_FOUND': 'Esta ordem não existe.',
      'refusal.VALIDATION': 'Dados inválidos.',
      'way.otherSeats': 'Ver lugares',
    };
    addCatalogue('pt', { 'command.login': 'Entrar', ...messages });
    const sentence = 'Frag order not found';
    const said = (locale: string | null) => textsFor(locale).refusal('ORDER_NOT_FOUND', sentence);
    expect(['pt-BR', 'pt-PT', 'en-GB', 'zh-CN', null].map(said)).toEqual([
      'Esta ordem não existe.',
      'Esta ordem não existe.',
      sentence,
      sentence,
      sentence,
    ]);
    expect(textsFor('pt-BR').refusal('MISSION_NOT_FOUND', 'Mission not found')).toBe('Mission not found');
    const way = wayOn('ORDER_NOT_FOUND', 'pilot');
    expect(way && ['pt-BR', 'en-GB'].map((locale) => textsFor(locale).way(way))).toEqual([
      'Ver lugares',
      'See open seats',
    ]);
    expect(textsFor('pt-BR').refusal('VALIDATION', 'Write the time as 19:00.')).toBe('Write the time as 19:00.');
  });

  test('only a locale with texts of its own is translated', () => {
    expect(['pt-BR', 'pt-PT', 'en-GB', 'zh-CN'].filter(isTranslated)).toEqual(['pt-BR', 'pt-PT']);
  });
});
