/**
 * Webhook events as the rooms report them: each call notes what has happened in a transaction. `server/webhooks` composes
 * the events just before the commit and writes them to its outbox; without a webhook that wants them, nothing is written.
 */
import type { Em } from '#server/schema/orm.ts';
import type { WebhookEvent } from '#shared/webhook-events.ts';
import { createNotes } from './transaction-notes.ts';

type OrderEvent = Extract<WebhookEvent, `order.${string}`>;
type MissionEvent = 'mission.published' | 'mission.changed' | 'mission.cancelled';

/** A noted event: its type and the ids of its subject. */
export type NotedEvent =
  | { type: OrderEvent; missionId: string; orderId: string }
  | { type: MissionEvent; missionId: string; changes: readonly unknown[] }
  | { type: 'pilot.registered'; userId: string };

const notes = createNotes<NotedEvent>('A webhook event');
const note = (tx: Em, events: readonly NotedEvent[]): void => notes.note(tx, events);

/** Note that these orders of a mission were issued, answered or have expired. */
export function noteOrders(tx: Em, type: OrderEvent, missionId: string, orderIds: readonly string[]): void {
  if (orderIds.length > 0) {
    note(
      tx,
      orderIds.map((orderId) => ({ type, missionId, orderId })),
    );
  }
}

/** Note that missions were published, changed or cancelled. @param changes for a changed one, as in the audit log */
export function noteMissions(
  tx: Em,
  type: MissionEvent,
  missionIds: readonly string[],
  changes: readonly unknown[] = [],
): void {
  if (missionIds.length > 0) {
    note(
      tx,
      missionIds.map((missionId) => ({ type, missionId, changes })),
    );
  }
}

/** Note a new account. */
export function noteRegistration(tx: Em, userId: string): void {
  note(tx, [{ type: 'pilot.registered', userId }]);
}

/** @param transaction the context of a transaction that is about to commit @returns its events, which are then forgotten */
export const takeNotedEvents = notes.take;
