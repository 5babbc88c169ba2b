/** Enqueues the jobs that send web push notifications. */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';

/** Behind everything that changes seats: a slow push service must not hold those jobs up. */
const JOB_PRIORITY = 10;
/** With the job library's back-off the last try comes about two and a half minutes after the first. */
const JOB_ATTEMPTS = 6;

/**
 * A new order, a seat given to a pilot on standby, what an admin changed, took back or called off, who turned up, another
 * pilot who asks to swap seats, or that pilot's answer.
 */
export const PUSH_KINDS = ['order', 'seat', 'change', 'attendance', 'swap', 'swapAnswer'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];
/** Jobs about one order that say different things stand side by side; the others replace each other. */
const TOPIC_OF: Record<PushKind, string> = {
  order: '',
  seat: '',
  change: ':change',
  attendance: ':attendance',
  swap: ':swap',
  swapAnswer: ':swap-answer',
};

/**
 * Tell the pilots of these orders, on every device of theirs: a job each, so that one device's trouble is not sent again
 * to the others. Part of the seat transaction: no commit without its jobs, no job without its commit.
 */
export async function enqueuePushes(tx: Em, orderIds: readonly string[], kind: PushKind): Promise<void> {
  if (orderIds.length === 0) return;
  await query(
    tx,
    sql`select graphile_worker.add_job('send_push',
          json_build_object('orderId', o.id, 'subscriptionId', s.id, 'kind', ${kind}::text),
          job_key => 'push:' || o.id || ':' || s.id || ${TOPIC_OF[kind]}::text, max_attempts => ${sql.lit(JOB_ATTEMPTS)},
          priority => ${sql.lit(JOB_PRIORITY)})
        from frag_order o join push_subscription s on s.user_id = o.pilot_id
        where o.id = any(${[...orderIds]}::uuid[])`,
  );
}
