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

/** Flights of the missions that overlap in time: their callsigns and frequencies are in use. */
const selectFlightsAt = (tx: Em, times: Interval) =>
  db(tx)
    .selectFrom('flight as f')
    .innerJoin('mission as m', 'm.id', 'f.mission_id')
    .where('m.status', '<>', 'cancelled')
    .where(overlapsRange('m', times));

/**
 * Callsigns and frequencies in use by missions that overlap in time.
 * @param exceptMissionId the mission that is being replanned
 */
export async function listTaken(
  tx: Em,
  times: Interval,
  exceptMissionId: string | null = null,
): Promise<{ takenCallsigns: Set<string>; takenFrequencies: Set<string> }> {
  const rows = await selectFlightsAt(tx, times)
    .select(['f.callsign', 'f.radio_freq as radio'])
    .where('m.id', 'is distinct from', exceptMissionId)
    .execute();
  return {
    takenCallsigns: new Set(rows.map(({ callsign }) => callsign)),
    takenFrequencies: new Set(rows.flatMap(({ radio }) => (radio === null ? [] : [radio]))),
  };
}

/** The mission at that time that has a flight of this callsign; upper and lower case are the same. */
export function findCallsignUser(tx: Em, times: Interval, callsign: string): Promise<{ name: string } | undefined> {
  return selectFlightsAt(tx, times)
    .select('m.name')
    .where(({ eb, fn }) => eb(fn<string>('lower', ['f.callsign']), '=', callsign.toLowerCase()))
    .limit(1)
    .executeTakeFirst();
}

/** Another flight that uses the frequency at that time, with its mission's name; one of the same mission first. */
export function findFrequencyUser(
  tx: Em,
  times: Interval,
  { radioFreq, flightId, missionId }: { radioFreq: string; flightId: string; missionId: string },
): Promise<{ callsign: string; name: string } | undefined> {
  return selectFlightsAt(tx, times)
    .select(['f.callsign', 'm.name'])
    .where('f.radio_freq', '=', radioFreq)
    .where('f.id', '<>', flightId)
    .orderBy((eb) => eb('m.id', '=', missionId), 'desc')
    .limit(1)
    .executeTakeFirst();
}
