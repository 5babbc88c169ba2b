/**
 * Sync of guilds from the bot to the database. The bot may report something twice, late, or out of order: everything is an
 * upsert by Discord's id, and events are recorded by comparing with the stored state, not by the reason of the call.
 */
import type { z } from 'zod';
import { ago, db, isOneOf, tableOf } from '#server/schema/database.ts';
import { Guild } from '#server/schema/guild.ts';
import type { Em } from '#server/schema/orm.ts';
import { isAcceptedGuild } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import {
  describeGuildChange,
  shardOf,
  showsMore,
  type GuildChange,
  type GuildNews,
  type StoredGuild,
} from '#server/discord/rules/guild-changes.ts';
import { discordIcon } from '#server/discord/rules/guild-icon.ts';
import { checkCards } from '#server/discord/posts/mission-cards.ts';
import { emit } from '#server/signals/emit.ts';
import { WAITING } from '#server/signals/outbox.ts';
import { dropChanges } from '#server/discord/posts/posts.ts';
import { addGuildEvent, recordGuildEvent, recordGuildRun, withoutRefused } from './guild-events.ts';
import type {
  BotGuild,
  guildGoneInput,
  reconcileInput,
  recordEventInput,
  savedGuilds,
  saveGuildInput,
  saveGuildsInput,
} from '#shared/schemas/bot.ts';
import { GUILD_KEPT_DAYS } from '#shared/limits.ts';
import type { GuildStatus } from '#shared/vocabulary.ts';
import { requireActing } from '#server/discord/bot/lease.ts';

/** Lock a guild's row, which every change to its stored data does first. @returns false for an unknown guild */
export async function lockGuild(tx: Em, guildId: string): Promise<boolean> {
  const row = await db(tx)
    .selectFrom('guild')
    .select('id')
    .where('id', '=', guildId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

async function lockStored(tx: Em, guildIds: readonly string[]): Promise<Map<string, StoredGuild>> {
  const guilds = await db(tx)
    .selectFrom('guild')
    .select([
      'id',
      'name',
      'icon_url as iconUrl',
      'status',
      'member_count as memberCount',
      'default_splash_channel_id as defaultSplashChannelId',
      'can_create_events as canCreateEvents',
      'can_create_threads as canCreateThreads',
      'missions_channel_id as missionsChannelId',
      'locale',
    ])
    .where(isOneOf('id', guildIds))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const channels = await db(tx)
    .selectFrom('guild_channel')
    .select([
      'guild_id as guildId',
      'id',
      'name',
      'type',
      'topic',
      'position',
      'is_nsfw as isNsfw',
      'is_postable as isPostable',
      'can_send_messages as canSendMessages',
      'can_embed_links as canEmbedLinks',
    ])
    .where(isOneOf('guild_id', guildIds))
    .execute();
  const byGuild = Map.groupBy(channels, ({ guildId }) => guildId);
  return new Map(guilds.map(({ id, ...guild }) => [id, { ...guild, channels: byGuild.get(id) ?? [] }]));
}

async function writeGuilds(tx: Em, guilds: readonly (BotGuild & GuildChange)[], now: Date): Promise<void> {
  const seen = tableOf('seen', guilds, {
    id: 'text',
    name: 'text',
    iconUrl: 'text',
    memberCount: 'integer',
    defaultSplashChannelId: 'text',
    canCreateEvents: 'boolean',
    canCreateThreads: 'boolean',
    roles: 'jsonb',
    locale: 'text',
  });
  await db(tx)
    .insertInto('guild')
    .columns([
      'id',
      'name',
      'icon_url',
      'member_count',
      'default_splash_channel_id',
      'can_create_events',
      'can_create_threads',
      'roles',
      'locale',
      'status',
      'installed_at',
      'last_seen_at',
    ])
    .expression(({ selectFrom, val, cast }) =>
      selectFrom(seen).select([
        'seen.id',
        'seen.name',
        'seen.iconUrl',
        'seen.memberCount',
        'seen.defaultSplashChannelId',
        'seen.canCreateEvents',
        'seen.canCreateThreads',
        'seen.roles',
        'seen.locale',
        cast<GuildStatus>(val('active'), 'text').as('status'),
        cast<Date>(val(now), 'timestamptz').as('installedAt'),
        cast<Date>(val(now), 'timestamptz').as('lastSeenAt'),
      ]),
    )
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref, fn }) => ({
        name: ref('excluded.name'),
        icon_url: ref('excluded.icon_url'),
        status: ref('excluded.status'),
        member_count: fn.coalesce('excluded.member_count', 'guild.member_count'),
        default_splash_channel_id: ref('excluded.default_splash_channel_id'),
        last_seen_at: ref('excluded.last_seen_at'),
        can_create_events: ref('excluded.can_create_events'),
        can_create_threads: ref('excluded.can_create_threads'),
        roles: ref('excluded.roles'),
        locale: ref('excluded.locale'),
        disabled_at: null,
      })),
    )
    .execute();
}

