/** Cancelling a mission, and publishing a draft. */
import type { z } from 'zod';
import { emit } from '#server/signals/emit.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { MISSION_START_GRACE_MINUTES } from '#shared/limits.ts';
import type { cancelledMission, publishedMission } from '#shared/schemas/mission-admin.ts';
import { cancelOrders, lockForWork } from '#server/orders/seats/mission-lock.ts';
import { issueMission, setMissionStatus } from './missions.ts';
import { isSeatRace } from '#server/orders/seats/orders.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/**
 * Cancel a mission: frees all its seats, cancels all its orders, and notifies pilots with a live order.
 * Unknown mission: 404; 409 for one that is over or cancelled.
 */
export async function cancelMission(
  em: Em,
  viewer: Viewer,
  id: string,
  now: Date,
): Promise<z.infer<typeof cancelledMission>> {
  return transact(em, async (tx) => {
    const { mission, status } = await lockForWork(tx, id, now);
    await setMissionStatus(tx, [id], 'cancelled', now);
    const ended = await cancelOrders(tx, mission, now);
    const live = ended.filter(({ rsvp }) => rsvp !== 'declined');
    emit(tx, { type: 'mission.cancelled', by: viewer, mission, ordersCancelled: live.length, was: status });
    return { success: true, ordersCancelled: live.length };
  });
}

/**
 * Publish a draft: schedule it and issue its frag orders, as for a new mission.
 * Unknown mission: 404; 409 for anything but a draft, 400 for a start in the past.
 */
export async function publishMission(
  em: Em,
  viewer: Viewer,
  id: string,
  now: Date,
): Promise<z.infer<typeof publishedMission>> {
  const work = async (tx: Em) => {
    const { mission } = await lockForWork(tx, id, now);
    if (mission.status !== 'draft') throw new AppError('MISSION_PUBLISHED');
    if (mission.startMs < now.getTime() - MISSION_START_GRACE_MINUTES * MINUTE_MS) {
      throw new AppError('START_IN_PAST');
    }
    await setMissionStatus(tx, [id], 'scheduled', now);
    const hasBegun = mission.startMs <= now.getTime();
    emit(tx, { type: 'mission.opened', missionIds: [id], hasBegun, isPractice: false, week: null });
    const issued = await issueMission(tx, { ...mission, status: 'scheduled' }, now);
    const { orders, openSeats } = issued;
    emit(tx, { type: 'mission.published', by: viewer, mission, orders, openSeats });
    return { issued };
  };
  return transact(em, work, isSeatRace);
}
