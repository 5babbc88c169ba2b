/** Records the events of a Discord server (guild) for admins to read. */
import { db, isOneOf } from '#server/schema/database.ts';
import { Guild, GuildEvent } from '#server/schema/guild.ts';
import type { Em } from '#server/schema/orm.ts';
import { stateOf } from '#server/discord/posts/posts.ts';
import { CANNOT_CREATE_EVENTS } from '#server/discord/rules/failures.ts';
import { foldNames } from '#server/discord/rules/guild-changes.ts';
import { takeNamedLock } from '#server/platform/transaction.queries.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import type { BotGuild } from '#shared/schemas/bot.ts';
import type { GuildEventType } from '#shared/vocabulary.ts';
import { emit } from '#server/signals/emit.ts';

/** A repeated event within this time is ignored. */
const QUIET_MINUTES = 10;

/**
 * Record an event in the caller's transaction, even if it is repeated. Never with tokens, addresses or message text.
 * @param eventData the subject of the event
 * @param errorMessage why it failed; null if it did not
 */
export async function addGuildEvent(
  tx: Em,
  guildId: string,
  eventType: GuildEventType,
  eventData: string | null,
  errorMessage: string | null,
  now: Date,
): Promise<void> {
  tx.create(GuildEvent, {
    guild: tx.getReference(Guild, guildId),
    eventType,
    eventData,
    errorMessage,
    occurredAt: now,
  });
  emit(tx, { type: 'guild.changed' });
}

const quietSince = (now: Date) => new Date(now.getTime() - QUIET_MINUTES * MINUTE_MS);

/** Record an event, unless there is an equal one of the last ten minutes. */
export async function recordGuildEvent(...event: Parameters<typeof addGuildEvent>): Promise<void> {
  const [tx, guild, eventType, eventData, errorMessage, now] = event;
  const equal = { guild, eventType, eventData, errorMessage, occurredAt: { $gt: quietSince(now) } };
  // an equal event may be recorded at the same moment, such as the answer of a button that was pressed twice
  await takeNamedLock(tx, ['guild event', guild, eventType, eventData, errorMessage].join(' '));
  if ((await tx.count(GuildEvent, equal)) === 0) await addGuildEvent(...event);
}

/**
 * Record an event about several things, or about one of many in a row: within ten minutes they become one line with a name
 * or "50 members". The caller has locked the guild's row.
 * @param noun plural noun for the things
 */
export async function recordGuildRun(
  tx: Em,
  guildId: string,
  eventType: GuildEventType,
  { names, noun, errorMessage = null }: { names: readonly string[]; noun: string; errorMessage?: string | null },
  now: Date,
): Promise<void> {
  if (names.length === 0) return;
  const last = await tx.findOne(
    GuildEvent,
    { guild: guildId, eventType, errorMessage, occurredAt: { $gt: quietSince(now) } },
    { orderBy: { occurredAt: 'desc', id: 'desc' } },
  );
  const data = foldNames(last?.eventData ?? null, names, noun);
  if (data === null) return;
  if (!last) return addGuildEvent(tx, guildId, eventType, data, errorMessage, now);
  last.eventData = data;
  emit(tx, { type: 'guild.changed' });
}

/** How long Discord's refusal of an event or a thread counts for more than the permission that the bot reports. */
const REFUSAL_MINUTES = 60;

/**
 * Servers whose events Discord has refused lately. Their missions would otherwise be tried again with every report of a bot
 * that believes to have the permission.
 */
async function findRefusingEvents(tx: Em, guildIds: readonly string[], now: Date): Promise<Set<string>> {
  const rows = await db(tx)
    .selectFrom('guild_event')
    .select('guild_id as guildId')
    .where(isOneOf('guild_id', guildIds))
    .where('event_type', '=', 'scheduled_event_failed')
    .where('error_message', '=', CANNOT_CREATE_EVENTS)
    .where('occurred_at', '>', new Date(now.getTime() - REFUSAL_MINUTES * MINUTE_MS))
    .execute();
  return new Set(rows.map(({ guildId }) => guildId));
}

/** How long Discord's refusal of a card counts for more than the permissions that the bot reports. */
const CARD_REFUSAL_MINUTES = 10;

/** Channels in which Discord has refused a card lately, although the bot believes that it may post there. */
async function findRefusingChannels(tx: Em, guildIds: readonly string[], now: Date): Promise<Set<string>> {
  const rows = await db(tx)
    .selectFrom('discord_post as o')
    .innerJoin('guild_channel as c', 'c.id', 'o.channel_id')
    .select('c.id')
    .distinct()
    .where(isOneOf('o.guild_id', guildIds))
    .where('o.kind', '=', 'card')
    .where((eb) => eb(stateOf(eb), '=', 'failed'))
    .where('o.updated_at', '>', new Date(now.getTime() - CARD_REFUSAL_MINUTES * MINUTE_MS))
    .where('c.is_postable', '=', false)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Servers in which Discord has refused a thread lately. */
async function findRefusingThreads(tx: Em, guildIds: readonly string[], now: Date): Promise<Set<string | null>> {
  const rows = await db(tx)
    .selectFrom('discord_post as o')
    .select('o.guild_id as guildId')
    .where(isOneOf('o.guild_id', guildIds))
    .where('o.kind', '=', 'thread')
    .where((eb) => eb(stateOf(eb), '=', 'failed'))
    .where('o.updated_at', '>', new Date(now.getTime() - REFUSAL_MINUTES * MINUTE_MS))
    .execute();
  return new Set(rows.map(({ guildId }) => guildId));
}

/** Servers as the bot reports them, without the permissions that Discord has refused lately. */
export async function withoutRefused(tx: Em, guilds: readonly BotGuild[], now: Date): Promise<BotGuild[]> {
  const ids = guilds.map(({ id }) => id);
  const events = await findRefusingEvents(tx, ids, now);
  const closed = await findRefusingChannels(tx, ids, now);
  const threads = await findRefusingThreads(tx, ids, now);
  return guilds.map((guild) => ({
    ...guild,
    canCreateEvents: guild.canCreateEvents && !events.has(guild.id),
    canCreateThreads: guild.canCreateThreads && !threads.has(guild.id),
    channels: guild.channels.map((one) => (closed.has(one.id) ? { ...one, isPostable: false } : one)),
  }));
}
