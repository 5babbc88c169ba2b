/** The log of a webhook's deliveries, sending one again, and test events. */
import type { z } from 'zod';
import { queueRequests } from '#server/signals/outbox.ts';
import { AppError } from '#server/platform/errors.ts';
import { type KeyedCaller, onceFor } from '#server/platform/idempotency.ts';
import { countRows, db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { toIso } from '#server/time/time.ts';
import type { deliveriesInput, deliveriesPage, deliveryInput, WebhookDeliveryDto } from '#shared/schemas/webhooks.ts';
import type { DeliveryState } from '#server/schema/delivery.ts';
import { WEBHOOK_TEST, type DeliveryState as ShownState } from '#shared/webhook-events.ts';
import { queueEvents, type NewEvent } from './queue-events.ts';
import { lockWebhook } from './webhooks.ts';

const isoOrNull = (instant: number | null) => (instant === null ? null : toIso(instant));

/** Selects deliveries `d` with their events `e`. */
const selectDeliveries = (em: Em) =>
  db(em)
    .selectFrom('delivery as d')
    .innerJoin('webhook_event as e', 'e.id', 'd.event_id')
    .select(({ ref }) => [
      'd.id',
      'e.id as eventId',
      'e.type',
      'e.stream',
      'd.state',
      'd.attempts',
      'd.response_status as responseStatus',
      'd.error_message as error',
      'd.is_replay as isReplay',
      ms(ref('e.occurred_at')).as('occurredMs'),
      ms(ref('d.next_attempt_at')).as('nextMs'),
      ms(ref('d.sent_at')).as('deliveredMs'),
      ms(ref('d.created_at')).as('createdMs'),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['execute']>>[number];

/** A delivery's state as admins see it. */
const SHOWN_STATES = {
  queued: 'waiting',
  sending: 'waiting',
  sent: 'delivered',
  failed: 'failed',
  dropped: 'failed',
  uncertain: 'failed',
} as const satisfies Record<DeliveryState, ShownState>;

function present({ stream, state, occurredMs, nextMs, deliveredMs, createdMs, ...row }: Row): WebhookDeliveryDto {
  return {
    ...row,
    state: SHOWN_STATES[state],
    occurredAt: toIso(occurredMs),
    // an event without a mission is a stream of its own
    missionId: stream === row.eventId ? null : stream,
    nextAttemptAt: isoOrNull(nextMs),
    deliveredAt: isoOrNull(deliveredMs),
    createdAt: toIso(createdMs),
  };
}

async function readDelivery(em: Em, id: string | undefined): Promise<WebhookDeliveryDto> {
  const row = await selectDeliveries(em)
    .where('d.id', '=', id ?? '')
    .executeTakeFirst();
  if (!row) throw new AppError('DELIVERY_NOT_FOUND');
  return present(row);
}

/** One page of a webhook's deliveries, newest first. Unknown id: 404. */
export async function listDeliveries(
  em: Em,
  { id, page, pageSize }: z.infer<typeof deliveriesInput>,
): Promise<z.infer<typeof deliveriesPage>> {
  const known = await db(em)
    .selectFrom('webhook as w')
    .select(({ selectFrom }) =>
      selectFrom('delivery as d')
        .select(countRows().as('count'))
        .whereRef('d.webhook_id', '=', 'w.id')
        .$asScalar()
        .$notNull()
        .as('total'),
    )
    .where('w.id', '=', id)
    .executeTakeFirst();
  if (!known) throw new AppError('WEBHOOK_NOT_FOUND');
  const rows = await selectDeliveries(em)
    .where('d.webhook_id', '=', id)
    .orderBy('d.seq', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  return { deliveries: rows.map(present), total: known.total, page, pageSize };
}

/** A webhook that sends: 404 for an unknown one, 409 for one that is paused or disabled. */
async function lockEnabled(tx: Em, id: string): Promise<void> {
  const { isEnabled } = await lockWebhook(tx, id);
  if (!isEnabled) throw new AppError('WEBHOOK_PAUSED');
}

/** Send an event again, with its former id, after everything else of its mission. The log gets another entry. */
export async function replayDelivery(
  em: Em,
  input: z.infer<typeof deliveryInput>,
  caller: KeyedCaller,
): Promise<WebhookDeliveryDto> {
  const { id, deliveryId } = input;
  const replay = async (tx: Em) => {
    await lockEnabled(tx, id);
    const former = await db(tx)
      .selectFrom('delivery as d')
      .innerJoin('webhook_event as e', 'e.id', 'd.event_id')
      .select(['e.id as eventId', 'e.stream', 'e.type as kind', 'd.state'])
      .where('d.webhook_id', '=', id)
      .where(isOneOf('d.id', [deliveryId]))
      .executeTakeFirst();
    if (!former) throw new AppError('DELIVERY_NOT_FOUND');
    const { state, ...request } = former;
    if (SHOWN_STATES[state] === 'waiting') throw new AppError('DELIVERY_WAITING');
    return queueRequests(tx, [{ ...request, webhookId: id, isReplay: true }]);
  };
  const [queued] = await transact(em, (tx) => onceFor(tx, caller, 'webhook replay', input, () => replay(tx)));
  return readDelivery(em, queued);
}

/** Send a test event to a webhook, whatever its events are. */
export async function sendTestEvent(em: Em, id: string, caller: KeyedCaller): Promise<WebhookDeliveryDto> {
  const send = async (tx: Em) => {
    await lockEnabled(tx, id);
    const event: NewEvent = {
      type: WEBHOOK_TEST,
      missionId: null,
      data: { webhookId: id },
      occurredAt: caller.now,
      webhookIds: [id],
    };
    return queueEvents(tx, [event], caller.now);
  };
  const [queued] = await transact(em, (tx) => onceFor(tx, caller, 'webhook test', id, () => send(tx)));
  return readDelivery(em, queued);
}
