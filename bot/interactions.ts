/** What people do in Discord is passed on to the server, and what it says is shown. */
import { ApplicationCommandType, MessageFlags, PermissionFlagsBits, type Client, type Interaction } from 'discord.js';
import { isTRPCClientError } from '@trpc/client';
import { copy } from '#shared/copy.ts';
import type { Actor } from '#shared/schemas/bot.ts';
import type { ServerCalls } from './server.ts';

function actorOf(interaction: Interaction): Actor {
  return {
    discordUserId: interaction.user.id,
    discordUsername: interaction.user.username,
    guildId: interaction.guildId,
    canManageGuild: interaction.memberPermissions?.has(PermissionFlagsBits.ManageGuild) ?? false,
  };
}

async function answer(interaction: Interaction, server: ServerCalls): Promise<void> {
  const isRegister =
    (interaction.isButton() && interaction.customId.startsWith('v1:register:')) ||
    (interaction.isChatInputCommand() && interaction.commandName === 'register');
  if (!isRegister) return;
  // Discord waits three seconds for a first word
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const message = await server.reply.register
    .mutate({ actor: actorOf(interaction), campaignId: null })
    .catch((error: unknown) => ({ content: isTRPCClientError(error) ? error.message : copy.unknownError }));
  await interaction.editReply(message);
}

/** Answer buttons and commands of this client. */
export function handleInteractions(client: Client, server: ServerCalls): void {
  client.on('interactionCreate', (interaction) => {
    answer(interaction, server).catch((error: unknown) => client.emit('error', error as Error));
  });
}

/** Tell Discord which commands there are. */
export async function registerCommands(client: Client): Promise<void> {
  await client.application?.commands.set([
    { type: ApplicationCommandType.ChatInput, name: 'register', description: 'Register with Marshal' },
  ]);
}
