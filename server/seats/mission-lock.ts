/** The mission lock for an admin's changes, and withdrawing orders. */
import { db, isOneOf, tableOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { missionStatus } from '#server/planning/rules/mission-status.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import type { MissionStatus } from '#shared/vocabulary.ts';
import { lockMission, expireOverdueOrders, type LockedMission, type MissionRow } from './orders.ts';
import { nextChangeAt } from './transition.ts';
import { enqueueBackfillForFreedPilots } from '#server/signals/backfill-jobs.ts';
import { noteMissions } from '#server/signals/webhook-events.ts';

/**
 * Lock a mission that can still be changed, and expire its overdue orders.
 * @returns `expired`: how many orders; a caller that schedules the mission's next backfill has to fill their seats itself
 * @throws AppError 404 for an unknown mission, 409 when it is over or cancelled
 */
export async function lockForWork(
  tx: Em,
  missionId: string,
  now: Date,
): Promise<{ mission: LockedMission; status: MissionStatus; expired: number }> {
  const mission = await lockMission(tx, missionId);
  if (!mission) throw new AppError('MISSION_NOT_FOUND', copy.missionNotFound);
  const status = requireWork(mission, now);
  return { mission, status, expired: await expireOverdueOrders(tx, now, { missionId }) };
}

/** The status of a mission that can still be changed. @throws AppError 409 when it is over or cancelled */
export function requireWork({ status: stored, startMs, endMs }: MissionRow, now: Date): MissionStatus {
  const status = missionStatus(stored, startMs, endMs, now.getTime());
  if (status === 'completed' || status === 'cancelled') throw new AppError('MISSION_FINAL', copy.missionFinal);
  return status;
}

/**
 * Withdraw orders and free their seats, each with the change to show to its pilot.
 * @param withdrawn `reasons`: sentences for the pilot that replace those for the seat
 */
export async function withdrawOrders(
  tx: Em,
  withdrawn: readonly { orderId: string; changes: OrderChange[]; reasons?: string[] | undefined }[],
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
  noteMissions(tx, 'mission.changed', [...new Set(freed.map(({ missionId }) => missionId))]);
  await db(tx)
    .updateTable('frag_order as o')
    .from(
      tableOf(
        'w',
        withdrawn.map(({ reasons = null, ...order }) => ({ ...order, reasons })),
        { orderId: 'uuid', changes: 'jsonb', reasons: 'text[]' },
      ),
    )
    .set(({ fn, ref }) => ({
      reasons: fn.coalesce('w.reasons', 'o.reasons'),
      status: 'cancelled',
      status_reason: 'superseded',
      changes: ref('w.changes'),
      changed_at: nextChangeAt(now),
    }))
    .whereRef('o.id', '=', 'w.orderId')
    .execute();
}
