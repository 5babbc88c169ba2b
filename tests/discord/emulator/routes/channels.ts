/** Channels and the messages in them. */
import { GatewayIntentBits, PermissionFlagsBits as Bits } from 'discord-api-types/v10';
import { checkMayEditAgain } from '#tests/discord/emulator/edit-limits.ts';
import { invalidForm, refusals } from '#tests/discord/emulator/errors.ts';
import { compareIds, nextId, timeOf } from '#tests/discord/emulator/ids.ts';
import { editMessage, removeMessage, writeMessage, type MessageBody } from '#tests/discord/emulator/messages.ts';
import { botPermissions, isTextChannel, isThread } from '#tests/discord/emulator/permissions.ts';
import { channelShape, messageShape, newMessageShape } from '#tests/discord/emulator/shapes.ts';
import type { Channel, Message, Person, World } from '#tests/discord/emulator/state.ts';
import type { Route } from './route.ts';

const PAGE = { fewest: 1, usual: 50, most: 100 };
/** "checked for uniqueness in the past few minutes", for all messages of an author */
const NONCE_LIFE_MS = 3 * 60_000;

/** @throws DiscordError 10003, 50001 */
export function visibleChannel(world: World, channelId = ''): { channel: Channel; permissions: bigint } {
  const channel = world.channels.get(channelId);
  if (channel === undefined) throw refusals.unknownChannel();
  if (channel.guildId === null) return { channel, permissions: -1n };
  const permissions = botPermissions(world, channel);
  if (permissions === null || (permissions & Bits.ViewChannel) === 0n) throw refusals.missingAccess();
  return { channel, permissions };
}

/** A message that the bot can see there. @throws DiscordError 10003, 50001, 10008 */
export function visibleMessage(
  world: World,
  channelId = '',
  messageId = '',
): { channel: Channel; message: Message; permissions: bigint } {
  const { channel, permissions } = visibleChannel(world, channelId);
  const message = channel.messages.find(({ id }) => id === messageId);
  if (message === undefined || message.ephemeralFor !== null) throw refusals.unknownMessage();
  return { channel, message, permissions };
}

/** @throws DiscordError 50007, 50278, 50008, 50013 */
function checkMayPost(world: World, channel: Channel, permissions: bigint, body: MessageBody): void {
  if (channel.recipient !== null) {
    const { recipient } = channel;
    const isKnown = [...world.guilds.values()].some((guild) => guild.isInstalled && guild.members.has(recipient.id));
    if (!isKnown) throw refusals.noMutualGuilds();
    if (recipient.hasClosedDms) throw refusals.closedDms();
    return;
  }
  if (!isTextChannel(channel)) throw refusals.notText();
  const toSend = isThread(channel) ? Bits.SendMessagesInThreads : Bits.SendMessages;
  const needed = body.embeds?.length ? toSend | Bits.EmbedLinks : toSend;
  if ((permissions & needed) !== needed) throw refusals.missingPermissions();
}

/**
 * The message that this one answers; null for none. https://docs.discord.com/developers/resources/message#create-message
 * ("the current user must have the READ_MESSAGE_HISTORY permission. The referenced message must exist")
 * @throws DiscordError 160002, 50035
 */
function findAnswered(channel: Channel, permissions: bigint, { message_reference: to }: MessageBody): Message | null {
  if (to === undefined || to === null) return null;
  if ((permissions & Bits.ReadMessageHistory) === 0n) throw refusals.replyWithoutHistory();
  const isHere = (to.channel_id ?? channel.id) === channel.id;
  const found = channel.messages.find(({ id, ephemeralFor }) => id === to.message_id && ephemeralFor === null);
  if (isHere && found !== undefined) return found;
  if (to.fail_if_not_exists === false) return null;
  // the words of https://github.com/open-jarvis/OpenJarvis/issues/516
  throw invalidForm('message_reference', 'MESSAGE_REFERENCE_UNKNOWN_MESSAGE', 'Unknown message');
}

/**
 * Archived threads only allow deleting messages, and locked ones nothing without Manage Threads.
 * https://docs.discord.com/developers/topics/threads
 * @throws DiscordError 50083, 160005
 */
function checkThread(channel: Channel, permissions: bigint, act: 'post' | 'edit' | 'delete'): void {
  if (!isThread(channel)) return;
  const isLocked = channel.locked && (permissions & Bits.ManageThreads) === 0n;
  // a message brings an archived thread back, unless it is locked
  if (channel.archived && (isLocked || act === 'edit')) throw refusals.archivedThread();
  if (isLocked && act !== 'delete') throw refusals.lockedThread();
}

