/** Shape of a slash command: its definition for Discord, and the server call its handler makes. */
import {
  ApplicationIntegrationType,
  InteractionContextType,
  SlashCommandBuilder,
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  type SlashCommandOptionsOnlyBuilder,
  type SlashCommandSubcommandsOnlyBuilder,
} from 'discord.js';
import type { ServerCalls } from '#bot/server.ts';
import type { Actor, DiscordMessage } from '#shared/schemas/bot.ts';

/** Who asks whom. */
export interface Ask {
  actor: Actor;
  /** the calls that answer people */
  server: ServerCalls['reply'];
}

export interface Command {
  data: SlashCommandOptionsOnlyBuilder | SlashCommandSubcommandsOnlyBuilder;
  /** Discord waits already; what comes back is for the person who asked and nobody else. */
  execute: (ask: Ask, interaction: ChatInputCommandInteraction) => Promise<DiscordMessage>;
  /** within Discord's three seconds */
  autocomplete?: (ask: Ask, interaction: AutocompleteInteraction) => Promise<{ name: string; value: string }[]>;
}

/** A command for members of servers that have the bot, there and in direct messages. */
export const command = (name: string, description: string): SlashCommandBuilder =>
  new SlashCommandBuilder()
    .setName(name)
    .setDescription(description)
    .setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
    .setContexts(InteractionContextType.Guild, InteractionContextType.BotDM);

/** One of the choices that a command offers; Discord lets nothing else through. */
export function takeChoice<Choice extends string>(choices: readonly Choice[], given: string): Choice {
  const choice = choices.find((one) => one === given);
  if (choice === undefined) throw new RangeError('a choice that was not offered');
  return choice;
}
