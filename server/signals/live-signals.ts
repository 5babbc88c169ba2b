/**
 * Tell open pages, in whatever process they listen, that something changed. A notification is part of the caller's
 * transaction: PostgreSQL sends it at the commit, never before, and folds equal ones.
 */
import { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { LIVE_TOPICS, type LiveTopic } from '#shared/live.ts';
import { pilotSyncs } from './discord-jobs.ts';

export const LIVE_CHANNEL = 'marshal_live';
/** A notification holds less than 8,000 bytes, and an id takes 40 of them. */
const IDS_PER_NOTICE = 150;

/** `session`: no page hears it; the processes look whether the sessions of these people still stand. */
type NoticeTopic = Exclude<LiveTopic, 'all'> | 'session';
/** Ids of accounts, every admin, or every page that is open. */
type Audience = readonly string[] | 'admins' | 'everybody';

const liveSignal = z.object({
  topic: z.enum([...LIVE_TOPICS, 'session']).exclude(['all']),
  /** the transaction that made the change */
  version: z.int(),
  to: z.union([z.array(z.string()), z.enum(['admins', 'everybody'])]),
});
export type LiveSignal = z.infer<typeof liveSignal>;

/** @returns null for a payload that is none of these notices */
export function readLiveSignal(payload: string): LiveSignal | null {
  try {
    return liveSignal.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}

function splitAudience(to: Audience): Audience[] {
  if (typeof to === 'string') return [to];
  const ids = [...new Set(to)].sort();
  return Array.from({ length: Math.ceil(ids.length / IDS_PER_NOTICE) }, (_, chunk) =>
    ids.slice(chunk * IDS_PER_NOTICE, (chunk + 1) * IDS_PER_NOTICE),
  );
}

/** What a pilot's messages in Discord follow from: their orders, whether they may be disturbed, who they are there. */
const SHOWN_IN_DISCORD: ReadonlySet<NoticeTopic> = new Set(['orders', 'status', 'profile']);

/**
 * Announce changes; call it inside the transaction that makes them. Nobody to tell: nothing is sent. Those of the pilots
 * concerned who are linked to Discord get a job in the same statement, which brings their messages there up to date.
 * @param notices what changed, and for whom
 */
export async function publishLive(tx: Em, ...notices: readonly [NoticeTopic, Audience][]): Promise<void> {
  const split = notices.flatMap(([topic, to]) => splitAudience(to).map((part) => ({ topic, to: part })));
  if (split.length === 0) return;
  const pilots = notices.flatMap(([topic, to]) => (typeof to !== 'string' && SHOWN_IN_DISCORD.has(topic) ? to : []));
  await query(
    tx,
    sql`select pg_notify(${LIVE_CHANNEL},
               (notice || jsonb_build_object('version', pg_current_xact_id()::text::bigint))::text)::text
        from jsonb_array_elements(${JSON.stringify(split)}::jsonb) as notice
        ${pilots.length > 0 ? sql`union all ${pilotSyncs([...new Set(pilots)])}` : sql``}`,
  );
}

/** Orders or seats of these pilots changed, and with them the boards of the admins. */
export async function publishLiveOrders(tx: Em, pilotIds: readonly string[]): Promise<void> {
  if (pilotIds.length > 0) await publishLive(tx, ['orders', pilotIds], ['missions', 'admins']);
}

/** When this pilot can fly has changed, and with it what the admins' boards expect. */
export async function publishLiveAvailability(tx: Em, pilotId: string): Promise<void> {
  await publishLive(tx, ['availability', [pilotId]], ['missions', 'admins']);
}

/** A mission's standby queue changed: everybody in it may stand at another place. */
export async function publishLiveQueue(tx: Em, missionId: string): Promise<void> {
  await query(
    tx,
    sql`select pg_notify(${LIVE_CHANNEL}, jsonb_build_object('topic', 'orders', 'to', jsonb_agg(pilot_id),
                                                             'version', pg_current_xact_id()::text::bigint)::text)
        from (select pilot_id, row_number() over (order by pilot_id) / ${sql.lit(IDS_PER_NOTICE)} as chunk
              from frag_order where mission_id = ${missionId} and status = 'issued' and rsvp = 'standby') as waiting
        group by chunk`,
  );
}
