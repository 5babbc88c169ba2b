/** Threads that start from a message, and their members. https://docs.discord.com/developers/topics/threads */
import { GatewayIntentBits, PermissionFlagsBits as Bits } from 'discord-api-types/v10';
import { invalidForm, refusals } from '#tests/discord/emulator/errors.ts';
import { tellMessage } from '#tests/discord/emulator/messages.ts';
import { channelPermissions, isThread } from '#tests/discord/emulator/permissions.ts';
import { channelShape, threadMemberShape } from '#tests/discord/emulator/shapes.ts';
import { guildOf, type Channel, type World } from '#tests/discord/emulator/state.ts';
import { visibleChannel, visibleMessage } from './channels.ts';
import type { Route } from './route.ts';

/** "The created thread's type depends on the type of its channel": text and announcement channels only. */
const THREAD_TYPES: Readonly<Record<number, number>> = { 0: 11, 5: 10 };
const USUAL_MINUTES = 4320;

interface ThreadBody {
  name?: string;
  auto_archive_duration?: number | null;
  rate_limit_per_user?: number | null;
  archived?: boolean | null;
  locked?: boolean | null;
}

/** @throws DiscordError 50013 */
function need(permissions: bigint, needed: bigint): void {
  if ((permissions & needed) !== needed) throw refusals.missingPermissions();
}

/** @throws DiscordError 50035 for a name without a visible character */
function nameOf(name = ''): string {
  if (name.trim() === '') throw invalidForm('name', 'BASE_TYPE_REQUIRED', 'This field is required');
  return name.trim();
}

/** @throws DiscordError 10003, 50001, 50024 */
function visibleThread(world: World, channelId = ''): { thread: Channel; permissions: bigint } {
  const { channel, permissions } = visibleChannel(world, channelId);
  if (!isThread(channel)) throw refusals.wrongChannelType();
  return { thread: channel, permissions };
}

function tellThread(world: World, kind: 'CREATE' | 'UPDATE', thread: Channel): void {
  const isNew = kind === 'CREATE' ? { newly_created: true } : {};
  world.dispatch(`THREAD_${kind}`, thread.guildId, { ...channelShape(thread), ...isNew }, GatewayIntentBits.Guilds);
}

function tellMembers(world: World, thread: Channel, change: object): void {
  const counted = { id: thread.id, guild_id: thread.guildId, member_count: Math.min(thread.threadMembers.size, 50) };
  world.dispatch('THREAD_MEMBERS_UPDATE', thread.guildId, { ...counted, ...change }, GatewayIntentBits.GuildMembers);
}

/**
 * A user whom the bot may add. What Discord answers for others is not documented; these are the errors for a user outside the
 * server and for one who cannot see the channel.
 * @throws DiscordError 10007, 50001
 */
function checkMayJoin(world: World, thread: Channel, userId: string): void {
  const guild = guildOf(world, thread.guildId ?? '');
  const member = guild.members.get(userId);
  if (member === undefined) throw refusals.unknownMember();
  if ((channelPermissions(guild, member, thread) & Bits.ViewChannel) === 0n) throw refusals.missingAccess();
}

/**
 * "Editing a thread to change the name, archived, auto_archive_duration fields requires MANAGE_THREADS or that the current
 * user is the thread creator"; to set `archived` to false takes the permission to send there, and MANAGE_THREADS if it is locked.
 * @throws DiscordError 50013, 50083
 */
function checkMayEdit(world: World, thread: Channel, permissions: bigint, body: ThreadBody): void {
  const isOwn = thread.ownerId === world.bot.id;
  const isOnlyWaking = body.archived === false && Object.keys(body).length === 1;
  if (thread.archived && body.archived !== false) throw refusals.archivedThread();
  const isModerating = body.locked !== undefined || body.rate_limit_per_user !== undefined;
  if (isModerating || (thread.locked && body.archived !== undefined)) need(permissions, Bits.ManageThreads);
  if (isOnlyWaking) need(permissions, Bits.SendMessagesInThreads);
  else if (!isOwn) need(permissions, Bits.ManageThreads);
}

