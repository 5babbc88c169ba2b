/** Open missions, for linked pilots who asked to hear of more than their own orders; nobody else ever does. */
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, isLiveHold } from '#server/schema/predicates.ts';
import { query, sql } from '#server/schema/query.ts';
import { missionNews } from '#server/discord/rules/news-text.ts';
import { HOUR_MS } from '#server/time/time.ts';
import { type OutboxRow, publicUrlOf, queueAgain, queueMessage } from './outbox.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import { loadPublicMission, type PublicMission } from './mission-facts.ts';
import { isReachable } from './reachability.ts';

/**
 * A mission this near is no news: whoever could fly it on such notice is asked by an order, or by the open offers of the
 * last hours, and for anybody else the message would only be a disturbance.
 */
const NOTICE_MS = HOUR_MS;

/** Whether a mission `m` has a seat that nobody holds; a hold whose time is over is none. */
const hasFreeSeat = (now: Date) => sql`(
  (select coalesce(sum(f.size_cap), 0) from flight f where f.mission_id = m.id) >
  (select count(*) from seat s join frag_order o on o.id = s.order_id
   where s.mission_id = m.id and ${isLiveHold('o', now)}))`;

/**
 * Whether a pilot `u`, linked as `d`, is to hear of a mission `m`: wants to, takes direct messages at all, is active and not on Do Not Disturb, has never
 * been asked for this mission, and flies no other one then; and whether Discord delivers to them. Whether a window covers it does not count: who has one for an
 * aircraft that is free has been given an order already, and the others learn that it is worth making one.
 */
const hears = (now: Date) => sql`(u.wants_global_events and d.wants_orders and ${isActivePilot('u')}
  and ${isReachable}
  and not exists (select from pilot_status t where t.user_id = u.id and t.state = 'dnd')
  and not exists (select from frag_order o where o.mission_id = m.id and o.pilot_id = u.id and o.status <> 'draft')
  and not exists (select from seat s join frag_order o on o.id = s.order_id
                  where s.pilot_id = u.id and s.starts_at < m.ends_at and s.ends_at > m.starts_at
                    and ${isLiveHold('o', now)}))`;

const isOpen = (now: Date) => sql`(m.status = 'scheduled'
  and m.starts_at > ${new Date(now.getTime() + NOTICE_MS)} and ${hasFreeSeat(now)})`;

/** Tell whoever wants to hear of it that a mission was published with seats to spare; each once, whatever comes later. */
export async function queueNews(tx: Em, mission: PublicMission, publicUrl: string, now: Date): Promise<void> {
  const listeners = await query<{ discordUserId: string }>(
    tx,
    sql`select d.discord_user_id as "discordUserId"
        from mission m, app_user u join discord_account d on d.user_id = u.id
        where m.id = ${mission.id} and ${isOpen(now)} and ${hears(now)}
          and not exists (select from outbox_message o where o.kind = 'news' and o.subject_id = m.id::text
                            and o.discord_user_id = d.discord_user_id)
        order by d.discord_user_id`,
  );
  for (const { discordUserId } of listeners) {
    const to = { guildId: null, channelId: null, discordUserId, subjectId: mission.id };
    await queueMessage(
      tx,
      { kind: 'news', dedupeKey: `news:${mission.id}:${discordUserId}`, ...to, payload: { publicUrl } },
      now,
    );
  }
}

/** What was told of a mission is put right: another time, or that it does not take place. */
export async function refreshNews(tx: Em, mission: PublicMission, now: Date): Promise<void> {
  if (mission.endMs <= now.getTime()) return;
  const told = await query<{ id: string }>(
    tx,
    sql`select id from outbox_message
        where kind = 'news' and subject_id = ${mission.id} and (message_id is not null or state = 'sending')`,
  );
  for (const { id } of told) await queueAgain(tx, id, now);
}

/** The news as it is now. Whether to tell at all is looked at again; what was told is kept true while the account is linked. */
export async function composeNews(em: Em, row: OutboxRow, now: Date): Promise<DiscordMessage | null> {
  const mission = row.subjectId === null ? null : await loadPublicMission(em, row.subjectId);
  if (!mission) return null;
  const [listener] = await query<{ hears: boolean }>(
    em,
    sql`select ${isOpen(now)} and ${hears(now)} as hears
        from mission m, app_user u join discord_account d on d.user_id = u.id
        where m.id = ${mission.id} and d.discord_user_id = ${row.discordUserId}`,
  );
  if (!listener || (row.messageId === null && !listener.hears)) return null;
  return missionNews(mission, publicUrlOf(row), row.id);
}
