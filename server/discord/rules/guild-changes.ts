/** Changes between the bot's snapshot of a guild and the stored one. */
import type { BotChannel, BotGuild } from '#shared/schemas/bot.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import { MEMBERS_SHARE_MIN } from '#shared/limits.ts';
import type { ChannelType, GuildEventType, GuildStatus } from '#shared/vocabulary.ts';

export interface StoredChannel {
  id: string;
  name: string;
  type: ChannelType;
  topic: string | null;
  position: number;
  isNsfw: boolean;
  isPostable: boolean;
  canSendMessages: boolean;
  canEmbedLinks: boolean;
}

export interface StoredGuild {
  name: string;
  iconUrl: string | null;
  status: GuildStatus;
  memberCount: number | null;
  defaultSplashChannelId: string | null;
  canCreateEvents: boolean;
  canCreateThreads: boolean;
  /** null until the bot has reported it */
  locale: string | null;
  /** where its mission cards are; null: nowhere */
  missionsChannelId: string | null;
  channels: readonly StoredChannel[];
}

/** An event about one or several things, by name; `error` is a problem that admins should solve. */
export interface GuildNews {
  type: GuildEventType;
  names: readonly string[];
  /** the noun if there are many */
  noun: 'channels' | 'members' | null;
  error: string | null;
}

export interface GuildChange {
  news: readonly GuildNews[];
  defaultSplashChannelId: string | null;
  /** true if pages would show a difference */
  isVisible: boolean;
}

/** The first permission that is missing for an announcement, as named in Discord's settings. */
function missingPermission({ canViewChannel, canSendMessages }: BotChannel): string {
  if (!canViewChannel) return 'View Channel';
  return canSendMessages ? 'Embed Links' : 'Send Messages';
}

const hasSameRights = (a: StoredChannel, b: BotChannel) =>
  a.isPostable === b.isPostable && a.canSendMessages === b.canSendMessages && a.canEmbedLinks === b.canEmbedLinks;

const looksTheSame = (a: StoredChannel, b: BotChannel) =>
  a.name === b.name && a.type === b.type && a.topic === b.topic && a.isNsfw === b.isNsfw;

function channelNews(stored: readonly StoredChannel[], seen: readonly BotChannel[]): GuildNews[] {
  const before = new Map(stored.map((channel) => [channel.id, channel]));
  const still = new Set(seen.map(({ id }) => id));
  const news: GuildNews[] = [];
  const add = (type: GuildEventType, channels: readonly { name: string }[], error: string | null = null) =>
    news.push({ type, names: channels.map(({ name }) => name), noun: 'channels', error });

  const known = seen.flatMap((channel) => {
    const old = before.get(channel.id);
    return old ? [{ old, channel }] : [];
  });
  const changed = (test: (old: StoredChannel, channel: BotChannel) => boolean) =>
    known.filter(({ old, channel }) => test(old, channel)).map(({ channel }) => channel);

  add(
    'channel_created',
    seen.filter(({ id }) => !before.has(id)),
  );
  add(
    'channel_updated',
    changed((old, channel) => !looksTheSame(old, channel)),
  );
  add(
    'channel_deleted',
    stored.filter(({ id }) => !still.has(id)),
  );
  const lost = changed((old, channel) => old.isPostable && !channel.isPostable);
  for (const permission of new Set(lost.map(missingPermission))) {
    const these = lost.filter((channel) => missingPermission(channel) === permission);
    add('channel_permissions_changed', these, `The bot can no longer post there: it lacks ${permission}.`);
  }
  add(
    'channel_permissions_changed',
    changed((old, channel) => !hasSameRights(old, channel) && !(old.isPostable && !channel.isPostable)),
  );
  return news.filter(({ names }) => names.length > 0);
}

/** Keep the default channel; without one, use the system channel or the first postable one. */
function chooseDefault(kept: string | null, { channels, systemChannelId }: BotGuild): string | null {
  if (kept !== null && channels.some(({ id }) => id === kept)) return kept;
  const postable = channels.filter(({ isPostable }) => isPostable).sort((a, b) => a.position - b.position);
  return (postable.find(({ id }) => id === systemChannelId) ?? postable[0])?.id ?? null;
}

