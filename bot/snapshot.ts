/** Snapshots of guilds, channels and members for the server. */
import { ChannelType as Kind, type Guild, type GuildBasedChannel, type GuildMember } from 'discord.js';
import type { BotChannel, BotGuild, BotMember } from '#shared/schemas/bot.ts';
import { canCreateEvents, canCreateThreads, channelRights, channelType, isModerator } from './permissions.ts';

/** Discord shows voice channels below the others of a category, whatever their positions. */
const isVoice = ({ type }: GuildBasedChannel) => type === Kind.GuildVoice || type === Kind.GuildStageVoice;

const rawPosition = (channel: GuildBasedChannel): number =>
  'rawPosition' in channel && typeof channel.rawPosition === 'number' ? channel.rawPosition : 0;

function compareInSidebar(a: GuildBasedChannel, b: GuildBasedChannel): number {
  return (
    Number(isVoice(a)) - Number(isVoice(b)) || rawPosition(a) - rawPosition(b) || (BigInt(a.id) < BigInt(b.id) ? -1 : 1)
  );
}

/** Channels without categories, in the order of Discord's sidebar. */
function listChannels(guild: Guild): GuildBasedChannel[] {
  const children = new Map<string | null, GuildBasedChannel[]>();
  for (const channel of guild.channels.cache.values()) {
    // a thread inherits the permissions of its channel, which are unknown without the channel
    if (channel.isThread() && (channel.archived || !channel.parent)) continue;
    const parent = channel.parentId !== null && guild.channels.cache.has(channel.parentId) ? channel.parentId : null;
    children.set(parent, [...(children.get(parent) ?? []), channel]);
  }
  const below = (parent: string | null): GuildBasedChannel[] =>
    (children.get(parent) ?? []).sort(compareInSidebar).flatMap((channel) => [channel, ...below(channel.id)]);
  const top = (children.get(null) ?? []).sort(compareInSidebar);
  const isCategory = ({ type }: GuildBasedChannel) => type === Kind.GuildCategory;
  return [...top.filter((channel) => !isCategory(channel)), ...top.filter(isCategory)]
    .flatMap((channel) => [channel, ...below(channel.id)])
    .filter((channel) => !isCategory(channel));
}

function presentChannel(channel: GuildBasedChannel, me: GuildMember, position: number): BotChannel {
  return {
    id: channel.id,
    name: channel.name,
    type: channelType(channel),
    topic: 'topic' in channel ? channel.topic : null,
    position,
    isNsfw: 'nsfw' in channel && channel.nsfw,
    ...channelRights(channel, me),
  };
}

/** Roles that people can be given and that can be mentioned by name, the highest first. */
const listRoles = (guild: Guild): BotGuild['roles'] =>
  [...guild.roles.cache.values()]
    .filter(({ id, managed }) => id !== guild.id && !managed)
    .sort((a, b) => b.position - a.position)
    .map(({ id, name }) => ({ id, name }));

/** @param hasMembersIntent without it, Discord's approximate member count is used */
export async function presentGuild(guild: Guild, hasMembersIntent: boolean): Promise<BotGuild> {
  const me = guild.members.me ?? (await guild.members.fetchMe());
  const counted = hasMembersIntent ? guild.memberCount : (guild.approximateMemberCount ?? guild.memberCount);
  return {
    id: guild.id,
    name: guild.name,
    iconUrl: guild.iconURL({ extension: 'png', size: 128 }),
    memberCount: Number.isInteger(counted) ? counted : null,
    canCreateEvents: canCreateEvents(me),
    canCreateThreads: canCreateThreads(me),
    systemChannelId: guild.systemChannelId,
    locale: guild.preferredLocale,
    roles: listRoles(guild),
    channels: listChannels(guild).map((channel, position) => presentChannel(channel, me, position)),
  };
}

export function presentMember(member: GuildMember): BotMember {
  return {
    discordUserId: member.id,
    discordUsername: member.user.username,
    isBot: member.user.bot,
    isModerator: isModerator(member),
    joinedAt: member.joinedAt?.toISOString() ?? null,
  };
}
