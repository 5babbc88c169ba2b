/** Reading a chosen spreadsheet file as text. */
import { importCopy } from './import-text.ts';

const UTF_16_LITTLE_ENDIAN = [0xff, 0xfe];
/** Excel workbooks are ZIP archives. */
const ZIP = [0x50, 0x4b];

const beginsWith = (bytes: Uint8Array, mark: readonly number[]) => mark.every((byte, place) => bytes[place] === byte);

/** The text of a CSV file in UTF-8, or in UTF-16 as Excel's "Unicode Text". @throws Error with a sentence for other files */
export async function readTextFile(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (beginsWith(bytes, ZIP)) throw new Error(importCopy.workbook);
  if (beginsWith(bytes, UTF_16_LITTLE_ENDIAN)) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(importCopy.notUtf8);
  }
}
