/**
 * The sender of email, push notifications, webhooks and posts in Discord. An attempt is recorded before it is made, no transaction is open during
 * one, and the result is recorded afterwards: a sender that is killed repeats at most what it was sending.
 */
import { performance } from 'node:perf_hooks';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Log } from '#server/platform/log.ts';
import { db, fromNow, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { ONE_QUEUED, type DeliveryState } from '#server/schema/delivery.ts';
import { violatedConstraint } from '#server/schema/failures.ts';
import {
  enqueueLater,
  enqueueNext,
  enqueueNextChange,
  enqueueSending,
  isNext,
  WAITING,
} from '#server/signals/outbox.ts';
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
      'd.post_id as postId',
      'd.stream',
      'd.address',
      'd.subject_id as subjectId',
      'd.topic',
      'd.dedupe_key as dedupeKey',
      'd.attempts',
      'd.response_status as lastStatus',
      'd.error_message as lastError',
      ms(ref('d.created_at')).as('queuedMs'),
      ms(ref('d.deadline_at')).as('deadlineMs'),
    ])
    .executeTakeFirst();

/** A delivery whose attempt has begun. */
export type Claim = NonNullable<Awaited<ReturnType<typeof claim>>>;

/** Locks and further changes of a result, in the transaction that records it. */
interface Consequences {
  /** locks what `record` changes, in the order of those who queue: the delivery is locked after it */
  lock?: (tx: Em) => Promise<void>;
  record?: (tx: Em, how: Recorded) => Promise<void>;
}

interface Recorded {
  /** false if another sender has claimed the delivery since, or it was dropped: its result counts for the receiver only */
  isSettled: boolean;
  /** no other attempt follows */
  isOver: boolean;
}

/** The result of an attempt, or why none was made. */
export type SendResult = Consequences &
  (
    | {
        outcome: 'dropped' | 'uncertain';
        /** why, for admins */
        error?: string | null;
      }
    | {
        outcome: 'again';
        /** when, by the channel's own rules, in ms from now */
        afterMs: number;
        /** attempts that count from now on */
        attempts: number;
        error?: string | null;
        /** nothing has failed */
        isQuiet?: boolean;
      }
    | {
        /** the receiver has what it would say */
        outcome: 'unchanged';
      }
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
      }
  );

/** A way to send. */
export interface Channel {
  /** as log lines name it: `Email` */
  name: string;
  /**
   * Compose what a delivery says now.
   * @returns a function that makes one attempt and never rejects; a result if none is to be made, null for one that is no longer wanted
   */
  prepare: (em: Em, claimed: Claim, now: Date) => Promise<(() => Promise<SendResult>) | SendResult | null>;
}

/** The columns of a delivery after an attempt. */
interface Outcome {
  state: DeliveryState;
  status?: number | null;
  error?: string | null;
  /** of a state that is not the last one */
  nextMs?: number;
  attempts?: number;
}

/**
 * Let a delivery with the same key that was queued during the attempt make the next one: both would say the same.
 * @returns false if there is none
 */
async function passOn(
  tx: Em,
  { id, dedupeKey, attempts: made }: Claim,
  { nextMs, attempts = made, error, status }: Outcome,
): Promise<boolean> {
  if (dedupeKey === null || nextMs === undefined) return false;
  const next = await db(tx)
    .updateTable('delivery')
    .set({
      attempts,
      next_attempt_at: new Date(nextMs),
      error_message: error ?? null,
      response_status: status ?? null,
    })
    .where('dedupe_key', '=', dedupeKey)
    .where('state', '=', 'queued')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('delivery as own')
          .select('own.id')
          .where('own.id', '=', id)
          .where('own.attempts', '=', made)
          .where('own.state', '=', 'sending'),
      ),
    )
    .returning(['id', 'channel'])
    .executeTakeFirst();
  if (next) await enqueueSending(tx, next.channel, [next.id]);
  return next !== undefined;
}

/**
 * Record the result of an attempt. An address that was only needed for sending is deleted.
 * @returns false if another sender has claimed the delivery since
 */
async function settle(
  tx: Em,
  { id, attempts: made }: Claim,
  { state, status = null, error = null, nextMs, attempts = made }: Outcome,
): Promise<boolean> {
  const settled = await db(tx)
    .updateTable('delivery')
    .set(({ fn, ref }) => ({
      state,
      attempts,
      next_attempt_at: nextMs === undefined ? null : new Date(nextMs),
      response_status: status,
      error_message: error,
      address: state === 'sent' || state === 'dropped' ? null : ref('address'),
      dedupe_key: state === 'queued' ? ref('dedupe_key') : null,
      sent_at: state === 'sent' ? fn<Date>('now') : null,
    }))
    .where('id', '=', id)
    .where('attempts', '=', made)
    .where('state', '=', 'sending')
    .returning('id')
    .executeTakeFirst();
  return settled !== undefined;
}

