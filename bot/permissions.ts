/** The bot's permissions, and who moderates, by Discord's rules as discord.js computes them. */
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
  /** a text or announcement channel in which an announcement would arrive */
  isPostable: boolean;
}

/** @param me the bot in that guild; while it is timed out it may only look */
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

/** Administrators cannot be silenced. */
export function isTimedOut(me: GuildMember): boolean {
  return me.isCommunicationDisabled() && !me.permissions.has(PermissionFlagsBits.Administrator);
}

/** Whether the bot may make guild scheduled events. */
export function canCreateEvents(me: GuildMember): boolean {
  return !isTimedOut(me) && me.permissions.any([PermissionFlagsBits.CreateEvents, PermissionFlagsBits.ManageEvents]);
}

/** The owner and administrators have every permission, so they are among them. */
export function isModerator(member: GuildMember): boolean {
  return member.permissions.any([PermissionFlagsBits.ManageGuild, PermissionFlagsBits.ModerateMembers]);
}
