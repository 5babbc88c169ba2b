/** Cancelling a mission, and publishing a draft. */
import type { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { MISSION_START_GRACE_MINUTES } from '#shared/limits.ts';
import type { cancelledMission, publishedMission } from '#shared/schemas/mission-admin.ts';
import { publishLive, publishLiveOrders } from '#server/signals/live-signals.ts';
import { recordAudit } from '#server/signals/audit.ts';
import { noteMissions } from '#server/signals/webhook-events.ts';
import { enqueueMissionSync } from '#server/signals/discord-jobs.ts';
import { cancelOrders, lockForWork } from '#server/seats/mission-lock.ts';
import { issueMission, setMissionStatus } from './missions.ts';
import { isSeatRace } from '#server/seats/orders.ts';
import { enqueueOrderNews } from '#server/signals/order-news.ts';
import { enqueueNews } from '#server/signals/push-jobs.ts';
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
    recordAudit(
      tx,
      viewer,
      'mission_cancelled',
      { type: 'mission', id },
      { name: mission.name, ordersCancelled: live.length },
    );
    await tx.flush();
    await publishLiveOrders(
      tx,
      ended.map(({ pilotId }) => pilotId),
    );
    await publishLive(tx, 'missions');
    if (status !== 'draft') noteMissions(tx, 'mission.cancelled', [id]);
    await enqueueMissionSync(tx, id);
    if (status === 'launched') await publishLive(tx, 'stats');
    await enqueueOrderNews(
      tx,
      live.map(({ orderId }) => orderId),
      'change',
    );
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
    if (mission.status !== 'draft') throw new AppError('MISSION_PUBLISHED', copy.missionNotDraft);
    if (mission.startMs < now.getTime() - MISSION_START_GRACE_MINUTES * MINUTE_MS) {
      throw new AppError('START_IN_PAST', copy.missionStartInPast);
    }
    await setMissionStatus(tx, [id], 'scheduled', now);
    await publishLive(tx, 'missions');
    // a mission that has just started (within the grace period) counts as running at once
    if (mission.startMs <= now.getTime()) await publishLive(tx, 'stats');
    noteMissions(tx, 'mission.published', [id]);
    const issued = await issueMission(tx, { ...mission, status: 'scheduled' }, now);
    await enqueueMissionSync(tx, id, { isNew: true });
    await enqueueNews(tx, [id]);
    recordAudit(
      tx,
      viewer,
      'mission_published',
      { type: 'mission', id },
      { name: mission.name, orders: issued.orders, openSeats: issued.openSeats },
    );
    return { issued };
  };
  return transact(em, work, isSeatRace);
}
