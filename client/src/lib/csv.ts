/** Excel takes a file for UTF-8 only when it begins with this. */
const BYTE_ORDER_MARK = '\uFEFF';
/** Time enough for the browser to read what it saves, ms. */
const READ_MS = 60_000;

/**
 * A value that no line of is read as a formula: some programs begin anew after a line break. Full-width signs count, too.
 */
export function escapeFormulas(value: string): string {
  return value.replaceAll(/^(?=[=+\-@\t\r＝＋－＠])/gm, "'");
}

/**
 * Save a table as a CSV file that spreadsheets open as it is. What would be a formula there is kept as text by an
 * apostrophe before it.
 * @param fields the header
 * @param rows as many values as fields
 */
export async function downloadCsv(
  fileName: string,
  fields: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const { unparse } = await import('papaparse');
  const text = unparse([fields, ...rows].map((row) => row.map(escapeFormulas)));
  const url = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READ_MS);
}
