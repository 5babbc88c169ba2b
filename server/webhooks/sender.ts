/**
 * The sender of webhooks: posts the due deliveries of one webhook, one after the other. Every attempt is recorded before
 * its request, no transaction is open during one, and the result is recorded afterwards: a killed sender repeats at most
 * the request that it was making.
 */
import { performance } from 'node:perf_hooks';
import type { MikroORM } from '@mikro-orm/postgresql';
import { Webhook as Signer } from 'standardwebhooks';
import type { Env } from '#server/platform/env.ts';
import type { Log } from '#server/platform/log.ts';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import { toIso } from '#server/time/time.ts';
import { WEBHOOKS } from '#shared/limits.ts';
import { enqueueRetry, selectHeads } from './outbox.ts';
import { postWebhook, type PostResult } from './post-webhook.ts';
import { isDead, nextAttemptMs } from '#server/delivery/rules/retries.ts';

/** A job that takes longer leaves the rest to the next one. With the last request it still ends within a minute. */
const JOB_MS = 20_000;
/** When an attempt without a result counts as failed: its sender was killed. Longer than a request. */
const LEASE_MS = (WEBHOOKS.timeoutSeconds + 5) * 1000;
/** After a success, a webhook that failed for this long is assumed to be back, and gets what is waiting at once. */
const OUTAGE_MS = 10 * 60_000;
const GONE = 410;

interface Sender {
  orm: MikroORM;
  env: Pick<Env, 'WEBHOOKS_ALLOW_PRIVATE'>;
  log: Log;
}

/** The first due delivery, locked, with its webhook and event. */
const findDue = (tx: Em, webhookId: string, now: Date) =>
  selectHeads(tx)
    .innerJoin('webhook as w', 'w.id', 'd.webhook_id')
    .innerJoin('webhook_event as e', 'e.id', 'd.event_id')
    .select(({ ref }) => [
      'd.id',
      'd.webhook_id as webhookId',
      'd.attempts',
      ms(ref('d.created_at')).as('queuedMs'),
      'w.url',
      'w.secret',
      'w.previous_secret as previousSecret',
      ms(ref('w.previous_secret_until')).as('previousUntilMs'),
      'e.id as eventId',
      'e.type',
      'e.data',
      ms(ref('e.occurred_at')).as('occurredMs'),
    ])
    .where('d.webhook_id', '=', webhookId)
    .where('w.is_enabled', '=', true)
    .where('d.next_attempt_at', '<=', now)
    .orderBy('d.seq')
    .limit(1)
    .forUpdate('d')
    .executeTakeFirst();

type Claim = NonNullable<Awaited<ReturnType<typeof findDue>>>;

/** Record an attempt that is about to be made. @returns null if nothing is due */
async function claim(tx: Em, webhookId: string, now: Date): Promise<Claim | null> {
  const due = await findDue(tx, webhookId, now);
  if (!due) return null;
  const attempts = due.attempts + 1;
  await db(tx)
    .updateTable('webhook_delivery')
    .set({ attempts, next_attempt_at: new Date(now.getTime() + LEASE_MS) })
    .where('id', '=', due.id)
    .execute();
  return { ...due, attempts };
}

/** The body, the same for every attempt. */
function bodyOf({ eventId, type, occurredMs, data }: Claim): string {
  return JSON.stringify({ id: eventId, type, occurredAt: toIso(occurredMs), data });
}

/** The headers of Standard Webhooks: for a day after a rotation, with a signature by each secret. */
function headersOf(claimed: Claim, body: string, now: Date): Record<string, string> {
  const { eventId, secret, previousSecret, previousUntilMs } = claimed;
  const isOverlap = previousSecret !== null && previousUntilMs !== null && previousUntilMs > now.getTime();
  const secrets = isOverlap ? [secret, previousSecret] : [secret];
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Marshal webhooks',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((one) => new Signer(one).sign(eventId, now, body)).join(' '),
  };
}

/** Close a claimed delivery, or make it wait. @returns false if another sender has claimed it since */
async function settle(
  tx: Em,
  { id, attempts }: Claim,
  set: {
    state: 'waiting' | 'delivered' | 'failed';
    next_attempt_at: Date | null;
    response_status: number | null;
    error_message: string | null;
    delivered_at: Date | null;
  },
): Promise<boolean> {
  const settled = await db(tx)
    .updateTable('webhook_delivery')
    .set(set)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .returning('id')
    .executeTakeFirst();
  return settled !== undefined;
}

