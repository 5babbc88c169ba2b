/** The planning lock, and the callsigns and frequencies in use by overlapping missions. */
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { overlapsRange } from '#server/schema/predicates.ts';
import { takeLock } from '#server/platform/transaction.queries.ts';
import type { Interval } from '#server/time/intervals.ts';

/**
 * Lock planning until the transaction ends, so that two overlapping missions cannot pick the same callsigns and
 * frequencies at the same time. Take this lock before a mission's lock.
 */
export async function lockPlanning(tx: Em): Promise<void> {
  await takeLock(tx, 'planning');
}

/**
 * Callsigns and frequencies in use by missions that overlap in time.
 * @param exceptMissionId the mission that is being replanned
 */
export async function listTaken(
  tx: Em,
  times: Interval,
  exceptMissionId: string | null = null,
): Promise<{ takenCallsigns: Set<string>; takenFrequencies: Set<string> }> {
  const rows = await db(tx)
    .selectFrom('flight as f')
    .innerJoin('mission as m', 'm.id', 'f.mission_id')
    .select(['f.callsign', 'f.radio_freq as radio'])
    .where('m.status', '<>', 'cancelled')
    .where(overlapsRange('m', times))
    .where('m.id', 'is distinct from', exceptMissionId)
    .execute();
  return {
    takenCallsigns: new Set(rows.map(({ callsign }) => callsign)),
    takenFrequencies: new Set(rows.flatMap(({ radio }) => (radio === null ? [] : [radio]))),
  };
}
