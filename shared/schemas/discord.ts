/** Schemas of Discord servers (guilds): list, detail, the bot's status, registration announcement. */
import { z } from '#shared/zod.ts';
import { BOT_STATES, CHANNEL_TYPES, GUILD_STATUSES, OUTBOX_STATES } from '#shared/vocabulary.ts';
import { isoInstant, originInput, safeText } from './common.ts';

const guildFields = {
  id: z.string(),
  name: z.string(),
  iconUrl: z.string().nullable(),
  status: z.enum(GUILD_STATUSES),
  memberCount: z.number().nullable(),
  registeredMemberCount: z.number(),
  globalEventOptIns: z.number(),
  installedAt: isoInstant,
  lastSeenAt: isoInstant,
  defaultSplashChannelId: z.string().nullable(),
};

export const guild = z.object(guildFields).meta({ id: 'Guild' });
export type GuildDto = z.infer<typeof guild>;

export const guildDetail = z
  .object({
    ...guildFields,
    registeredMembers: z.number(),
    members: z.array(
      z.object({
        discordUserId: z.string(),
        discordUsername: z.string(),
        isModerator: z.boolean(),
        isRegistered: z.boolean(),
        fightClubUserId: z.string().nullable(),
        wantsGlobalEvents: z.boolean(),
        joinedAt: isoInstant.nullable(),
        updatedAt: isoInstant,
      }),
    ),
    channels: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.enum(CHANNEL_TYPES),
        topic: z.string().nullable(),
        isNsfw: z.boolean(),
        isPostable: z.boolean(),
        canSendMessages: z.boolean(),
        canEmbedLinks: z.boolean(),
        lastUpdated: isoInstant,
      }),
    ),
    recentEvents: z.array(
      z.object({
        id: z.string(),
        eventType: z.string(),
        eventData: z.string().nullable(),
        errorMessage: z.string().nullable(),
        occurredAt: isoInstant,
      }),
    ),
    /** Delivery of the latest registration announcement; null before the first. */
    announcement: z
      .object({
        state: z.enum(OUTBOX_STATES),
        channelId: z.string().nullable(),
        /** Name of the channel; null when it no longer exists. */
        channelName: z.string().nullable(),
        /** Reason why the announcement was not posted; null without an error. */
        errorMessage: z.string().nullable(),
        /** Time at which this state began. */
        updatedAt: isoInstant,
      })
      .nullable(),
  })
  .meta({ id: 'GuildDetail' });
export type GuildDetailDto = z.infer<typeof guildDetail>;

/** Current state of this installation's bot. */
export const botStatus = z
  .object({
    /** True when a bot token is configured. */
    isConfigured: z.boolean(),
    state: z.enum(BOT_STATES),
    /** Time at which the bot came online or went offline; null when it has never connected. */
    since: isoInstant.nullable(),
    /** True when the bot has the Server Members intent; null before it has connected. */
    hasMembersIntent: z.boolean().nullable(),
    botName: z.string().nullable(),
    /** Problem that keeps the bot from connecting, as a sentence; null without one. */
    problem: z.string().nullable(),
    /** Link that installs the bot in a Discord server; null while the application's id is unknown. */
    installUrl: z.string().nullable(),
  })
  .meta({ id: 'BotStatus' });
export type BotStatusDto = z.infer<typeof botStatus>;

export const guildInput = z.object({ guildId: safeText(100) });

/** Without `channelId` the guild's default channel is used, or else the first postable one. */
export const resendRegistrationInput = z.object({
  guildId: safeText(100),
  channelId: safeText(100).nullish(),
  /** Origin of the site that personal links lead to; must be this server's own. */
  registrationBaseUrl: originInput.nullish(),
});
export const resentRegistration = z
  .object({ success: z.boolean(), errorMessage: z.string().nullable() })
  .meta({ id: 'PostedRegistration' });
export type ResentRegistrationDto = z.infer<typeof resentRegistration>;
