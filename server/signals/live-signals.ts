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
import { cardSync, pilotsShown, pilotSyncs } from './discord-jobs.ts';
import type { DiscordNews, LiveChange } from './rules/effects.ts';
import { originText } from './jobs.ts';
import { addressChange, IDS_PER_SIGNAL, type Audience, type Change, type SignalTopic } from './rules/live-audience.ts';

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

/** One list of pilots for each topic. */
function merged(changes: readonly Change[]): Change[] {
  const topics = new Set(changes.filter((change) => typeof change === 'string'));
  const byTopic = Map.groupBy(
    changes.filter((change) => typeof change !== 'string'),
    ([topic]) => topic,
  );
  return [...topics, ...[...byTopic].map(([topic, same]) => [topic, same.flatMap(([, ids]) => ids)] as const)];
}

/**
 * Publish changes to open pages, in the transaction that makes them. A change without an audience is not sent.
 * The same statement enqueues jobs that update the Discord messages and cards of linked pilots.
 */
export async function publishLive(
  tx: Em,
  changes: readonly LiveChange[],
  discord: readonly DiscordNews[],
): Promise<void> {
  const queues = changes.flatMap((change) =>
    typeof change === 'object' && 'queueOf' in change ? [change.queueOf] : [],
  );
  const shown = changes.flatMap((change) => (typeof change === 'object' && 'queueOf' in change ? [] : [change]));
  const signals = merged(shown).flatMap(addressChange);
  const { pilotIds, crewsOf, onCards } = pilotsShown(discord);
  if (signals.length > 0 || pilotIds.length > 0) {
    await sendSignals(tx, { signals: rowsText(signals), pilotIds, crewsOf, onCards, origin: originText() });
  }
  for (const missionId of new Set(queues)) await publishQueue(tx, missionId);
}

/** Publish a change of a mission's standby queue, in which every pilot's position may have changed. */
async function publishQueue(tx: Em, missionId: string): Promise<void> {
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