const ARRIVAL: Record<GuildStatus, GuildEventType | null> = {
  active: null,
  unavailable: 'guild_available',
  disabled: 'guild_reinstalled',
};

/**
 * @param stored null for an unknown guild
 * @returns events in the order in which they are recorded; none if the snapshot equals the stored state
 */
export function describeGuildChange(stored: StoredGuild | null, seen: BotGuild): GuildChange {
  const defaultSplashChannelId = chooseDefault(stored?.defaultSplashChannelId ?? null, seen);
  const named = (type: GuildEventType, name: string): GuildNews => ({ type, names: [name], noun: null, error: null });
  if (stored === null) return { news: [named('guild_installed', seen.name)], defaultSplashChannelId, isVisible: true };

  const news: GuildNews[] = [];
  const arrival = ARRIVAL[stored.status];
  if (arrival) news.push(named(arrival, seen.name));
  if (stored.name !== seen.name || stored.iconUrl !== seen.iconUrl) news.push(named('guild_updated', seen.name));
  // changes made while the bot was not in the server are not recorded
  if (stored.status !== 'disabled') news.push(...channelNews(stored.channels, seen.channels));
  const lost = stored.defaultSplashChannelId;
  if (lost !== null && !seen.channels.some(({ id }) => id === lost)) {
    const name = stored.channels.find(({ id }) => id === lost)?.name ?? lost;
    const next = seen.channels.find(({ id }) => id === defaultSplashChannelId)?.name;
    const error = next === undefined ? 'There is no channel left where the bot can post.' : null;
    news.push({
      type: 'default_channel_lost',
      names: [next === undefined ? name : `${name}, now ${next}`],
      noun: null,
      error,
    });
  }
  const isVisible =
    news.length > 0 ||
    stored.memberCount !== seen.memberCount ||
    stored.canCreateEvents !== seen.canCreateEvents ||
    stored.canCreateThreads !== seen.canCreateThreads ||
    stored.defaultSplashChannelId !== defaultSplashChannelId ||
    stored.channels.some(({ id, position }) => seen.channels.find((one) => one.id === id)?.position !== position);
  return { news, defaultSplashChannelId, isVisible };
}

/** True if a server can show missions in a way in which it could not before: as scheduled events, as cards, with threads, or in another language. */
export function showsMore(before: StoredGuild | undefined, now: BotGuild): boolean {
  const canPost = ({ channels }: Pick<BotGuild, 'channels'> | StoredGuild) =>
    channels.some(({ id, isPostable }) => isPostable && id === before?.missionsChannelId);
  const was = before?.status === 'active' ? before : null;
  if (was && textsFor(was.locale).language !== textsFor(now.locale).language) return true;
  return (
    (now.canCreateEvents && was?.canCreateEvents !== true) ||
    (now.canCreateThreads && was?.canCreateThreads !== true) ||
    (canPost(now) && !(was && canPost(was)))
  );
}

/** The shard that has this guild, by Discord's rule. @returns null for an invalid id */
export function shardOf(guildId: string, shardCount: number): number | null {
  return /^\d{5,20}$/.test(guildId) ? Number((BigInt(guildId) >> 22n) % BigInt(shardCount)) : null;
}

/**
 * The data of one event about several things in a row: a name, or their number.
 * @param before data of the event so far; null for the first one
 * @returns null if nothing is added
 */
export function foldNames(before: string | null, names: readonly string[], noun: string): string | null {
  const [first] = names;
  if (first === undefined || (names.length === 1 && before === first)) return null;
  const counted = before === null ? 0 : Number(new RegExp(`^(\\d+) ${noun}$`).exec(before)?.[1] ?? 1);
  const sum = counted + names.length;
  return sum === 1 ? first : `${sum} ${noun}`;
}

/** Plausibility check of a member list. @param seen how many came @param known how many are stored as present */
export function isWholeList(seen: number, known: number): boolean {
  return seen >= known * MEMBERS_SHARE_MIN;
}
