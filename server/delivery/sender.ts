/**
 * The sender of email, push notifications and webhooks. An attempt is recorded before it is made, no transaction is open during
 * one, and the result is recorded afterwards: a sender that is killed repeats at most what it was sending.
 */
import { performance } from 'node:perf_hooks';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Log } from '#server/platform/log.ts';
import { db, fromNow, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import type { DeliveryState } from '#server/schema/delivery.ts';
import { enqueueNext, enqueueSending, isNext, WAITING } from '#server/signals/outbox.ts';
import { nextAttemptMs } from './rules/retries.ts';

/** When an attempt without a result counts as failed: its sender was killed. Longer than an attempt, shorter than a job's lock. */
const LEASE_SECONDS = 50;
/** A job that takes longer leaves the rest to the next one. With the last request it still ends within a minute. */
const JOB_MS = 20_000;

/**
 * Claim a delivery and record the attempt, in one statement: of two senders one gets it.
 * @returns undefined if it is not its turn
 */
const claim = (em: Em, deliveryId: string) =>
  db(em)
    .updateTable('delivery as d')
    .set(({ eb }) => ({
      state: 'sending',
      attempts: eb('d.attempts', '+', 1),
      next_attempt_at: fromNow(`${LEASE_SECONDS} seconds`),
    }))
    .where('d.id', '=', deliveryId)
    .where('d.state', 'in', WAITING)
    .where('d.next_attempt_at', '<=', ({ fn }) => fn<Date>('now'))
    .where(isNext)
    .returning(({ ref }) => [
      'd.id',
      'd.channel',
      'd.kind',
      'd.user_id as userId',
      'd.device_id as deviceId',
      'd.webhook_id as webhookId',
      'd.event_id as eventId',
      'd.stream',
      'd.address',
      'd.subject_id as subjectId',
      'd.topic',
      'd.attempts',
      'd.response_status as lastStatus',
      'd.error_message as lastError',
      ms(ref('d.created_at')).as('queuedMs'),
      ms(ref('d.deadline_at')).as('deadlineMs'),
    ])
    .executeTakeFirst();

/** A delivery whose attempt has begun. */
export type Claim = NonNullable<Awaited<ReturnType<typeof claim>>>;

export type SendResult =
  | {
      outcome: 'sent';
      /** the receiver's code, where it is of interest */
      status?: number | null;
    }
  | {
      outcome: 'failed';
      /** the receiver refuses this message for good */
      isPermanent: boolean;
      /** the receiver's code; null without an answer */
      status: number | null;
      error: string;
      /** the shortest pause that the receiver asks for, in ms */
      retryAfterMs?: number;
    };

/** A way to send. */
export interface Channel {
  /** as log lines name it: `Email` */
  name: string;
  /**
   * Compose what a delivery says now.
   * @returns a function that makes one attempt and never rejects; null if it is no longer wanted
   */
  prepare: (em: Em, claimed: Claim, now: Date) => Promise<(() => Promise<SendResult>) | null>;
  /**
   * Record what a result says about the receiver, in the transaction that records the result.
   * @param isOver no other attempt follows
   */
  conclude?: (tx: Em, claimed: Claim, result: SendResult, isOver: boolean) => Promise<void>;
}

interface Outcome {
  state: DeliveryState;
  status?: number | null;
  error?: string | null;
  /** of a state that is not the last one */
  nextMs?: number;
}

/**
 * Record the result of an attempt. An address that was only needed for sending is deleted.
 * @returns false if another sender has claimed the delivery since
 */
async function settle(
  tx: Em,
  { id, channel, attempts, webhookId, stream }: Claim,
  { state, status = null, error = null, nextMs }: Outcome,
): Promise<boolean> {
  const settled = await db(tx)
    .updateTable('delivery')
    .set(({ fn, ref }) => ({
      state,
      next_attempt_at: nextMs === undefined ? null : new Date(nextMs),
      response_status: status,
      error_message: error,
      address: state === 'sent' || state === 'dropped' ? null : ref('address'),
      dedupe_key: state === 'queued' ? ref('dedupe_key') : null,
      sent_at: state === 'sent' ? fn<Date>('now') : null,
    }))
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'sending')
    .returning('id')
    .executeTakeFirst();
  if (!settled) return false;
  if (nextMs !== undefined) await enqueueSending(tx, channel, [id]);
  else if (webhookId !== null && stream !== null) await enqueueNext(tx, webhookId, stream);
  return true;
}

