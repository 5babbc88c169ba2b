/** Permissions of the bot and moderator status of members, as discord.js computes them. */
import { ChannelType as Kind, PermissionFlagsBits, type GuildBasedChannel, type GuildMember } from 'discord.js';
import type { ChannelType } from '#shared/vocabulary.ts';

const TYPES: Partial<Record<Kind, ChannelType>> = {
  [Kind.GuildText]: 'text',
  [Kind.GuildAnnouncement]: 'announcement',
  [Kind.PublicThread]: 'thread',
  [Kind.PrivateThread]: 'thread',
  [Kind.AnnouncementThread]: 'thread',
  [Kind.GuildForum]: 'forum',
};

export function channelType(channel: GuildBasedChannel): ChannelType {
  return TYPES[channel.type] ?? 'other';
}

export interface ChannelRights {
  canViewChannel: boolean;
  canSendMessages: boolean;
  canEmbedLinks: boolean;
  /** true when the bot can post an announcement there: a text or announcement channel with all permissions */
  isPostable: boolean;
}

/** @param me the bot in that guild; during a timeout it can only view */
export function channelRights(channel: GuildBasedChannel, me: GuildMember): ChannelRights {
  const held = channel.permissionsFor(me);
  const canViewChannel = held.has(PermissionFlagsBits.ViewChannel);
  const send = channel.isThread() ? PermissionFlagsBits.SendMessagesInThreads : PermissionFlagsBits.SendMessages;
  const canSendMessages = canViewChannel && held.has(send) && !isTimedOut(me);
  const canEmbedLinks = canSendMessages && held.has(PermissionFlagsBits.EmbedLinks);
  const type = channelType(channel);
  return {
    canViewChannel,
    canSendMessages,
    canEmbedLinks,
    isPostable: canEmbedLinks && (type === 'text' || type === 'announcement'),
  };
}

/** Timeouts do not affect administrators. */
export function isTimedOut(me: GuildMember): boolean {
  return me.isCommunicationDisabled() && !me.permissions.has(PermissionFlagsBits.Administrator);
}

/** True when the bot may create scheduled events: Manage Events alone only allows changing other people's events. */
export function canCreateEvents(me: GuildMember): boolean {
  return !isTimedOut(me) && me.permissions.has(PermissionFlagsBits.CreateEvents);
}

/** True when the bot may start threads on its messages and write in them, which is needed to add people. */
export function canCreateThreads(me: GuildMember): boolean {
  return (
    !isTimedOut(me) &&
    me.permissions.has([PermissionFlagsBits.CreatePublicThreads, PermissionFlagsBits.SendMessagesInThreads])
  );
}

/** Includes the owner and administrators, who have every permission. */
export function isModerator(member: GuildMember): boolean {
  return member.permissions.any([PermissionFlagsBits.ManageGuild, PermissionFlagsBits.ModerateMembers]);
}
