/**
 * Enqueues the jobs that bring Discord up to date. Each job handles all messages of its pilots or its mission. None has a
 * key that other transactions use too: two missions that seat the same pilots would have to wait for each other.
 */
import { expressionBuilder, type Expression, type Kysely } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { db, idList, isOneOf, type Database } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isAcceptedGuild } from '#server/schema/predicates.ts';
import { mayBeMember } from '#server/schema/reachability.ts';
import type { DiscordNews } from './rules/effects.ts';
import { addJob, enqueueJobs, jobKey, jobKeyIn, originText } from './jobs.ts';

/** The job that syncs a mission, of this transaction alone. @param queue jobs of one queue run in the order they were added */
function missionSync(missionId: Expression<string>, { isNew = false, queue }: { isNew?: boolean; queue?: string }) {
  const { fn, lit, val } = expressionBuilder<Database>();
  return addJob('sync_discord_mission', {
    payload: jsonBuildObject({ missionId, isNew: lit(isNew) }),
    key: jobKeyIn('sync_discord_mission', missionId, fn('pg_current_xact_id')),
    ...(queue === undefined ? {} : { queue: val(queue) }),
  });
}

/** More pilots per job would make the jobs that fill seats wait. */
const PILOTS_PER_JOB = 20;

/** The pilots who share a flight with one of these in a mission that is not over: their cards name each other. */
const selectCrews = (source: Kysely<Database>, pilotIds: readonly string[]) =>
  source
    .selectFrom('frag_order as own')
    .innerJoin('mission as m', 'm.id', 'own.mission_id')
    .innerJoin('frag_order as mate', (join) =>
      join.onRef('mate.mission_id', '=', 'own.mission_id').onRef('mate.flight_id', '=', 'own.flight_id'),
    )
    .select('mate.pilot_id')
    .where(isOneOf('own.pilot_id', pilotIds))
    .where('m.ends_at', '>', ({ fn }) => fn<Date>('now'))
    .where('mate.status', '=', 'issued')
    .where('mate.rsvp', 'in', ['pending', 'accepted']);

/** Pilots whose messages change, the pilots whose crews' messages change too, and the origin of the jobs (`originText`). */
type PilotSyncs = { pilotIds: readonly string[]; crewsOf: readonly string[]; origin: string };

/** A statement that enqueues jobs for the pilots among these who are linked to Discord; part of `publishLive`. */
export const pilotSyncs = (source: Kysely<Database>, { pilotIds, crewsOf, origin }: PilotSyncs) =>
  source
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
        // each by its key, however many accounts are linked
        .where('user_id', 'in', ({ fn }) =>
          source
            .selectNoFrom(fn<string>('unnest', [idList(pilotIds)]).as('pilot_id'))
            .union(selectCrews(source, crewsOf)),
        )
        .as('pilots'),
    )
    .select(({ fn }) => {
      const ids = fn.agg<string[]>('array_agg', ['user_id']).orderBy('user_id');
      return addJob('sync_discord_pilots', { payload: jsonBuildObject({ pilotIds: ids }), origin }).as('job');
    })
    .groupBy('part');

/** Update the Discord messages of the pilots among these who are linked. */
export async function enqueuePilotSyncs(tx: Em, pilotIds: readonly string[]): Promise<void> {
  if (pilotIds.length > 0) await pilotSyncs(db(tx), { pilotIds, crewsOf: [], origin: originText() }).execute();
}

/** A statement that enqueues the job for the missions' cards that name these pilots; part of `publishLive`. */
export const cardSync = (source: Kysely<Database>, pilotIds: readonly string[], origin: string) =>
  source
    .selectNoFrom(
      addJob('sync_discord_cards', { payload: jsonBuildObject({ pilotIds: idList(pilotIds) }), origin }).as('job'),
    )
    .where(({ fn }) => fn<number>('cardinality', [idList(pilotIds)]), '>', 0)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('guild as g').where('g.missions_channel_id', 'is not', null).where(isAcceptedGuild)),
    );

/** Sync a mission when the clock changes what Discord shows of it; a later call for the same mission replaces this job. */
export async function enqueueMissionSyncAt(tx: Em, missionId: string, at: Date): Promise<void> {
  const job = { payload: { missionId, isNew: false }, key: jobKey('sync_discord_mission_at', missionId), at };
  await enqueueJobs(tx, 'sync_discord_mission', [job]);
}