/** The columns of a channel that follow Discord. */
const CHANNEL_COLUMNS = [
  'name',
  'type',
  'topic',
  'position',
  'is_nsfw',
  'is_postable',
  'can_send_messages',
  'can_embed_links',
] as const;

/** @returns the channels that no longer exist */
async function writeChannels(tx: Em, guilds: readonly BotGuild[], now: Date) {
  const rows = guilds.flatMap(({ id, channels }) => channels.map((channel) => ({ ...channel, guildId: id })));
  const seen = tableOf('seen', rows, {
    id: 'text',
    guildId: 'text',
    name: 'text',
    type: 'text',
    topic: 'text',
    position: 'integer',
    isNsfw: 'boolean',
    isPostable: 'boolean',
    canSendMessages: 'boolean',
    canEmbedLinks: 'boolean',
  });
  const gone = await db(tx)
    .deleteFrom('guild_channel')
    .where(
      isOneOf(
        'guild_id',
        guilds.map(({ id }) => id),
      ),
    )
    .where('id', 'not in', ({ selectFrom }) => selectFrom(tableOf('seen', rows, { id: 'text' })).select('seen.id'))
    .returning(['id', 'guild_id as guildId'])
    .execute();
  await db(tx)
    .insertInto('guild_channel')
    .columns(['id', 'guild_id', ...CHANNEL_COLUMNS, 'updated_at'])
    .expression(({ selectFrom, val, cast }) =>
      selectFrom(seen).select([
        'seen.id',
        'seen.guildId',
        'seen.name',
        'seen.type',
        'seen.topic',
        'seen.position',
        'seen.isNsfw',
        'seen.isPostable',
        'seen.canSendMessages',
        'seen.canEmbedLinks',
        cast<Date>(val(now), 'timestamptz').as('updatedAt'),
      ]),
    )
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(({ ref }) => ({
          name: ref('excluded.name'),
          type: ref('excluded.type'),
          topic: ref('excluded.topic'),
          position: ref('excluded.position'),
          is_nsfw: ref('excluded.is_nsfw'),
          is_postable: ref('excluded.is_postable'),
          can_send_messages: ref('excluded.can_send_messages'),
          can_embed_links: ref('excluded.can_embed_links'),
          updated_at: ref('excluded.updated_at'),
        }))
        .where(({ or, eb, ref }) =>
          or(
            CHANNEL_COLUMNS.map((column) =>
              eb(`guild_channel.${column}`, 'is distinct from', ref(`excluded.${column}`)),
            ),
          ),
        ),
    )
    .execute();
  return gone;
}

/** A missions channel that was deleted is none. */
async function dropLostChannels(tx: Em, guilds: readonly BotGuild[]): Promise<void> {
  await db(tx)
    .updateTable('guild')
    .set({ missions_channel_id: null })
    .where(
      isOneOf(
        'id',
        guilds.map(({ id }) => id),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('guild_channel as c').whereRef('c.id', '=', 'guild.missions_channel_id'))),
    )
    .execute();
}

async function recordNews(tx: Em, guildId: string, { type, names, noun, error }: GuildNews, now: Date): Promise<void> {
  if (noun !== null) return recordGuildRun(tx, guildId, type, { names, noun, errorMessage: error }, now);
  const data = names[0] ?? null;
  // every installation is recorded; repeated outages within a short time are one event
  const counts = type === 'guild_installed' || type === 'guild_reinstalled';
  await (counts ? addGuildEvent : recordGuildEvent)(tx, guildId, type, data, error, now);
}

async function storeGuilds(tx: Em, seen: readonly BotGuild[], now: Date): Promise<void> {
  if (seen.length === 0) return;
  const stored = await lockStored(
    tx,
    seen.map(({ id }) => id),
  );
  const guilds = (await withoutRefused(tx, seen, now)).map((one) => {
    const guild = { ...one, iconUrl: discordIcon(one.iconUrl) };
    return { ...guild, ...describeGuildChange(stored.get(guild.id) ?? null, guild) };
  });
  await writeGuilds(tx, guilds, now);
  const gone = await writeChannels(tx, guilds, now);
  await dropLostChannels(tx, guilds);
  for (const { id, guildId } of gone) await checkCards(tx, guildId, { channelId: id }, now);
  if (guilds.some((guild) => showsMore(stored.get(guild.id), guild))) emit(tx, { type: 'guild.widened' });
  const back = guilds.filter(({ id }) => stored.get(id)?.status === 'disabled');
  for (const { id } of back) emit(tx, { type: 'members.reachable', guildId: id, discordUserIds: null });
  for (const { id, news } of guilds) {
    for (const one of news) await recordNews(tx, id, one, now);
  }
  if (guilds.some(({ isVisible }) => isVisible)) emit(tx, { type: 'guild.changed' });
}

