/** A Marshal with its bot and the emulated Discord: everything is real except Discord. */
import { expect, vi } from 'vitest';
import type { BotTimings } from '#bot/context.ts';
import type { RunningBot } from '#bot/instance.ts';
import { startBot, type BotOptions } from '#bot/start.ts';
import { DiscordAccount, type Guild } from '#server/schema/guild.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { startEmulator } from './emulator/start.ts';
import type { Emulator, EmulatorOptions, GuildSpec, MemberSpec, Snowflake } from './emulator/types.ts';

/** Short enough for a test, long enough to batch related changes. */
const QUICK: Partial<BotTimings> = {
  beatMs: 100,
  gatherMs: 150,
  membersPauseMs: 300,
  membersAgainMs: 500,
  waitGuildsMs: 300,
  retryMinMs: 50,
  retryMaxMs: 400,
  refusedMs: 200,
};

const WAIT = { timeout: 20_000, interval: 20 };

export interface DiscordWorld {
  emulator: Emulator;
  service: Service;
  /** the bot that `withBot` started; throws without it */
  bot: RunningBot;
  /** Start (another) bot; it is stopped with the world. */
  startBot: (options?: Partial<BotOptions>) => RunningBot;
  /** Stop everything, and check that there was no violation of Discord's contract. */
  stop: () => Promise<void>;
}

export interface DiscordWorldOptions {
  /** start a bot, and wait until it is online; true if not said */
  withBot?: boolean;
  /** run background jobs, the sender of messages among them */
  withJobs?: boolean;
  withClient?: boolean;
  env?: Record<string, string>;
  timings?: Partial<BotTimings>;
  /** the name in the service's address, an address by number if not said */
  host?: 'localhost';
  /** shortest time between two edits of a card; as in production if not said */
  cardPauseMs?: number;
  /** limits of Discord that tests of other things do not meet; those of the gateway if not said */
  wideLimits?: EmulatorOptions['wideLimits'];
  /** false: servers wait for an admin, as in production; otherwise each is accepted as it is installed */
  acceptsServers?: boolean;
  /** prepares the emulated Discord before the bot connects */
  before?: (emulator: Emulator) => void;
}

export async function startDiscord(options: DiscordWorldOptions = {}): Promise<DiscordWorld> {
  const {
    withBot = true,
    withJobs = false,
    withClient = false,
    env = {},
    timings,
    before,
    wideLimits = ['gateway'],
    host = '127.0.0.1',
    cardPauseMs,
    acceptsServers = true,
  } = options;
  /** known when the service listens; the application's page in Discord's portal would list it */
  const redirectUris: string[] = [];
  const emulator = await startEmulator({ redirectUris, wideLimits });
  before?.(emulator);
  const service = await startService({
    host,
    withJobs,
    withClient,
    env: {
      DISCORD_TOKEN: emulator.token,
      DISCORD_API_URL: emulator.apiUrl,
      DISCORD_CLIENT_ID: emulator.applicationId,
      DISCORD_CLIENT_SECRET: emulator.clientSecret,
      ...env,
    },
  });
  // an admin who accepts every server at once
  if (acceptsServers) {
    await query(service.app.orm.em.fork(), sql`alter table guild alter accepted_at set default now()`);
  }
  if (cardPauseMs !== undefined) Object.assign(service.app.discord ?? {}, { cardPauseMs });
  redirectUris.push(`${service.url}/api/v1/auth/discord/callback`);
  const bots: RunningBot[] = [];
  const begin: DiscordWorld['startBot'] = (changes = {}) => {
    const bot = startBot({
      token: emulator.token,
      apiUrl: emulator.apiUrl,
      serverUrl: service.url,
      serverToken: service.app.botToken,
      publicUrl: service.app.env.PUBLIC_URL,
      instanceId: `bot-${bots.length + 1}`,
      log: service.app.log,
      ...changes,
      timings: { ...QUICK, ...timings, ...changes.timings },
    });
    bots.push(bot);
    return bot;
  };
  const first = withBot ? begin() : null;
  const world: DiscordWorld = {
    emulator,
    service,
    get bot() {
      if (!first) throw new Error('This world was started without a bot');
      return first;
    },
    startBot: begin,
    async stop() {
      await Promise.all(bots.map((bot) => bot.stop()));
      await service.stop();
      const violations = [...emulator.violations];
      await emulator.stop();
      expect(violations).toEqual([]);
    },
  };
  if (first) await botOnline(world);
  return world;
}

export type BotLeaseRow = {
  holder: string;
  isLive: boolean;
  isConnected: boolean;
  hasMembersIntent: boolean | null;
  botName: string | null;
  problem: string | null;
};

export async function readLease({ service }: Pick<DiscordWorld, 'service'>): Promise<BotLeaseRow | undefined> {
  const rows = await query<BotLeaseRow>(
    service.app.orm.em.fork(),
    sql`select holder, expires_at > now() as "isLive", connected_at is not null as "isConnected",
               has_members_intent as "hasMembersIntent", bot_name as "botName", problem
        from bot_lease`,
  );
  return rows[0];
}

/** Waits until a bot is connected and has stored Discord's data; `holder`: this one. */
export async function botOnline(world: Pick<DiscordWorld, 'service'>, holder?: string): Promise<void> {
  await vi.waitFor(async () => {
    const lease = await readLease(world);
    expect(lease).toMatchObject({ isLive: true, isConnected: true, ...(holder === undefined ? {} : { holder }) });
  }, WAIT);
}

