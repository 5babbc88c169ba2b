/** Numbers with their nouns. */

/** `seat` for one, `seats` for any other number. @param plural where it is not the noun with an s */
export const nounOf = (number: number, noun: string, plural = `${noun}s`): string => (number === 1 ? noun : plural);

/** `1 seat`, `2 seats`, `1,200 pilots`. */
export const count = (number: number, noun: string, plural?: string): string =>
  `${number.toLocaleString('en-US')} ${nounOf(number, noun, plural)}`;