/** Mark guilds as unavailable during an outage; everything else stays. */
async function setUnavailable(tx: Em, guildIds: readonly string[], now: Date): Promise<void> {
  const changed = await db(tx)
    .updateTable('guild')
    .set({ status: 'unavailable' })
    .where(isOneOf('id', guildIds))
    .where('status', '=', 'active')
    .returning(['id', 'name'])
    .execute();
  for (const { id, name } of changed) await recordGuildEvent(tx, id, 'guild_unavailable', name, null, now);
}

/** Mark guilds that the bot has left: waiting posts are dropped; stored data is kept for a while. */
export async function disableGuilds(tx: Em, guildIds: readonly string[], now: Date): Promise<void> {
  const changed = await db(tx)
    .updateTable('guild')
    .set({ status: 'disabled', disabled_at: now, can_create_events: false, can_create_threads: false })
    .where(isOneOf('id', guildIds))
    .where('status', '<>', 'disabled')
    .returning(['id', 'name'])
    .execute();
  if (changed.length === 0) return;
  const left = changed.map(({ id }) => id);
  await dropChanges(tx, isOneOf('guild_id', left), WAITING, 'The bot is no longer in the server.');
  for (const { id, name } of changed) await addGuildEvent(tx, id, 'guild_removed', name, null, now);
}

/**
 * Save some guilds with all their channels. 409 if another process is active.
 * @returns those that wait for an admin
 */
export async function saveGuilds(
  em: Em,
  { instanceId, guilds }: z.infer<typeof saveGuildsInput>,
  now: Date,
): Promise<z.infer<typeof savedGuilds>> {
  return transact(em, async (tx) => {
    await requireActing(tx, instanceId);
    await storeGuilds(tx, guilds, now);
    const pending = await db(tx)
      .selectFrom('guild as g')
      .select('g.id')
      .where(
        isOneOf(
          'g.id',
          guilds.map(({ id }) => id),
        ),
      )
      .where(({ not }) => not(isAcceptedGuild))
      .execute();
    return { pendingIds: pending.map(({ id }) => id) };
  });
}

/**
 * Reconcile all guilds of a shard, when it is ready and from time to time after that, so that missed events do not matter.
 * Those that are here have been saved before. 409 if another process is active.
 */
export async function reconcile(em: Em, input: z.infer<typeof reconcileInput>, now: Date): Promise<void> {
  const { instanceId, shardId, shardCount, guildIds, unavailableIds } = input;
  await transact(em, async (tx) => {
    await requireActing(tx, instanceId);
    await setUnavailable(tx, unavailableIds, now);
    const here = new Set([...guildIds, ...unavailableIds]);
    const others = await tx.find(Guild, { status: { $ne: 'disabled' as GuildStatus } }, { fields: ['id'] });
    const gone = others.map(({ id }) => id).filter((id) => !here.has(id) && shardOf(id, shardCount) === shardId);
    await disableGuilds(tx, gone, now);
  });
}

/** Save one guild with all its channels. 409 if another process is active. */
export async function saveGuild(
  em: Em,
  { instanceId, guild }: z.infer<typeof saveGuildInput>,
  now: Date,
): Promise<z.infer<typeof savedGuilds>> {
  return saveGuilds(em, { instanceId, guilds: [guild] }, now);
}

/** Record a guild that has an outage or has removed the bot. 409 if another process is active. */
export async function loseGuild(
  em: Em,
  { instanceId, guildId, cause }: z.infer<typeof guildGoneInput>,
  now: Date,
): Promise<void> {
  await transact(em, async (tx) => {
    await requireActing(tx, instanceId);
    await (cause === 'removed' ? disableGuilds : setUnavailable)(tx, [guildId], now);
  });
}

/** Record an event that only the bot knows; ignored for an unknown guild. 409 if another process is active. */
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

/** Delete guilds that removed the bot long ago, with all their data. */
export async function purgeOldGuilds(em: Em): Promise<void> {
  await db(em)
    .deleteFrom('guild')
    .where('status', '=', 'disabled')
    .where('disabled_at', '<', ago(`${GUILD_KEPT_DAYS} days`))
    .execute();
}
