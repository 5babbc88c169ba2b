/** About 49,000 passwords from public breaches, in lower case. Half a megabyte, so only the server checks them. */
import { dictionary } from '@zxcvbn-ts/language-common';

const COMMON_PASSWORDS: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/** Characters that people substitute for letters. `1` and `!` are read both as i and as l. */
const LETTERS: Readonly<Record<string, string>> = {
  '@': 'a',
  4: 'a',
  3: 'e',
  0: 'o',
  $: 's',
  5: 's',
  7: 't',
  '+': 't',
};

const spell = (text: string, one: 'i' | 'l'): string =>
  text.replaceAll(/[@430$57+]/g, (sign) => LETTERS[sign] ?? sign).replaceAll(/[1!]/g, one);

const RISING = '01234567890'.repeat(2);
const FALLING = [...RISING].toReversed().join('');

/** Repeating, rising or falling digits, which the list leaves out. */
const isDigitPattern = (text: string): boolean =>
  /^(\d{1,4})\1+$/.test(text) || (/^\d{8,}$/.test(text) && (RISING.includes(text) || FALLING.includes(text)));

const SEPARATORS = /[\s._@+-]+/;
/** Shorter words are in many passwords by chance. */
const WORD_MIN = 4;

const letters = (text: string): string => text.normalize('NFKC').toLowerCase();

/**
 * True for a password of which too little is left without these words, whole or part by part, in upper or lower case and with
 * characters substituted for letters: somebody who knows its owner tries them first.
 * @param least code points that must be left
 */
export function isMadeOf(password: string, words: readonly string[], least: number): boolean {
  const parts = words
    .map(letters)
    .flatMap((word) => [word, word.replace(SEPARATORS, ''), ...word.split(SEPARATORS)])
    .filter((word) => Array.from(word).length >= WORD_MIN)
    .toSorted((a, b) => b.length - a.length);
  const plain = letters(password);
  return (['i', 'l'] as const).some((one) => {
    const left = parts.reduce((text, word) => text.replaceAll(spell(word, one), ''), spell(plain, one));
    return left.length < spell(plain, one).length && Array.from(left).length < least;
  });
}

/** True for a common password, in upper or lower case and with characters substituted for letters (p4$$w0rd). */
export function isCommonPassword(password: string): boolean {
  const plain = letters(password);
  return (
    isDigitPattern(plain) || [plain, spell(plain, 'i'), spell(plain, 'l')].some((one) => COMMON_PASSWORDS.has(one))
  );
}
