/**
 * Enqueues the jobs that bring Discord up to date with Marshal. Each handles everything there is to say about its pilots
 * or mission. None has a key that other transactions share: two missions that seat the same pilots would wait for each
 * other.
 */
import { expressionBuilder, sql, type Expression } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { db, isOneOf, type Database } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { addJob, enqueueJobs, JOB_KEYS } from './jobs.ts';

/** The job that syncs a mission, of this transaction alone. */
function missionSync(missionId: Expression<string>, isNew: boolean) {
  const { fn, lit } = expressionBuilder<Database>();
  const parts = [sql.lit('discord-mission:'), missionId, sql.lit(':'), fn('pg_current_xact_id')];
  return addJob('sync_discord_mission', {
    payload: jsonBuildObject({ missionId, isNew: lit(isNew) }),
    key: fn<string>('concat', parts),
  });
}

/** As many as one job handles; more would keep the jobs that fill seats waiting. */
const PILOTS_PER_JOB = 20;

/** A statement that enqueues jobs for those of these pilots who are linked to Discord; part of `publishLive`. */
export const pilotSyncs = (em: Em, pilotIds: readonly string[]) =>
  db(em)
    .selectFrom(({ selectFrom }) =>
      selectFrom('discord_account')
        .select(({ eb, fn, lit }) => [
          'user_id',
          eb(
            fn.agg<number>('row_number').over((rank) => rank.orderBy('user_id')),
            '/',
            lit(PILOTS_PER_JOB),
          ).as('part'),
        ])
        .where(isOneOf('user_id', pilotIds))
        .as('pilots'),
    )
    .select(({ fn }) => {
      const ids = fn.agg<string[]>('array_agg', ['user_id']).orderBy('user_id');
      return addJob('sync_discord_pilots', { payload: jsonBuildObject({ pilotIds: ids }) }).as('job');
    })
    .groupBy('part');

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
  const pilots = await db(tx)
    .selectFrom('guild_member as m')
    .innerJoin('discord_account as d', 'd.discord_user_id', 'm.discord_user_id')
    .select('d.user_id as id')
    .where('m.guild_id', '=', guildId)
    .where('m.left_at', 'is', null)
    .$if(discordUserIds !== null, (select) => select.where(isOneOf('m.discord_user_id', discordUserIds ?? [])))
    .execute();
  const ids = pilots.map(({ id }) => id);
  if (ids.length > 0) await pilotSyncs(tx, ids).execute();
}

/**
 * A mission was published, changed or cancelled: sync its scheduled events and the messages that name it.
 * @param isNew it has just been published: subscribers of open missions are notified
 */
export async function enqueueMissionSync(tx: Em, missionId: string, { isNew = false } = {}): Promise<void> {
  await db(tx)
    .selectNoFrom(({ cast, val }) => missionSync(cast<string>(val(missionId), 'text'), isNew).as('job'))
    .where(({ or, exists, selectFrom }) =>
      or([exists(selectFrom('guild').where('status', '=', 'active')), exists(selectFrom('discord_account'))]),
    )
    .execute();
}

/** A server has the bot again, or lets it make scheduled events: sync every mission ahead. */
export async function enqueueMissionEvents(tx: Em): Promise<void> {
  await db(tx)
    .selectFrom('mission')
    .select(({ ref }) => missionSync(ref('id'), false).as('job'))
    .where('status', '=', 'scheduled')
    .where('starts_at', '>', ({ fn }) => fn<Date>('now'))
    .orderBy('starts_at')
    .orderBy('id')
    .execute();
}
