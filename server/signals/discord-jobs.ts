/**
 * Enqueues the jobs that bring Discord up to date with Marshal. Each handles everything there is to say about its pilots
 * or mission. None has a key that other transactions share: two missions that seat the same pilots would wait for each
 * other.
 */
import type { RawBuilder } from 'kysely';
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { enqueueJobs, JOB_KEYS, jobsFrom } from './jobs.ts';

const ofTransaction = sql`':' || pg_current_xact_id()::text`;

/** As many as one job handles; more would keep the jobs that fill seats waiting. */
const PILOTS_PER_JOB = 20;

/** One statement that enqueues jobs for those of these pilots who are linked to Discord; part of `publishLive`. */
export const pilotSyncs = (pilotIds: readonly string[]): RawBuilder<unknown> =>
  jobsFrom(
    'sync_discord_pilots',
    sql`select json_build_object('pilotIds', array_agg(user_id order by user_id)) as payload, null::text as key
        from (select user_id, row_number() over (order by user_id) / ${sql.lit(PILOTS_PER_JOB)} as part
              from discord_account where user_id = any(${[...pilotIds]}::uuid[])) as pilots
        group by part`,
  );

/** Sync a pilot's messages when time alone will have changed one; a later call for the same pilot replaces it. */
export async function enqueuePilotSyncAt(tx: Em, pilotId: string, at: Date): Promise<void> {
  const job = { payload: { pilotIds: [pilotId] }, key: JOB_KEYS.syncPilotAt(pilotId), at };
  await enqueueJobs(tx, 'sync_discord_pilots', [job]);
}

/**
 * Sync the pilots of a server who can be written to again: the bot is back, or they have joined.
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
 * A mission was published, changed or cancelled: sync its scheduled events and the messages that name it.
 * @param isNew it has just been published: subscribers of open missions are notified
 */
export async function enqueueMissionSync(tx: Em, missionId: string, { isNew = false } = {}): Promise<void> {
  const row = sql`select json_build_object('missionId', ${missionId}::text, 'isNew', ${isNew}::boolean) as payload,
                         'discord-mission:' || ${missionId}::text || ${ofTransaction} as key
                  where exists (select from guild where status = 'active') or exists (select from discord_account)`;
  await query(tx, jobsFrom('sync_discord_mission', row));
}

/** A server has the bot again, or lets it make scheduled events: sync every mission ahead. */
export async function enqueueMissionEvents(tx: Em): Promise<void> {
  const rows = sql`select json_build_object('missionId', id, 'isNew', false) as payload,
                          'discord-mission:' || id || ${ofTransaction} as key
                   from mission where status = 'scheduled' and starts_at > now() order by starts_at, id`;
  await query(tx, jobsFrom('sync_discord_mission', rows));
}