/** Waits until this holds for the database, which the bot updates after events. */
export function eventually(check: () => Promise<void>): Promise<void> {
  return vi.waitFor(check, WAIT);
}

export type StoredGuildRow = Pick<Guild, 'name' | 'status' | 'memberCount' | 'defaultSplashChannelId'> & {
  installedAt: string;
  isDisabled: boolean;
  canCreateEvents: boolean;
  canCreateThreads: boolean;
};

export async function readGuild(
  { service }: Pick<DiscordWorld, 'service'>,
  id: Snowflake,
): Promise<StoredGuildRow | undefined> {
  const rows = await query<StoredGuildRow>(
    service.app.orm.em.fork(),
    sql`select name, status, member_count as "memberCount", default_splash_channel_id as "defaultSplashChannelId",
               installed_at::text as "installedAt", disabled_at is not null as "isDisabled",
               can_create_events as "canCreateEvents", can_create_threads as "canCreateThreads"
        from guild where id = ${id}`,
  );
  return rows[0];
}

/** A guild with the bot in it, stored with its members; by default with the channels `general` and `briefs`. */
export async function givenDiscordGuild(
  world: Pick<DiscordWorld, 'service' | 'emulator'>,
  spec: Partial<GuildSpec> = {},
): Promise<ReturnType<Emulator['addGuild']>> {
  const guild = world.emulator.addGuild({
    name: 'Lantern Wing',
    channels: [{ name: 'general' }, { name: 'briefs', type: 5 }],
    ...spec,
  });
  if (spec.isInstalled === false) return guild;
  await eventually(async () => {
    expect(await readGuild(world, guild.id)).toMatchObject({ status: 'active' });
    expect(await listMembers(world, guild.id)).not.toEqual([]);
  });
  return guild;
}

export interface MemberRow {
  id: string;
  name: string;
  isModerator: boolean;
  hasLeft: boolean;
}

/** All stored members, including the bot and those who left, by name. */
export async function listMembers(
  { service }: Pick<DiscordWorld, 'service'>,
  guildId: Snowflake,
): Promise<MemberRow[]> {
  return query<MemberRow>(
    service.app.orm.em.fork(),
    sql`select discord_user_id as id, discord_username as name, is_moderator as "isModerator",
               left_at is not null as "hasLeft"
        from guild_member where guild_id = ${guildId} order by discord_username`,
  );
}

export interface ChannelRow {
  id: string;
  name: string;
  type: string;
  topic: string | null;
  isPostable: boolean;
  canSendMessages: boolean;
  canEmbedLinks: boolean;
}

/** Channels of a guild, from top to bottom. */
export async function listChannels(
  { service }: Pick<DiscordWorld, 'service'>,
  guildId: Snowflake,
): Promise<ChannelRow[]> {
  return query<ChannelRow>(
    service.app.orm.em.fork(),
    sql`select id, name, type, topic, is_postable as "isPostable", can_send_messages as "canSendMessages",
               can_embed_links as "canEmbedLinks"
        from guild_channel where guild_id = ${guildId} order by position, id`,
  );
}

export interface GuildEventRow {
  type: string;
  data: string | null;
  error: string | null;
}

/** The recorded events of a guild, oldest first. */
export async function listEvents(
  { service }: Pick<DiscordWorld, 'service'>,
  guildId: Snowflake,
): Promise<GuildEventRow[]> {
  return query<GuildEventRow>(
    service.app.orm.em.fork(),
    sql`select event_type as type, event_data as data, error_message as error
        from guild_event where guild_id = ${guildId} order by occurred_at, id`,
  );
}

let people = 0;

/** A pilot with an account whose Discord account is a member of this guild, and linked. */
export async function givenLinkedPilot(
  { service, emulator }: Pick<DiscordWorld, 'service' | 'emulator'>,
  guildId: Snowflake,
  { displayName, isAdmin = false, ...spec }: { displayName?: string; isAdmin?: boolean } & Partial<MemberSpec> = {},
): Promise<Person & { discordUserId: Snowflake; discordUsername: string }> {
  people += 1;
  const discordUsername = `wingman.${people}`;
  const discordUserId = emulator.addMember(guildId, { username: discordUsername, ...spec });
  const person = isAdmin
    ? await givenAdmin(service)
    : await givenPerson(service, displayName === undefined ? {} : { displayName });
  const em = service.app.orm.em.fork();
  em.create(DiscordAccount, { discordUserId, user: person.id, username: discordUsername, linkedAt: new Date() });
  await em.flush();
  return { ...person, discordUserId, discordUsername };
}

/** Waits until the bot has reported this user as a member to the server. */
export async function untilOnRoster(
  { service }: Pick<DiscordWorld, 'service'>,
  discordUserId: Snowflake,
): Promise<void> {
  await vi.waitFor(async () => {
    const em = service.app.orm.em.fork();
    expect(
      await query(em, sql`select 1 as one from guild_member where discord_user_id = ${discordUserId}`),
    ).toHaveLength(1);
  }, WAIT);
}

/** Report offers that were written to the database directly, so that their pilots get messages. */
export async function announceOffers(
  { service }: DiscordWorld,
  missionId: string,
  pilots: readonly { id: string }[],
  orderIds: readonly string[],
): Promise<void> {
  const offer = { rsvp: 'pending', heldSeat: false } as const;
  const orders = pilots.map(({ id }, index) => ({ ...offer, orderId: orderIds[index] ?? '', pilotId: id }));
  await transact(service.app.orm.em, async (tx) => emit(tx, { type: 'order.issued', missionId, orders }));
}
