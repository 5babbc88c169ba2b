/** Interactions from the user's action to the bot's final answer. */
import type { APIMessageTopLevelComponent, APIStringSelectComponent } from 'discord-api-types/v10';
import { refusals } from './errors.ts';
import { nextId } from './ids.ts';
import { EPHEMERAL, editMessage, writeMessage, type MessageBody } from './messages.ts';
import { channelPermissions } from './permissions.ts';
import { channelShape, integrationOwners, memberShape, messageShape, storedMessage, userShape } from './shapes.ts';
import type { Channel, Interaction, Message, Person, World } from './state.ts';
import type { ActOptions, InteractionOutcome } from './types.ts';

export type Until = (what: string, condition: () => boolean, patienceMs?: number) => Promise<void>;

/** Discord waits three seconds for the first answer, and lets a token live for fifteen minutes. */
const FIRST_ANSWER_MS = 3000;
const TOKEN_LIFE_MS = 15 * 60_000;

const ANSWERS: Record<number, string> = {
  1: 'pong',
  4: 'message',
  5: 'deferred',
  6: 'deferred update',
  7: 'update',
  8: 'choices',
  9: 'modal',
};

interface Acting {
  type: 2 | 3 | 4;
  person: Person;
  channel: Channel;
  data: object;
  commandName?: string | null;
  source?: Message | null;
}

