/** Schemas of Discord servers (guilds): list, detail, the bot's status, registration announcement. */
import { z } from '#shared/zod.ts';
import { BOT_STATES, CHANNEL_TYPES, GUILD_STATUSES, ANNOUNCEMENT_STATES } from '#shared/vocabulary.ts';
import { count, discordId, flagInput, isoInstant, originInput, rowId, safeText } from './common.ts';

const guildFields = {
  id: discordId.meta({ description: 'Id of the Discord server.' }),
  name: z.string().meta({ description: 'Name of the server.', examples: ['Fight Club'] }),
  iconUrl: z
    .string()
    .nullable()
    .meta({
      description: 'Address of its icon; null without one.',
      examples: ['https://cdn.discordapp.com/icons/100200300400500600/8342729096ea3675442027381ff50dfe.png'],
    }),
  status: z.enum(GUILD_STATUSES).meta({ description: 'Whether the bot is installed and Discord reaches the server.' }),
  memberCount: count
    .nullable()
    .meta({ description: "Discord's count of members; null when unknown.", examples: [240] }),
  registeredMemberCount: count.meta({ description: 'Members with an active pilot account.', examples: [38] }),
  globalEventOptIns: count.meta({ description: 'Registered members who want community news.', examples: [21] }),
  installedAt: isoInstant.meta({ description: 'Time at which the bot was installed.' }),
  acceptedAt: isoInstant.nullable().meta({
    description:
      'Time at which an admin accepted the server; null while it waits: until then it shows no missions, nobody can register from it, and its members are not read.',
  }),
  lastSeenAt: isoInstant.meta({ description: 'Last time at which the bot reported the server.' }),
  defaultSplashChannelId: discordId.nullable().meta({ description: 'Channel for announcements; null without one.' }),
  showsMissions: z.boolean().meta({ description: 'True when missions are posted there, or shown as events.' }),
};

export const guild = z.object(guildFields).meta({ id: 'Guild', description: 'A Discord server.' });
export type GuildDto = z.infer<typeof guild>;

const guildMember = z
  .object({
    discordUserId: discordId.meta({ description: "Id of the member's Discord account." }),
    discordUsername: z.string().meta({ description: 'Name on Discord.', examples: ['afterglow'] }),
    isModerator: z.boolean().meta({ description: 'True for members who manage or moderate the server.' }),
    isRegistered: z.boolean().meta({ description: 'True for members with an active pilot account.' }),
    fightClubUserId: rowId.nullable().meta({ description: 'Id of the linked account; null without one.' }),
    wantsGlobalEvents: z.boolean().meta({ description: 'True for members who want community news.' }),
    joinedAt: isoInstant.nullable().meta({ description: 'Time of joining; null when Discord does not say.' }),
    updatedAt: isoInstant.meta({ description: 'Time of the last change that the bot reported.' }),
  })
  .meta({ id: 'GuildMember', description: 'A member of a Discord server.' });

const channel = z
  .object({
    id: discordId.meta({ description: 'Id of the channel.' }),
    name: z.string().meta({ description: 'Name of the channel.', examples: ['briefing-room'] }),
    type: z.enum(CHANNEL_TYPES).meta({ description: 'Kind of channel.' }),
    topic: z
      .string()
      .nullable()
      .meta({ description: 'Topic; null without one.', examples: ['Missions of the week'] }),
    isNsfw: z.boolean().meta({ description: 'True for a channel with an age limit.' }),
    isPostable: z.boolean().meta({ description: 'True when the bot may post announcements in it.' }),
    canSendMessages: z.boolean().meta({ description: 'True when the bot may send messages in it.' }),
    canEmbedLinks: z.boolean().meta({ description: 'True when the bot may embed links in it.' }),
    lastUpdated: isoInstant.meta({ description: 'Time of the last change that the bot reported.' }),
  })
  .meta({ id: 'Channel', description: 'A channel of a Discord server.' });

const guildEvent = z
  .object({
    id: z.string().meta({ description: 'Id of the event.', examples: ['0192c0de-7a11-7c3e-9d21-5f0e8a4b6c01'] }),
    eventType: z.string().meta({ description: 'What happened.', examples: ['members_synced'] }),
    eventData: z
      .string()
      .nullable()
      .meta({ description: 'Details; null without any.', examples: ['240 members'] }),
    errorMessage: z.string().nullable().meta({ description: 'The error; null when there was none.' }),
    occurredAt: isoInstant.meta({ description: 'Time of the event.' }),
  })
  .meta({ id: 'GuildEvent', description: 'An event of a Discord server.' });

