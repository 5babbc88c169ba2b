/**
 * What happens to guilds, told to the server. Discord repeats itself and drops things, so nothing here counts on one event:
 * whenever a shard is ready everything is told, a change sends the whole guild, and the server finds out what is new.
 */
import {
  GatewayDispatchEvents as Dispatch,
  type Client,
  type GatewayGuildDeleteDispatchData,
  type GatewayReadyDispatchData,
  type Guild,
} from 'discord.js';
import { createCallQueue } from './calls.ts';
import type { BotContext } from './context.ts';
import { watchMembers } from './members.ts';
import { isTimedOut } from './permissions.ts';
import { presentGuild } from './snapshot.ts';
import { words } from './words.ts';

export interface GuildWatch {
  /** whether the server knows what Discord said when the connection was made */
  isStored: () => boolean;
  /** Tell at once what could not be told. */
  catchUp: () => void;
  stop: () => void;
}

export interface GuildWatchOptions {
  hasMembersIntent: boolean;
  /** everything has been told */
  onStored: () => void;
  onNotActing: () => void;
}

/** Events after which a guild's channels, or what the bot may do in them, can be different. */
const CHANGES = [
  Dispatch.GuildUpdate,
  Dispatch.ChannelCreate,
  Dispatch.ChannelUpdate,
  Dispatch.ChannelDelete,
  Dispatch.ThreadCreate,
  Dispatch.ThreadUpdate,
  Dispatch.ThreadDelete,
  Dispatch.ThreadListSync,
  Dispatch.GuildRoleCreate,
  Dispatch.GuildRoleUpdate,
  Dispatch.GuildRoleDelete,
] as const;

