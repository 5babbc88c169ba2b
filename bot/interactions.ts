/**
 * Handling of slash commands, buttons and menus: defers the interaction within Discord's three seconds, calls the server, and shows
 * its answer. Interactions share no state, so old buttons still work after a restart.
 */
import {
  ComponentType,
  MessageFlags,
  PermissionFlagsBits,
  type AutocompleteInteraction,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  type Client,
  type Interaction,
  type StringSelectMenuInteraction,
} from 'discord.js';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import { withoutRefusedLinks } from '#shared/discord-links.ts';
import { parseButtonId } from '#shared/discord-button-ids.ts';
import { parseSeatChoice } from '#shared/seat-choice.ts';
import type { Actor, DiscordMessage } from '#shared/schemas/bot.ts';
import { findButton } from './buttons.ts';
import { COMMANDS } from './commands/all.ts';
import type { Ask } from './commands/command.ts';
import { explain, isOver } from './failures.ts';
import { createPause } from './pause.ts';
import { runAsRequest } from './log.ts';
import type { ServerCalls } from './server.ts';

const COMMAND_OF = new Map(COMMANDS.map((command) => [command.data.name, command]));

/**
 * Time limit for the server's choices of an autocomplete, which cannot be deferred: after three seconds Discord takes no
 * answer. https://docs.discord.com/developers/interactions/receiving-and-responding
 */
const CHOICES_MS = 2_000;

/** The person behind an interaction, as authenticated by Discord. */
function actorOf(interaction: Interaction): Actor {
  return {
    discordUserId: interaction.user.id,
    discordUsername: interaction.user.username,
    guildId: interaction.guildId,
    canManageGuild: interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild) ?? false,
    locale: interaction.locale,
  };
}

/** A complete replacement for the earlier message; it pings nobody. */
function whole(message: DiscordMessage) {
  const { content, embeds, components = [], menu } = withoutRefusedLinks(message);
  return {
    content: content ?? '',
    embeds: embeds ?? [],
    components: [
      ...components,
      ...(menu
        ? [
            {
              type: ComponentType.ActionRow,
              components: [{ type: ComponentType.StringSelect, min_values: 1, max_values: 1, ...menu }],
            },
          ]
        : []),
    ],
    allowedMentions: { parse: [] },
  };
}

/** An ephemeral message, visible to one person. */
const aside = (message: DiscordMessage) => ({ ...whole(message), flags: MessageFlags.Ephemeral }) as const;

/** Tells the person what went wrong, and records unexpected failures for admins. */
async function tellFailure(
  error: unknown,
  { name, isForAdmins = false }: { name: string; isForAdmins?: boolean | undefined },
  { actor, server, publicUrl }: Ask,
  say: (message: DiscordMessage) => Promise<unknown>,
): Promise<void> {
  const reader = isForAdmins ? 'admin' : 'pilot';
  const { message, reason } = explain(error, { texts: textsFor(actor.locale), publicUrl, reader });
  await say(message);
  if (reason !== null) await server.failed.mutate({ actor, command: name, reason });
}

async function useCommand(interaction: ChatInputCommandInteraction, ask: Ask): Promise<void> {
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const say = (message: DiscordMessage) => interaction.editReply(whole(message));
  const command = COMMAND_OF.get(interaction.commandName);
  if (!command) {
    await say({ content: textsFor(interaction.locale)('bot.unknownCommand') });
    return;
  }
  try {
    await say(await command.execute(ask, interaction));
  } catch (error) {
    if (isOver(error)) return;
    await tellFailure(error, { ...command, name: `/${interaction.commandName}` }, ask, say);
  }
}

async function pressButton(interaction: ButtonInteraction, ask: Ask): Promise<void> {
  const found = findButton(interaction.customId);
  if (!found) {
    await interaction.reply(aside({ content: textsFor(interaction.locale)('bot.unknownButton') }));
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
    await tellFailure(error, { ...button, name: `the button "${action}"` }, ask, answers === 'update' ? sayAside : say);
  }
}

/** The choice of an open seat from the menu of a mission; the reply takes the menu's place. */
async function chooseSeat(interaction: StringSelectMenuInteraction, ask: Ask): Promise<void> {
  const id = parseButtonId(interaction.customId);
  const seat = parseSeatChoice(interaction.values[0] ?? '');
  if (id?.action !== 'pick-seat' || seat === null) {
    await interaction.reply(aside({ content: textsFor(interaction.locale)('bot.unknownButton') }));
    return;
  }
  await interaction.deferUpdate();
  const say = (message: DiscordMessage) => interaction.editReply(whole(message));
  try {
    await say(await ask.server.takeSeat.mutate({ actor: ask.actor, missionId: id.subject, ...seat }));
  } catch (error) {
    if (isOver(error)) return;
    await tellFailure(error, { name: 'the menu of open seats' }, ask, say);
  }
}

async function offerChoices(interaction: AutocompleteInteraction, ask: Ask): Promise<void> {
  const command = COMMAND_OF.get(interaction.commandName);
  // an empty list on failure: the option is validated again when the command is sent
  const asked = command?.autocomplete?.(ask, interaction).catch(() => []);
  const choices = await Promise.race([asked, createPause().wait(CHOICES_MS)]);
  await interaction.respond(choices ?? []);
}

async function handle(interaction: Interaction, server: ServerCalls, publicUrl: string): Promise<void> {
  const ask: Ask = { actor: actorOf(interaction), server: server.reply, publicUrl };
  if (interaction.isChatInputCommand()) await useCommand(interaction, ask);
  else if (interaction.isButton()) await pressButton(interaction, ask);
  else if (interaction.isStringSelectMenu()) await chooseSeat(interaction, ask);
  else if (interaction.isAutocomplete()) await offerChoices(interaction, ask);
}

/** Answers the client's commands and buttons. A failure that the person cannot be told becomes the client's `error` event. */
export function handleInteractions(client: Client, server: ServerCalls, publicUrl: string): void {
  client.on('interactionCreate', (interaction) => {
    void runAsRequest(() =>
      handle(interaction, server, publicUrl).catch((error: unknown) => {
        if (!isOver(error)) client.emit('error', error instanceof Error ? error : new Error(String(error)));
      }),
    );
  });
}
