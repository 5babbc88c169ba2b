/** What happened in and around a Discord server, for admins to read. */
import { Guild, GuildEvent } from '#server/db/guild.ts';
import type { Em } from '#server/db/orm.ts';
import { MINUTE_MS } from '#server/domain/time.ts';

/** The same event again within this time is noise. */
const QUIET_MINUTES = 10;

/**
 * Note an event, in the caller's transaction. Never with tokens, addresses or message text.
 * @param eventData whom or what it is about
 * @param errorMessage why it failed; null when it did not
 */
export async function recordGuildEvent(
  tx: Em,
  guildId: string,
  eventType: string,
  eventData: string,
  errorMessage: string | null,
  now: Date,
): Promise<void> {
  const event = { guild: tx.getReference(Guild, guildId), eventType, eventData, errorMessage };
  const since = new Date(now.getTime() - QUIET_MINUTES * MINUTE_MS);
  if ((await tx.count(GuildEvent, { ...event, occurredAt: { $gt: since } })) === 0) {
    tx.create(GuildEvent, { ...event, occurredAt: now });
  }
  await tx.flush();
}
