/**
 * Catalogue of the texts that people read in Discord, one file per language, in ICU MessageFormat. English is complete;
 * another language is a file beside it, such as `de.json` or `pt-BR.json`, and what it lacks is said in English.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import type { RefusalCode } from '#shared/refusals.ts';
import type { WayId, WayOn } from '#shared/ways-on.ts';
import english from './en.json' with { type: 'json' };

export type TextKey = keyof typeof english;
/** The messages of a language by key; those of refusals and of the links beside them have no arguments. */
export type Messages = Readonly<Partial<Record<TextKey | `refusal.${RefusalCode}` | `way.${WayId}`, string>>>;
/** Writes a text in one language, with the values of its arguments. */
export interface Texts {
  (key: TextKey, values?: Readonly<Record<string, string | number>>): string;
  /**
   * What the API refuses, by the refusal's code. A language that lacks it, and English, say it as the API does, and so does
   * every language for invalid input, of which only the sentence says what is wrong.
   */
  refusal: (code: RefusalCode, sentence: string) => string;
  /** Label of the link beside a refusal; a language that lacks it, and English, use the site's. */
  way: (way: WayOn) => string;
  /** for dates and numbers, as Intl names it */
  readonly language: string;
}

const ENGLISH = 'en';
const catalogues = new Map<string, Messages>();
const formats = new Map<string, IntlMessageFormat>();

/** Adds a language; its name is a locale of Discord, such as `pt-BR`, or the language alone for all of its locales, such as `pt`. */
export function addCatalogue(language: string, messages: Messages): void {
  catalogues.set(language, messages);
  for (const id of formats.keys()) if (id.startsWith(`${language} `)) formats.delete(id);
}

/** Every catalogue in a folder by its language. */
export function readCatalogues(folder: string): [string, Messages][] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file.slice(0, -'.json'.length), JSON.parse(readFileSync(join(folder, file), 'utf8')) as Messages]);
}

for (const [language, messages] of readCatalogues(import.meta.dirname)) addCatalogue(language, messages);

/** The languages to look a text up in, the closest first; English, which has every text, is the last. */
function languagesFor(locale: string): string[] {
  const [language = ENGLISH] = locale.split('-');
  return [...new Set([locale, language, ENGLISH])].filter((one) => catalogues.has(one));
}

/** True for a locale with a catalogue of its own that is not English. */
export const isTranslated = (locale: string): boolean => languagesFor(locale)[0] !== ENGLISH;

function formatOf(language: string, key: TextKey, message: string): IntlMessageFormat {
  const id = `${language} ${key}`;
  // Discord writes times and mentions in angle brackets, which are not tags
  const format = formats.get(id) ?? new IntlMessageFormat(message, language, undefined, { ignoreTag: true });
  formats.set(id, format);
  return format;
}

/** @param locale as Discord names it, such as `en-US`; an unknown one, and null, get English */
export function textsFor(locale: string | null): Texts {
  const languages = languagesFor(locale ?? ENGLISH);
  const say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => {
    const language = languages.find((one) => catalogues.get(one)?.[key] !== undefined) ?? ENGLISH;
    const message = catalogues.get(language)?.[key] ?? english[key];
    return String(formatOf(language, key, message).format(values));
  };
  const find = (key: keyof Messages) =>
    languages.map((one) => catalogues.get(one)?.[key]).find((text) => text !== undefined);
  const refusal = (code: RefusalCode, sentence: string): string =>
    code === 'VALIDATION' ? sentence : (find(`refusal.${code}`) ?? sentence);
  const way = ({ id, label }: WayOn): string => find(`way.${id}`) ?? label;
  return Object.assign(say, { refusal, way, language: languages[0] ?? ENGLISH });
}

export const isText = (key: string): key is TextKey => Object.hasOwn(english, key);

export const englishTexts = textsFor(ENGLISH);
