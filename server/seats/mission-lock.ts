/** Locks a mission for an admin's work and withdraws its orders. */
import { sql } from 'kysely';
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { missionStatus } from '#server/planning/rules/mission-status.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import type { MissionStatus } from '#shared/vocabulary.ts';
import { lockMission, expireOverdueOrders, type LockedMission } from './orders.ts';
import { enqueueBackfillForFreedPilots } from '#server/signals/backfill-jobs.ts';

/**
 * Lock a mission that can still be changed, and free the seats of orders that ran out.
 * @returns `expired`: how many; whoever schedules the next expiry has to fill their seats, the job will not come for them
 * @throws AppError 404 when there is none, 409 when it is over or cancelled
 */
export async function lockForWork(
  tx: Em,
  missionId: string,
  now: Date,
): Promise<{ mission: LockedMission; status: MissionStatus; expired: number }> {
  const mission = await lockMission(tx, missionId);
  if (!mission) throw new AppError('MISSION_NOT_FOUND', copy.missionNotFound);
  const status = missionStatus(mission.status, mission.startMs, mission.endMs, now.getTime());
  if (status === 'completed' || status === 'cancelled') throw new AppError('MISSION_FINAL', copy.missionFinal);
  return { mission, status, expired: await expireOverdueOrders(tx, now, { missionId }) };
}

/** How a seat is named in changes and in the audit: `Viper 1, seat 2`; `seatIndex` counts from 0. */
export function seatWords(callsign: string, seatIndex: number): string {
  return `${callsign}, seat ${seatIndex + 1}`;
}

/** The time of a change made now: later than the order's last change, which identifies the state that an answer is for. */
export const nextChangeAt = (now: Date) => sql<Date>`greatest(${now}, changed_at + interval '1 ms')`;

/** Take orders back with what they held, each with the change that its pilot is to read. */
export async function withdrawOrders(
  tx: Em,
  withdrawn: readonly { orderId: string; changes: readonly OrderChange[] }[],
  now: Date,
): Promise<void> {
  if (withdrawn.length === 0) return;
  const freed = await db(tx)
    .deleteFrom('seat')
    .where(
      isOneOf(
        'order_id',
        withdrawn.map(({ orderId }) => orderId),
      ),
    )
    .returning(['mission_id as missionId', 'pilot_id as pilotId'])
    .execute();
  await enqueueBackfillForFreedPilots(tx, freed, now);
  await db(tx)
    .updateTable('frag_order as o')
    .from(
      sql<{ orderId: string; changes: OrderChange[] }>`jsonb_to_recordset(${JSON.stringify(withdrawn)}::jsonb)`.as<'w'>(
        sql`w ("orderId" uuid, changes jsonb)`,
      ),
    )
    .set(({ ref }) => ({
      status: 'cancelled',
      status_reason: 'superseded',
      changes: ref('w.changes'),
      changed_at: nextChangeAt(now),
    }))
    .whereRef('o.id', '=', 'w.orderId')
    .execute();
}
