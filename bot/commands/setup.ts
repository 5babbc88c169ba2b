import { ChannelType, InteractionContextType, PermissionFlagsBits } from 'discord.js';
import { englishTexts as say } from '#shared/discord-texts/catalogue.ts';
import { command, type Command } from './command.ts';

export const setup = {
  data: command('setup')
    .setContexts(InteractionContextType.Guild)
    .setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
    .addSubcommand((channel) =>
      channel
        .setName('channel')
        .setDescription(say('command.setup.channel'))
        .addChannelOption((option) =>
          option
            .setName('channel')
            .setDescription(say('command.setup.channel.channel'))
            .setRequired(true)
            .addChannelTypes(ChannelType.GuildText, ChannelType.GuildAnnouncement),
        ),
    )
    .addSubcommand((missions) =>
      missions
        .setName('missions')
        .setDescription(say('command.setup.missions'))
        .addChannelOption((option) =>
          option
            .setName('channel')
            .setDescription(say('command.setup.missions.channel'))
            .setRequired(true)
            .addChannelTypes(ChannelType.GuildText, ChannelType.GuildAnnouncement),
        )
        .addRoleOption((option) => option.setName('mention').setDescription(say('command.setup.missions.mention')))
        .addBooleanOption((option) => option.setName('events').setDescription(say('command.setup.missions.events')))
        .addBooleanOption((option) => option.setName('threads').setDescription(say('command.setup.missions.threads'))),
    )
    .addSubcommand((off) => off.setName('missions-off').setDescription(say('command.setup.missions-off'))),
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
      hasThreads: options.getBoolean('threads'),
    });
  },
} satisfies Command;
