import { downloadCsv } from '#client/lib/csv.ts';
import type { MissionOrderDto } from '#shared/schemas/mission-admin.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import { rosterFileName, rosterRows } from './roster-csv.ts';

/** Downloads the roster as CSV, one row per seat. */
export async function downloadRoster(
  mission: MissionDto,
  orders: readonly MissionOrderDto[],
  timeZone: string,
): Promise<void> {
  const rows = rosterRows(mission, orders, timeZone, new Date());
  await downloadCsv(
    rosterFileName(mission, timeZone),
    Object.keys(rows[0] ?? {}),
    rows.map((row) => Object.values(row).map(String)),
  );
}
