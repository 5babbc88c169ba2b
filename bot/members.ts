/** Reports of a guild's members and moderators: a full list when the bot connects, then collected changes. */
import { GatewayDispatchEvents as Dispatch, type Client, type Guild, type GuildMember } from 'discord.js';
import { type BotMember, CHUNK_MAX } from '#shared/schemas/bot.ts';
import type { CallQueue } from './calls.ts';
import type { BotContext } from './context.ts';
import { isTooLarge } from './failures.ts';
import { reasonOf } from './log.ts';
import { isModerator } from './permissions.ts';
import { presentMember } from './snapshot.ts';
import { adminSentences } from './bot-text.ts';

export interface MemberWatch {
  /** Fetches all members soon, at most once per `membersPauseMs`. */
  request: (guildId: string) => void;
  /** Marks the list as possibly incomplete on the server: the next `syncStale` fetches it again. */
  markStale: (guildId: string) => void;
  syncStale: () => void;
  /** Notes guilds that wait for an admin, of which the server takes no members. */
  notePending: (guildIds: readonly string[]) => void;
  /** Takes the complete list of guilds that wait; the members of those that no longer do are fetched. */
  setPending: (guildIds: readonly string[]) => void;
  /** Reports new and former moderators after a change of roles or of the owner. */
  checkModerators: (guild: Guild) => void;
  forget: (guildId: string) => void;
  stop: () => void;
}

interface Gathered {
  timer: ReturnType<typeof setTimeout>;
  changed: Set<string>;
  joined: Set<string>;
  left: Set<string>;
}

interface MemberData {
  guild_id: string;
  user: { id: string };
}