/** Tell the bot, wait for its answer. */
export async function interact(
  world: World,
  until: Until,
  { type, person, channel, data, commandName = null, source = null }: Acting,
  { untilReplied = true }: ActOptions = {},
): Promise<InteractionOutcome> {
  const interaction: Interaction = {
    id: nextId(),
    token: `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', ''),
    type,
    person,
    guildId: channel.guildId,
    channel,
    commandName,
    source,
    createdMs: Date.now(),
    callbackType: null,
    isOver: false,
    isEphemeral: false,
    original: null,
    followUps: [],
    isEdited: false,
    choices: [],
  };
  world.interactions.set(interaction.token, interaction);
  world.dispatch('INTERACTION_CREATE', channel.guildId, interactionShape(world, interaction, data));
  await until('the bot answered', () => interaction.callbackType !== null, FIRST_ANSWER_MS).catch(() => {
    interaction.isOver = true;
  });
  if (untilReplied && interaction.callbackType !== null) {
    await until('the reply stood', () => hasReply(interaction)).catch(() => undefined);
  }
  return outcomeOf(interaction);
}

function hasReply(interaction: Interaction): boolean {
  if (interaction.callbackType === 5) return interaction.original !== null;
  if (interaction.callbackType === 6) return interaction.isEdited || interaction.followUps.length > 0;
  return true;
}

function outcomeOf(interaction: Interaction): InteractionOutcome {
  const { callbackType, source, followUps, original } = interaction;
  const isUpdate = callbackType === 6 || callbackType === 7;
  const own = isUpdate ? (followUps.at(-1) ?? (interaction.isEdited ? source : null)) : original;
  return {
    id: interaction.id,
    answeredWith: callbackType === null ? null : (ANSWERS[callbackType] ?? String(callbackType)),
    reply: own === null ? null : storedMessage(own),
    choices: interaction.choices,
  };
}

function interactionShape(world: World, interaction: Interaction, data: object) {
  const { channel, person, guildId } = interaction;
  const guild = world.guilds.get(guildId ?? '');
  const member = guild?.members.get(person.id);
  const bot = guild?.members.get(world.bot.id);
  const permissionsOf = (who: typeof member) =>
    guild === undefined || who === undefined ? '0' : channelPermissions(guild, who, channel).toString();
  return {
    id: interaction.id,
    application_id: world.applicationId,
    type: interaction.type,
    token: interaction.token,
    version: 1,
    data,
    channel_id: channel.id,
    channel: { ...channelShape(channel), permissions: permissionsOf(member) },
    ...(guild === undefined || member === undefined
      ? { user: userShape(person), context: 1 }
      : {
          guild_id: guild.id,
          guild: { id: guild.id, locale: guild.locale, features: [] },
          guild_locale: guild.locale,
          member: { ...memberShape(member), permissions: permissionsOf(member) },
          context: 0,
        }),
    locale: person.locale,
    app_permissions: guild === undefined ? '0' : permissionsOf(bot),
    authorizing_integration_owners: integrationOwners(guildId),
    entitlements: [],
    attachment_size_limit: 10_485_760,
    ...(interaction.source === null ? {} : { message: messageShape(interaction.source, world) }),
  };
}

interface Callback {
  type: number;
  data?: (MessageBody & { choices?: { name: string; value: string | number }[] | null }) | null;
}

/** The first answer. @throws DiscordError 10062, 40060, and 50006 for an empty message */
export function answerInteraction(world: World, id: string, token: string, { type, data }: Callback): Interaction {
  const interaction = world.interactions.get(token);
  if (interaction === undefined || interaction.id !== id || world.isInteractionsExpired)
    throw refusals.unknownInteraction();
  if (interaction.callbackType !== null) throw refusals.alreadyAcknowledged();
  if (interaction.isOver) throw refusals.unknownInteraction();
  const body = data ?? {};
  interaction.isEphemeral = ((body.flags ?? 0) & EPHEMERAL) !== 0;
  if (type === 4) interaction.original = reply(world, interaction, body);
  if (type === 7 && interaction.source !== null) {
    editMessage(world, interaction.channel, interaction.source, body);
    interaction.isEdited = true;
  }
  if (type === 6 || type === 7) interaction.original = interaction.source;
  if (type === 8) interaction.choices = body.choices ?? [];
  interaction.callbackType = type;
  world.changed();
  return interaction;
}

/** The interaction behind a webhook's token. @throws DiscordError 10015, 50027 */
export function interactionByToken(world: World, applicationId: string, token: string): Interaction {
  const interaction = world.interactions.get(token);
  if (applicationId !== world.applicationId || interaction === undefined) throw refusals.unknownWebhook();
  if (Date.now() - interaction.createdMs > TOKEN_LIFE_MS) throw refusals.invalidToken();
  // before its first answer an interaction has no webhook
  if (interaction.callbackType === null) throw refusals.unknownWebhook();
  return interaction;
}

/** PATCH of `@original` or of a follow-up. @throws DiscordError 10008, 50006 */
export function editReply(world: World, interaction: Interaction, messageId: string, body: MessageBody): Message {
  if (messageId === '@original' && interaction.callbackType === 5 && interaction.original === null) {
    const flags = interaction.isEphemeral ? EPHEMERAL : 0;
    interaction.original = reply(world, interaction, { ...body, flags });
    return interaction.original;
  }
  const message = replyById(interaction, messageId);
  editMessage(world, interaction.channel, message, body);
  if (message === interaction.source) interaction.isEdited = true;
  world.changed();
  return message;
}

/** @throws DiscordError 10008 */
export function replyById(interaction: Interaction, messageId: string): Message {
  const { original, followUps } = interaction;
  const found = messageId === '@original' ? original : [original, ...followUps].find((one) => one?.id === messageId);
  if (!found) throw refusals.unknownMessage();
  return found;
}

/** POST to the webhook. The first one after "thinking …" takes its place. @throws DiscordError 50006 */
export function followUp(world: World, interaction: Interaction, body: MessageBody): Message {
  if (interaction.callbackType === 5 && interaction.original === null)
    return editReply(world, interaction, '@original', body);
  const message = reply(world, interaction, body);
  interaction.followUps.push(message);
  world.changed();
  return message;
}

function reply(world: World, interaction: Interaction, body: MessageBody): Message {
  return writeMessage(world, {
    channel: interaction.channel,
    author: world.bot,
    body,
    interaction,
    type: interaction.type === 2 ? 20 : 0,
  });
}

/** The menus of a message, each in a row of its own. */
export const menusOf = (components: readonly APIMessageTopLevelComponent[]): APIStringSelectComponent[] =>
  components.flatMap((row) => (row.type === 1 ? row.components.flatMap((part) => (part.type === 3 ? part : [])) : []));

/** The buttons of a message, at any depth. */
export function buttonsOf(components: readonly APIMessageTopLevelComponent[]): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    else if (typeof value === 'object' && value !== null) {
      const one = value as Record<string, unknown>;
      if (one['type'] === 2) found.push(one);
      look(one['components']);
      look(one['accessory']);
    }
  };
  look(components);
  return found;
}
