/** Records the events of a Discord server (guild) for admins to read. */
import { Guild, GuildEvent } from '#server/schema/guild.ts';
import type { Em } from '#server/schema/orm.ts';
import { foldNames } from '#server/discord/rules/guild-changes.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import type { GuildEventType } from '#shared/vocabulary.ts';
import { publishLive } from '#server/signals/live-signals.ts';

/** The same event again within this time is noise. */
const QUIET_MINUTES = 10;

/**
 * Note an event that counts each time, in the caller's transaction. Never with tokens, addresses or message text.
 * @param eventData whom or what it is about
 * @param errorMessage why it failed; null when it did not
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
  await tx.flush();
  await publishLive(tx, 'guilds');
}

const quietSince = (now: Date) => new Date(now.getTime() - QUIET_MINUTES * MINUTE_MS);

/** The same, folded with an equal event of the last ten minutes. */
export async function recordGuildEvent(...event: Parameters<typeof addGuildEvent>): Promise<void> {
  const [tx, guild, eventType, eventData, errorMessage, now] = event;
  const equal = { guild, eventType, eventData, errorMessage, occurredAt: { $gt: quietSince(now) } };
  if ((await tx.count(GuildEvent, equal)) === 0) await addGuildEvent(...event);
}

/**
 * An event about several things, or about one of many that come one by one: within ten minutes they become one line, a name
 * or "50 members". The caller holds the guild's row.
 * @param noun what they are, many of them
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
  await tx.flush();
  await publishLive(tx, 'guilds');
}
