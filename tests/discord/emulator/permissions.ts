/** Permissions by Discord's own rules: owner, administrator, roles, overwrites, time-out. */
import { PermissionFlagsBits as Bits } from 'discord-api-types/v10';
import type { Channel, Guild, Member, World } from './state.ts';

const ALL = Object.values(Bits).reduce((all, bit) => all | bit, 0n);
/** The permissions that a member in time-out keeps. */
const IN_TIMEOUT = Bits.ViewChannel | Bits.ReadMessageHistory;
/** Text, direct messages, voice, announcement, threads, stage. */
const TEXT_CHANNELS = new Set([0, 1, 2, 5, 10, 11, 12, 13]);
const THREADS = new Set([10, 11, 12]);

export const isThread = (channel: Channel): boolean => THREADS.has(channel.type);
export const isTextChannel = (channel: Channel): boolean => TEXT_CHANNELS.has(channel.type);

/** Of a member in the whole guild, before any channel. */
export function guildPermissions(guild: Guild, member: Member): bigint {
  if (member.person.id === guild.ownerId) return ALL;
  const own = [guild.id, ...member.roles].reduce((all, id) => all | (guild.roles.get(id)?.permissions ?? 0n), 0n);
  return (own & Bits.Administrator) !== 0n ? ALL : own;
}

export function isTimedOut(member: Member): boolean {
  return member.timeoutUntil !== null && Date.parse(member.timeoutUntil) > Date.now();
}

/** Of a member in a channel; a thread has those of its parent. */
export function channelPermissions(guild: Guild, member: Member, channel: Channel): bigint {
  let allowed = guildPermissions(guild, member);
  if (allowed === ALL) return ALL;
  const parent = isThread(channel) ? (guild.channels.get(channel.parentId ?? '') ?? channel) : channel;
  const everyone = parent.overwrites.find((overwrite) => overwrite.id === guild.id);
  allowed = apply(allowed, everyone?.allow, everyone?.deny);
  const ofRoles = parent.overwrites.filter(
    ({ id, type }) => type === 0 && id !== guild.id && member.roles.includes(id),
  );
  const union = (pick: 'allow' | 'deny') => ofRoles.reduce((all, overwrite) => all | (overwrite[pick] ?? 0n), 0n);
  allowed = apply(allowed, union('allow'), union('deny'));
  const own = parent.overwrites.find(({ id, type }) => type === 1 && id === member.person.id);
  allowed = apply(allowed, own?.allow, own?.deny);
  // without View Channel there are no permissions in it
  if ((allowed & Bits.ViewChannel) === 0n) return 0n;
  if (!isThread(channel) && (allowed & Bits.SendMessages) === 0n) allowed &= ~(Bits.EmbedLinks | Bits.AttachFiles);
  return isTimedOut(member) ? allowed & IN_TIMEOUT : allowed;
}

function apply(allowed: bigint, allow = 0n, deny = 0n): bigint {
  return (allowed & ~deny) | allow;
}

/** The bot's own in a channel; null where it is not installed. */
export function botPermissions(world: World, channel: Channel): bigint | null {
  const guild = world.guilds.get(channel.guildId ?? '');
  const member = guild?.members.get(world.bot.id);
  return guild === undefined || member === undefined ? null : channelPermissions(guild, member, channel);
}
