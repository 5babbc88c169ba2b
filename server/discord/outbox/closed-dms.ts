/** Pilots whom Discord does not let us write to: noted, and told so once a day where they are, without what it is about. */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { closedDmsMention } from '#server/discord/rules/news-text.ts';
import { DAY_MS } from '#server/time/time.ts';
import { recordGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { queueMessage, type OutboxRow } from './outbox.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';

const WHY = 'Direct messages are closed';
/** A pilot is called in public at most once in this time. */
const PAUSE_MS = DAY_MS;

/** The guilds that this person is a present member of, each with the channel to post in; the best one first. */
async function findPlaces(tx: Em, discordUserId: string): Promise<{ guildId: string; channelId: string | null }[]> {
  return query(
    tx,
    sql`select g.id as "guildId", c.id as "channelId"
        from guild_member m join guild g on g.id = m.guild_id
        left join lateral (
          select id from guild_channel where guild_id = g.id and is_postable
          order by id is distinct from g.default_splash_channel_id, position, id limit 1) c on true
        where m.discord_user_id = ${discordUserId} and m.left_at is null and g.status = 'active'
        order by c.id is null, c.id is distinct from g.default_splash_channel_id, g.installed_at, g.id`,
  );
}

async function wasMentionedLately(tx: Em, discordUserId: string, now: Date): Promise<boolean> {
  const mentions = await query(
    tx,
    sql`select 1 as one from outbox_message
        where dedupe_key = ${mentionKey(discordUserId)} and created_at > ${new Date(now.getTime() - PAUSE_MS)}
          and state <> 'cancelled' limit 1`,
  );
  return mentions.length > 0;
}

const mentionKey = (discordUserId: string) => `mention:${discordUserId}`;

/**
 * Discord refused a direct message, in the transaction that marks the row as failed. The servers of the pilot have it in
 * their events; for an order one of them gets a word in public.
 */
export async function onDmClosed(tx: Em, row: OutboxRow, now: Date): Promise<void> {
  const { discordUserId } = row;
  if (discordUserId === null) return;
  const [account] = await query<{ username: string }>(
    tx,
    sql`update discord_account set dm_closed_at = coalesce(dm_closed_at, ${now})
        where discord_user_id = ${discordUserId} returning username`,
  );
  if (!account) return;
  const places = await findPlaces(tx, discordUserId);
  for (const { guildId } of places) await recordGuildEvent(tx, guildId, 'dm_failed', account.username, WHY, now);
  const [place] = places;
  if (row.kind !== 'order' || !place || place.channelId === null) return;
  if (await wasMentionedLately(tx, discordUserId, now)) return;
  const { guildId, channelId } = place;
  const about = { guildId, channelId, discordUserId, subjectId: null };
  await queueMessage(tx, { kind: 'mention', dedupeKey: mentionKey(discordUserId), ...about, payload: {} }, now);
}

/** The word in public, while messages are closed to a pilot who has an order to answer; else null. */
export async function composeMention(em: Em, row: OutboxRow, now: Date): Promise<DiscordMessage | null> {
  const waiting = await query(
    em,
    sql`select 1 as one from discord_account d join frag_order o on o.pilot_id = d.user_id
        join mission m on m.id = o.mission_id
        where d.discord_user_id = ${row.discordUserId} and d.dm_closed_at is not null and d.wants_orders
          and o.status = 'issued' and o.rsvp = 'pending' and o.expires_at > ${now}
          and m.status = 'scheduled' and m.starts_at > ${now} limit 1`,
  );
  return waiting.length === 0 || row.discordUserId === null ? null : closedDmsMention(row.discordUserId, row.id);
}