/** A timer must not be longer. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export function watchGuilds(client: Client, context: BotContext, options: GuildWatchOptions): GuildWatch {
  const { server, instanceId, log, timings } = context;
  const { hasMembersIntent } = options;
  /** what each shard has by now: READY's guilds, those that came and those that went */
  const guildsOf = new Map<number, Set<string>>();
  const ready = new Set<number>();
  const gathering = new Map<string, ReturnType<typeof setTimeout>>();
  const silenced = new Map<string, ReturnType<typeof setTimeout>>();
  const intentTold = new Set<string>();
  let isStored = false;

  const calls = createCallQueue({
    everything,
    onTold() {
      isStored = true;
      members.syncStale();
      options.onStored();
    },
    onStale: () => members.markAllStale(),
    onNotActing: options.onNotActing,
    log,
    retryMinMs: timings.retryMinMs,
    retryMaxMs: timings.retryMaxMs,
  });
  const members = watchMembers(client, context, calls, hasMembersIntent);

  async function everything(): Promise<void> {
    for (const shardId of ready) await reconcile(shardId);
  }

  async function present(guild: Guild) {
    watchTimeOut(guild);
    return presentGuild(guild, hasMembersIntent);
  }

  /** Discord says when a time-out begins, not when it is over. */
  function watchTimeOut(guild: Guild): void {
    clearTimeout(silenced.get(guild.id));
    silenced.delete(guild.id);
    const { me } = guild.members;
    if (!me || !isTimedOut(me)) return;
    const leftMs = (me.communicationDisabledUntilTimestamp ?? 0) - Date.now();
    silenced.set(
      guild.id,
      setTimeout(() => change(guild.id), Math.min(leftMs + 1_000, TIMER_MAX_MS)),
    );
  }

  async function reconcile(shardId: number): Promise<void> {
    const ids = [...(guildsOf.get(shardId) ?? [])];
    const known = ids.flatMap((id) => client.guilds.cache.get(id) ?? []);
    const here = known.filter((guild) => guild.available);
    await server.sync.reconcile.mutate({
      instanceId,
      shardId,
      shardCount: client.options.shardCount ?? 1,
      guilds: await Promise.all(here.map(present)),
      unavailableIds: ids.filter((id) => client.guilds.cache.get(id)?.available !== true),
    });
    if (hasMembersIntent) return;
    for (const { id } of here.filter((guild) => !intentTold.has(guild.id))) {
      await server.sync.recordEvent.mutate({
        instanceId,
        guildId: id,
        eventType: 'intent_denied',
        eventData: null,
        errorMessage: words.membersIntentOff,
      });
      intentTold.add(id);
    }
  }

  const isReady = ({ shardId }: Guild) => ready.has(shardId);

  function save(guild: Guild, cause: 'installed' | 'available'): void {
    if (!isReady(guild)) return;
    calls.add(async () => {
      await server.sync.saveGuild.mutate({ instanceId, guild: await present(guild), cause });
      members.request(guild.id);
    });
  }

  function lose(guild: Guild, cause: 'removed' | 'unavailable'): void {
    if (cause === 'removed') members.forget(guild.id);
    if (!isReady(guild)) return;
    calls.add(() => server.sync.guildGone.mutate({ instanceId, guildId: guild.id, cause }));
  }

  /** Tell the whole guild once, when its changes have been gathered. */
  function change(guildId: string): void {
    if (gathering.has(guildId)) return;
    gathering.set(
      guildId,
      setTimeout(() => {
        gathering.delete(guildId);
        const guild = client.guilds.cache.get(guildId);
        if (!guild?.available || !isReady(guild)) return;
        calls.add(async () =>
          server.sync.saveGuild.mutate({ instanceId, guild: await present(guild), cause: 'updated' }),
        );
        members.checkModerators(guild);
      }, timings.gatherMs),
    );
  }

  client.ws.on(Dispatch.Ready, (data: GatewayReadyDispatchData, shardId) => {
    ready.delete(shardId);
    guildsOf.set(shardId, new Set(data.guilds.map(({ id }) => id)));
  });
  client.ws.on(Dispatch.GuildCreate, ({ id }: { id: string }, shardId) => guildsOf.get(shardId)?.add(id));
  client.ws.on(Dispatch.GuildDelete, ({ id, unavailable }: GatewayGuildDeleteDispatchData, shardId) => {
    if (unavailable !== true) guildsOf.get(shardId)?.delete(id);
  });
  for (const event of CHANGES) {
    client.ws.on(event, (data: { id: string; guild_id?: string }) => {
      change(event === Dispatch.GuildUpdate ? data.id : (data.guild_id ?? ''));
    });
  }
  client.ws.on(Dispatch.GuildMemberUpdate, (data: { guild_id: string; user: { id: string } }) => {
    if (data.user.id === client.user?.id) change(data.guild_id);
  });

  client.on('shardReady', (shardId) => {
    const ids = guildsOf.get(shardId) ?? new Set();
    // discord.js keeps what an earlier session had
    for (const guild of client.guilds.cache.values()) {
      if (guild.shardId === shardId && !ids.has(guild.id)) client.guilds.cache.delete(guild.id);
    }
    ready.add(shardId);
    for (const id of ids) members.markStale(id);
    calls.tellAll();
  });
  client.on('guildCreate', (guild) => save(guild, 'installed'));
  client.on('guildAvailable', (guild) => save(guild, 'available'));
  client.on('guildUnavailable', (guild) => lose(guild, 'unavailable'));
  client.on('guildDelete', (guild) => lose(guild, 'removed'));

  const refresh = setInterval(() => {
    if (ready.size > 0) void refreshAll();
  }, timings.refreshMs);

  async function refreshAll(): Promise<void> {
    if (!hasMembersIntent) {
      // nobody tells of members who come and go, so Discord's count is asked for
      for (const guild of client.guilds.cache.values()) await guild.fetch().catch(() => undefined);
    }
    calls.tellAll();
  }

  return {
    isStored: () => isStored,
    catchUp: calls.catchUp,
    stop() {
      clearInterval(refresh);
      for (const timer of [...gathering.values(), ...silenced.values()]) clearTimeout(timer);
      members.stop();
      calls.stop();
    },
  };
}
