/**
 * Guilds as the bot sees them, stored. The bot may say a thing twice, late, or in another order: everything here is an
 * upsert by Discord's id, and what is recorded follows from what is stored, not from why the bot called.
 */
import type { z } from 'zod';
import { Guild } from '#server/schema/guild.ts';
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import {
  describeGuildChange,
  shardOf,
  type GuildChange,
  type GuildNews,
  type StoredChannel,
  type StoredGuild,
} from '#server/discord/rules/guild-changes.ts';
import { discordIcon } from '#server/discord/rules/guild-icon.ts';
import { publishLive } from '#server/signals/live-signals.ts';
import { addGuildEvent, recordGuildEvent, recordGuildRun } from './guild-events.ts';
import type {
  BotGuild,
  guildGoneInput,
  reconcileInput,
  recordEventInput,
  saveGuildInput,
} from '#shared/schemas/bot.ts';
import { GUILD_KEPT_DAYS } from '#shared/limits.ts';
import type { GuildStatus } from '#shared/vocabulary.ts';
import { requireActing } from '#server/discord/bot/lease.ts';
import { enqueueMemberSyncs, enqueueMissionEvents } from '#server/signals/discord-jobs.ts';

/** Whatever is stored of a guild changes behind its row. @returns false for a guild nobody knows */
export async function lockGuild(tx: Em, guildId: string): Promise<boolean> {
  const rows = await query(tx, sql`select id from guild where id = ${guildId} for no key update`);
  return rows.length > 0;
}

type GuildRow = Omit<StoredGuild, 'channels'> & { id: string };
type ChannelRow = StoredChannel & { guildId: string };

async function lockStored(tx: Em, guildIds: readonly string[]): Promise<Map<string, StoredGuild>> {
  const guilds = await query<GuildRow>(
    tx,
    sql`select id, name, icon_url as "iconUrl", status, member_count as "memberCount",
               default_splash_channel_id as "defaultSplashChannelId", can_create_events as "canCreateEvents"
        from guild where id = any(${guildIds}) order by id for no key update`,
  );
  const channels = await query<ChannelRow>(
    tx,
    sql`select guild_id as "guildId", id, name, type, topic, position, is_nsfw as "isNsfw", is_postable as "isPostable",
               can_send_messages as "canSendMessages", can_embed_links as "canEmbedLinks"
        from guild_channel where guild_id = any(${guildIds})`,
  );
  const byGuild = Map.groupBy(channels, ({ guildId }) => guildId);
  return new Map(guilds.map(({ id, ...guild }) => [id, { ...guild, channels: byGuild.get(id) ?? [] }]));
}

async function writeGuilds(tx: Em, guilds: readonly (BotGuild & GuildChange)[], now: Date): Promise<void> {
  const rows = guilds.map(({ id, name, iconUrl, memberCount, defaultSplashChannelId, canCreateEvents }) => ({
    id,
    name,
    iconUrl,
    memberCount,
    defaultSplashChannelId,
    canCreateEvents,
  }));
  await query(
    tx,
    sql`insert into guild (id, name, icon_url, status, member_count, default_splash_channel_id, installed_at, last_seen_at,
                           can_create_events)
        select g.id, g.name, g."iconUrl", 'active', g."memberCount", g."defaultSplashChannelId",
               ${now}::timestamptz, ${now}::timestamptz,
               g."canCreateEvents"
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as g (id text, name text, "iconUrl" text, "memberCount" int, "defaultSplashChannelId" text, "canCreateEvents" bool)
        on conflict (id) do update set
          name = excluded.name, icon_url = excluded.icon_url, status = excluded.status,
          member_count = coalesce(excluded.member_count, guild.member_count),
          default_splash_channel_id = excluded.default_splash_channel_id, last_seen_at = excluded.last_seen_at,
          can_create_events = excluded.can_create_events, disabled_at = null`,
  );
}

async function writeChannels(tx: Em, guilds: readonly BotGuild[], now: Date): Promise<void> {
  const rows = guilds.flatMap(({ id, channels }) => channels.map((channel) => ({ ...channel, guildId: id })));
  await query(
    tx,
    sql`delete from guild_channel where guild_id = any(${guilds.map(({ id }) => id)})
          and id not in (select jsonb_array_elements_text(${JSON.stringify(rows.map(({ id }) => id))}::jsonb))`,
  );
  await query(
    tx,
    sql`insert into guild_channel as c (id, guild_id, name, type, topic, position, is_nsfw, is_postable,
                                        can_send_messages, can_embed_links, updated_at)
        select id, "guildId", name, type, topic, position, "isNsfw", "isPostable", "canSendMessages", "canEmbedLinks",
               ${now}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as n (id text, "guildId" text, name text, type text, topic text, position int, "isNsfw" bool, "isPostable" bool,
                "canSendMessages" bool, "canEmbedLinks" bool)
        on conflict (id) do update set
          name = excluded.name, type = excluded.type, topic = excluded.topic, position = excluded.position,
          is_nsfw = excluded.is_nsfw, is_postable = excluded.is_postable,
          can_send_messages = excluded.can_send_messages, can_embed_links = excluded.can_embed_links,
          updated_at = excluded.updated_at
        where (c.name, c.type, c.topic, c.position, c.is_nsfw, c.is_postable, c.can_send_messages, c.can_embed_links)
          is distinct from (excluded.name, excluded.type, excluded.topic, excluded.position, excluded.is_nsfw,
                            excluded.is_postable, excluded.can_send_messages, excluded.can_embed_links)`,
  );
}

