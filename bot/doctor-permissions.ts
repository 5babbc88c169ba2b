/** Discord's permission rules (roles, overwrites) applied to data of its REST API, without a gateway connection. */
import {
  type APIGuildMember,
  type APIOverwrite,
  type APIRole,
  OverwriteType,
  PermissionFlagsBits as Bits,
} from 'discord-api-types/v10';
import { BOT_PERMISSIONS } from '#shared/vocabulary.ts';

/** Permission names as Discord's settings show them. */
const NAMES: Record<(typeof BOT_PERMISSIONS)[number], string> = {
  ViewChannel: 'View Channels',
  SendMessages: 'Send Messages',
  EmbedLinks: 'Embed Links',
  ReadMessageHistory: 'Read Message History',
  CreateEvents: 'Create Events',
  SendMessagesInThreads: 'Send Messages in Threads',
  CreatePublicThreads: 'Create Public Threads',
  ManageThreads: 'Manage Threads',
};

/** All permissions that the install link requests. */
export const INSTALLED = BOT_PERMISSIONS.reduce((sum, name) => sum | Bits[name], 0n);
/** Permissions needed to post. */
export const POSTING = Bits.ViewChannel | Bits.SendMessages | Bits.EmbedLinks;

const EVERYTHING = ~0n;

interface Subject {
  guildId: string;
  isOwner: boolean;
  roles: readonly APIRole[];
  member: Pick<APIGuildMember, 'roles'> & { userId: string };
}

/** A member's permissions in a guild, as bits. */
export function guildPermissions({ guildId, isOwner, roles, member }: Subject): bigint {
  if (isOwner) return EVERYTHING;
  const sum = roles
    .filter(({ id }) => id === guildId || member.roles.includes(id))
    .reduce((bits, { permissions }) => bits | BigInt(permissions), 0n);
  return has(sum, Bits.Administrator) ? EVERYTHING : sum;
}

/** A member's permissions in a channel: the overwrite for @everyone applies first, then the roles', then the member's own. */
export function channelPermissions(subject: Subject, overwrites: readonly APIOverwrite[]): bigint {
  const base = guildPermissions(subject);
  if (base === EVERYTHING) return base;
  const { guildId, member } = subject;
  const ofRoles = overwrites.filter(({ type, id }) => type === OverwriteType.Role && member.roles.includes(id));
  return [
    overwrites.filter(({ id }) => id === guildId),
    ofRoles,
    overwrites.filter(({ type, id }) => type === OverwriteType.Member && id === member.userId),
  ].reduce((bits, step) => {
    const denied = step.reduce((sum, { deny }) => sum | BigInt(deny), 0n);
    const allowed = step.reduce((sum, { allow }) => sum | BigInt(allow), 0n);
    return (bits & ~denied) | allowed;
  }, base);
}

export function has(bits: bigint, wanted: bigint): boolean {
  return (bits & wanted) === wanted;
}

/** Names of the missing permissions. */
export function lacking(bits: bigint, wanted: bigint): string[] {
  return BOT_PERMISSIONS.filter((name) => has(wanted, Bits[name]) && !has(bits, Bits[name])).map((name) => NAMES[name]);
}