export function watchMembers(
  client: Client,
  { server, instanceId, log, timings }: BotContext,
  calls: Pick<CallQueue, 'add'>,
  hasMembersIntent: boolean,
): MemberWatch {
  const stale = new Set<string>();
  let pending: ReadonlySet<string> = new Set();
  const gathered = new Map<string, Gathered>();
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  const fetchedAt = new Map<string, number>();
  /** moderators as last reported to the server */
  const moderators = new Map<string, Set<string>>();
  let fetching = Promise.resolve();
  let isStopped = false;

  const findGuild = (guildId: string): Guild | undefined => {
    const guild = client.guilds.cache.get(guildId);
    return guild?.available ? guild : undefined;
  };

  function noteModerators(guildId: string, members: Iterable<GuildMember>): void {
    const known = moderators.get(guildId) ?? new Set();
    for (const member of members) {
      if (isModerator(member)) known.add(member.id);
      else known.delete(member.id);
    }
    moderators.set(guildId, known);
  }

  /** Sends a list of all members in parts, smaller ones when the server finds them too large. @returns false if it is not believed */
  async function send(guildId: string, members: readonly BotMember[]): Promise<boolean> {
    const sorted = members.toSorted((a, b) => (a.discordUserId < b.discordUserId ? -1 : 1));
    let most: number = CHUNK_MAX.members;
    let after: string | null = null;
    let isNewList = false;
    for (let sent = 0; ;) {
      const part = sorted.slice(sent, sent + most);
      const through: string | null = sent + part.length < sorted.length ? (part.at(-1)?.discordUserId ?? null) : null;
      try {
        const list = { instanceId, guildId, total: sorted.length, after, through, isNewList, members: part };
        const answer = await server.sync.syncMembers.mutate(list);
        if (!answer.isTaken) return false;
        if (through === null) return true;
        sent += part.length;
        after = through;
        isNewList = answer.isNewList;
      } catch (error) {
        if (!isTooLarge(error) || part.length <= 1) throw error;
        most = Math.ceil(part.length / 2);
      }
    }
  }

  async function fetchAll(guildId: string): Promise<void> {
    const guild = findGuild(guildId);
    if (isStopped || !guild || pending.has(guildId)) return;
    fetchedAt.set(guildId, Date.now());
    try {
      const fetched = await guild.members.fetch();
      calls.add(guildId, async () => {
        // members who have left since are no longer cached
        const members = [...fetched.values()].filter(({ id }) => guild.members.cache.has(id));
        if (await send(guildId, members.map(presentMember))) noteModerators(guildId, members);
        else requestIn(guildId, timings.membersAgainMs);
      });
    } catch (error) {
      log.warn({ guildId, reason: reasonOf(error) }, adminSentences.membersNotFetched);
      calls.add(guildId, () =>
        server.sync.recordEvent.mutate({
          instanceId,
          guildId,
          eventType: 'members_sync_failed',
          eventData: null,
          errorMessage: adminSentences.membersNotFetched,
        }),
      );
      requestIn(guildId, timings.membersAgainMs);
    }
  }

  function requestIn(guildId: string, ms: number): void {
    if (isStopped || !hasMembersIntent || pending.has(guildId) || waiting.has(guildId)) return;
    const run = () => {
      waiting.delete(guildId);
      fetching = fetching.then(() => fetchAll(guildId));
    };
    waiting.set(guildId, setTimeout(run, ms));
  }

  function request(guildId: string): void {
    stale.delete(guildId);
    const last = fetchedAt.get(guildId);
    requestIn(guildId, last === undefined ? 0 : Math.max(0, last + timings.membersPauseMs - Date.now()));
  }

  function gather(guildId: string): Gathered {
    let batch = gathered.get(guildId);
    if (!batch) {
      const timer = setTimeout(() => flush(guildId), timings.gatherMs);
      batch = { timer, changed: new Set(), joined: new Set(), left: new Set() };
      gathered.set(guildId, batch);
    }
    return batch;
  }

  function flush(guildId: string): void {
    const batch = gathered.get(guildId);
    gathered.delete(guildId);
    const guild = findGuild(guildId);
    if (!batch || !guild || pending.has(guildId)) return;
    calls.add(guildId, async () => {
      const members = [...batch.changed].flatMap((id) => guild.members.cache.get(id) ?? []);
      await server.sync.saveMembers.mutate({
        instanceId,
        guildId,
        changed: members.map(presentMember),
        joinedIds: members.map(({ id }) => id).filter((id) => batch.joined.has(id)),
        leftIds: [...batch.left],
        memberCount: guild.memberCount,
      });
      noteModerators(guildId, members);
    });
  }

  if (hasMembersIntent) {
    client.ws.on(Dispatch.GuildMemberAdd, ({ guild_id: guildId, user }: MemberData) => {
      const batch = gather(guildId);
      batch.left.delete(user.id);
      batch.joined.add(user.id);
      batch.changed.add(user.id);
    });
    client.ws.on(Dispatch.GuildMemberUpdate, ({ guild_id: guildId, user }: MemberData) => {
      gather(guildId).changed.add(user.id);
    });
    client.ws.on(Dispatch.GuildMemberRemove, ({ guild_id: guildId, user }: MemberData) => {
      const batch = gather(guildId);
      batch.joined.delete(user.id);
      batch.changed.delete(user.id);
      batch.left.add(user.id);
    });
  }

  return {
    request,
    markStale: (guildId) => stale.add(guildId),
    syncStale() {
      for (const guildId of stale) request(guildId);
    },
    notePending(guildIds) {
      pending = new Set([...pending, ...guildIds]);
    },
    setPending(guildIds) {
      const before = pending;
      pending = new Set(guildIds);
      for (const guildId of before) if (!pending.has(guildId)) request(guildId);
    },
    checkModerators(guild) {
      const known = moderators.get(guild.id);
      if (!known) return;
      for (const member of guild.members.cache.values()) {
        if (isModerator(member) !== known.has(member.id)) gather(guild.id).changed.add(member.id);
      }
    },
    forget(guildId) {
      clearTimeout(waiting.get(guildId));
      clearTimeout(gathered.get(guildId)?.timer);
      for (const kept of [waiting, gathered, fetchedAt, moderators, stale]) kept.delete(guildId);
    },
    stop() {
      isStopped = true;
      for (const timer of waiting.values()) clearTimeout(timer);
      for (const { timer } of gathered.values()) clearTimeout(timer);
    },
  };
}
