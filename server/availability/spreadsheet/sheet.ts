/** Reading a spreadsheet of pilots: separator, header, rows. CSV as of RFC 4180, or cells pasted from a sheet. */
import papaparse from 'papaparse';
import { unescapeFormulas } from '#shared/csv.ts';
import { IMPORT_CELL_LENGTH, IMPORT_ROWS_MAX } from '#shared/limits.ts';
import { byColumn, PILOT_COLUMN_KEYS, PILOT_COLUMNS, type PilotColumn } from '#shared/pilot-sheet.ts';
import type { SheetRow } from './rules/plan.ts';

export interface Sheet {
  columns: PilotColumn[];
  /** headers that name no column of ours */
  ignored: string[];
  rows: SheetRow[];
}

const SEPARATORS = ['\t', ';', ','] as const;
const BYTE_ORDER_MARK = '\uFEFF';
/** Excel's own note of the separator, in a line before the header. */
const SEPARATOR_NOTE = /^sep=.\r?\n/;

const lettersOf = (header: string): string => header.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

function columnOf(header: string): PilotColumn | undefined {
  const letters = lettersOf(header);
  return PILOT_COLUMN_KEYS.find((key) => {
    const known: readonly string[] = PILOT_COLUMNS[key].alsoKnownAs;
    return lettersOf(PILOT_COLUMNS[key].header) === letters || known.includes(letters);
  });
}

/** The separator by which the first row names most columns. */
function findSeparator(text: string): (typeof SEPARATORS)[number] {
  const namedBy = (delimiter: string) =>
    (papaparse.parse<string[]>(text, { delimiter, preview: 1 }).data[0] ?? []).filter(columnOf).length;
  return SEPARATORS.toSorted((one, other) => namedBy(other) - namedBy(one))[0] ?? ',';
}

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');

/** Why a row cannot be read; null when it can. */
function findFlaw(line: readonly string[], columns: number): string | null {
  if (!isBlank(line.slice(columns)))
    return 'This row has more cells than the first row. A cell with a separator in it needs quotation marks.';
  if (line.some((cell) => cell.length > IMPORT_CELL_LENGTH))
    return `A cell has more than ${IMPORT_CELL_LENGTH.toLocaleString('en-US')} characters.`;
  return null;
}

/** @returns the rows, without blank ones, or the sentence why the file cannot be read as a whole */
export function readSheet(file: string): Sheet | { problem: string } {
  const text = (file.startsWith(BYTE_ORDER_MARK) ? file.slice(1) : file).replace(SEPARATOR_NOTE, '');
  if (text.trim() === '') return { problem: 'The file is empty.' };
  if (text.includes('\uFFFD')) {
    return { problem: 'The file is not UTF-8, so some letters cannot be read. Save it as “CSV UTF-8” and try again.' };
  }
  const { data, errors } = papaparse.parse<string[]>(text, { delimiter: findSeparator(text) });
  const unclosed = errors.find(({ type }) => type === 'Quotes');
  if (unclosed) {
    return {
      problem: `Row ${(unclosed.row ?? 0) + 1}: a quotation mark is opened and not closed, or the other way round.`,
    };
  }
  const [header = [], ...lines] = data;
  const places = new Map<PilotColumn, number>();
  const ignored: string[] = [];
  for (const [place, name] of header.entries()) {
    const column = columnOf(name);
    if (column !== undefined && !places.has(column)) places.set(column, place);
    else if (name.trim() !== '') ignored.push(name.trim());
  }
  if (!places.has('email') && !places.has('discordId')) {
    return { problem: 'The first row must name the columns, at least Email or Discord id. The template shows how.' };
  }
  const rows = lines.flatMap((line, index): SheetRow[] => {
    if (isBlank(line)) return [];
    const cells = byColumn((column) => unescapeFormulas(line[places.get(column) ?? -1] ?? '').trim());
    return [{ row: index + 2, cells, problem: findFlaw(line, header.length) }];
  });
  if (rows.length === 0) return { problem: 'The file has no rows below its first one.' };
  if (rows.length > IMPORT_ROWS_MAX) {
    const most = IMPORT_ROWS_MAX.toLocaleString('en-US');
    return { problem: `The file has ${rows.length.toLocaleString('en-US')} rows; ${most} fit. Split it into parts.` };
  }
  return { columns: PILOT_COLUMN_KEYS.filter((key) => places.has(key)), ignored, rows };
}
