/**
 * Reports of guilds to the server. Discord repeats and drops events, so nothing relies on a single one: a ready shard sends
 * all its guilds, a change sends the whole guild, and the server works out the difference.
 */
import { GatewayDispatchEvents as Dispatch, type Client, type Guild } from 'discord.js';
import { createCallQueue } from './calls.ts';
import { CHUNK_MAX } from '#shared/schemas/bot.ts';
import type { BotContext } from './context.ts';
import { isRefused } from './failures.ts';
import { reasonOf } from './log.ts';
import { watchMembers } from './members.ts';
import { isTimedOut } from './permissions.ts';
import { type Shards, trackShards } from './shards.ts';
import { presentGuild } from './snapshot.ts';
import { adminSentences } from './bot-text.ts';

export interface GuildWatch {
  /** true when the first full report of this connection has reached the server */
  isStored: () => boolean;
  /** Takes the guilds that wait for an admin, as the server lists them. */
  setPending: (guildIds: readonly string[]) => void;
  /** Retries failed reports at once. */
  catchUp: () => void;
  stop: () => void;
}

export interface GuildWatchOptions {
  hasMembersIntent: boolean;
  /** a full report has reached the server */
  onStored: () => void;
  onNotActing: () => void;
}

/** Events that can change a guild's channels or the bot's permissions in them. */
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

