/**
 * Jobs that bring Discord to what is true here. Enqueued in the transaction that gives them cause; each looks at everything
 * there is to say about its pilot or mission, so that running one late, twice or for nothing changes nothing.
 *
 * Their keys end with the transaction: equal ones of one transaction are one job, and no transaction waits for another's,
 * as two missions that seat the same pilots would have to with one key for a pilot.
 */
import type { Em } from '#server/db/orm.ts';
import { query, sql } from '#server/db/query.ts';

/** Behind everything that changes seats. */
const PRIORITY = 10;
const ATTEMPTS = 25;

const ofTransaction = sql`':' || pg_current_xact_id()::text`;

/**
 * One statement for whoever of these pilots is linked to Discord, a row each; part of `announce`.
 * @param pilotIds a `uuid[]` expression
 */
export const pilotSyncs = (pilotIds: readonly string[]) => sql`
  select graphile_worker.add_job('sync_discord_pilot', json_build_object('pilotId', linked.user_id),
           job_key => 'discord-pilot:' || linked.user_id || ${ofTransaction}, max_attempts => ${sql.lit(ATTEMPTS)},
           priority => ${sql.lit(PRIORITY)})::text
  from (select user_id from discord_account where user_id = any(${[...pilotIds]}::uuid[]) order by user_id) as linked`;

/** Look at a pilot's messages when time alone will have changed one; a later call for the same pilot replaces it. */
export async function enqueuePilotSyncAt(tx: Em, pilotId: string, at: Date): Promise<void> {
  await query(
    tx,
    sql`select graphile_worker.add_job('sync_discord_pilot', json_build_object('pilotId', ${pilotId}::text),
          run_at => ${at}::timestamptz, job_key => ${`discord-pilot-later:${pilotId}`}::text,
          max_attempts => ${sql.lit(ATTEMPTS)}, priority => ${sql.lit(PRIORITY)})`,
  );
}

/**
 * A mission was published, changed or called off: its scheduled events, and what else in Discord names it.
 * @param isNew it has just been published: whoever wants to hear of open missions is told
 */
export async function enqueueMissionSync(tx: Em, missionId: string, { isNew = false } = {}): Promise<void> {
  await query(
    tx,
    sql`select graphile_worker.add_job('sync_discord_mission',
          json_build_object('missionId', ${missionId}::text, 'isNew', ${isNew}::boolean),
          job_key => ${`discord-mission:${missionId}`}::text || ${ofTransaction}, max_attempts => ${sql.lit(ATTEMPTS)},
          priority => ${sql.lit(PRIORITY)})
        where exists (select from guild where status = 'active') or exists (select from discord_account)`,
  );
}

/** A server has the bot (again), or lets it make scheduled events: every mission ahead is looked at. */
export async function enqueueMissionEvents(tx: Em): Promise<void> {
  await query(
    tx,
    sql`select graphile_worker.add_job('sync_discord_mission', json_build_object('missionId', ahead.id, 'isNew', false),
          job_key => 'discord-mission:' || ahead.id || ${ofTransaction}, max_attempts => ${sql.lit(ATTEMPTS)},
          priority => ${sql.lit(PRIORITY)})
        from (select id from mission where status = 'scheduled' and starts_at > now() order by starts_at, id) as ahead`,
  );
}
