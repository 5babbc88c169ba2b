/** Enqueues the jobs that send web push notifications. */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { jobsFrom, type PushKind } from './jobs.ts';

/** Jobs about one order that say different things stand side by side; the others replace each other. */
const TOPIC_OF: Record<PushKind, string> = {
  order: '',
  seat: '',
  change: ':change',
  attendance: ':attendance',
  swap: ':swap',
  swapAnswer: ':swap-answer',
};

/** Notify the pilots of these orders, a job for each of their devices, so that one device's trouble is not sent again to the others. */
export async function enqueuePushes(tx: Em, orderIds: readonly string[], kind: PushKind): Promise<void> {
  if (orderIds.length === 0) return;
  const rows = sql`select json_build_object('orderId', o.id, 'subscriptionId', s.id, 'kind', ${kind}::text) as payload,
                          'push:' || o.id || ':' || s.id || ${TOPIC_OF[kind]}::text as key
                   from frag_order o join push_subscription s on s.user_id = o.pilot_id
                   where o.id = any(${[...orderIds]}::uuid[])`;
  await query(tx, jobsFrom('send_push', rows));
}
