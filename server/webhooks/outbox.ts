/**
 * The outbox of webhooks: an event, its deliveries and the jobs that send them are written in the transaction that causes
 * them, so none exists without the others. Deliveries of a stream (a mission) go to a webhook one after the other.
 */
import { newId } from '#server/schema/base.ts';
import { ago, db, ms, tableOf } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { enqueueJobs, jobKey } from '#server/signals/jobs.ts';
import { WEBHOOKS } from '#shared/limits.ts';
import type { SentEvent } from '#shared/webhook-events.ts';

/** How long a due delivery may wait before the maintenance job assumes that nobody sends it. */
const OVERDUE_SECONDS = 30;

/** A webhook that may get events. */
export interface Listener {
  id: string;
  events: readonly string[];
  listensSinceMs: number;
}

const selectListeners = named('listeners', (source) =>
  source
    .selectFrom('webhook')
    .select(({ ref }) => ['id', 'events', ms(ref('listens_since')).as('listensSinceMs')])
    .where('is_enabled', '=', true)
    .orderBy('id'),
);

/** The webhooks that may get events. Every transaction with an event asks before it commits. */
export const listListeners = (em: Em): Promise<Listener[]> => selectListeners(em, {});

/** An event to send, with the webhooks that get it. */
export interface NewEvent {
  type: SentEvent;
  /** the mission's id; null for an event that belongs to none, which waits for no other */
  missionId: string | null;
  data: Record<string, unknown>;
  occurredAt: Date;
  /** set for events that happen once: a second one is dropped */
  dedupeKey?: string;
  webhookIds: readonly string[];
}

/** Enqueue the job that sends a webhook's due deliveries. The jobs of one webhook run one after the other. */
async function enqueueSending(tx: Em, webhookId: string, cause: string): Promise<void> {
  // a key of this cause alone: transactions do not wait for each other
  const key = jobKey('sendWebhooks', `${webhookId}:${cause}`);
  await enqueueJobs(tx, 'send_webhooks', [{ payload: { webhookId }, key, queue: jobKey('sendWebhooks', webhookId) }]);
}

/** Send a webhook's due deliveries at a later time, or earlier than planned; there is only one such job per webhook. */
export async function enqueueRetry(tx: Em, webhookId: string, at?: Date): Promise<void> {
  const job = {
    payload: { webhookId },
    key: jobKey('retryWebhooks', webhookId),
    queue: jobKey('sendWebhooks', webhookId),
    ...(at && { at }),
  };
  await enqueueJobs(tx, 'send_webhooks', [job]);
}

/**
 * Write events, in their order, with their deliveries and jobs.
 * @returns the ids of the deliveries
 */
export async function queueEvents(tx: Em, events: readonly NewEvent[], now: Date): Promise<string[]> {
  const rows = events.map((event, ordinal) => {
    const id = newId();
    return { ...event, id, ordinal, stream: event.missionId ?? id, dedupeKey: event.dedupeKey ?? null };
  });
  if (rows.length === 0) return [];
  const at = { occurredAt: 'timestamptz', ordinal: 'integer', stream: 'text' } as const;
  const written = await db(tx)
    .insertInto('webhook_event')
    .columns(['id', 'type', 'stream', 'dedupe_key', 'data', 'occurred_at', 'created_at'])
    .expression(
      db(tx)
        .selectFrom(tableOf('e', rows, { id: 'uuid', type: 'text', dedupeKey: 'text', data: 'jsonb', ...at }))
        .select(({ cast, val }) => [
          'e.id',
          'e.type',
          'e.stream',
          'e.dedupeKey',
          'e.data',
          'e.occurredAt',
          cast<Date>(val(now), 'timestamptz').as('createdAt'),
        ]),
    )
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .returning('id')
    .execute();
  const isWritten = new Set(written.map(({ id }) => id));
  return queueDeliveries(
    tx,
    rows
      .filter(({ id }) => isWritten.has(id))
      .flatMap(({ id, stream, webhookIds }) => webhookIds.map((webhookId) => ({ eventId: id, stream, webhookId }))),
    now,
  );
}

interface NewDelivery {
  eventId: string;
  stream: string;
  webhookId: string;
  isReplay?: boolean;
}

/** Queue deliveries of events that are written, in the given order. @returns their ids */
export async function queueDeliveries(tx: Em, deliveries: readonly NewDelivery[], now: Date): Promise<string[]> {
  const rows = deliveries.map(({ isReplay = false, ...rest }, ordinal) => ({
    ...rest,
    id: newId(),
    ordinal,
    isReplay,
  }));
  const [first] = rows;
  if (!first) return [];
  await db(tx)
    .insertInto('webhook_delivery')
    .columns(['id', 'webhook_id', 'event_id', 'stream', 'is_replay', 'next_attempt_at', 'created_at'])
    .expression(
      db(tx)
        .selectFrom(
          tableOf('d', rows, {
            id: 'uuid',
            webhookId: 'uuid',
            eventId: 'uuid',
            stream: 'text',
            isReplay: 'boolean',
            ordinal: 'integer',
          }),
        )
        .select(({ cast, val }) => [
          'd.id',
          'd.webhookId',
          'd.eventId',
          'd.stream',
          'd.isReplay',
          cast<Date>(val(now), 'timestamptz').as('nextAttemptAt'),
          cast<Date>(val(now), 'timestamptz').as('createdAt'),
        ])
        .orderBy('d.ordinal'),
    )
    .execute();
  for (const webhookId of [...new Set(rows.map((row) => row.webhookId))].sort()) {
    await enqueueSending(tx, webhookId, first.id);
  }
  return rows.map(({ id }) => id);
}

/** The deliveries of webhooks that are waiting behind no earlier one of their stream. */
export const selectHeads = (em: Em) =>
  db(em)
    .selectFrom('webhook_delivery as d')
    .where('d.state', '=', 'waiting')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_delivery as f')
            .whereRef('f.webhook_id', '=', 'd.webhook_id')
            .whereRef('f.stream', '=', 'd.stream')
            .where('f.state', '=', 'waiting')
            .whereRef('f.seq', '<', 'd.seq'),
        ),
      ),
    );

/** Enqueue jobs for webhooks whose due deliveries nobody sends, because their sender was killed. Safe to run at any time. */
export async function enqueueOverdueWebhooks(em: Em): Promise<void> {
  const overdue = await selectHeads(em)
    .innerJoin('webhook as w', 'w.id', 'd.webhook_id')
    .select('w.id')
    .distinct()
    .where('w.is_enabled', '=', true)
    .where('d.next_attempt_at', '<', ago(`${OVERDUE_SECONDS} seconds`))
    .orderBy('w.id')
    .execute();
  for (const { id } of overdue) await enqueueRetry(em, id);
}

/** Delete finished deliveries that are too old for the log, and events that no webhook has any longer. */
export async function purgeWebhookLog(em: Em): Promise<void> {
  await db(em)
    .deleteFrom('webhook_delivery')
    .where('state', '<>', 'waiting')
    .where('created_at', '<', ago(`${WEBHOOKS.logDays} days`))
    .execute();
  await db(em)
    .deleteFrom('webhook_event as e')
    .where('e.created_at', '<', ago(`${WEBHOOKS.logDays} days`))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('webhook_delivery as d').whereRef('d.event_id', '=', 'e.id'))),
    )
    .execute();
}
