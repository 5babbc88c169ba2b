/**
 * Jobs that look at a mission or a pilot again. Enqueued in the transaction that gives them cause, so that neither can be
 * without the other; keyed, so that many causes are one job; safe to run late, twice, and on any replica.
 */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';

const missionKey = (id: string) => `refill-mission:${id}`;

/** Have the free seats of these missions filled, soon. */
export async function enqueueMissionBackfill(tx: Em, missionIds: readonly string[]): Promise<void> {
  // always in one order, so that two transactions that wake the same missions do not wait for each other
  for (const missionId of [...new Set(missionIds)].sort()) {
    await query(
      tx,
      sql`select graphile_worker.add_job('refill_mission', json_build_object('missionId', ${missionId}::text),
            job_key => ${missionKey(missionId)}::text, max_attempts => 25)`,
    );
  }
}

/** A backfill that is about to look at a mission does what a waiting job would; call it before anything is read. */
export async function cancelMissionBackfillJob(tx: Em, missionId: string): Promise<void> {
  await query(tx, sql`select graphile_worker.remove_job(${missionKey(missionId)}::text)`);
}

/**
 * When a pilot can fly, what, or whether at all has changed: have missions with free seats look at this pilot, or have
 * the seats of a suspended one passed on.
 */
export async function enqueuePilotBackfill(tx: Em, pilotId: string): Promise<void> {
  await query(
    tx,
    sql`select graphile_worker.add_job('refill_pilot', json_build_object('pilotId', ${pilotId}::text),
          job_key => ${`refill:${pilotId}`}::text, max_attempts => 25)`,
  );
}

/**
 * Pilots have lost or given up their seat of a mission: have the other missions at that time, which could not have them
 * so far, look at them. Call it while the mission has the times of that seat.
 */
export async function enqueueBackfillForFreedPilots(
  tx: Em,
  freed: readonly { missionId: string; pilotId: string }[],
  now: Date,
): Promise<void> {
  if (freed.length === 0) return;
  const pilots = await query<{ id: string }>(
    tx,
    sql`select distinct f."pilotId" as id
        from jsonb_to_recordset(${JSON.stringify(freed)}::jsonb) as f ("missionId" uuid, "pilotId" uuid)
        join mission m on m.id = f."missionId"
        where exists (
          select 1 from mission o where o.id <> m.id and o.status = 'scheduled' and o.starts_at > ${now}
            and o.starts_at < m.ends_at and o.ends_at > m.starts_at)
        order by 1`,
  );
  for (const { id } of pilots) await enqueuePilotBackfill(tx, id);
}
