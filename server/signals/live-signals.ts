/**
 * Publishes live updates to the open pages of every process by pg_notify. A notification is part of the caller's
 * transaction: PostgreSQL sends it at the commit and drops duplicates.
 */
import { expressionBuilder, type Expression } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { z } from 'zod';
import { db, rowsText, tableOf, type Database, type RowsText } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { LIVE_TOPICS } from '#shared/live.ts';
import { cardSync, pilotSyncs } from './discord-jobs.ts';
import { originText } from './jobs.ts';
import {
  addressChange,
  IDS_PER_SIGNAL,
  type Audience,
  type Change,
  type PilotTopic,
  type SignalTopic,
} from './live-audience.ts';

export const LIVE_CHANNEL = 'marshal_live';

const liveSignal = z.object({
  topic: z.enum([...LIVE_TOPICS, 'session']).exclude(['all']),
  /** the transaction that made the change */
  version: z.int(),
  to: z.union([z.array(z.string()), z.enum(['admins', 'everybody'])]),
});
export type LiveSignal = z.infer<typeof liveSignal>;

/** @returns null for any other payload */
export function readLiveSignal(payload: string): LiveSignal | null {
  try {
    return liveSignal.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}

/** Topics that affect a pilot's Discord messages: their orders, Do Not Disturb, their account. */
const SHOWN_IN_DISCORD: ReadonlySet<PilotTopic> = new Set(['orders', 'status', 'profile']);

/** Topics that affect the cards of missions: who holds which seat, and under which call sign. */
const SHOWN_ON_CARDS: ReadonlySet<PilotTopic> = new Set(['orders', 'profile']);

/** The pilots of the changes with one of these topics, each once. */
const pilotsOf = (changes: readonly Change[], topics: ReadonlySet<PilotTopic>): string[] => [
  ...new Set(changes.flatMap((change) => (typeof change !== 'string' && topics.has(change[0]) ? change[1] : []))),
];

/** Sends a notification, as an expression: once per row of the statement that selects it. */
function notify(topic: Expression<SignalTopic>, to: Expression<Audience>) {
  const { fn, cast, val } = expressionBuilder<Database>();
  const version = cast<number>(cast(fn('pg_current_xact_id'), 'text'), 'bigint');
  const notice = cast<string>(jsonBuildObject({ topic, to, version }), 'text');
  return cast<string>(fn('pg_notify', [val(LIVE_CHANNEL), notice]), 'text');
}

type Publication = {
  signals: RowsText<ReturnType<typeof addressChange>[number]>;
  pilotIds: readonly string[];
  crewsOf: readonly string[];
  onCards: readonly string[];
  origin: string;
};

const sendSignals = named('publish_live', (source, { signals, pilotIds, crewsOf, onCards, origin }: Publication) =>
  source
    .selectFrom(tableOf('signal', signals, { topic: 'text', to: 'jsonb' }))
    .select(({ ref }) => notify(ref('signal.topic'), ref('signal.to')).as('job'))
    .unionAll(pilotSyncs(source, { pilotIds, crewsOf, origin }))
    .unionAll(cardSync(source, onCards, origin)),
);

/**
 * Publish changes to open pages, in the transaction that makes them. A change without an audience is not sent.
 * The same statement enqueues jobs that update the Discord messages of linked pilots.
 */
export async function publishLive(tx: Em, ...changes: readonly Change[]): Promise<void> {
  const signals = changes.flatMap(addressChange);
  if (signals.length === 0) return;
  const pilotIds = pilotsOf(changes, SHOWN_IN_DISCORD);
  const withCrews = changes.some((change) => typeof change !== 'string' && change[0] === 'orders');
  await sendSignals(tx, {
    signals: rowsText(signals),
    pilotIds,
    crewsOf: withCrews ? pilotIds : [],
    onCards: pilotsOf(changes, SHOWN_ON_CARDS),
    origin: originText(),
  });
}

/** Publish a change of these pilots' orders or seats, which also changes the admins' boards. */
export async function publishLiveOrders(tx: Em, pilotIds: readonly string[]): Promise<void> {
  if (pilotIds.length > 0) await publishLive(tx, ['orders', pilotIds], 'missions');
}

/** Publish a change of a pilot's availability, which also changes the forecast on the admins' boards. */
export async function publishLiveAvailability(tx: Em, pilotId: string): Promise<void> {
  await publishLive(tx, ['availability', [pilotId]], 'missions');
}

/** Publish a change of a mission's standby queue, in which every pilot's position may have changed. */
export async function publishLiveQueue(tx: Em, missionId: string): Promise<void> {
  await db(tx)
    .selectFrom(({ selectFrom }) =>
      selectFrom('frag_order')
        .select(({ eb, fn, lit }) => [
          'pilot_id',
          eb(
            fn.agg<number>('row_number').over((rank) => rank.orderBy('pilot_id')),
            '/',
            lit(IDS_PER_SIGNAL),
          ).as('chunk'),
        ])
        .where('mission_id', '=', missionId)
        .where('status', '=', 'issued')
        .where('rsvp', '=', 'standby')
        .as('waiting'),
    )
    .select(({ fn, cast, val }) =>
      notify(cast<SignalTopic>(val('orders'), 'text'), fn.agg<string[]>('jsonb_agg', ['pilot_id'])).as('notice'),
    )
    .groupBy('chunk')
    .execute();
}
