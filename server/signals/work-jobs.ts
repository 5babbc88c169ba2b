/** Enqueues the jobs that follow from events: backfill of a mission, and of a pilot over all upcoming missions, series, messages, backups. */
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { db, rowsText, tableOf, type RowsText } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import type { Freed, Work } from './rules/effects.ts';
import { addJob, cancelJob, enqueueJobs, jobKey, jobKeyIn, originText } from './jobs.ts';

/** Fill the free seats of these missions, soon. */
export async function enqueueMissionBackfill(tx: Em, missionIds: readonly string[]): Promise<void> {
  // always in the same order, so that two transactions that enqueue the same missions cannot deadlock
  const ids = [...new Set(missionIds)].sort();
  await enqueueJobs(
    tx,
    'backfill_mission',
    ids.map((missionId) => ({ payload: { missionId }, key: jobKey('backfill_mission', missionId) })),
  );
}

/** Until then most of a burst of answers is over. */
const SLOWER_DELAY_MS = 5_000;

/**
 * Not in the transaction of the answer: while many pilots answer at once, each seat would be offered to all who are left, again
 * and again.
 */
async function enqueueBackfillForSlower(tx: Em, missionId: string): Promise<void> {
  const key = jobKey('backfill_mission', missionId);
  await enqueueJobs(tx, 'backfill_mission', [
    { payload: { missionId }, key, delayMs: SLOWER_DELAY_MS, keepsTime: true },
  ]);
}

/** Remove a mission's waiting backfill job, because the caller does its work. Call it before reading anything. */
export async function cancelMissionBackfillJob(tx: Em, missionId: string): Promise<void> {
  await cancelJob(tx, jobKey('backfill_mission', missionId));
}

const enqueuePilots = named(
  'backfill_pilots',
  (source, { pilots, origin }: { pilots: RowsText<{ id: string }>; origin: string }) =>
    source.selectFrom(tableOf('pilot', pilots, { id: 'text' })).select(({ ref }) =>
      addJob('backfill_pilot', {
        payload: jsonBuildObject({ pilotId: ref('pilot.id') }),
        key: jobKeyIn('backfill_pilot', ref('pilot.id')),
        origin,
      }).as('job'),
    ),
);

/** Offer free seats to these pilots, or pass on the seats of suspended ones. */
export async function enqueuePilotBackfills(tx: Em, pilotIds: readonly string[]): Promise<void> {
  const pilots = [...new Set(pilotIds)].sort().map((id) => ({ id }));
  if (pilots.length > 0) await enqueuePilots(tx, { pilots: rowsText(pilots), origin: originText() });
}

/** The freed pilots whom other missions at that time can now have. */
async function findWanted(tx: Em, freed: readonly Freed[]): Promise<string[]> {
  const rows = freed.flatMap(({ missionId, pilotIds, startMs, endMs, now }) =>
    pilotIds.map((pilotId) => ({ missionId, pilotId, startsAt: new Date(startMs), endsAt: new Date(endMs), now })),
  );
  if (rows.length === 0) return [];
  const types = {
    missionId: 'uuid',
    pilotId: 'uuid',
    startsAt: 'timestamptz',
    endsAt: 'timestamptz',
    now: 'timestamptz',
  } as const;
  const pilots = await db(tx)
    .selectFrom(tableOf('freed', rows, types))
    .select('freed.pilotId as id')
    .distinct()
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('mission as o')
          .whereRef('o.id', '<>', 'freed.missionId')
          .where('o.status', '=', 'scheduled')
          .whereRef('o.starts_at', '>', 'freed.now')
          .whereRef('o.starts_at', '<', 'freed.endsAt')
          .whereRef('o.ends_at', '>', 'freed.startsAt'),
      ),
    )
    .execute();
  return pilots.map(({ id }) => id);
}

/** The missions whose free seats are to be filled: not those that were filled after the last change. */
function missionsLeft(work: readonly Work[]): string[] {
  const missions = new Set<string>();
  for (const one of work) {
    if ('backfillMission' in one) missions.add(one.backfillMission);
    if ('backfilledMission' in one) missions.delete(one.backfilledMission);
  }
  return [...missions];
}

/** Enqueue the jobs that follow from events, in their transaction: always in the same order, so that two cannot deadlock. */
export async function enqueueWork(tx: Em, work: readonly Work[]): Promise<void> {
  if (work.length === 0) return;
  await enqueueMissionBackfill(tx, missionsLeft(work));
  const slower = work.flatMap((one) => ('backfillForSlower' in one ? [one.backfillForSlower] : []));
  for (const missionId of [...new Set(slower)].sort()) await enqueueBackfillForSlower(tx, missionId);
  const freed = await findWanted(
    tx,
    work.flatMap((one) => ('freed' in one ? [one.freed] : [])),
  );
  await enqueuePilotBackfills(tx, [
    ...work.flatMap((one) => ('backfillPilot' in one ? [one.backfillPilot] : [])),
    ...freed,
  ]);
  if (work.some((one) => 'makeOccurrences' in one))
    await enqueueJobs(tx, 'make_occurrences', [{ payload: {}, key: jobKey('make_occurrences') }]);
  if (work.some((one) => 'backUp' in one)) await enqueueJobs(tx, 'back_up', [{ payload: {}, key: jobKey('back_up') }]);
  for (const one of work) {
    if (!('sendCommunityMessage' in one)) continue;
    const messageId = one.sendCommunityMessage;
    const job = { payload: { messageId }, key: jobKey('send_community_message', messageId) };
    await enqueueJobs(tx, 'send_community_message', [job]);
  }
}
