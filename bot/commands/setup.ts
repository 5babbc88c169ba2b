import { ChannelType, InteractionContextType, PermissionFlagsBits } from 'discord.js';
import { command, type Command } from './command.ts';

export const setup = {
  data: command('setup', 'Set Marshal up in this server')
    .setContexts(InteractionContextType.Guild)
    .setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
    .addSubcommand((channel) =>
      channel
        .setName('channel')
        .setDescription('Choose where announcements go')
        .addChannelOption((option) =>
          option
            .setName('channel')
            .setDescription('A channel where the bot can post')
            .setRequired(true)
            .addChannelTypes(ChannelType.GuildText, ChannelType.GuildAnnouncement),
        ),
    ),
  execute: ({ actor, server }, { options }) =>
    server.setChannel.mutate({ actor, channelId: options.getChannel('channel', true).id }),
} satisfies Command;