/** Enqueue what follows a settled attempt: the next one, or what waited for this delivery. */
async function enqueueFollowing(tx: Em, { id, channel, webhookId, stream, postId }: Claim, isOver: boolean) {
  if (!isOver) await enqueueSending(tx, channel, [id]);
  else if (webhookId !== null && stream !== null) await enqueueNext(tx, webhookId, stream);
  else if (postId !== null) await enqueueNextChange(tx, postId);
}

/** What follows from a failed attempt: another one, unless the refusal is for good or the time is up. */
function afterFailure(claimed: Claim, result: Extract<SendResult, { outcome: 'failed' }>, nowMs: number): Outcome {
  const { attempts, queuedMs, deadlineMs } = claimed;
  const { status, error, isPermanent, retryAfterMs: askedMs = null } = result;
  const nextMs = isPermanent ? null : nextAttemptMs({ attempts, askedMs, queuedMs, nowMs, jitter: Math.random() });
  if (nextMs === null || (deadlineMs !== null && nextMs >= deadlineMs)) return { state: 'failed', status, error };
  return { state: 'queued', status, error, nextMs };
}

function outcomeOf(claimed: Claim, result: SendResult): Outcome {
  switch (result.outcome) {
    case 'sent':
      return { state: 'sent', status: result.status ?? null };
    case 'failed':
      return afterFailure(claimed, result, Date.now());
    case 'unchanged':
      return { state: 'sent' };
    case 'again': {
      const { afterMs, attempts, error = null } = result;
      return { state: 'queued', attempts, error, nextMs: Date.now() + afterMs };
    }
    case 'dropped':
    case 'uncertain':
      return { state: result.outcome, error: result.error ?? null };
  }
}

interface Sender {
  orm: MikroORM;
  log: Log;
}

/** Record a result with what else it changes. @returns its state */
async function finish(em: Em, claimed: Claim, result: SendResult): Promise<DeliveryState> {
  const outcome = outcomeOf(claimed, result);
  const record = async (tx: Em): Promise<void> => {
    await result.lock?.(tx);
    const isPassedOn = await passOn(tx, claimed, outcome);
    const recorded: Outcome = isPassedOn ? { state: 'dropped' } : outcome;
    const isSettled = await settle(tx, claimed, recorded);
    const isOver = recorded.nextMs === undefined;
    await result.record?.(tx, { isSettled, isOver });
    if (isSettled) await enqueueFollowing(tx, claimed, isOver);
  };
  // another one with the same key was queued just now: it makes the next attempt
  await transact(em, record, (error) => violatedConstraint(error) === ONE_QUEUED);
  return outcome.state;
}

/** The delivery's deadline has passed. A failed attempt before it is the reason; otherwise nobody wants it any more. */
function giveUp({ lastError, lastStatus: status }: Claim): SendResult {
  return lastError === null
    ? { outcome: 'dropped' }
    : { outcome: 'failed', isPermanent: true, status, error: lastError };
}

/** What log lines say of a result, after the channel's name. */
const LOGGED = {
  sent: 'sent',
  failed: 'not sent',
  uncertain: 'may have been sent',
  again: 'not sent yet',
  unchanged: 'up to date',
} as const;

/**
 * Make one attempt of a delivery. Safe to run late, twice, concurrently, and after a crash.
 * @returns false if it is not its turn
 */
export async function sendDelivery(
  { orm, log }: Sender,
  { name, prepare }: Channel,
  deliveryId: string,
): Promise<boolean> {
  const em = orm.em.fork();
  const claimed = await claim(em, deliveryId);
  if (!claimed) {
    // while another sender has it: one that fails instead of being killed leaves no job
    await enqueueLater(em, deliveryId);
    return false;
  }
  // neither address nor subject: the log outlives the account
  const { kind, attempts: attempt, webhookId: webhook, deadlineMs } = claimed;
  const line = { delivery: deliveryId, kind, attempt, ...(webhook !== null && { webhook }) };
  const now = new Date();
  if (deadlineMs !== null && deadlineMs <= now.getTime()) {
    log.warn(line, `${name} expired`);
    await finish(em, claimed, giveUp(claimed));
    return true;
  }
  const prepared = (await prepare(em, claimed, now)) ?? { outcome: 'dropped' };
  const result = typeof prepared === 'function' ? await prepared() : prepared;
  const state = await finish(em, claimed, result);
  if (result.outcome === 'dropped') {
    log.info(line, `${name} dropped`);
    return true;
  }
  const said = `${name} ${LOGGED[result.outcome]}`;
  if (result.outcome === 'sent')
    log.info({ ...line, ...(typeof result.status === 'number' && { status: result.status }) }, said);
  else if (result.outcome === 'unchanged' || (result.outcome === 'again' && result.isQuiet === true))
    log.debug(line, said);
  else log.warn({ ...line, ...('status' in result && { status: result.status }), state }, said);
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
