/**
 * Records webhook events: just before a transaction commits, the notes that follow from its events (`server/signals/rules/`)
 * become webhook events with their data as the transaction leaves them. Part of the transaction, like every other change that
 * it makes.
 */
import type { EventSubscriber, TransactionEventArgs } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { presentUser } from '#server/accounts/present.ts';
import { viewerOf } from '#server/platform/viewer.ts';
import { findUser } from '#server/accounts/users.ts';
import { getMission } from '#server/missions/mission-detail.ts';
import { readCommentForWebhooks } from '#server/missions/mission-thread.ts';
import { listMissionOrders } from '#server/missions/mission-orders.ts';
import type { Em } from '#server/schema/orm.ts';
import { effectsOf } from '#server/signals/emit.ts';
import type { WebhookNote } from '#server/signals/rules/effects.ts';
import type { MissionDetailDto, MissionOrderDto } from '#shared/schemas/mission-admin.ts';
import type { WebhookEvent } from '#shared/webhook-events.ts';
import { listListeners, queueEvents, type Listener, type NewEvent } from './queue-events.ts';

function subjectOf(event: WebhookNote): string {
  if ('orderId' in event) return event.orderId;
  if ('commentId' in event) return event.commentId;
  return 'userId' in event ? event.userId : event.missionId;
}

/** Each distinct event once, in the order of their first mention; the changes of a mission are joined. */
function mergeNoted(noted: readonly WebhookNote[]): WebhookNote[] {
  const merged = new Map<string, WebhookNote>();
  for (const event of noted) {
    const key = `${event.type} ${subjectOf(event)}`;
    const earlier = merged.get(key);
    const isAgain = earlier !== undefined && 'changes' in earlier && 'changes' in event;
    merged.set(key, isAgain ? { ...earlier, changes: [...earlier.changes, ...event.changes] } : (earlier ?? event));
  }
  return [...merged.values()];
}

const isFull = ({ packages }: MissionDetailDto) =>
  packages.every(({ flights }) => flights.every(({ acceptedCount, sizeCap }) => acceptedCount === sizeCap));

/** The part of a mission that an order's event contains; the whole one can be loaded by its id. */
const summaryOf = ({ id, name, theater, status, startUtc, endUtc }: MissionDetailDto) => ({
  id,
  name,
  theater,
  status,
  startUtc,
  endUtc,
});

/** Missions and their orders as the transaction leaves them, each loaded once. */
function createReader(tx: Em, now: Date) {
  const missions = new Map<string, Promise<MissionDetailDto>>();
  const orders = new Map<string, Promise<Map<string, MissionOrderDto>>>();
  return {
    mission: (id: string) => missions.getOrInsertComputed(id, () => getMission(tx, { id }, now)),
    orders: (id: string) =>
      orders.getOrInsertComputed(id, async () => {
        const list = await listMissionOrders(tx, id, now);
        return new Map(list.map((order) => [order.id, order]));
      }),
  };
}

type Composed = Pick<NewEvent, 'data' | 'missionId'> & { type: WebhookEvent };

/** The events of one note: besides itself, an acceptance may have filled its mission. */
async function compose(tx: Em, reader: ReturnType<typeof createReader>, noted: WebhookNote): Promise<Composed[]> {
  const { type } = noted;
  if (type === 'pilot.registered') {
    const user = await findUser(tx, noted.userId);
    return [{ type, missionId: null, data: { user: presentUser(viewerOf(user)) } }];
  }
  const { missionId } = noted;
  const mission = await reader.mission(missionId);
  if (mission.isPractice) return [];
  if ('commentId' in noted) {
    const comment = await readCommentForWebhooks(tx, noted.commentId);
    return [{ type, missionId, data: { comment: { ...comment, action: noted.action }, mission: summaryOf(mission) } }];
  }
  if (!('orderId' in noted)) {
    // nobody outside knows a draft
    if (mission.status === 'draft') return [];
    const changes = type === 'mission.changed' ? { changes: noted.changes } : {};
    return [{ type, missionId, data: { mission, ...changes } }];
  }
  const order = (await reader.orders(missionId)).get(noted.orderId);
  if (!order) return [];
  return [{ type, missionId, data: { order, mission: summaryOf(mission) } }];
}

/** The missions of these notes whose last open seat one of them has accepted: none was full before it. */
async function findFilled(reader: ReturnType<typeof createReader>, noted: readonly WebhookNote[]): Promise<Composed[]> {
  const answered = noted.flatMap((event) => (event.type === 'order.answered' ? [event] : []));
  const filled: Composed[] = [];
  for (const [missionId, events] of Map.groupBy(answered, (event) => event.missionId)) {
    const orders = await reader.orders(missionId);
    const isAccepted = events.some(({ orderId }) => orders.get(orderId)?.rsvp === 'accepted');
    const mission = await reader.mission(missionId);
    if (isAccepted && !mission.isPractice && isFull(mission))
      filled.push({ type: 'mission.filled', missionId, data: { mission } });
  }
  return filled;
}

const wanting = (listeners: readonly Listener[], type: WebhookEvent) =>
  listeners.filter(({ events }) => events.includes(type)).map(({ id }) => id);

async function record(tx: Em, noted: readonly WebhookNote[]): Promise<void> {
  const listeners = await listListeners(tx);
  if (listeners.length === 0) return;
  const now = new Date();
  const reader = createReader(tx, now);
  const wanted = mergeNoted(noted).filter(({ type }) => wanting(listeners, type).length > 0);
  const composed: Composed[] = [];
  for (const event of wanted) composed.push(...(await compose(tx, reader, event)));
  if (wanting(listeners, 'mission.filled').length > 0) composed.push(...(await findFilled(reader, noted)));
  await queueEvents(
    tx,
    composed.map((event) => ({ ...event, occurredAt: now, webhookIds: wanting(listeners, event.type) })),
    now,
  );
}

/** Subscribes to the transactions of the ORM. One that notes no event costs nothing. */
export const webhookRecorder: EventSubscriber = {
  async beforeTransactionCommit({ em, transaction }: TransactionEventArgs) {
    const noted = effectsOf(transaction, 'webhooks');
    if (noted.length === 0) return;
    if (!(em instanceof EntityManager)) throw new Error('The transaction has no PostgreSQL');
    await record(em.fork({ keepTransactionContext: true }), noted);
  },
};
