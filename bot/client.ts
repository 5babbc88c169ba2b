/** Discord.js client: intents, caches, error logs, command registration. */
import { Client, GatewayDispatchEvents, GatewayIntentBits, Options, type GatewayReadyDispatchData } from 'discord.js';
import { registerCommands } from './command-list.ts';
import type { BotContext } from './context.ts';
import { handleInteractions } from './interactions.ts';
import { reasonOf } from './log.ts';
import type { ShardPlan } from './shard.ts';

/** Caches switched off. Guilds, members, roles and channels stay cached, because permissions are computed from them. */
const FORGOTTEN = {
  AutoModerationRuleManager: 0,
  BaseGuildEmojiManager: 0,
  DMMessageManager: 0,
  GuildBanManager: 0,
  GuildEmojiManager: 0,
  GuildInviteManager: 0,
  GuildMessageManager: 0,
  GuildScheduledEventManager: 0,
  GuildStickerManager: 0,
  MessageManager: 0,
  PresenceManager: 0,
  ReactionManager: 0,
  ReactionUserManager: 0,
  StageInstanceManager: 0,
  ThreadMemberManager: 0,
  VoiceStateManager: 0,
} as const;

/** The client of one shard. */
export function createClient(
  { apiUrl, publicUrl, server, log, timings }: BotContext,
  { shardId, shardCount, withMembers, throttler }: ShardPlan,
): Client {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, ...(withMembers ? [GatewayIntentBits.GuildMembers] : [])],
    shards: [shardId],
    shardCount,
    ws: { buildIdentifyThrottler: () => throttler },
    allowedMentions: { parse: [] },
    makeCache: Options.cacheWithLimits(FORGOTTEN),
    rest: { api: apiUrl },
    waitGuildTimeout: timings.waitGuildsMs,
  });
  client.on('error', (error) => log.error({ shard: shardId, reason: reasonOf(error) }, 'Discord client failed'));
  client.on('shardError', (error) =>
    log.warn({ shard: shardId, reason: reasonOf(error) }, 'Discord connection failed'),
  );
  client.on('warn', (warning) => log.warn({ shard: shardId, reason: warning }, 'Discord client warning'));
  handleInteractions(client, server, publicUrl);
  // the commands belong to the application, not to a shard
  if (shardId > 0) return client;
  // not discord.js's own ready event, which waits for guilds in an outage
  client.ws.once(GatewayDispatchEvents.Ready, ({ application }: GatewayReadyDispatchData) => {
    registerCommands(client, application.id).catch((error: unknown) => {
      log.error({ reason: reasonOf(error) }, 'Discord commands not registered');
    });
  });
  return client;
}
