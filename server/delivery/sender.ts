/**
 * The sender of email and push notifications: one attempt for each job. An attempt is recorded before it is made, no transaction
 * is open during one, and the result is recorded afterwards: a sender that is killed repeats at most what it was sending.
 */
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Log } from '#server/platform/log.ts';
import { db, fromNow, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import type { DeliveryState } from '#server/schema/delivery.ts';
import { enqueueSending } from './outbox.ts';
import { nextAttemptMs } from './rules/retries.ts';

/** When an attempt without a result counts as failed: its sender was killed. Longer than an attempt, shorter than a job's lock. */
const LEASE_SECONDS = 50;

/** Claim a due delivery and record the attempt, in one statement: of two senders one gets it. @returns null if it is not due */
const claim = (em: Em, deliveryId: string) =>
  db(em)
    .updateTable('delivery')
    .set((eb) => ({
      state: 'sending',
      attempts: eb('attempts', '+', 1),
      next_attempt_at: fromNow(`${LEASE_SECONDS} seconds`),
    }))
    .where('id', '=', deliveryId)
    .where('state', 'in', ['queued', 'sending'])
    .where('next_attempt_at', '<=', ({ fn }) => fn<Date>('now'))
    .returning(({ ref }) => [
      'id',
      'channel',
      'kind',
      'user_id as userId',
      'device_id as deviceId',
      'address',
      'subject_id as subjectId',
      'topic',
      'attempts',
      'response_status as lastStatus',
      'error_message as lastError',
      ms(ref('created_at')).as('queuedMs'),
      ms(ref('deadline_at')).as('deadlineMs'),
    ])
    .executeTakeFirst();

/** A delivery whose attempt has begun. */
export type Claim = NonNullable<Awaited<ReturnType<typeof claim>>>;

export type SendResult =
  | { outcome: 'sent' }
  | {
      outcome: 'failed';
      /** the receiver refuses this message for good */
      isPermanent: boolean;
      /** the receiver's code; null without an answer */
      status: number | null;
      error: string;
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
}

interface Outcome {
  state: DeliveryState;
  status?: number | null;
  error?: string | null;
  /** of a state that is not the last one */
  nextMs?: number;
}

/** Record the result of an attempt. An address that was only needed for sending is deleted. */
async function settle(tx: Em, { id, channel, attempts }: Claim, outcome: Outcome): Promise<void> {
  const { state, status = null, error = null, nextMs } = outcome;
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
  if (settled && nextMs !== undefined) await enqueueSending(tx, channel, id, new Date(nextMs));
}

/** What follows from a failed attempt: another one, unless the refusal is for good or the time is up. */
function afterFailure(claimed: Claim, result: Extract<SendResult, { outcome: 'failed' }>, nowMs: number): Outcome {
  const { attempts, queuedMs, deadlineMs } = claimed;
  const { status, error, isPermanent } = result;
  const nextMs = isPermanent
    ? null
    : nextAttemptMs({ attempts, askedMs: null, queuedMs, nowMs, jitter: Math.random() });
  if (nextMs === null || nextMs >= deadlineMs) return { state: 'failed', status, error };
  return { state: 'queued', status, error, nextMs };
}

/** Make one attempt of a delivery. Safe to run late, twice, concurrently, and after a crash. */
export async function sendDelivery(
  { orm, log }: { orm: MikroORM; log: Log },
  { name, prepare }: Channel,
  deliveryId: string,
): Promise<void> {
  const em = orm.em.fork();
  const claimed = await claim(em, deliveryId);
  if (!claimed) return;
  // neither address nor subject: the log outlives the account
  const line = { delivery: deliveryId, kind: claimed.kind, attempt: claimed.attempts };
  const finish = (outcome: Outcome) => transact(em, (tx) => settle(tx, claimed, outcome));
  const now = new Date();
  if (claimed.deadlineMs <= now.getTime()) {
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
  if (result.outcome === 'sent') {
    await finish({ state: 'sent' });
    log.info(line, `${name} sent`);
    return;
  }
  const outcome = afterFailure(claimed, result, Date.now());
  await finish(outcome);
  log.warn({ ...line, status: result.status, state: outcome.state }, `${name} not sent`);
}
