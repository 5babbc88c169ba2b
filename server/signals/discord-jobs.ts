/**
 * Jobs that bring Discord to what is true here. Enqueued in the transaction that gives them cause; each looks at everything
 * there is to say about its pilots or mission, so that running one late, twice or for nothing changes nothing. None has a
 * key that other transactions share: two missions that seat the same pilots would wait for each other.
 */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';

/** Behind everything that changes seats. */
const PRIORITY = 10;
const ATTEMPTS = 25;

const ofTransaction = sql`':' || pg_current_xact_id()::text`;

/** As many as one job looks at; more would keep those that fill seats waiting. */
const PILOTS_PER_JOB = 20;

/** One statement that enqueues jobs for whoever of these pilots is linked to Discord, a row each; part of `publishLive`. */
export const pilotSyncs = (pilotIds: readonly string[]) => sql`
  select graphile_worker.add_job('sync_discord_pilots', json_build_object('pilotIds', linked.ids),
           max_attempts => ${sql.lit(ATTEMPTS)}, priority => ${sql.lit(PRIORITY)})::text
  from (select array_agg(user_id order by user_id) as ids
        from (select user_id, row_number() over (order by user_id) / ${sql.lit(PILOTS_PER_JOB)} as part
              from discord_account where user_id = any(${[...pilotIds]}::uuid[])) as pilots
        group by part) as linked`;

/** Look at a pilot's messages when time alone will have changed one; a later call for the same pilot replaces it. */
export async function enqueuePilotSyncAt(tx: Em, pilotId: string, at: Date): Promise<void> {
  await query(
    tx,
    sql`select graphile_worker.add_job('sync_discord_pilots', json_build_object('pilotIds', array[${pilotId}::text]),
          run_at => ${at}::timestamptz, job_key => ${`discord-pilot-later:${pilotId}`}::text,
          max_attempts => ${sql.lit(ATTEMPTS)}, priority => ${sql.lit(PRIORITY)})`,
  );
}

/**
 * Look at the pilots of a server who can be written to (again): it has the bot back, or they have joined.
 * @param discordUserIds which of its members; null for all
 */
export async function enqueueMemberSyncs(
  tx: Em,
  guildId: string,
  discordUserIds: readonly string[] | null,
): Promise<void> {
  const pilots = await query<{ id: string }>(
    tx,
    sql`select d.user_id as id from guild_member m join discord_account d on d.discord_user_id = m.discord_user_id
        where m.guild_id = ${guildId} and m.left_at is null
          and (${discordUserIds === null}::bool or m.discord_user_id = any(${[...(discordUserIds ?? [])]}::text[]))`,
  );
  if (pilots.length > 0) await query(tx, pilotSyncs(pilots.map(({ id }) => id)));
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