async function recordNews(tx: Em, guildId: string, { type, names, noun, error }: GuildNews, now: Date): Promise<void> {
  if (noun !== null) return recordGuildRun(tx, guildId, type, { names, noun, errorMessage: error }, now);
  const data = names[0] ?? null;
  // an installation counts each time; an outage that flaps is one
  const counts = type === 'guild_installed' || type === 'guild_reinstalled';
  await (counts ? addGuildEvent : recordGuildEvent)(tx, guildId, type, data, error, now);
}

async function storeGuilds(tx: Em, seen: readonly BotGuild[], now: Date): Promise<void> {
  if (seen.length === 0) return;
  const stored = await lockStored(
    tx,
    seen.map(({ id }) => id),
  );
  const guilds = seen.map((one) => {
    const guild = { ...one, iconUrl: discordIcon(one.iconUrl) };
    return { ...guild, ...describeGuildChange(stored.get(guild.id) ?? null, guild) };
  });
  await writeGuilds(tx, guilds, now);
  await writeChannels(tx, guilds, now);
  const couldBefore = (guild: StoredGuild | undefined) => guild?.status === 'active' && guild.canCreateEvents;
  if (guilds.some(({ id, canCreateEvents }) => canCreateEvents && !couldBefore(stored.get(id))))
    await enqueueMissionEvents(tx);
  for (const { id } of guilds) if (stored.get(id)?.status === 'disabled') await enqueueMemberSyncs(tx, id, null);
  for (const { id, news } of guilds) {
    for (const one of news) await recordNews(tx, id, one, now);
  }
  if (guilds.some(({ isVisible }) => isVisible)) await publishLive(tx, 'guilds');
}

/** An outage is a status and nothing else. */
async function setUnavailable(tx: Em, guildIds: readonly string[], now: Date): Promise<void> {
  const changed = await query<{ id: string; name: string }>(
    tx,
    sql`update guild set status = 'unavailable' where id = any(${guildIds}) and status = 'active' returning id, name`,
  );
  for (const { id, name } of changed) await recordGuildEvent(tx, id, 'guild_unavailable', name, null, now);
}

/** The bot is no longer in them: what was to be posted there is not, and what is stored stays for a while. */
async function disable(tx: Em, guildIds: readonly string[], now: Date): Promise<void> {
  const changed = await query<{ id: string; name: string }>(
    tx,
    sql`update guild set status = 'disabled', disabled_at = ${now}, can_create_events = false
        where id = any(${guildIds}) and status <> 'disabled' returning id, name`,
  );
  if (changed.length === 0) return;
  await query(
    tx,
    sql`update outbox_message set state = 'cancelled', error_message = 'The server has removed the bot.', updated_at = ${now}
        where guild_id = any(${changed.map(({ id }) => id)}) and state in ('queued', 'sending')`,
  );
  for (const { id, name } of changed) await addGuildEvent(tx, id, 'guild_removed', name, null, now);
}

/**
 * Everything a shard has, told when it is ready and again from time to time: no event of the time before is needed.
 * 409 when another process acts.
 */
export async function reconcile(em: Em, input: z.infer<typeof reconcileInput>, now: Date): Promise<void> {
  const { instanceId, shardId, shardCount, guilds, unavailableIds } = input;
  await transact(em, async (tx) => {
    await requireActing(tx, instanceId);
    await storeGuilds(tx, guilds, now);
    await setUnavailable(tx, unavailableIds, now);
    const here = new Set([...guilds.map(({ id }) => id), ...unavailableIds]);
    const others = await tx.find(Guild, { status: { $ne: 'disabled' as GuildStatus } }, { fields: ['id'] });
    const gone = others.map(({ id }) => id).filter((id) => !here.has(id) && shardOf(id, shardCount) === shardId);
    await disable(tx, gone, now);
  });
}

/** One guild, whole. 409 when another process acts. */
export async function saveGuild(
  em: Em,
  { instanceId, guild }: z.infer<typeof saveGuildInput>,
  now: Date,
): Promise<void> {
  await transact(em, async (tx) => {
    await requireActing(tx, instanceId);
    await storeGuilds(tx, [guild], now);
  });
}

/** A guild in an outage, or one that removed the bot. 409 when another process acts. */
export async function loseGuild(
  em: Em,
  { instanceId, guildId, cause }: z.infer<typeof guildGoneInput>,
  now: Date,
): Promise<void> {
  await transact(em, async (tx) => {
    await requireActing(tx, instanceId);
    await (cause === 'removed' ? disable : setUnavailable)(tx, [guildId], now);
  });
}

/** What only the bot knows. A guild that is not known has no history. 409 when another process acts. */
export async function recordBotEvent(
  em: Em,
  { instanceId, guildId, eventType, eventData, errorMessage }: z.infer<typeof recordEventInput>,
  now: Date,
): Promise<void> {
  await transact(em, async (tx) => {
    await requireActing(tx, instanceId);
    if (await lockGuild(tx, guildId)) await recordGuildEvent(tx, guildId, eventType, eventData, errorMessage, now);
  });
}

/** Guilds that removed the bot so long ago that nobody will ask for them again, with everything about them. */
export async function purgeOldGuilds(em: Em): Promise<void> {
  await query(
    em,
    sql`delete from guild
        where status = 'disabled' and disabled_at < now() - make_interval(days => ${sql.lit(GUILD_KEPT_DAYS)})`,
  );
}
