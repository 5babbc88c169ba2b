/** What happened in and around a Discord server, for admins to read. */
import { Guild, GuildEvent } from '#server/db/guild.ts';
import type { Em } from '#server/db/orm.ts';
import { MINUTE_MS } from '#server/domain/time.ts';
import { announce } from './announce.ts';

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
  eventType: string,
  eventData: string,
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
  await announce(tx, ['guilds', 'admins']);
}

/** The same, folded with an equal event of the last ten minutes. */
export async function recordGuildEvent(...event: Parameters<typeof addGuildEvent>): Promise<void> {
  const [tx, guild, eventType, eventData, errorMessage, now] = event;
  const since = new Date(now.getTime() - QUIET_MINUTES * MINUTE_MS);
  const equal = { guild, eventType, eventData, errorMessage, occurredAt: { $gt: since } };
  if ((await tx.count(GuildEvent, equal)) === 0) await addGuildEvent(...event);
}
