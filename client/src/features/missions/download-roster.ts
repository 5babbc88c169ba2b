import type { MissionOrderDto } from '#shared/schemas/mission-work.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import { rosterFileName, rosterRows } from './roster-csv.ts';

/** Saves the roster as a file of comma-separated values, one row for each seat. */
export async function downloadRoster(
  mission: MissionDto,
  orders: readonly MissionOrderDto[],
  timeZone: string,
): Promise<void> {
  const { default: papaparse } = await import('papaparse');
  // A call sign that begins like a formula must not become one in a spreadsheet.
  const table = papaparse.unparse(rosterRows(mission, orders, timeZone, new Date()), { escapeFormulae: true });
  const link = document.createElement('a');
  // Spreadsheets take the file for UTF-8 by its first character.
  link.href = URL.createObjectURL(new Blob(['\ufeff', table], { type: 'text/csv;charset=utf-8' }));
  link.download = rosterFileName(mission, timeZone);
  link.click();
  URL.revokeObjectURL(link.href);
}