export const threadRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/channels/{channel_id}/messages/{message_id}/threads',
    handle: (world, { params, body: given }) => {
      const { channel, message, permissions } = visibleMessage(world, params['channel_id'], params['message_id']);
      const type = THREAD_TYPES[channel.type];
      if (type === undefined) throw refusals.wrongChannelType();
      need(permissions, Bits.CreatePublicThreads);
      if (world.channels.has(message.id)) throw refusals.threadExists();
      const body = given as ThreadBody;
      const thread: Channel = {
        ...channel,
        // "The id of the created thread will be the same as the id of the source message"
        id: message.id,
        type,
        name: nameOf(body.name),
        topic: null,
        parentId: channel.id,
        overwrites: [],
        messages: [],
        ownerId: world.bot.id,
        archiveMinutes: body.auto_archive_duration ?? USUAL_MINUTES,
        threadMembers: new Map([[world.bot.id, new Date().toISOString()]]),
      };
      world.channels.set(thread.id, thread);
      guildOf(world, channel.guildId ?? '').channels.set(thread.id, thread);
      tellThread(world, 'CREATE', thread);
      tellMessage(world, 'MESSAGE_UPDATE', message, channel);
      return { status: 201, body: channelShape(thread) };
    },
  },
  {
    method: 'PATCH',
    path: '/channels/{channel_id}',
    handle: (world, { params, body: given }) => {
      const { thread, permissions } = visibleThread(world, params['channel_id']);
      const body = given as ThreadBody;
      checkMayEdit(world, thread, permissions, body);
      Object.assign(thread, {
        name: body.name === undefined ? thread.name : nameOf(body.name),
        archived: body.archived ?? thread.archived,
        locked: body.locked ?? thread.locked,
        archiveMinutes: body.auto_archive_duration ?? thread.archiveMinutes,
      });
      tellThread(world, 'UPDATE', thread);
      return { body: channelShape(thread) };
    },
  },
  {
    method: 'GET',
    path: '/channels/{channel_id}/thread-members',
    handle: (world, { params }) => {
      const { thread } = visibleThread(world, params['channel_id']);
      // "restricted according to whether the GUILD_MEMBERS Privileged Intent is enabled for your application"
      if (world.isMembersIntentRefused) throw refusals.missingAccess();
      return { body: [...thread.threadMembers.keys()].map((userId) => threadMemberShape(thread, userId)) };
    },
  },
  {
    method: 'PUT',
    path: '/channels/{channel_id}/thread-members/{user_id}',
    handle: (world, { params }) => {
      const { thread, permissions } = visibleThread(world, params['channel_id']);
      const userId = params['user_id'] ?? '';
      // "Requires the ability to send messages in the thread. Also requires the thread is not archived."
      need(permissions, Bits.SendMessagesInThreads);
      if (thread.archived) throw refusals.archivedThread();
      checkMayJoin(world, thread, userId);
      if (thread.threadMembers.has(userId)) return {};
      thread.threadMembers.set(userId, new Date().toISOString());
      tellMembers(world, thread, { added_members: [threadMemberShape(thread, userId)] });
      return {};
    },
  },
  {
    method: 'DELETE',
    path: '/channels/{channel_id}/thread-members/{user_id}',
    handle: (world, { params }) => {
      const { thread, permissions } = visibleThread(world, params['channel_id']);
      // "Requires the MANAGE_THREADS permission, or the creator of the thread if it is a PRIVATE_THREAD."
      need(permissions, Bits.ManageThreads);
      if (thread.archived) throw refusals.archivedThread();
      const userId = params['user_id'] ?? '';
      if (!thread.threadMembers.delete(userId)) throw refusals.unknownMember();
      tellMembers(world, thread, { removed_member_ids: [userId] });
      return {};
    },
  },
];
