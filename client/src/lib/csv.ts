import { escapeFormulas } from '#shared/csv.ts';

/** Excel reads a file as UTF-8 only when it begins with this mark. */
const BYTE_ORDER_MARK = '\uFEFF';
/** How long the object URL stays valid for the download, ms. */
const READ_MS = 60_000;

/**
 * Downloads a table as a CSV file. Values that a spreadsheet would read as formulas get an apostrophe in front.
 * @param fields column names
 * @param rows one value per field
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