export const guildDetail = z
  .object({
    ...guildFields,
    registeredMembers: count.meta({ description: 'Members with an active pilot account.', examples: [38] }),
    members: z.array(guildMember).meta({ description: 'Members by name, without bots.' }),
    channels: z.array(channel).meta({ description: "Channels in Discord's order." }),
    recentEvents: z.array(guildEvent).meta({ description: 'The last 10 events, the newest first.' }),
    announcement: z
      .object({
        state: z.enum(ANNOUNCEMENT_STATES).meta({
          description: '`uncertain`: Discord may have posted it, and there is no way to find out.',
        }),
        channelId: discordId.nullable().meta({ description: 'Id of the channel; null before one is chosen.' }),
        channelName: z
          .string()
          .nullable()
          .meta({ description: 'Name of the channel; null when it no longer exists.', examples: ['briefing-room'] }),
        errorMessage: z.string().nullable().meta({ description: 'Why it was not posted; null without an error.' }),
        updatedAt: isoInstant.meta({ description: 'Time at which this state began.' }),
      })
      .nullable()
      .meta({ description: 'Delivery of the latest registration announcement; null before the first.' }),
    missions: z
      .object({
        channelId: discordId
          .nullable()
          .meta({ description: 'Channel in which each mission gets a card; null for none.' }),
        roleId: discordId.nullable().meta({ description: 'Role that a new card mentions; null for none.' }),
        hasEvents: z.boolean().meta({ description: "True when missions appear among the server's events." }),
        canCreateEvents: z.boolean().meta({ description: 'True when the bot may create events there.' }),
        hasThreads: z.boolean().meta({ description: 'True when the card of a mission gets a thread with its pilots.' }),
        canCreateThreads: z.boolean().meta({ description: 'True when the bot may start threads there.' }),
      })
      .meta({ description: 'What the server shows of missions.' }),
    roles: z
      .array(
        z.object({
          id: discordId.meta({ description: 'Id of the role.' }),
          name: z.string().meta({ description: 'Name of the role.', examples: ['Pilots'] }),
        }),
      )
      .meta({ description: "Roles that can be mentioned, in Discord's order, without @everyone and those of bots." }),
  })
  .meta({ id: 'GuildDetail', description: 'A Discord server with its members, channels and latest events.' });
export type GuildDetailDto = z.infer<typeof guildDetail>;

export const botStatus = z
  .object({
    isConfigured: z.boolean().meta({ description: 'True when a bot token is configured.' }),
    state: z.enum(BOT_STATES).meta({ description: '`off`: no bot is configured. `offline`: it is not connected.' }),
    since: isoInstant
      .nullable()
      .meta({ description: 'Time at which the bot came online or went offline; null when it has never connected.' }),
    hasMembersIntent: z
      .boolean()
      .nullable()
      .meta({ description: 'True when the bot has the Server Members intent; null before it has connected.' }),
    botName: z
      .string()
      .nullable()
      .meta({ description: 'Name of the bot; null when unknown.', examples: ['Marshal'] }),
    problem: z.string().nullable().meta({
      description:
        'Problem that keeps the bot from connecting to Discord or to some of its servers, as a sentence; null without one.',
    }),
    installUrl: z
      .string()
      .nullable()
      .meta({
        description: "Link that installs the bot in a Discord server; null while the application's id is unknown.",
        examples: ['https://discord.com/oauth2/authorize?client_id=100200300400500600'],
      }),
  })
  .meta({ id: 'BotStatus', description: "State of this installation's bot." });
export type BotStatusDto = z.infer<typeof botStatus>;

const guildId = safeText(100).meta({ description: 'Id of the Discord server.', examples: ['100200300400500600'] });
export const guildInput = z.object({ guildId });

/** Without `channelId` the guild's default channel is used, or else the first postable one. */
export const resendRegistrationInput = z.object({
  guildId,
  channelId: safeText(100)
    .nullish()
    .meta({ description: 'Channel to post in; the default channel, or else the first postable one.' }),
  registrationBaseUrl: originInput
    .nullish()
    .meta({ description: "Origin of the site that personal links lead to; must be this server's own." }),
});
export const guildMissionsInput = z.object({
  guildId,
  channelId: safeText(100)
    .nullable()
    .meta({ description: 'Channel in which each mission gets a card; null for none.' }),
  roleId: safeText(100).nullable().meta({ description: 'Role that a new card mentions; null for none.' }),
  hasEvents: flagInput.meta({ description: "Whether missions appear among the server's events." }),
  hasThreads: flagInput
    .optional()
    .meta({ description: 'Whether the card of a mission gets a thread with its pilots; unchanged without it.' }),
});
export const resentRegistration = z
  .object({
    success: z.boolean().meta({ description: 'True when the announcement was posted.' }),
    errorMessage: z.string().nullable().meta({ description: 'Why it was not posted; null when it was.' }),
  })
  .meta({ id: 'PostedRegistration', description: 'Result of posting the registration announcement.' });
export type ResentRegistrationDto = z.infer<typeof resentRegistration>;
