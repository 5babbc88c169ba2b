/** CSV cells that are safe in a spreadsheet. */

/**
 * Escapes each line of a value that a spreadsheet would read as a formula, by an apostrophe in front; full-width signs
 * count too.
 */
export function escapeFormulas(value: string): string {
  return value.replaceAll(/^(?=[=+\-@\t\r＝＋－＠])/gm, "'");
}
