/** Answers as CSV (RFC 4180) for callers who accept text/csv: a list of objects, one line each, with the same names. */
import type { Response } from 'express';
import papaparse from 'papaparse';
import { attendanceList } from '#shared/schemas/mission-lists.ts';
import { escapeFormulas } from '#shared/csv.ts';
import { PILOT_COLUMN_KEYS } from '#shared/pilot-sheet.ts';

interface CsvAnswer {
  fileName: string;
  columns: readonly string[];
}

/** The procedures whose answers are also available as CSV. */
export const CSV_ANSWERS: Partial<Record<string, CsvAnswer>> = {
  'admin.attendance': { fileName: 'attendance.csv', columns: Object.keys(attendanceList.element.shape) },
  'admin.spreadsheet.export': { fileName: 'marshal-pilots.csv', columns: PILOT_COLUMN_KEYS },
};

/** Text as a spreadsheet shows it; null is an empty cell. */
function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? escapeFormulas(value) : JSON.stringify(value);
}

/** @param answer a list of objects that have these columns */
export function writeCsv(columns: readonly string[], answer: unknown): string {
  const rows: readonly unknown[] = Array.isArray(answer) ? answer : [];
  const cells = rows.map((row) => columns.map((column) => toCell(Reflect.get(Object(row), column))));
  return `${papaparse.unparse([columns, ...cells], { newline: '\r\n' })}\r\n`;
}

export function sendCsv(response: Response, { fileName, columns }: CsvAnswer, answer: unknown): void {
  response
    .set({
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${fileName}"`,
    })
    .send(writeCsv(columns, answer));
}
