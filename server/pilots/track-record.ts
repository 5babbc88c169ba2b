/** The track record of one pilot: reliability, its outcomes and the fairness debt, for the pilot and for admins. */
import type { Em } from '#server/schema/orm.ts';
import type { TrackRecordDto } from '#shared/schemas/track-record.ts';
import { loadDebts, loadRecords, reliabilityIn } from './fairness.ts';
import { findUser } from '#server/accounts/users.ts';

const NO_RECORD = { attended: 0, noShows: 0, excused: 0, lateCancels: 0, isNew: true };

/** Unknown id: 404. */
export async function getStanding(em: Em, id: string, now: Date): Promise<TrackRecordDto> {
  await findUser(em, id);
  const debts = await loadDebts(em, now, [id]);
  const records = await loadRecords(em, now, [id]);
  const { attended, noShows, excused, lateCancels, isNew } = records.get(id) ?? NO_RECORD;
  return {
    reliability: reliabilityIn(records, id),
    isNew,
    attended,
    noShows,
    excused,
    lateCancels,
    debt: debts.get(id) ?? 0,
  };
}
