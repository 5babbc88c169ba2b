/** Documentation of the calls for Discord servers and for registration from Discord. */
import type { OperationDocs, ProcedureName } from './docs.ts';

type Name = Extract<ProcedureName, `discord.${string}`>;

export const DISCORD_DOCS = {
  'discord.bot': {
    id: 'getBotStatus',
    tag: 'Discord',
    summary: 'Get the state of the bot',
  },
  'discord.guilds': {
    id: 'listGuilds',
    tag: 'Discord',
    summary: 'List Discord servers',
    answer: 'Discord servers that the bot knows.',
  },
  'discord.guild': {
    id: 'getGuild',
    tag: 'Discord',
    summary: 'Get a Discord server',
    refusals: ['GUILD_NOT_FOUND'],
  },
  'discord.acceptGuild': {
    id: 'acceptGuild',
    tag: 'Discord',
    summary: 'Accept a Discord server',
    description:
      'Until then a server that has installed the bot is pending: it gets no missions, nobody can register from it, its members are not read, and commands there only say that it waits. Accepting it again changes nothing.',
    refusals: ['GUILD_NOT_FOUND', 'BOT_NOT_IN_GUILD'],
  },
  'discord.leaveGuild': {
    id: 'leaveGuild',
    tag: 'Discord',
    summary: 'Make the bot leave a Discord server',
    description:
      'The bot leaves a moment after the answer. The data of the server is kept for 30 days; if it installs the bot again, it is pending.',
    refusals: ['GUILD_NOT_FOUND', 'BOT_NOT_IN_GUILD', 'DISCORD_OFF'],
  },
  'discord.resendRegistration': {
    id: 'postRegistration',
    tag: 'Discord',
    summary: 'Post the registration announcement',
    description:
      'Posts it in the channel and waits some seconds for the result. At most one post per minute and server. Without `channelId` the default channel is used, or else the first postable one.',
    refusals: ['GUILD_NOT_FOUND', 'CHANNEL_NOT_FOUND'],
  },
  'discord.setMissions': {
    id: 'setGuildMissions',
    tag: 'Discord',
    summary: 'Set what a Discord server shows of missions',
    description:
      'Each mission gets a card in the channel, which shows who sits where and is kept up to date; upcoming missions get theirs at once. Cards that are already posted stay where they are.',
    refusals: [
      'GUILD_NOT_FOUND',
      'GUILD_PENDING',
      'CHANNEL_NOT_FOUND',
      'CHANNEL_NOT_POSTABLE',
      'CHANNEL_AGE_RESTRICTED',
      'ROLE_NOT_FOUND',
    ],
  },
  'discord.startRegistration': {
    id: 'startRegistration',
    tag: 'Registration',
    summary: 'Start a registration from Discord',
    description:
      'The Discord server to register for, and the address of sign-in with Discord for visitors without a personal link.',
    refusals: ['GUILD_NOT_FOUND', 'GUILD_PENDING'],
    inputIn: 'query',
  },
  'discord.registrationLink': {
    id: 'getRegistrationLink',
    tag: 'Registration',
    summary: 'Check a personal registration link',
    description: 'Does not use up the link.',
  },
  'discord.completeRegistration': {
    id: 'completeRegistration',
    tag: 'Registration',
    summary: 'Complete a registration from Discord',
    description:
      'The personal link (`session`) proves who registers: the ids must match it. Repeating the call with the same link succeeds for some minutes.',
    refusals: ['LINK_INVALID', 'SUSPENDED', 'INVITE_REQUIRED', 'ACCOUNT_REFUSED', 'RATE_LIMITED'],
  },
} as const satisfies Record<Name, OperationDocs>;
