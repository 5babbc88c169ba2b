/**
 * Commands and buttons: Discord is told within its three seconds that an answer comes, the server is asked, and what it
 * says is shown. Nothing is remembered between two of them, so that old buttons work after a restart.
 */
import {
  MessageFlags,
  PermissionFlagsBits,
  type AutocompleteInteraction,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  type Client,
  type Interaction,
} from 'discord.js';
import type { Actor, DiscordMessage } from '#shared/schemas/bot.ts';
import { findButton } from './buttons.ts';
import { COMMANDS } from './commands/all.ts';
import type { Ask } from './commands/command.ts';
import { explain, isOver } from './failures.ts';
import type { ServerCalls } from './server.ts';
import { sentences } from './bot-text.ts';

const COMMAND_OF = new Map(COMMANDS.map((command) => [command.data.name, command]));

/** Who Discord says is asking. */
function actorOf(interaction: Interaction): Actor {
  return {
    discordUserId: interaction.user.id,
    discordUsername: interaction.user.username,
    guildId: interaction.guildId,
    canManageGuild: interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild) ?? false,
  };
}

/** The message as it is, in place of whatever stood there; it pings nobody. */
function whole({ content, embeds, components }: DiscordMessage) {
  return {
    content: content ?? '',
    embeds: embeds ?? [],
    components: components ?? [],
    allowedMentions: { parse: [] },
  };
}

/** Beside a message, for one person to see. */
const aside = (message: DiscordMessage) => ({ ...whole(message), flags: MessageFlags.Ephemeral }) as const;

/** Say to the person what went wrong, and to the admins of the guild if nobody expected it. */
async function tellFailure(
  error: unknown,
  name: string,
  { actor, server }: Ask,
  say: (message: DiscordMessage) => Promise<unknown>,
): Promise<void> {
  const { sentence, reason } = explain(error);
  await say({ content: sentence });
  if (reason !== null) await server.failed.mutate({ actor, command: name, reason });
}

async function useCommand(interaction: ChatInputCommandInteraction, ask: Ask): Promise<void> {
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const say = (message: DiscordMessage) => interaction.editReply(whole(message));
  const command = COMMAND_OF.get(interaction.commandName);
  if (!command) {
    await say({ content: sentences.unknownCommand });
    return;
  }
  try {
    await say(await command.execute(ask, interaction));
  } catch (error) {
    if (isOver(error)) return;
    await tellFailure(error, `/${interaction.commandName}`, ask, say);
  }
}

async function pressButton(interaction: ButtonInteraction, ask: Ask): Promise<void> {
  const found = findButton(interaction.customId);
  if (!found) {
    await interaction.reply(aside({ content: sentences.unknownButton }));
    return;
  }
  const { action, button, about } = found;
  const answers = typeof button.answers === 'function' ? button.answers(interaction) : button.answers;
  await (answers === 'update' ? interaction.deferUpdate() : interaction.deferReply({ flags: MessageFlags.Ephemeral }));
  const sayAside = (message: DiscordMessage) => interaction.followUp(aside(message));
  const say = (message: DiscordMessage) => interaction.editReply(whole(message));
  try {
    const shown = await button.press(ask, about, interaction);
    if (shown.aside) await sayAside(shown.aside);
    if (shown.message) await say(shown.message);
  } catch (error) {
    if (isOver(error)) return;
    await tellFailure(error, `the button "${action}"`, ask, answers === 'update' ? sayAside : say);
  }
}

async function offerChoices(interaction: AutocompleteInteraction, ask: Ask): Promise<void> {
  const command = COMMAND_OF.get(interaction.commandName);
  // a list that cannot be had is an empty one: what is typed is looked at again when it is sent
  const choices = await command?.autocomplete?.(ask, interaction).catch(() => []);
  await interaction.respond(choices ?? []);
}

async function handle(interaction: Interaction, server: ServerCalls): Promise<void> {
  const ask: Ask = { actor: actorOf(interaction), server: server.reply };
  if (interaction.isChatInputCommand()) await useCommand(interaction, ask);
  else if (interaction.isButton()) await pressButton(interaction, ask);
  else if (interaction.isAutocomplete()) await offerChoices(interaction, ask);
}

/** Answer the commands and buttons of this client. What cannot be told to anybody becomes the client's `error`. */
export function handleInteractions(client: Client, server: ServerCalls): void {
  client.on('interactionCreate', (interaction) => {
    handle(interaction, server).catch((error: unknown) => {
      if (!isOver(error)) client.emit('error', error instanceof Error ? error : new Error(String(error)));
    });
  });
}
