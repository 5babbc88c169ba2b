/** Status of the Discord bot for admins, from the configuration and the lease that the active process renews. */
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { installLink } from '#server/discord/rules/install-link.ts';
import { toIso } from '#server/time/time.ts';
import type { Env } from '#server/platform/env.ts';
import type { BotStatusDto } from '#shared/schemas/discord.ts';

/** The bot's status. Once its lease has lapsed it counts as offline since its last beat, whatever it reported then. */
export async function getBotStatus(
  em: Em,
  env: Pick<Env, 'DISCORD_TOKEN' | 'DISCORD_CLIENT_ID'>,
): Promise<BotStatusDto> {
  const isConfigured = env.DISCORD_TOKEN !== undefined;
  const installUrl = env.DISCORD_CLIENT_ID === undefined ? null : installLink(env.DISCORD_CLIENT_ID);
  const unknown = { since: null, hasMembersIntent: null, botName: null, problem: null };
  if (!isConfigured) return { isConfigured, state: 'off', ...unknown, installUrl };
  const lease = await db(em)
    .selectFrom('bot_lease')
    .select(({ eb, ref, fn }) => [
      // by the database's clock, which also decides which process holds the lease
      eb('expires_at', '>', fn<Date>('now')).as('isLive'),
      ms(ref('connected_at')).as('connectedMs'),
      ms(ref('disconnected_at')).as('disconnectedMs'),
      ms(ref('beat_at')).as('beatMs'),
      'has_members_intent as hasMembersIntent',
      'bot_name as botName',
      'problem',
    ])
    .executeTakeFirst();
  if (!lease) return { isConfigured, state: 'offline', ...unknown, installUrl };
  const { isLive, connectedMs, disconnectedMs, beatMs, ...said } = lease;
  const isOnline = isLive && connectedMs !== null;
  const since = isOnline ? connectedMs : (disconnectedMs ?? beatMs);
  return { isConfigured, state: isOnline ? 'online' : 'offline', since: toIso(since), ...said, installUrl };
}
