/** What missions share while they are planned: the sky's callsigns and frequencies. */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import type { Interval } from '#server/time/intervals.ts';

const PLANNING_LOCK = 7_311_908;

/**
 * Planners queue here until their transaction ends: two missions that overlap must not pick the same callsigns and
 * frequencies at once. Whoever needs a mission's lock as well takes this one first.
 */
export async function lockPlanning(tx: Em): Promise<void> {
  await query(tx, sql`select pg_advisory_xact_lock(${sql.lit(PLANNING_LOCK)})`);
}

/**
 * Callsigns and frequencies in use by missions that overlap in time.
 * @param exceptMissionId the mission that is being planned again
 */
export async function listTaken(
  tx: Em,
  { startMs, endMs }: Interval,
  exceptMissionId: string | null = null,
): Promise<{ takenCallsigns: Set<string>; takenFrequencies: Set<string> }> {
  const rows = await query<{ callsign: string; radio: string | null }>(
    tx,
    sql`select f.callsign, f.radio_freq as radio from flight f join mission m on m.id = f.mission_id
        where m.status <> 'cancelled' and m.starts_at < ${new Date(endMs)} and m.ends_at > ${new Date(startMs)}
          and m.id is distinct from ${exceptMissionId}::uuid`,
  );
  return {
    takenCallsigns: new Set(rows.map(({ callsign }) => callsign)),
    takenFrequencies: new Set(rows.flatMap(({ radio }) => (radio === null ? [] : [radio]))),
  };
}
