/** Passwords that are tried first: some 49,000 of public breaches, in lower case. Half a megabyte, so no page checks them. */
import { dictionary } from '@zxcvbn-ts/language-common';

const COMMON_PASSWORDS: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/** Signs that people write for letters. `1` and `!` are read as i and as l. */
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

/** Digits that repeat, rise or fall; the list leaves these out. */
const isDigitPattern = (text: string): boolean =>
  /^(\d{1,4})\1+$/.test(text) || (/^\d{8,}$/.test(text) && (RISING.includes(text) || FALLING.includes(text)));

/** True for a common password, in any case and with signs in place of letters (p4$$w0rd). */
export function isCommonPassword(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  return (
    isDigitPattern(plain) || [plain, spell(plain, 'i'), spell(plain, 'l')].some((one) => COMMON_PASSWORDS.has(one))
  );
}
