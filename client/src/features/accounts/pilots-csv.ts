/** CSV files about pilots: the export, the template, rows with problems. */
import { downloadCsv } from '#client/lib/csv.ts';
import { trpcClient } from '#client/lib/trpc.ts';
import { PILOT_COLUMN_KEYS, PILOT_EXAMPLES, PILOT_HEADERS, type PilotCells } from '#shared/pilot-sheet.ts';
import { PASSWORD_LINKS_MAX } from '#shared/limits.ts';
import type { PreviewRowDto } from '#shared/schemas/spreadsheet.ts';
import { usersFilter, type UsersSearch } from './users-search.ts';

const lineOf = (cells: PilotCells): string[] => PILOT_COLUMN_KEYS.map((key) => cells[key]);
const today = (): string => new Date().toISOString().slice(0, 10);

/**
 * Exports the pilots that match the filters, in screen order, as `marshal-users-2026-11-21.csv`, which an import reads back.
 * @param signal when aborted, nothing is saved
 */
export async function exportUsers(search: UsersSearch, signal: AbortSignal): Promise<void> {
  const pilots = await trpcClient.admin.spreadsheet.export.query(usersFilter(search), { signal });
  signal.throwIfAborted();
  await downloadCsv(`marshal-users-${today()}.csv`, PILOT_HEADERS, pilots.map(lineOf));
}

/** An empty file with all columns and two example rows. */
export async function downloadTemplate(): Promise<void> {
  await downloadCsv('marshal-pilots-template.csv', PILOT_HEADERS, PILOT_EXAMPLES.map(lineOf));
}

/**
 * Makes a personal link for each account, and saves them as a file: they are not shown again.
 * @param onProgress called with the number of links made
 */
export async function downloadLinks(ids: readonly string[], onProgress: (made: number) => void): Promise<void> {
  const lines: string[][] = [];
  for (let from = 0; from < ids.length; from += PASSWORD_LINKS_MAX) {
    const links = await trpcClient.admin.passwordLinks.mutate({ ids: ids.slice(from, from + PASSWORD_LINKS_MAX) });
    lines.push(...links.map(({ displayName, email, url, expiresAt }) => [displayName ?? '', email, url, expiresAt]));
    onProgress(lines.length);
  }
  await downloadCsv(`marshal-sign-in-links-${today()}.csv`, ['Call sign', 'Email', 'Link', 'Valid until'], lines);
}

/** The rows that could not be imported, each with its problem. Mended, the file can be imported as it is. */
export async function downloadProblems(rows: readonly PreviewRowDto[]): Promise<void> {
  const lines = rows.map(({ cells, problem }) => [...lineOf(cells), problem ?? '']);
  await downloadCsv(`marshal-problems-${today()}.csv`, [...PILOT_HEADERS, 'Problem'], lines);
}
