/** Status of the Discord bot for admins, from the configuration and the lease that the active process renews. */
import type { Em } from '#server/schema/orm.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { installLink } from '#server/discord/rules/install-link.ts';
import { toIso } from '#server/time/time.ts';
import type { Env } from '#server/platform/env.ts';
import type { BotStatusDto } from '#shared/schemas/discord.ts';

type LeaseRow = {
  /** by the database's clock, which counts for who acts too */
  is_live: boolean;
  connected_ms: number | null;
  disconnected_ms: number | null;
  beat_ms: number;
  has_members_intent: boolean | null;
  bot_name: string | null;
  problem: string | null;
};

/** A bot that died says nothing: once its lease has lapsed it is offline since its last beat, whatever it said then. */
export async function getBotStatus(
  em: Em,
  env: Pick<Env, 'DISCORD_TOKEN' | 'DISCORD_CLIENT_ID'>,
): Promise<BotStatusDto> {
  const isConfigured = env.DISCORD_TOKEN !== undefined;
  const installUrl = env.DISCORD_CLIENT_ID === undefined ? null : installLink(env.DISCORD_CLIENT_ID);
  const unknown = { since: null, hasMembersIntent: null, botName: null, problem: null };
  if (!isConfigured) return { isConfigured, state: 'off', ...unknown, installUrl };
  const [lease] = await query<LeaseRow>(
    em,
    sql`select expires_at > now() as is_live, ${msOf('connected_at')} as connected_ms,
               ${msOf('disconnected_at')} as disconnected_ms, ${msOf('beat_at')} as beat_ms,
               has_members_intent, bot_name, problem
        from bot_lease`,
  );
  if (!lease) return { isConfigured, state: 'offline', ...unknown, installUrl };
  const isOnline = lease.is_live && lease.connected_ms !== null;
  const since = isOnline ? lease.connected_ms : (lease.disconnected_ms ?? lease.beat_ms);
  return {
    isConfigured,
    state: isOnline ? 'online' : 'offline',
    since: toIso(since ?? lease.beat_ms),
    hasMembersIntent: lease.has_members_intent,
    botName: lease.bot_name,
    problem: lease.problem,
    installUrl,
  };
}