/** Longest delay of setTimeout. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** One timer per guild. */
function createGuildTimers() {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const clear = (guildId: string): void => {
    clearTimeout(timers.get(guildId));
    timers.delete(guildId);
  };
  return {
    isSet: (guildId: string): boolean => timers.has(guildId),
    clear,
    set(guildId: string, run: () => void, ms: number): void {
      clear(guildId);
      const fire = (): void => {
        timers.delete(guildId);
        run();
      };
      timers.set(guildId, setTimeout(fire, ms));
    },
    stop(): void {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

/** Calls `onOver` when a timeout of the bot ends, because Discord sends no event for that. */
function createTimeOutWatch(onOver: (guildId: string) => void) {
  const timers = createGuildTimers();
  return {
    watch(guild: Guild): void {
      timers.clear(guild.id);
      const { me } = guild.members;
      if (!me || !isTimedOut(me)) return;
      const leftMs = (me.communicationDisabledUntilTimestamp ?? 0) - Date.now();
      timers.set(guild.id, () => onOver(guild.id), Math.min(leftMs + 1_000, TIMER_MAX_MS));
    },
    stop: timers.stop,
  };
}

/** Calls `onChange` with the guild's id after each event that can change its snapshot. */
function listenForChanges(client: Client, onChange: (guildId: string) => void): void {
  for (const event of CHANGES) {
    client.ws.on(event, (data: { id: string; guild_id?: string }) => {
      onChange(event === Dispatch.GuildUpdate ? data.id : (data.guild_id ?? ''));
    });
  }
  client.ws.on(Dispatch.GuildMemberUpdate, (data: { guild_id: string; user: { id: string } }) => {
    if (data.user.id === client.user?.id) onChange(data.guild_id);
  });
}

type Present = (guild: Guild) => ReturnType<typeof presentGuild>;

/** @returns a function that reports all guilds of a shard, and records once per guild that the members intent is off */
function createReconcile(
  client: Client,
  { server, instanceId, log }: BotContext,
  shards: Shards,
  present: Present,
  { hasMembersIntent, onPending }: { hasMembersIntent: boolean; onPending: (guildIds: readonly string[]) => void },
) {
  const intentTold = new Set<string>();
  /** A guild that the server refuses must not keep the others out, so a refused call is split. */
  async function save(guilds: readonly Guild[]): Promise<void> {
    try {
      const saved = await server.sync.saveGuilds.mutate({
        instanceId,
        guilds: await Promise.all(guilds.map(present)),
      });
      onPending(saved.pendingIds);
    } catch (error) {
      if (!isRefused(error)) throw error;
      const half = Math.ceil(guilds.length / 2);
      if (guilds.length > 1) for (const part of [guilds.slice(0, half), guilds.slice(half)]) await save(part);
      else log.warn({ guildId: guilds[0]?.id, reason: reasonOf(error) }, 'Discord server report refused');
    }
  }
  return async (shardId: number): Promise<void> => {
    const ids = shards.guildsOf(shardId);
    const known = ids.flatMap((id) => client.guilds.cache.get(id) ?? []);
    const here = known.filter((guild) => guild.available);
    for (let at = 0; at < here.length; at += CHUNK_MAX.guilds) await save(here.slice(at, at + CHUNK_MAX.guilds));
    await server.sync.reconcile.mutate({
      instanceId,
      shardId,
      shardCount: client.options.shardCount ?? 1,
      guildIds: here.map(({ id }) => id),
      unavailableIds: ids.filter((id) => client.guilds.cache.get(id)?.available !== true),
    });
    if (hasMembersIntent) return;
    for (const { id } of here.filter((guild) => !intentTold.has(guild.id))) {
      await server.sync.recordEvent.mutate({
        instanceId,
        guildId: id,
        eventType: 'intent_denied',
        eventData: null,
        errorMessage: adminSentences.membersIntentOff,
      });
      intentTold.add(id);
    }
  };
}

/** Reports the bot's guilds to the server until it is stopped. */
export function watchGuilds(client: Client, context: BotContext, options: GuildWatchOptions): GuildWatch {
  const { server, instanceId, log, timings } = context;
  const { hasMembersIntent } = options;
  const gathering = createGuildTimers();
  const timeOuts = createTimeOutWatch(change);
  let isStored = false;

  const present: Present = async (guild) => {
    timeOuts.watch(guild);
    return presentGuild(guild, hasMembersIntent);
  };
  const shards = trackShards(client, (shardId) => {
    for (const id of shards.guildsOf(shardId)) members.markStale(id);
    calls.tellAll();
  });
  const reconcile = createReconcile(client, context, shards, present, {
    hasMembersIntent,
    onPending: (guildIds) => members.notePending(guildIds),
  });
  const calls = createCallQueue({
    async everything() {
      for (const shardId of shards.ready) await reconcile(shardId);
    },
    onTold() {
      isStored = true;
      members.syncStale();
      options.onStored();
    },
    onLost: (guildId) => members.markStale(guildId),
    onNotActing: options.onNotActing,
    log,
    retryMinMs: timings.retryMinMs,
    retryMaxMs: timings.retryMaxMs,
  });
  const members = watchMembers(client, context, calls, hasMembersIntent);

  const isReady = ({ shardId }: Guild) => shards.ready.has(shardId);

  function save(guild: Guild, cause: 'installed' | 'available'): void {
    if (!isReady(guild)) return;
    calls.add(guild.id, async () => {
      const saved = await server.sync.saveGuild.mutate({ instanceId, guild: await present(guild), cause });
      members.notePending(saved.pendingIds);
      members.request(guild.id);
    });
  }

  function lose(guild: Guild, cause: 'removed' | 'unavailable'): void {
    if (cause === 'removed') members.forget(guild.id);
    if (!isReady(guild)) return;
    calls.add(guild.id, () => server.sync.guildGone.mutate({ instanceId, guildId: guild.id, cause }));
  }

  /** Reports the whole guild once, after collecting changes for `gatherMs`. */
  function change(guildId: string): void {
    if (gathering.isSet(guildId)) return;
    const tell = (): void => {
      const guild = client.guilds.cache.get(guildId);
      if (!guild?.available || !isReady(guild)) return;
      calls.add(guildId, async () =>
        server.sync.saveGuild.mutate({ instanceId, guild: await present(guild), cause: 'updated' }),
      );
      members.checkModerators(guild);
    };
    gathering.set(guildId, tell, timings.gatherMs);
  }

  listenForChanges(client, change);
  client.on('guildCreate', (guild) => save(guild, 'installed'));
  client.on('guildAvailable', (guild) => save(guild, 'available'));
  client.on('guildUnavailable', (guild) => lose(guild, 'unavailable'));
  client.on('guildDelete', (guild) => lose(guild, 'removed'));

  async function refreshAll(): Promise<void> {
    if (!hasMembersIntent) {
      // without the intent there are no member events, so fetch Discord's count
      for (const guild of client.guilds.cache.values()) await guild.fetch().catch(() => undefined);
    }
    calls.tellAll();
  }
  const refresh = setInterval(() => {
    if (shards.ready.size > 0) void refreshAll();
  }, timings.refreshMs);

  return {
    isStored: () => isStored,
    setPending: members.setPending,
    catchUp: calls.catchUp,
    stop() {
      clearInterval(refresh);
      gathering.stop();
      timeOuts.stop();
      members.stop();
      calls.stop();
    },
  };
}
