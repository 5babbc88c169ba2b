/** The real discord.js, with what it has to remember and nothing more. */
import { Client, GatewayDispatchEvents, GatewayIntentBits, Options, type GatewayReadyDispatchData } from 'discord.js';
import { registerCommands } from './command-list.ts';
import type { BotContext } from './context.ts';
import { handleInteractions } from './interactions.ts';
import { reasonOf } from './log.ts';

/** Members, roles and channels are needed to tell who may do what; the rest only passes by. */
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

/** @param withMembers whether to ask for the privileged intent */
export function createClient({ apiUrl, server, log, timings }: BotContext, withMembers: boolean): Client {
  const client = new Client({
    intents: [
      GatewayIntentBits.Guilds,
      GatewayIntentBits.GuildScheduledEvents,
      ...(withMembers ? [GatewayIntentBits.GuildMembers] : []),
    ],
    // as many connections as Discord asks for
    shards: 'auto',
    allowedMentions: { parse: [] },
    makeCache: Options.cacheWithLimits(FORGOTTEN),
    rest: { api: apiUrl },
    waitGuildTimeout: timings.waitGuildsMs,
  });
  client.on('error', (error) => log.error({ reason: reasonOf(error) }, 'the Discord client failed'));
  client.on('shardError', (error) => log.warn({ reason: reasonOf(error) }, 'the connection to Discord failed'));
  client.on('warn', (warning) => log.warn({ reason: warning }, 'the Discord client warns'));
  handleInteractions(client, server);
  // discord.js itself is ready when the last guild is there, and waits for those in an outage
  client.ws.once(GatewayDispatchEvents.Ready, ({ application }: GatewayReadyDispatchData) => {
    registerCommands(client, application.id).catch((error: unknown) => {
      log.error({ reason: reasonOf(error) }, 'the commands could not be registered with Discord');
    });
  });
  return client;
}
