/** Export of pilots as rows of a spreadsheet, which an import reads back. */
import { listPilotIds } from '#server/accounts/admin-users.ts';
import type { Em } from '#server/schema/orm.ts';
import type { PilotCells } from '#shared/pilot-sheet.ts';
import type { UsersInput } from '#shared/schemas/admin.ts';
import { loadAircraftNames, loadSheetAccounts } from './accounts-of.ts';
import { writeAircraft } from './rules/pilot-cells.ts';
import { writeWeek } from './rules/week-cell.ts';

/** The active pilots that a search finds, in its order. Notes of weekly times and inactive templates are left out. */
export async function exportPilots(em: Em, input: Omit<UsersInput, 'page' | 'pageSize'>): Promise<PilotCells[]> {
  const ids = await listPilotIds(em, input);
  const names = await loadAircraftNames(em);
  const accounts = new Map((await loadSheetAccounts(em, ids)).map((account) => [account.id, account]));
  return ids.flatMap((id) => {
    const account = accounts.get(id);
    if (!account) return [];
    const levels = [...account.levels].map(([aircraftId, level]) => ({ id: aircraftId, level }));
    return [
      {
        callSign: account.callSign ?? '',
        email: account.email,
        timeZone: account.timeZone,
        aircraft: writeAircraft(levels, names),
        weeklyTimes: writeWeek(account.week, names),
        discordId: account.discordId ?? '',
      },
    ];
  });
}
