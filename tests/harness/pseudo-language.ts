/** A language made from English: every letter of the texts becomes its full-width form, and the arguments stay. */
import type { TextKey } from '#shared/discord-texts/catalogue.ts';
import english from '#shared/discord-texts/en.json' with { type: 'json' };
import { WAYS, type WayId } from '#shared/ways-on.ts';
import { REFUSALS, type RefusalCode } from '#shared/refusals.ts';

const FULL_WIDTH = 0xff_21 - 0x41;
const widen = (letter: string) => String.fromCodePoint(letter.charCodeAt(0) + FULL_WIDTH);

/** In ICU MessageFormat braces hold arguments, and the braces within those hold texts again. */
function widenTexts(message: string): string {
  let depth = 0;
  return Array.from(message, (letter) => {
    if (letter === '{') depth += 1;
    if (letter === '}') depth -= 1;
    return depth % 2 === 0 && /[a-z]/i.test(letter) ? widen(letter) : letter;
  }).join('');
}

export const pseudoMessages = Object.fromEntries([
  ...Object.entries(english).map(([key, message]) => [key, widenTexts(message)]),
  ...Object.keys(REFUSALS).map((code) => [`refusal.${code}`, widenTexts(code)]),
  ...Object.entries(WAYS).map(([id, { label }]) => [`way.${id}`, widenTexts(label)]),
]) as Record<TextKey | `refusal.${RefusalCode}` | `way.${WayId}`, string>;

/** The words of two letters or more that are still in English, without those of people and data. */
export function englishWords(text: string, data: readonly string[]): string[] {
  const rest = data
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, one) => left.replaceAll(one, ' '), text);
  // times, mentions, addresses, and the commands, whose names stay; dates in Zulu and frequencies read the same everywhere
  const own = rest
    .replaceAll(/\b(?:[A-Z]{3} )?\d{0,2} ?[A-Z]{3} (?:\d{1,2} )?\d{4}Z|\d [AF]M\b/gi, ' ')
    .replaceAll(/\*\*\/[a-z ]+\*\*|<[^>\s]*>|https?:\/\/\S+|\/[a-z]+/g, ' ');
  return own.match(/[A-Za-z]{2,}/g) ?? [];
}
