/** Creates and edits messages, for REST calls of the bot and for its answers to interactions. */
import {
  GatewayIntentBits,
  type APIAllowedMentions,
  type APIEmbed,
  type APIMessageTopLevelComponent,
} from 'discord-api-types/v10';
import { refusals } from './errors.ts';
import { nextId } from './ids.ts';
import { readMentions } from './mentions.ts';
import { messageShape, newMessageShape } from './shapes.ts';
import type { Channel, Interaction, Message, Person, World } from './state.ts';

export const EPHEMERAL = 64;
const SUPPRESS_EMBEDS = 4;
const CROSSPOSTED = 1;
const REPLY = 19;

/** The fields of a message in a request, which the contract has already checked. */
export interface MessageBody {
  content?: string | null;
  embeds?: APIEmbed[] | null;
  components?: APIMessageTopLevelComponent[] | null;
  allowed_mentions?: APIAllowedMentions | null;
  flags?: number | null;
  nonce?: string | number | null;
  enforce_nonce?: boolean | null;
  message_reference?: { message_id: string; channel_id?: string | null; fail_if_not_exists?: boolean | null } | null;
}

interface Writing {
  channel: Channel;
  author: Person;
  body: MessageBody;
  interaction?: Interaction | null;
  replyTo?: Message | null;
  type?: number;
}

/** @throws DiscordError 50006 */
export function writeMessage(
  world: World,
  { channel, author, body, interaction = null, replyTo = null, type = replyTo === null ? 0 : REPLY }: Writing,
): Message {
  // Discord trims
  const content = (body.content ?? '').trim();
  const isEmpty = content === '' && !body.embeds?.length && !body.components?.length;
  if (isEmpty) throw refusals.emptyMessage();
  const message: Message = {
    id: nextId(),
    channelId: channel.id,
    author,
    type,
    content,
    embeds: body.embeds ?? [],
    components: body.components ?? [],
    flags: (body.flags ?? 0) & ~SUPPRESS_EMBEDS,
    nonce: body.nonce ?? null,
    ephemeralFor: ((body.flags ?? 0) & EPHEMERAL) !== 0 && interaction !== null ? interaction.person.id : null,
    ...readMentions(world, channel, {
      content,
      allowed: body.allowed_mentions,
      isInteraction: interaction !== null,
      replyTo,
    }),
    replyTo,
    editedAt: null,
    interaction,
  };
  channel.messages.push(message);
  tellMessage(world, 'MESSAGE_CREATE', message, channel);
  return message;
}

/** Changes only the fields of the body. Edits notify nobody. @throws DiscordError 10008, 50006 */
export function editMessage(world: World, channel: Channel, message: Message, body: MessageBody): Message {
  if (!channel.messages.includes(message)) throw refusals.unknownMessage();
  const next = {
    content: body.content === undefined ? message.content : (body.content ?? '').trim(),
    embeds: body.embeds === undefined ? message.embeds : (body.embeds ?? []),
    components: body.components === undefined ? message.components : (body.components ?? []),
  };
  if (next.content === '' && next.embeds.length === 0 && next.components.length === 0) {
    throw refusals.emptyMessage();
  }
  Object.assign(message, next, { editedAt: new Date().toISOString() });
  tellMessage(world, 'MESSAGE_UPDATE', message, channel);
  return message;
}

export function removeMessage(world: World, channel: Channel, messageId: string): void {
  const at = channel.messages.findIndex(({ id }) => id === messageId);
  if (at < 0) throw refusals.unknownMessage();
  channel.messages.splice(at, 1);
  const where = channel.guildId === null ? {} : { guild_id: channel.guildId };
  world.dispatch(
    'MESSAGE_DELETE',
    channel.guildId,
    { id: messageId, channel_id: channel.id, ...where },
    intentsOf(channel),
  );
}

/** The message is copied to the servers that follow the channel, which this Discord does not have. */
export function publishMessage(world: World, channel: Channel, message: Message): void {
  message.flags |= CROSSPOSTED;
  tellMessage(world, 'MESSAGE_UPDATE', message, channel);
}

export const isPublished = ({ flags }: Message): boolean => (flags & CROSSPOSTED) !== 0;

export function tellMessage(world: World, event: string, message: Message, channel: Channel): void {
  if (message.ephemeralFor !== null) {
    world.changed();
    return;
  }
  const where = channel.guildId === null ? {} : { guild_id: channel.guildId };
  const shape = event === 'MESSAGE_CREATE' ? newMessageShape : messageShape;
  world.dispatch(event, channel.guildId, { ...shape(message, world), ...where }, intentsOf(channel));
}

function intentsOf(channel: Channel): number {
  return channel.guildId === null ? GatewayIntentBits.DirectMessages : GatewayIntentBits.GuildMessages;
}
