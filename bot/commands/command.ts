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
import { englishTexts, type TextKey } from '#shared/discord-texts/catalogue.ts';
import type { Actor, DiscordMessage } from '#shared/schemas/bot.ts';

/** Context of a command or button. */
export interface Ask {
  actor: Actor;
  /** server calls that return replies */
  server: ServerCalls['reply'];
  /** origin of the site */
  publicUrl: string;
}

export interface Command {
  /** for admins at work: links beside refusals lead to their pages */
  isForAdmins?: boolean;
  data: SlashCommandOptionsOnlyBuilder | SlashCommandSubcommandsOnlyBuilder;
  /** runs after the interaction was deferred; the reply is ephemeral */
  execute: (ask: Ask, interaction: ChatInputCommandInteraction) => Promise<DiscordMessage>;
  /** must answer within three seconds, Discord's limit */
  autocomplete?: (ask: Ask, interaction: AutocompleteInteraction) => Promise<{ name: string; value: string }[]>;
}

/** Builds a command that works in servers with the bot and in direct messages with it. */
export const command = <Name extends string>(
  name: `command.${Name}` extends TextKey ? Name : never,
): SlashCommandBuilder =>
  new SlashCommandBuilder()
    .setName(name)
    .setDescription(englishTexts(`command.${name}` as TextKey))
    .setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
    .setContexts(InteractionContextType.Guild, InteractionContextType.BotDM);

/** Narrows an option to one of its choices; Discord sends nothing else. */
export function takeChoice<Choice extends string>(choices: readonly Choice[], given: string): Choice {
  const choice = choices.find((one) => one === given);
  if (choice === undefined) throw new RangeError('a choice that was not offered');
  return choice;
}
