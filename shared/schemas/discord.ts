/** Guilds as the bot last saw them. */
import { z } from 'zod';
import { CHANNEL_TYPES, GUILD_STATUSES } from '#shared/vocabulary.ts';
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
});
export type GuildDetailDto = z.infer<typeof guildDetail>;

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
