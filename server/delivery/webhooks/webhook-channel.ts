/** Webhooks as a channel of deliveries: signed requests, and what their results say about the receiver. */
import { Webhook as Signer } from 'standardwebhooks';
import { resumeWebhook } from '#server/signals/outbox.ts';
import { isDead } from '#server/delivery/rules/retries.ts';
import type { Channel, Claim, SendResult } from '#server/delivery/sender.ts';
import type { Env } from '#server/platform/env.ts';
import { db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { emit } from '#server/signals/emit.ts';
import { toIso } from '#server/time/time.ts';
import { WEBHOOKS } from '#shared/limits.ts';
import { postWebhook } from './post-webhook.ts';

/** After a success, a webhook that failed for this long is assumed to be back, and gets what is waiting. */
const OUTAGE_MS = 10 * 60_000;
const GONE = 410;

/** The event of a delivery, and its webhook. */
const findRequest = (em: Em, { id }: Claim) =>
  db(em)
    .selectFrom('delivery as d')
    .innerJoin('webhook as w', 'w.id', 'd.webhook_id')
    .innerJoin('webhook_event as e', 'e.id', 'd.event_id')
    .select(({ ref }) => [
      'w.url',
      'w.secret',
      'w.previous_secret as previousSecret',
      ms(ref('w.previous_secret_until')).as('previousUntilMs'),
      'e.id as eventId',
      'e.type',
      'e.data',
      ms(ref('e.occurred_at')).as('occurredMs'),
    ])
    .where(isOneOf('d.id', [id]))
    .executeTakeFirst();

type Request = NonNullable<Awaited<ReturnType<typeof findRequest>>>;

/** The body, the same for every attempt. */
function bodyOf({ eventId, type, occurredMs, data }: Request): string {
  return JSON.stringify({ id: eventId, type, occurredAt: toIso(occurredMs), data });
}

/** The headers of Standard Webhooks: for a day after a rotation, with a signature by each secret. */
function headersOf(request: Request, body: string, now: Date): Record<string, string> {
  const { eventId, secret, previousSecret, previousUntilMs } = request;
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

async function recordSuccess(tx: Em, webhookId: string, now: Date): Promise<void> {
  const failing = await db(tx)
    .selectFrom('webhook')
    .select(({ ref }) => ms(ref('failing_since')).as('sinceMs'))
    .where('id', '=', webhookId)
    .where('failing_since', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (!failing) return;
  await db(tx).updateTable('webhook').set({ failing_since: null }).where('id', '=', webhookId).execute();
  if (failing.sinceMs !== null && now.getTime() - failing.sinceMs >= OUTAGE_MS) await resumeWebhook(tx, webhookId, now);
}

async function disable(tx: Em, webhookId: string, reason: string, now: Date): Promise<void> {
  const disabled = await db(tx)
    .updateTable('webhook')
    .set({ is_enabled: false, disabled_reason: reason, updated_at: now })
    .where('id', '=', webhookId)
    .where('is_enabled', '=', true)
    .returning('url')
    .executeTakeFirst();
  if (disabled) {
    const webhook = { id: webhookId, host: new URL(disabled.url).host };
    emit(tx, { type: 'webhook.disabled', webhook, reason });
  }
}

async function recordFailure(tx: Em, webhookId: string, status: number | null, isOver: boolean, now: Date) {
  const webhook = await db(tx)
    .updateTable('webhook')
    .set(({ fn, ref, cast, val }) => ({
      failing_since: fn<Date>('coalesce', [ref('failing_since'), cast(val(now), 'timestamptz')]),
    }))
    .where('id', '=', webhookId)
    .returning(({ ref }) => ms(ref('failing_since')).as('sinceMs'))
    .executeTakeFirst();
  if (status === GONE) await disable(tx, webhookId, 'The receiver answered 410 (Gone): it wants no more events.', now);
  else if (isOver && webhook && isDead(webhook.sinceMs ?? now.getTime(), now.getTime()))
    await disable(tx, webhookId, `Every delivery has failed for ${WEBHOOKS.failingDays} days.`, now);
}

export function createWebhookChannel({ env }: { env: Pick<Env, 'WEBHOOKS_ALLOW_PRIVATE'> }): Channel {
  return {
    name: 'Webhook',
    async prepare(em, claimed, now) {
      const request = await findRequest(em, claimed);
      const { webhookId } = claimed;
      if (!request || webhookId === null) return null;
      const body = bodyOf(request);
      const headers = headersOf(request, body, now);
      return async (): Promise<SendResult> => {
        const allowPrivate = env.WEBHOOKS_ALLOW_PRIVATE;
        const { status, error, ...asked } = await postWebhook(request.url, headers, body, { allowPrivate });
        const record: SendResult['record'] = async (tx, { isSettled, isOver }) => {
          if (!isSettled) return;
          if (error === null) await recordSuccess(tx, webhookId, new Date());
          else await recordFailure(tx, webhookId, status, isOver, new Date());
        };
        return error === null
          ? { outcome: 'sent', status, record }
          : { outcome: 'failed', isPermanent: status === GONE, status, error, ...asked, record };
      };
    },
  };
}
