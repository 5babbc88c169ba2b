/** Queues push notifications: one for each device, so that a failing device does not repeat messages to the others. */
import { queueNotifications, type NewNotification } from '#server/signals/outbox.ts';
import { db, isOneOf, ms } from '#server/schema/database.ts';
import { Mission } from '#server/schema/mission.ts';
import type { Em } from '#server/schema/orm.ts';
import { isNoPractice } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { DAY_MS } from '#server/time/time.ts';
import { NOTICE_DAYS } from '#shared/limits.ts';
import { enqueueJobs, jobKey } from './jobs.ts';
import type { Push } from './rules/effects.ts';
import { type NewsKind, ORDER_NEWS } from './rules/order-news.ts';

/** Tell the pilots of these orders what happened. */
async function queueOrderPushes(tx: Em, orderIds: readonly string[], kind: NewsKind): Promise<void> {
  if (orderIds.length === 0) return;
  const devices = await db(tx)
    .selectFrom('frag_order as o')
    .innerJoin('push_subscription as s', 's.user_id', 'o.pilot_id')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .select(({ ref }) => [
      'o.id as orderId',
      's.id as deviceId',
      's.user_id as userId',
      ms(ref('m.ends_at')).as('endsMs'),
    ])
    .where(isOneOf('o.id', orderIds))
    .where(isNoPractice('o.mission_id'))
    .execute();
  await queueNotifications(
    tx,
    devices.map(({ orderId, deviceId, userId, endsMs }) => ({
      kind: 'order',
      deviceId,
      userId,
      subjectId: orderId,
      topic: kind,
      dedupeKey: `${orderId}:${deviceId}:${ORDER_NEWS[kind].replaces}`,
      // the text says sooner when it is of no use
      deadlineAt: new Date(endsMs + NOTICE_DAYS * DAY_MS),
    })),
  );
}

/** Notify all devices of an account of something that is of use until a certain time. */
async function queueForAccount(
  tx: Em,
  userId: string,
  about: Pick<NewNotification, 'kind' | 'deadlineAt'> & { subjectId: string },
): Promise<void> {
  const devices = await db(tx).selectFrom('push_subscription').select('id').where('user_id', '=', userId).execute();
  await queueNotifications(
    tx,
    devices.map(({ id: deviceId }) => ({
      ...about,
      userId,
      deviceId,
      dedupeKey: `${about.kind}:${about.subjectId}:${deviceId}`,
    })),
  );
}

/** Notify pilots who want news of missions that have just been published. */
async function enqueueNews(tx: Em, missionIds: readonly string[]): Promise<void> {
  const [first] = missionIds;
  if (first === undefined) return;
  const job = { payload: { missionIds: [...missionIds] }, key: jobKey('queue_news_pushes', first) };
  await enqueueJobs(tx, 'queue_news_pushes', [job]);
}

/** Queue push notifications, in the transaction of their events. The choices of each pilot decide which are sent. */
export async function queuePushes(tx: Em, pushes: readonly Push[]): Promise<void> {
  const ofOrders = pushes.flatMap((push) => ('orderIds' in push ? [push] : []));
  for (const [kind, same] of Map.groupBy(ofOrders, (push) => push.kind)) {
    const ids = same.flatMap(({ orderIds }) => orderIds);
    await queueOrderPushes(tx, [...new Set(ids)], kind);
  }
  for (const push of pushes) {
    if ('subjectId' in push) await queueForAccount(tx, push.userId, push);
    else if (push.kind === 'news') await enqueueNews(tx, push.missionIds);
  }
}

/** Notify every device of the pilots who want news; who of them gets it is decided when it is sent. */
async function queueForAll(
  tx: Em,
  kind: 'news' | 'message',
  { subjectId, deadlineAt }: { subjectId: string; deadlineAt: Date },
): Promise<void> {
  const devices = await db(tx)
    .selectFrom('push_subscription as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .select(['s.id as deviceId', 'u.id as userId'])
    .where('u.wants_global_events', '=', true)
    .orderBy('s.id')
    .execute();
  await queueNotifications(
    tx,
    devices.map((device) => ({ ...device, kind, subjectId, deadlineAt })),
  );
}

/**
 * Notify every device of the pilots who want news of these missions. The missions are marked in the same transaction, so that a
 * job that runs twice queues nothing the second time.
 */
export async function queueNewsPushes(em: Em, missionIds: readonly string[], now: Date): Promise<void> {
  await transact(em, async (tx) => {
    const missions = await db(tx)
      .selectFrom('mission')
      .select(({ ref }) => ['id', ms(ref('starts_at')).as('startMs')])
      .where(isOneOf('id', missionIds))
      .where('news_pushed_at', 'is', null)
      .where('status', '=', 'scheduled')
      .where('is_practice', '=', false)
      .forNoKeyUpdate()
      .execute();
    if (missions.length === 0) return;
    await tx.nativeUpdate(Mission, { id: { $in: missions.map(({ id }) => id) } }, { newsPushedAt: now });
    const inOrder = missions.toSorted((a, b) => a.startMs - b.startMs);
    const lastMs = Math.max(...missions.map(({ startMs }) => startMs));
    const subjectId = inOrder.map(({ id }) => id).join(',');
    await queueForAll(tx, 'news', { subjectId, deadlineAt: new Date(lastMs) });
  });
}

/** Notify every device of the pilots who want community news, once: the message is marked in the caller's transaction. */
export async function queueMessagePushes(tx: Em, messageId: string, now: Date): Promise<void> {
  const marked = await db(tx)
    .updateTable('community_message')
    .set({ pushed_at: now })
    .where('id', '=', messageId)
    .where('pushed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (marked) await queueForAll(tx, 'message', { subjectId: messageId, deadlineAt: new Date(now.getTime() + DAY_MS) });
}