async function recordDelivered(tx: Em, claimed: Claim, status: number | null, now: Date): Promise<void> {
  const delivered = { response_status: status, error_message: null, delivered_at: now, next_attempt_at: null };
  if (!(await settle(tx, claimed, { state: 'delivered', ...delivered }))) return;
  const failing = await db(tx)
    .selectFrom('webhook')
    .select(({ ref }) => ms(ref('failing_since')).as('sinceMs'))
    .where('id', '=', claimed.webhookId)
    .where('failing_since', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (!failing) return;
  await db(tx).updateTable('webhook').set({ failing_since: null }).where('id', '=', claimed.webhookId).execute();
  if (failing.sinceMs === null || now.getTime() - failing.sinceMs < OUTAGE_MS) return;
  await db(tx)
    .updateTable('webhook_delivery')
    .set({ next_attempt_at: now })
    .where('webhook_id', '=', claimed.webhookId)
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '>', now)
    .execute();
}

async function disable(tx: Em, { webhookId, url }: Claim, reason: string, now: Date): Promise<void> {
  const disabled = await db(tx)
    .updateTable('webhook')
    .set({ is_enabled: false, disabled_reason: reason, updated_at: now })
    .where('id', '=', webhookId)
    .where('is_enabled', '=', true)
    .returning('id')
    .executeTakeFirst();
  if (disabled) emit(tx, { type: 'webhook.disabled', webhook: { id: webhookId, host: hostOf(url) }, reason });
}

const hostOf = (url: string) => new URL(url).host;

async function recordFailed(tx: Em, claimed: Claim, result: PostResult, now: Date): Promise<void> {
  const { attempts, queuedMs, webhookId } = claimed;
  const { status, error, retryAfterMs: askedMs = null } = result;
  const next =
    status === GONE
      ? null
      : nextAttemptMs({ attempts, askedMs, queuedMs, nowMs: now.getTime(), jitter: Math.random() });
  const isOver = next === null;
  const kept = await settle(tx, claimed, {
    state: isOver ? 'failed' : 'waiting',
    next_attempt_at: isOver ? null : new Date(next),
    response_status: status,
    error_message: error,
    delivered_at: null,
  });
  if (!kept) return;
  const webhook = await db(tx)
    .updateTable('webhook')
    .set(({ fn, ref, cast, val }) => ({
      failing_since: fn<Date>('coalesce', [ref('failing_since'), cast(val(now), 'timestamptz')]),
    }))
    .where('id', '=', webhookId)
    .returning(({ ref }) => ms(ref('failing_since')).as('sinceMs'))
    .executeTakeFirst();
  if (status === GONE) {
    await disable(tx, claimed, 'The receiver answered 410 (Gone): it wants no more events.', now);
  } else if (isOver && webhook && isDead(webhook.sinceMs ?? now.getTime(), now.getTime())) {
    await disable(tx, claimed, `Every delivery has failed for ${WEBHOOKS.failingDays} days.`, now);
  }
}

/** Make one attempt. @returns false if nothing is due */
async function sendNext({ orm, env, log }: Sender, webhookId: string): Promise<boolean> {
  const em = orm.em.fork();
  const now = new Date();
  const claimed = await transact(em, (tx) => claim(tx, webhookId, now));
  if (claimed === null) return false;
  const body = bodyOf(claimed);
  const result = await postWebhook(claimed.url, headersOf(claimed, body, now), body, {
    allowPrivate: env.WEBHOOKS_ALLOW_PRIVATE,
  });
  const after = new Date();
  const line = { webhook: webhookId, event: claimed.eventId, type: claimed.type, attempt: claimed.attempts };
  if (result.error === null) {
    await transact(em, (tx) => recordDelivered(tx, claimed, result.status, after));
    log.info({ ...line, status: result.status }, 'a webhook was delivered');
  } else {
    await transact(em, (tx) => recordFailed(tx, claimed, result, after));
    log.warn({ ...line, status: result.status, problem: result.error }, 'a webhook was not delivered');
  }
  return true;
}

/** Come back for what is still waiting: at once if the time is up, otherwise when the next delivery is due. */
async function scheduleRest(em: Em, webhookId: string): Promise<void> {
  const next = await selectHeads(em)
    .innerJoin('webhook as w', 'w.id', 'd.webhook_id')
    .select(({ ref }) => ms(ref('d.next_attempt_at')).as('atMs'))
    .where('d.webhook_id', '=', webhookId)
    .where('w.is_enabled', '=', true)
    .orderBy('d.next_attempt_at')
    .limit(1)
    .executeTakeFirst();
  const atMs = next?.atMs ?? null;
  if (atMs !== null) await enqueueRetry(em, webhookId, new Date(atMs));
}

/** Send a webhook's due deliveries. Safe to run late, twice, concurrently, and after a crash. */
export async function sendWebhooks(sender: Sender, webhookId: string): Promise<void> {
  const begunMs = performance.now();
  while (performance.now() - begunMs < JOB_MS && (await sendNext(sender, webhookId)));
  await scheduleRest(sender.orm.em.fork(), webhookId);
}