/** What follows from a failed attempt: another one, unless the refusal is for good or the time is up. */
function afterFailure(claimed: Claim, result: Extract<SendResult, { outcome: 'failed' }>, nowMs: number): Outcome {
  const { attempts, queuedMs, deadlineMs } = claimed;
  const { status, error, isPermanent, retryAfterMs: askedMs = null } = result;
  const nextMs = isPermanent ? null : nextAttemptMs({ attempts, askedMs, queuedMs, nowMs, jitter: Math.random() });
  if (nextMs === null || (deadlineMs !== null && nextMs >= deadlineMs)) return { state: 'failed', status, error };
  return { state: 'queued', status, error, nextMs };
}

interface Sender {
  orm: MikroORM;
  log: Log;
}

/**
 * Make one attempt of a delivery. Safe to run late, twice, concurrently, and after a crash.
 * @returns false if it is not its turn
 */
export async function sendDelivery(
  { orm, log }: Sender,
  { name, prepare, conclude }: Channel,
  deliveryId: string,
): Promise<boolean> {
  const em = orm.em.fork();
  const claimed = await claim(em, deliveryId);
  if (!claimed) return false;
  // neither address nor subject: the log outlives the account
  const { kind, attempts: attempt, webhookId: webhook } = claimed;
  const line = { delivery: deliveryId, kind, attempt, ...(webhook !== null && { webhook }) };
  const finish = (outcome: Outcome, result?: SendResult) =>
    transact(em, async (tx) => {
      const isSettled = await settle(tx, claimed, outcome);
      if (isSettled && result) await conclude?.(tx, claimed, result, outcome.nextMs === undefined);
      return true;
    });
  const now = new Date();
  if (claimed.deadlineMs !== null && claimed.deadlineMs <= now.getTime()) {
    const { lastError: error, lastStatus: status } = claimed;
    log.warn(line, `${name} given up`);
    return finish(error === null ? { state: 'dropped' } : { state: 'failed', status, error });
  }
  const send = await prepare(em, claimed, now);
  if (send === null) {
    log.info(line, `${name} not wanted any more`);
    return finish({ state: 'dropped' });
  }
  const result = await send();
  const { status = null } = result;
  if (result.outcome === 'sent') {
    await finish({ state: 'sent', status }, result);
    log.info({ ...line, ...(status !== null && { status }) }, `${name} sent`);
    return true;
  }
  const outcome = afterFailure(claimed, result, Date.now());
  await finish(outcome, result);
  log.warn({ ...line, status, state: outcome.state }, `${name} not sent`);
  return true;
}

/** The first delivery that is due at the webhook of this one. */
async function findDue(em: Em, deliveryId: string): Promise<string | undefined> {
  const due = await db(em)
    .selectFrom('delivery as d')
    .select('d.id')
    .where('d.webhook_id', '=', ({ selectFrom }) =>
      selectFrom('delivery as asked').select('asked.webhook_id').where('asked.id', '=', deliveryId),
    )
    .where('d.state', 'in', WAITING)
    .where('d.next_attempt_at', '<=', ({ fn }) => fn<Date>('now'))
    .where(isNext)
    .orderBy('d.seq')
    .limit(1)
    .executeTakeFirst();
  return due?.id;
}

/**
 * Send what is due at the webhook of a delivery, one request after the other. The jobs of a webhook are in a queue, in which
 * the next begins up to two seconds after the last, so that after an outage one job has to send many.
 */
export async function sendRequests(sender: Sender, channel: Channel, deliveryId: string): Promise<void> {
  const begunMs = performance.now();
  for (let isSent = true; isSent && performance.now() - begunMs < JOB_MS;) {
    const due = await findDue(sender.orm.em.fork(), deliveryId);
    isSent = due !== undefined && (await sendDelivery(sender, channel, due));
  }
}
