/** CSV cells that are safe in a spreadsheet, and back. */

/**
 * Escapes each line of a value that a spreadsheet would read as a formula, by an apostrophe in front; full-width signs
 * count too. A line that looks escaped already gets another one, so that `unescapeFormulas` gives the value back.
 */
export function escapeFormulas(value: string): string {
  return value.replaceAll(/^(?='*[=+\-@\t\r＝＋－＠])/gm, "'");
}

/** The value that `escapeFormulas` was given. */
export function unescapeFormulas(value: string): string {
  return value.replaceAll(/^'(?='*[=+\-@\t\r＝＋－＠])/gm, '');
}