/** Sync a pilot's messages at the time when the clock changes one; a later call for the same pilot replaces this job. */
export async function enqueuePilotSyncAt(tx: Em, pilotId: string, at: Date): Promise<void> {
  const job = { payload: { pilotIds: [pilotId] }, key: jobKey('sync_discord_pilots_at', pilotId), at };
  await enqueueJobs(tx, 'sync_discord_pilots', [job]);
}

/**
 * Sync the pilots of a server who can get messages again, because the bot is back or they have joined.
 * @param discordUserIds only these members; null for all, and without lists of members for all linked pilots
 */
async function enqueueMemberSyncs(tx: Em, guildId: string, discordUserIds: readonly string[] | null): Promise<void> {
  const pilots = await db(tx)
    .selectFrom('discord_account as d')
    .select('d.user_id as id')
    .where(mayBeMember(guildId))
    .$if(discordUserIds !== null, (select) => select.where(isOneOf('d.discord_user_id', discordUserIds ?? [])))
    .execute();
  await enqueuePilotSyncs(
    tx,
    pilots.map(({ id }) => id),
  );
}

/**
 * After a mission was published, changed or cancelled: sync its scheduled events and the messages that name it.
 * @param isNew the mission has just been published: pilots who want news of open missions are notified
 */
export async function enqueueMissionSync(tx: Em, missionId: string, { isNew = false } = {}): Promise<void> {
  await db(tx)
    .selectNoFrom(({ cast, val }) => missionSync(cast<string>(val(missionId), 'text'), { isNew }).as('job'))
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(selectFrom('guild as g').where('g.status', '=', 'active').where(isAcceptedGuild)),
        exists(selectFrom('discord_account')),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('mission').where('id', '=', missionId).where('is_practice', '=', true))),
    )
    .execute();
}

/** After a week was published: send its news to the pilots who want them. */
async function enqueueWeekSync(tx: Em, weekId: string): Promise<void> {
  await enqueueJobs(tx, 'sync_discord_week', [{ payload: { weekId }, key: jobKey('sync_discord_week', weekId) }]);
}

/** Make the bot leave a Discord server. */
async function enqueueLeaving(tx: Em, guildId: string): Promise<void> {
  await enqueueJobs(tx, 'leave_discord_server', [
    { payload: { guildId }, key: jobKey('leave_discord_server', guildId) },
  ]);
}

/** One after the other, so that a server gets the cards of its upcoming missions in order of their dates. */
const UPCOMING_QUEUE = 'discord-upcoming';

/** After a server was accepted, added the bot again, or allowed it to post cards or create scheduled events: sync all upcoming missions. */
async function enqueueUpcoming(tx: Em): Promise<void> {
  await db(tx)
    .selectFrom('mission')
    .select(({ ref }) => missionSync(ref('id'), { queue: UPCOMING_QUEUE }).as('job'))
    .where('status', '=', 'scheduled')
    .where('starts_at', '>', ({ fn }) => fn<Date>('now'))
    .where('is_practice', '=', false)
    .orderBy('starts_at')
    .orderBy('id')
    .execute();
}

/** The pilots whose messages, crews' messages and cards change. */
export function pilotsShown(news: readonly DiscordNews[]): Omit<PilotSyncs, 'origin'> & { onCards: string[] } {
  const accounts = news.flatMap((one) => ('accounts' in one ? one.accounts : []));
  const seats = news.flatMap((one) => ('seats' in one ? one.seats : []));
  const messages = news.flatMap((one) => ('messages' in one ? one.messages : []));
  return {
    pilotIds: [...new Set([...accounts, ...seats, ...messages])],
    crewsOf: [...new Set(seats)],
    onCards: [...new Set([...accounts, ...seats])],
  };
}

/** Enqueue what follows for Discord, besides the messages of pilots, which `publishLive` brings up to date. */
export async function enqueueDiscord(tx: Em, news: readonly DiscordNews[]): Promise<void> {
  const missions = new Map<string, boolean>();
  for (const one of news) {
    if ('mission' in one) missions.set(one.mission, missions.get(one.mission) === true || one.isNew === true);
    else if ('week' in one) await enqueueWeekSync(tx, one.week);
    else if ('membersOf' in one) await enqueueMemberSyncs(tx, one.membersOf, one.of);
    else if ('leave' in one) await enqueueLeaving(tx, one.leave);
  }
  for (const [missionId, isNew] of missions) await enqueueMissionSync(tx, missionId, { isNew });
  if (news.some((one) => 'upcoming' in one)) await enqueueUpcoming(tx);
}
