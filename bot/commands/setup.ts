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
    )
    .addSubcommand((missions) =>
      missions
        .setName('missions')
        .setDescription('Post missions here, with who flies')
        .addChannelOption((option) =>
          option
            .setName('channel')
            .setDescription('A channel where the bot can post')
            .setRequired(true)
            .addChannelTypes(ChannelType.GuildText, ChannelType.GuildAnnouncement),
        )
        .addRoleOption((option) =>
          option.setName('mention').setDescription('A role that each new mission mentions; nobody without it'),
        )
        .addBooleanOption((option) =>
          option.setName('events').setDescription('Show missions among the events of this server'),
        ),
    )
    .addSubcommand((off) => off.setName('missions-off').setDescription('Post no more missions in this server')),
  execute({ actor, server }, { options }) {
    if (options.getSubcommand() === 'missions-off')
      return server.setMissions.mutate({ actor, channelId: null, roleId: null });
    const channelId = options.getChannel('channel', true).id;
    if (options.getSubcommand() === 'channel') return server.setChannel.mutate({ actor, channelId });
    return server.setMissions.mutate({
      actor,
      channelId,
      roleId: options.getRole('mention')?.id ?? null,
      hasEvents: options.getBoolean('events'),
    });
  },
} satisfies Command;
