/**
 * Events for webhooks: written, with their deliveries, in the transaction that causes them. Events of a stream (a mission) go to
 * a webhook one after the other.
 */
import { queueRequests } from '#server/signals/outbox.ts';
import { newId } from '#server/schema/base.ts';
import { db, ms, tableOf } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import type { SentEvent } from '#shared/webhook-events.ts';

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

/**
 * Write events, in their order, with their deliveries.
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
  const requests = rows
    .filter(({ id }) => isWritten.has(id))
    .flatMap(({ id, type, stream, webhookIds }) =>
      webhookIds.map((webhookId) => ({ kind: type, eventId: id, stream, webhookId })),
    );
  return queueRequests(tx, requests);
}
