/** Enqueues backfill jobs: for a mission, and for a pilot over all upcoming missions. */
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { db, tableOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { overlapsRow } from '#server/schema/predicates.ts';
import { addJob, cancelJob, enqueueJobs, jobKey, jobKeyIn } from './jobs.ts';

/** Fill the free seats of these missions, soon. */
export async function enqueueMissionBackfill(tx: Em, missionIds: readonly string[]): Promise<void> {
  // always in the same order, so that two transactions that enqueue the same missions cannot deadlock
  const ids = [...new Set(missionIds)].sort();
  await enqueueJobs(
    tx,
    'backfill_mission',
    ids.map((missionId) => ({ payload: { missionId }, key: jobKey('backfillMission', missionId) })),
  );
}

/** Until then most of a burst of answers is over. */
const SLOWER_DELAY_MS = 5_000;

/**
 * After a shared offer was accepted: the pilots who were slower may fit another free seat. Not in the transaction of the
 * answer: while many pilots answer at once, each seat would be offered to all who are left, again and again.
 */
export async function enqueueBackfillForSlower(tx: Em, missionId: string): Promise<void> {
  const key = jobKey('backfillMission', missionId);
  await enqueueJobs(tx, 'backfill_mission', [
    { payload: { missionId }, key, delayMs: SLOWER_DELAY_MS, keepsTime: true },
  ]);
}

/** Remove a mission's waiting backfill job, because the caller does its work. Call it before reading anything. */
export async function cancelMissionBackfillJob(tx: Em, missionId: string): Promise<void> {
  await cancelJob(tx, jobKey('backfillMission', missionId));
}

/** After a change to a pilot's availability, aircraft, status or roles: offer free seats, or pass on a suspended pilot's. */
export async function enqueuePilotBackfill(tx: Em, pilotId: string): Promise<void> {
  await enqueueJobs(tx, 'backfill_pilot', [{ payload: { pilotId }, key: jobKey('backfillPilot', pilotId) }]);
}

/** The same for many pilots, in one statement. */
export async function enqueuePilotBackfills(tx: Em, pilotIds: readonly string[]): Promise<void> {
  const pilots = pilotIds.toSorted().map((id) => ({ id }));
  if (pilots.length === 0) return;
  await db(tx)
    .selectFrom(tableOf('pilot', pilots, { id: 'text' }))
    .select(({ ref }) =>
      addJob('backfill_pilot', {
        payload: jsonBuildObject({ pilotId: ref('pilot.id') }),
        key: jobKeyIn('backfillPilot', ref('pilot.id')),
      }).as('job'),
    )
    .execute();
}

/**
 * After pilots have lost or given up their seat in a mission: other missions at that time can now have them. Call it while
 * the mission still has the times of that seat.
 */
export async function enqueueBackfillForFreedPilots(
  tx: Em,
  freed: readonly { missionId: string; pilotId: string }[],
  now: Date,
): Promise<void> {
  if (freed.length === 0) return;
  const pilots = await db(tx)
    .selectFrom(tableOf('freed', freed, { missionId: 'uuid', pilotId: 'uuid' }))
    .innerJoin('mission as m', 'm.id', 'freed.missionId')
    .select('freed.pilotId as id')
    .distinct()
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('mission as o')
          .whereRef('o.id', '<>', 'm.id')
          .where('o.status', '=', 'scheduled')
          .where('o.starts_at', '>', now)
          .where(overlapsRow('o', 'm')),
      ),
    )
    .orderBy('freed.pilotId')
    .execute();
  for (const { id } of pilots) await enqueuePilotBackfill(tx, id);
}
