/** The mission lock for an admin's changes, and withdrawing orders. */
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { missionStatus } from '#server/planning/rules/mission-status.ts';
import { AppError } from '#server/platform/errors.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import type { MissionStatus } from '#shared/vocabulary.ts';
import { lockMission, expireOverdueOrders, type LockedMission, type MissionRow } from './orders.ts';
import { changeOrders } from './order-writes.ts';
import { emit } from '#server/signals/emit.ts';

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
  if (!mission) throw new AppError('MISSION_NOT_FOUND');
  const status = requireWork(mission, now);
  return { mission, status, expired: await expireOverdueOrders(tx, now, { missionId }) };
}

/** The status of a mission that can still be changed. @throws AppError 409 when it is over or cancelled */
export function requireWork({ status: stored, startMs, endMs }: MissionRow, now: Date): MissionStatus {
  const status = missionStatus(stored, startMs, endMs, now.getTime());
  if (status === 'completed' || status === 'cancelled') throw new AppError('MISSION_FINAL');
  return status;
}

/**
 * Withdraw orders of a mission and free their seats, each with the change to show to its pilot, who is told of a lost seat.
 * @param withdrawn `reasons`: sentences for the pilot that replace those for the seat
 */
export async function withdrawOrders(
  tx: Em,
  mission: LockedMission,
  withdrawn: readonly { orderId: string; changes: OrderChange[]; reasons?: string[] | undefined }[],
  now: Date,
): Promise<void> {
  const orders = withdrawn.map(({ orderId, changes, reasons = null }) => ({ id: orderId, changes, reasons }));
  await changeOrders(tx, mission, 'withdraw', orders, now);
  const losesSeat = ({ changes }: { changes: OrderChange[] }) =>
    changes.some(({ field, to }) => field === 'seat' && to === null);
  emit(tx, { type: 'seat.lost', orderIds: withdrawn.filter(losesSeat).map(({ orderId }) => orderId) });
}

/** Cancel the orders of a mission that is called off, and free its seats. @returns the orders, also those that were declined */
export async function cancelOrders(tx: Em, mission: LockedMission, now: Date) {
  const orders = await db(tx)
    .selectFrom('frag_order')
    .select('id')
    .where('mission_id', '=', mission.id)
    .where('status', '=', 'issued')
    .execute();
  return changeOrders(tx, mission, 'cancel', orders, now);
}
