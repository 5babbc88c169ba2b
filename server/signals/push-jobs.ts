/** Enqueues the jobs that send web push notifications. */
import { sql } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isNoPractice } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import type { Push, PushKind } from './rules/effects.ts';
import { addJob, enqueueJobs, jobKey, jobKeyIn } from './jobs.ts';

/** Topics of an order's jobs: jobs with the same topic replace each other. */
const TOPIC_OF: Record<PushKind, string | null> = {
  order: null,
  seat: null,
  change: 'change',
  attendance: 'attendance',
  swap: 'swap',
  swapAnswer: 'swap-answer',
};

/** Notify the pilots of these orders what happened: one job per device, so that a failing device does not repeat messages to the others. */
async function enqueueOrderPushes(tx: Em, orderIds: readonly string[], kind: PushKind): Promise<void> {
  if (orderIds.length === 0) return;
  await db(tx)
    .selectFrom('frag_order as o')
    .innerJoin('push_subscription as s', 's.user_id', 'o.pilot_id')
    .select(({ ref, cast, val }) =>
      addJob('send_push', {
        payload: jsonBuildObject({
          orderId: ref('o.id'),
          subscriptionId: ref('s.id'),
          kind: cast<PushKind>(val(kind), 'text'),
        }),
        key: jobKeyIn('sendPush', ref('o.id'), ref('s.id'), sql.lit(TOPIC_OF[kind])),
      }).as('job'),
    )
    .where(isOneOf('o.id', orderIds))
    .where(isNoPractice('o.mission_id'))
    .execute();
}

/** Push a reminder to all devices of its pilot. */
async function enqueueReminderPushes(tx: Em, reminderId: string): Promise<void> {
  await db(tx)
    .selectFrom('reminder as r')
    .innerJoin('push_subscription as s', 's.user_id', 'r.pilot_id')
    .select(({ ref }) =>
      addJob('send_reminder_push', {
        payload: jsonBuildObject({ reminderId: ref('r.id'), subscriptionId: ref('s.id') }),
        key: jobKeyIn('sendReminderPush', ref('r.id'), ref('s.id')),
      }).as('job'),
    )
    .where('r.id', '=', reminderId)
    .execute();
}

/** Push a warning of too few pilots to all devices of the mission's creator. */
async function enqueueTurnoutPushes(tx: Em, warningId: string): Promise<void> {
  await db(tx)
    .selectFrom('turnout_warning as w')
    .innerJoin('push_subscription as s', 's.user_id', 'w.recipient_id')
    .select(({ ref }) =>
      addJob('send_turnout_push', {
        payload: jsonBuildObject({ warningId: ref('w.id'), subscriptionId: ref('s.id') }),
        key: jobKeyIn('sendTurnoutPush', ref('w.id'), ref('s.id')),
      }).as('job'),
    )
    .where('w.id', '=', warningId)
    .execute();
}

/** Notify pilots who want news of missions that have just been published. */
async function enqueueNews(tx: Em, missionIds: readonly string[]): Promise<void> {
  const [first] = missionIds;
  if (first === undefined) return;
  const job = { payload: { missionIds: [...missionIds] }, key: jobKey('queueNewsPushes', first) };
  await enqueueJobs(tx, 'queue_news_pushes', [job]);
}

/** Enqueue push notifications, in the transaction of their events. The choices of each pilot decide which are sent. */
export async function enqueuePushes(tx: Em, pushes: readonly Push[]): Promise<void> {
  const ofOrders = pushes.flatMap((push) => ('orderIds' in push ? [push] : []));
  for (const [kind, same] of Map.groupBy(ofOrders, (push) => push.kind)) {
    const ids = same.flatMap(({ orderIds }) => orderIds);
    await enqueueOrderPushes(tx, [...new Set(ids)], kind);
  }
  for (const push of pushes) {
    if (push.kind === 'reminder') await enqueueReminderPushes(tx, push.reminderId);
    else if (push.kind === 'turnout') await enqueueTurnoutPushes(tx, push.warningId);
    else if (push.kind === 'news') await enqueueNews(tx, push.missionIds);
  }
}

/**
 * Notify every device of the pilots who want news; who of them gets it is decided when it is sent. The missions are marked in
 * the same transaction, so that a job that runs twice queues nothing the second time.
 */
export async function queueNewsPushes(em: Em, missionIds: readonly string[], now: Date): Promise<void> {
  await transact(em, async (tx) => {
    const missions = await db(tx)
      .updateTable('mission')
      .set({ news_pushed_at: now })
      .where(isOneOf('id', missionIds))
      .where('news_pushed_at', 'is', null)
      .where('status', '=', 'scheduled')
      .where('is_practice', '=', false)
      .returning(['id', 'starts_at as startsAt'])
      .execute();
    if (missions.length === 0) return;
    const ids = missions.toSorted((a, b) => Number(a.startsAt) - Number(b.startsAt)).map(({ id }) => id);
    await db(tx)
      .selectFrom('push_subscription as s')
      .innerJoin('app_user as u', 'u.id', 's.user_id')
      .select(({ ref, cast, val }) =>
        addJob('send_news_push', {
          payload: jsonBuildObject({
            missionIds: cast<string[]>(val(JSON.stringify(ids)), 'json'),
            subscriptionId: ref('s.id'),
          }),
          key: jobKeyIn('sendNewsPush', cast<string>(val(ids[0]), 'text'), ref('s.id')),
        }).as('job'),
      )
      .where('u.wants_global_events', '=', true)
      .orderBy('s.id')
      .execute();
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
  if (!marked) return;
  await db(tx)
    .selectFrom('push_subscription as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .select(({ ref, cast, val }) =>
      addJob('send_message_push', {
        payload: jsonBuildObject({ messageId: cast<string>(val(messageId), 'text'), subscriptionId: ref('s.id') }),
        key: jobKeyIn('sendMessagePush', cast<string>(val(messageId), 'text'), ref('s.id')),
      }).as('job'),
    )
    .where('u.wants_global_events', '=', true)
    .orderBy('s.id')
    .execute();
}
