/** News of missions with open seats, as direct messages to linked pilots who want more than their own orders. */
import { expressionBuilder } from 'kysely';
import { countRows, db, type Database } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, isLiveHold, overlapsRow } from '#server/schema/predicates.ts';
import { missionNews } from '#server/discord/rules/news-text.ts';
import { HOUR_MS } from '#server/time/time.ts';
import { type OutboxRow, publicUrlOf, queueMessage, queueStanding } from './outbox.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import { loadPublicMission, type PublicMission } from './mission-facts.ts';
import { isReachable } from './reachability.ts';

/**
 * Missions that start sooner than this are not announced: pilots who could fly at such short notice already have an order
 * or a shared offer, and the message would only disturb everybody else.
 */
const NOTICE_MS = HOUR_MS;

/** The aliases of the tables in the conditions below. */
type Aliases = { m: Database['mission']; u: Database['app_user']; d: Database['discord_account'] };
const eb = expressionBuilder<Database & Aliases, keyof Aliases>();
const { and, not, exists, selectFrom, lit } = eb;

/** True if a mission `m` has a free seat; expired holds do not count. */
const hasFreeSeat = (now: Date) =>
  eb(
    selectFrom('flight as f')
      .select(({ fn }) => fn.coalesce(fn.sum<number>('f.size_cap'), lit(0)).as('seats'))
      .whereRef('f.mission_id', '=', 'm.id'),
    '>',
    selectFrom('seat as s')
      .innerJoin('frag_order as o', 'o.id', 's.order_id')
      .select(countRows().as('held'))
      .whereRef('s.mission_id', '=', 'm.id')
      .where(isLiveHold('o', now)),
  );

/**
 * True if a pilot `u`, linked as `d`, should get news of a mission `m`: wants news and direct messages, can receive them, is
 * active and not in Do Not Disturb, has never been asked for this mission, and has no other one at that time. Availability
 * does not matter: pilots who are available for a free aircraft already have an order, and for others the news is a reason
 * to add a window.
 */
const getsNews = (now: Date) =>
  and([
    eb('u.wants_global_events', '=', true),
    eb('d.wants_orders', '=', true),
    isActivePilot('u'),
    isReachable,
    not(exists(selectFrom('pilot_status as t').whereRef('t.user_id', '=', 'u.id').where('t.state', '=', 'dnd'))),
    not(
      exists(
        selectFrom('frag_order as o')
          .whereRef('o.mission_id', '=', 'm.id')
          .whereRef('o.pilot_id', '=', 'u.id')
          .where('o.status', '<>', 'draft'),
      ),
    ),
    not(
      exists(
        selectFrom('seat as s')
          .innerJoin('frag_order as o', 'o.id', 's.order_id')
          .whereRef('s.pilot_id', '=', 'u.id')
          .where(overlapsRow('s', 'm'))
          .where(isLiveHold('o', now)),
      ),
    ),
  ]);

const isOpen = (now: Date) =>
  and([
    eb('m.status', '=', 'scheduled'),
    eb('m.starts_at', '>', new Date(now.getTime() + NOTICE_MS)),
    hasFreeSeat(now),
  ]);

/** A mission with every pilot who is linked to Discord. */
const selectLinkedPilots = (em: Em, missionId: string) =>
  db(em)
    .selectFrom(['mission as m', 'app_user as u'])
    .innerJoin('discord_account as d', 'd.user_id', 'u.id')
    .where('m.id', '=', missionId);

/** Queue news of a mission that was published with free seats; each pilot gets it once, whatever happens later. */
export async function queueNews(tx: Em, mission: PublicMission, publicUrl: string, now: Date): Promise<void> {
  const pilots = await selectLinkedPilots(tx, mission.id)
    .select('d.discord_user_id as discordUserId')
    .where(isOpen(now))
    .where(getsNews(now))
    .where(
      not(
        exists(
          selectFrom('outbox_message as o')
            .where('o.kind', '=', 'news')
            .where('o.subject_id', '=', mission.id)
            .whereRef('o.discord_user_id', '=', 'd.discord_user_id'),
        ),
      ),
    )
    .orderBy('d.discord_user_id')
    .execute();
  for (const { discordUserId } of pilots) {
    const to = { guildId: null, channelId: null, discordUserId, subjectId: mission.id };
    await queueMessage(
      tx,
      { kind: 'news', dedupeKey: `news:${mission.id}:${discordUserId}`, ...to, payload: { publicUrl } },
      now,
    );
  }
}

/** Queue edits of the news already sent, after the mission has changed or was cancelled. */
export async function refreshNews(tx: Em, mission: PublicMission, now: Date): Promise<void> {
  if (mission.endMs <= now.getTime()) return;
  await queueStanding(tx, 'news', mission.id, now);
}

/** The current content. A first message is sent only if the pilot still wants it; a sent one is updated while linked. */
export async function composeNews(em: Em, row: OutboxRow, now: Date): Promise<DiscordMessage | null> {
  const mission = row.subjectId === null ? null : await loadPublicMission(em, row.subjectId);
  if (!mission) return null;
  const pilot = await selectLinkedPilots(em, mission.id)
    .select(and([isOpen(now), getsNews(now)]).as('getsNews'))
    .where('d.discord_user_id', '=', row.discordUserId)
    .executeTakeFirst();
  if (!pilot || (row.messageId === null && !pilot.getsNews)) return null;
  return missionNews(mission, publicUrlOf(row), row.id, textsFor(row.locale));
}
