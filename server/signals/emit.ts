/**
 * Events: `emit` is the only call after a change. What follows from an event stands in `server/signals/rules/`; it is carried
 * out just before the transaction commits, so that all of it exists if and only if the change does.
 */
import type { EventSubscriber, TransactionEventArgs } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '#server/schema/base.ts';
import type { Em } from '#server/schema/orm.ts';
import { recordAudit } from './audit.ts';
import { enqueueWork } from './work-jobs.ts';
import { enqueueDiscord } from './discord-jobs.ts';
import type { Channel, Consequences, Effects, Stamp } from './rules/effects.ts';
import { CONSEQUENCES, type MarshalEvent } from './rules/events.ts';
import { publishLive } from './live-signals.ts';
import { queuePushes } from './pushes.ts';

type Emitted = MarshalEvent & Stamp;

/** The events of each transaction (or savepoint) that has not committed yet. */
const emitted = new WeakMap<object, Emitted[]>();

/** Report what has happened, in the transaction that makes the change. */
export function emit(tx: Em, ...events: readonly MarshalEvent[]): void {
  const transaction = tx.getTransactionContext<object>();
  if (transaction === undefined) throw new Error('An event was emitted outside a transaction');
  // the ORM knows a subscriber once, however often it is registered
  tx.getEventManager().registerSubscriber(subscriber);
  const stamped = events.map((event) => ({ ...event, id: newId(), occurredAt: new Date() }));
  emitted.getOrInsertComputed(transaction, () => []).push(...stamped);
}

type Item<C extends Channel> = Effects[C] extends readonly (infer One)[] ? One : Effects[C];

/** The effects of these events on one channel. */
function effectsFrom<C extends Channel>(events: readonly Emitted[], channel: C): Item<C>[] {
  return events.flatMap((event: Emitted) => {
    // the row of an event takes that event, which TypeScript cannot follow
    const row = CONSEQUENCES[event.type] as Consequences<Record<string, object>>[string];
    return (row[channel]?.(event) ?? []) as Item<C>[];
  });
}

/** The effects of a transaction's events on one channel. @param transaction its context, just before it commits */
export const effectsOf = <C extends Channel>(transaction: object | undefined, channel: C): Item<C>[] =>
  effectsFrom((transaction && emitted.get(transaction)) ?? [], channel);

/** Carries out all effects but email and webhooks, which have subscribers in their own rooms. */
const subscriber: EventSubscriber = {
  async beforeTransactionCommit({ em, transaction }: TransactionEventArgs) {
    const events = transaction === undefined ? [] : emitted.get(transaction);
    if (events === undefined || events.length === 0) return;
    if (!(em instanceof EntityManager)) throw new Error('The transaction has no PostgreSQL');
    const tx = em.fork({ keepTransactionContext: true });
    await recordAudit(
      tx,
      events.flatMap((event) =>
        effectsFrom([event], 'audit').map((record) => ({ ...record, id: event.id, occurredAt: event.occurredAt })),
      ),
    );
    await queuePushes(tx, effectsFrom(events, 'push'));
    const discord = effectsFrom(events, 'discord');
    await publishLive(tx, effectsFrom(events, 'live'), discord);
    await enqueueDiscord(tx, discord);
    await enqueueWork(tx, effectsFrom(events, 'work'));
  },
};
