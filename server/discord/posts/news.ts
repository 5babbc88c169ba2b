/** News of missions with open seats, as direct messages to linked pilots who want more than their own orders. */
import { expressionBuilder } from 'kysely';
import { db, isOneOf, type Database } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { missionNews, weekNews } from '#server/discord/rules/news-text.ts';
import { isNewsFor, isOpenMission } from '#server/orders/seats/news-audience.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import { type NewPost, type Post, publicUrlOf, queuePost, queueStanding } from './posts.ts';
import { loadPublicMission, type PublicMission } from './mission-facts.ts';
import { isReachable } from '#server/schema/reachability.ts';

/** The aliases of the tables in the conditions below. */
type Aliases = { m: Database['mission']; u: Database['app_user']; d: Database['discord_account'] };
const eb = expressionBuilder<Database & Aliases, keyof Aliases>();
const { and, not, exists, selectFrom } = eb;

/** True if a mission `m` is news for a pilot `u`, linked as `d`, who wants direct messages and can receive them. */
const getsNews = (now: Date) => and([isOpenMission(now), isNewsFor(now), eb('d.wants_orders', '=', true), isReachable]);

/** True if no message of a kind about a subject has been queued for an account `d`. */
const hasNone = (kind: 'news' | 'week', subjectId: string) =>
  not(
    exists(
      selectFrom('discord_post as o')
        .where('o.kind', '=', kind)
        .where('o.subject_id', '=', subjectId)
        .whereRef('o.discord_user_id', '=', 'd.discord_user_id'),
    ),
  );

/** Missions with every pilot who is linked to Discord. */
const selectLinkedPilots = (em: Em) =>
  db(em).selectFrom(['mission as m', 'app_user as u']).innerJoin('discord_account as d', 'd.user_id', 'u.id');

const messageTo = (kind: 'news' | 'week', subjectId: string, discordUserId: string, payload: NewPost['payload']) => ({
  kind,
  dedupeKey: `${kind}:${subjectId}:${discordUserId}`,
  guildId: null,
  channelId: null,
  discordUserId,
  subjectId,
  payload,
});

/** Queue news of a mission that was published with free seats; each pilot gets it once, whatever happens later. */
export async function queueNews(tx: Em, mission: PublicMission, publicUrl: string, now: Date): Promise<void> {
  const pilots = await selectLinkedPilots(tx)
    .select('d.discord_user_id as discordUserId')
    .where('m.id', '=', mission.id)
    .where(getsNews(now))
    .where(hasNone('news', mission.id))
    .orderBy('d.discord_user_id')
    .execute();
  for (const { discordUserId } of pilots) {
    await queuePost(tx, messageTo('news', mission.id, discordUserId, { publicUrl }), now);
  }
}

/** Queue news of the missions that were published together: one message for each pilot, which lists those that are news. */
export async function queueWeekNews(tx: Em, weekId: string, publicUrl: string, now: Date): Promise<void> {
  const pilots = await selectLinkedPilots(tx)
    .select(({ fn }) => [
      'd.discord_user_id as discordUserId',
      fn.agg<string[]>('array_agg', ['m.id']).orderBy('m.starts_at').orderBy('m.id').as('missionIds'),
    ])
    .where('m.week_id', '=', weekId)
    .where(getsNews(now))
    .where(hasNone('week', weekId))
    .groupBy('d.discord_user_id')
    .orderBy('d.discord_user_id')
    .execute();
  for (const { discordUserId, missionIds } of pilots) {
    await queuePost(tx, messageTo('week', weekId, discordUserId, { publicUrl, missionIds }), now);
  }
}

/** Queue edits of the news already sent, after the mission has changed or was cancelled. */
export async function refreshNews(tx: Em, { id, weekId, endMs }: PublicMission, now: Date): Promise<void> {
  if (endMs <= now.getTime()) return;
  await queueStanding(tx, 'news', id);
  if (weekId !== null) await queueStanding(tx, 'week', weekId);
}

/**
 * The missions that a message to a linked pilot shows. A first message has only those that are still news for the pilot; one
 * that was sent keeps all of them.
 */
async function loadShown(em: Em, row: Post, missionIds: readonly string[], now: Date): Promise<PublicMission[]> {
  const shown = await selectLinkedPilots(em)
    .select('m.id')
    .where(isOneOf('m.id', missionIds))
    .where('d.discord_user_id', '=', row.discordUserId)
    .$if(row.messageId === null, (select) => select.where(getsNews(now)))
    .orderBy('m.starts_at')
    .orderBy('m.id')
    .execute();
  const missions = await Promise.all(shown.map(({ id }) => loadPublicMission(em, id)));
  return missions.filter((mission) => mission !== null);
}

export async function composeNews(em: Em, row: Post, now: Date): Promise<DiscordMessage | null> {
  const [mission] = row.subjectId === null ? [] : await loadShown(em, row, [row.subjectId], now);
  return mission ? missionNews(mission, publicUrlOf(row), row.id, textsFor(row.locale)) : null;
}

export async function composeWeekNews(em: Em, row: Post, now: Date): Promise<DiscordMessage | null> {
  const { missionIds } = row.payload;
  if (!Array.isArray(missionIds)) throw new Error('News of a week do not know their missions');
  const missions = await loadShown(em, row, missionIds.map(String), now);
  return missions.length === 0 ? null : weekNews(missions, publicUrlOf(row), row.id, textsFor(row.locale));
}
