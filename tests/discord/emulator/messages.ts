/** Creates and edits messages, for REST calls of the bot and for its answers to interactions. */
import {
  GatewayIntentBits,
  type APIAllowedMentions,
  type APIEmbed,
  type APIMessageTopLevelComponent,
} from 'discord-api-types/v10';
import { refusals } from './errors.ts';
import { nextId } from './ids.ts';
import { messageShape } from './shapes.ts';
import type { Channel, Interaction, Message, Person, World } from './state.ts';

export const EPHEMERAL = 64;
const SUPPRESS_EMBEDS = 4;

/** The fields of a message in a request, which the contract has already checked. */
export interface MessageBody {
  content?: string | null;
  embeds?: APIEmbed[] | null;
  components?: APIMessageTopLevelComponent[] | null;
  allowed_mentions?: APIAllowedMentions | null;
  flags?: number | null;
  nonce?: string | number | null;
  enforce_nonce?: boolean | null;
}

interface Writing {
  channel: Channel;
  author: Person;
  body: MessageBody;
  interaction?: Interaction | null;
  type?: number;
}

/** @throws DiscordError 50006 */
export function writeMessage(world: World, { channel, author, body, interaction = null, type = 0 }: Writing): Message {
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
    ...readMentions(world, channel, content, body.allowed_mentions),
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

export function tellMessage(world: World, event: string, message: Message, channel: Channel): void {
  if (message.ephemeralFor !== null) {
    world.changed();
    return;
  }
  const where = channel.guildId === null ? {} : { guild_id: channel.guildId };
  world.dispatch(event, channel.guildId, { ...messageShape(message, world), ...where }, intentsOf(channel));
}

function intentsOf(channel: Channel): number {
  return channel.guildId === null ? GatewayIntentBits.DirectMessages : GatewayIntentBits.GuildMessages;
}

/** The users that a text notifies, limited by `allowed_mentions`. */
function readMentions(
  world: World,
  channel: Channel,
  content: string,
  allowed: APIAllowedMentions | null | undefined,
): Pick<Message, 'mentions' | 'mentionsEveryone'> {
  const mayParse = (kind: string) =>
    allowed === undefined || allowed === null || !!allowed.parse?.includes(kind as never);
  const named = [...content.matchAll(/<@!?(\d+)>/g)].map(([, id = '']) => id);
  const mentions = [...new Set(named)].filter(
    (id) => world.people.has(id) && (mayParse('users') || !!allowed?.users?.includes(id)),
  );
  const guild = world.guilds.get(channel.guildId ?? '');
  return {
    mentions,
    mentionsEveryone: guild !== undefined && mayParse('everyone') && /@(everyone|here)/.test(content),
  };
}