export const channelRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/channels/{channel_id}',
    handle: (world, { params }) => ({ body: channelShape(visibleChannel(world, params['channel_id']).channel) }),
  },
  {
    method: 'POST',
    path: '/channels/{channel_id}/messages',
    handle: (world, { params, body: given }) => {
      const body = given as MessageBody;
      const { channel, permissions } = visibleChannel(world, params['channel_id']);
      checkMayPost(world, channel, permissions, body);
      checkThread(channel, permissions, 'post');
      if (channel.archived) wake(world, channel);
      const isUnique = body.enforce_nonce === true && body.nonce !== undefined && body.nonce !== null;
      const key = `${world.bot.id}:${body.nonce}`;
      const before = isUnique ? world.nonces.get(key) : undefined;
      if (before !== undefined && Date.now() - timeOf(before.id) < NONCE_LIFE_MS)
        return { body: newMessageShape(before, world) };
      const replyTo = findAnswered(channel, permissions, body);
      const message = writeMessage(world, { channel, author: world.bot, body, replyTo });
      if (isUnique) world.nonces.set(key, message);
      return { body: newMessageShape(message, world) };
    },
  },
  {
    method: 'GET',
    path: '/channels/{channel_id}/messages',
    handle: (world, { params, query }) => {
      const { channel, permissions } = visibleChannel(world, params['channel_id']);
      const limit = Number(query.get('limit') ?? PAGE.usual);
      if (!Number.isInteger(limit) || limit < PAGE.fewest || limit > PAGE.most) {
        throw invalidForm('limit', 'NUMBER_TYPE_MAX', 'int value should be between 1 and 100.');
      }
      // without Read Message History Discord returns no past messages
      if ((permissions & Bits.ReadMessageHistory) === 0n) return { body: [] };
      return { body: page(channel, query, limit).map((message) => messageShape(message, world)) };
    },
  },
  {
    method: 'GET',
    path: '/channels/{channel_id}/messages/{message_id}',
    handle: (world, { params }) => {
      const { message, permissions } = visibleMessage(world, params['channel_id'], params['message_id']);
      if ((permissions & Bits.ReadMessageHistory) === 0n) throw refusals.missingAccess();
      return { body: messageShape(message, world) };
    },
  },
  {
    method: 'PATCH',
    path: '/channels/{channel_id}/messages/{message_id}',
    handle: (world, { params, body }) => {
      const { channel, message, permissions } = visibleMessage(world, params['channel_id'], params['message_id']);
      if (message.author !== world.bot) throw refusals.notTheAuthor();
      checkThread(channel, permissions, 'edit');
      checkMayEditAgain(world, channel, message);
      return { body: messageShape(editMessage(world, channel, message, body as MessageBody), world) };
    },
  },
  {
    method: 'DELETE',
    path: '/channels/{channel_id}/messages/{message_id}',
    handle: (world, { params }) => {
      const { channel, message, permissions } = visibleMessage(world, params['channel_id'], params['message_id']);
      if (message.author !== world.bot && (permissions & Bits.ManageMessages) === 0n)
        throw refusals.missingPermissions();
      checkThread(channel, permissions, 'delete');
      removeMessage(world, channel, message.id);
      return {};
    },
  },
  {
    method: 'POST',
    path: '/users/@me/channels',
    handle: (world, { body }) => {
      const person = world.people.get((body as { recipient_id?: string }).recipient_id ?? '');
      if (person === undefined || person === world.bot) {
        throw invalidForm('recipient_id', 'USER_INVALID', 'Invalid Recipient(s)');
      }
      return { body: channelShape(directChannel(world, person)) };
    },
  },
];

/** An archived thread becomes active with its next message. */
function wake(world: World, thread: Channel): void {
  thread.archived = false;
  world.dispatch('THREAD_UPDATE', thread.guildId, channelShape(thread), GatewayIntentBits.Guilds);
}

/** Newest first, as Discord pages. */
function page(channel: Channel, query: URLSearchParams, limit: number): Message[] {
  const seen = channel.messages.filter((message) => message.ephemeralFor === null);
  const [after, before, around] = [query.get('after'), query.get('before'), query.get('around')];
  if (after !== null) {
    const newer = seen.filter(({ id }) => compareIds(id, after) > 0);
    return newer.slice(0, limit).toReversed();
  }
  if (around !== null) {
    const middle = seen.findIndex(({ id }) => compareIds(id, around) >= 0);
    const start = Math.max(0, (middle < 0 ? seen.length : middle) - Math.floor(limit / 2));
    return seen.slice(start, start + limit).toReversed();
  }
  const older = before === null ? seen : seen.filter(({ id }) => compareIds(id, before) < 0);
  return older.slice(-limit).toReversed();
}

/** The direct messages with a person; made when they are first opened. */
export function directChannel(world: World, person: Person): Channel {
  const open = [...world.channels.values()].find(({ recipient }) => recipient === person);
  if (open !== undefined) return open;
  const channel: Channel = {
    id: nextId(),
    guildId: null,
    recipient: person,
    type: 1,
    name: '',
    topic: null,
    position: 0,
    nsfw: false,
    parentId: null,
    archived: false,
    locked: false,
    ownerId: null,
    archiveMinutes: 0,
    threadMembers: new Map(),
    overwrites: [],
    messages: [],
  };
  world.channels.set(channel.id, channel);
  world.changed();
  return channel;
}
