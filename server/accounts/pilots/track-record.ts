/** The track record of one pilot: reliability, its outcomes and the fairness debt, for the pilot and for admins. */
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { DAY_MS, toIso } from '#server/time/time.ts';
import { LEDGER_DAYS, LISTED_MAX } from '#shared/limits.ts';
import type { MissionOutcomesDto, TrackRecordDto } from '#shared/schemas/track-record.ts';
import { outcomesOf } from './rules/mission-outcome.ts';
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

/**
 * What became of the missions that the pilot was asked to fly and that have started; a seat given back late counts at once,
 * as it does in the track record. Unknown id: 404.
 */
export async function listOutcomes(em: Em, id: string, now: Date): Promise<MissionOutcomesDto> {
  await findUser(em, id);
  const since = new Date(now.getTime() - LEDGER_DAYS * DAY_MS);
  const orders = await db(em)
    .selectFrom('frag_order as o')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .leftJoin('attendance_proposal as a', 'a.order_id', 'o.id')
    .select(({ ref }) => [
      'o.id as orderId',
      'o.mission_id as missionId',
      'm.name as missionName',
      ms(ref('m.starts_at')).as('startMs'),
      'o.status',
      'o.status_reason as statusReason',
      'o.rsvp',
      'o.attendance',
      'o.is_late as isLate',
      'a.evidence',
    ])
    .where('o.pilot_id', '=', id)
    .where('m.status', '=', 'scheduled')
    .where('m.is_practice', '=', false)
    .where('m.starts_at', '>=', since)
    .where(({ eb, or }) => or([eb('m.starts_at', '<=', now), eb('o.is_late', '=', true)]))
    .orderBy('m.starts_at', 'desc')
    .orderBy('o.seq', 'desc')
    .limit(LISTED_MAX.orders)
    .execute();
  return {
    sinceUtc: since.toISOString(),
    outcomes: outcomesOf(orders.toReversed()).map(
      ({ orderId, missionId, missionName, startMs, outcome, evidence }) => ({
        orderId,
        missionId,
        missionName,
        startUtc: toIso(startMs),
        outcome,
        evidence,
      }),
    ),
  };
}
