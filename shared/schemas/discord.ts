/** Guilds as the bot last saw them. */
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

export const guild = z.object(guildFields);
export type GuildDto = z.infer<typeof guild>;

export const guildDetail = z.object({
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
  /** what became of the latest registration announcement; null before the first */
  announcement: z
    .object({
      state: z.enum(OUTBOX_STATES),
      channelId: z.string().nullable(),
      /** null for a channel that is gone */
      channelName: z.string().nullable(),
      /** why it was not posted, in Discord's words or ours */
      errorMessage: z.string().nullable(),
      /** since when it is in this state */
      updatedAt: isoInstant,
    })
    .nullable(),
});
export type GuildDetailDto = z.infer<typeof guildDetail>;

/** The bot of this installation, as it is now. */
export const botStatus = z.object({
  /** whether it is to run at all */
  isConfigured: z.boolean(),
  state: z.enum(BOT_STATES),
  /** since when it is online or offline; null when it has never been either */
  since: isoInstant.nullable(),
  /** whether Discord tells it who is in a server; null before it has connected */
  hasMembersIntent: z.boolean().nullable(),
  botName: z.string().nullable(),
  /** why it cannot connect, in words */
  problem: z.string().nullable(),
  /** where an owner of a Discord server installs it; null without an application's id */
  installUrl: z.string().nullable(),
});
export type BotStatusDto = z.infer<typeof botStatus>;

export const guildInput = z.object({ guildId: safeText(100) });

/** Without a channel: the guild's default one, else the first that can be posted to. */
export const resendRegistrationInput = z.object({
  guildId: safeText(100),
  channelId: safeText(100).nullish(),
  /** the site that personal links lead to; only this server's own origin is taken */
  registrationBaseUrl: originInput.nullish(),
});
export const resentRegistration = z.object({ success: z.boolean(), errorMessage: z.string().nullable() });
export type ResentRegistrationDto = z.infer<typeof resentRegistration>;
