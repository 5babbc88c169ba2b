/** Schemas of calls between bot and server. The bot knows Discord, the server knows everything else. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { CHANNEL_TYPES, GUILD_EVENT_TYPES, RSVP_RESPONSES, STATUS_STATES } from '#shared/vocabulary.ts';
import { STATUS_MINUTES } from '#shared/limits.ts';
import { safeText } from './common.ts';
import { hasMinutes, MINUTES_REQUIRED } from './pilot.ts';

/** Where the server listens to its bot. */
export const BOT_PATH = '/bot';

/** Discord's ids: 64-bit numbers, which are text here because they do not fit a JavaScript number. */
export const snowflake = z.string().regex(/^\d{5,20}$/);

/** A name of Discord's, with whatever its owner put into it; never rendered as anything but text. */
const discordText = (max: number) =>
  z.string().transform((value) => value.toWellFormed().replaceAll('\0', '').slice(0, max).toWellFormed());
const discordName = discordText(200);
const instanceId = z.string().min(1).max(100);

// ---- which process acts

export const beatInput = z.object({
  instanceId,
  /** what this process would tell admins if it acted; a standby has nothing to tell */
  state: z
    .object({
      isConnected: z.boolean(),
      hasMembersIntent: z.boolean().nullable(),
      botUserId: snowflake.nullable(),
      botName: discordName.nullable(),
      problem: z.string().max(500).nullable(),
    })
    .nullable(),
});
export type BotState = NonNullable<z.infer<typeof beatInput>['state']>;

export const beatAnswer = z.object({
  /** whether this process is to act until the next beat */
  isActing: z.boolean(),
  publicUrl: z.string(),
});

export const standDownInput = z.object({ instanceId });

// ---- what the bot sees of guilds

export const botChannel = z.object({
  id: snowflake,
  name: discordName,
  type: z.enum(CHANNEL_TYPES),
  topic: discordText(4_096).nullable(),
  position: z.int(),
  isNsfw: z.boolean(),
  /** what the bot may do there by Discord's rules: roles, overwrites, thread permissions, time-out */
  canViewChannel: z.boolean(),
  canSendMessages: z.boolean(),
  canEmbedLinks: z.boolean(),
  /** a text or announcement channel with all three, while the bot is not timed out */
  isPostable: z.boolean(),
});
export type BotChannel = z.infer<typeof botChannel>;

export const botMember = z.object({
  discordUserId: snowflake,
  discordUsername: discordName,
  isBot: z.boolean(),
  /** Manage Server or Moderate Members, also by being the owner or an administrator */
  isModerator: z.boolean(),
  /** ISO instant */
  joinedAt: z.iso.datetime({ offset: true }).nullable(),
});
export type BotMember = z.infer<typeof botMember>;

/** One guild, whole: what is not in it any more is gone. */
export const botGuild = z.object({
  id: snowflake,
  name: discordName,
  iconUrl: z.string().nullable(),
  memberCount: z.int().nullable(),
  canCreateEvents: z.boolean(),
  /** where Discord itself posts who has joined */
  systemChannelId: snowflake.nullable(),
  channels: z.array(botChannel),
});
export type BotGuild = z.infer<typeof botGuild>;

/** A shard's READY: every guild it has. Stored guilds of that shard that are not among them are disabled. */
export const reconcileInput = z.object({
  instanceId,
  shardId: z.int().min(0),
  shardCount: z.int().min(1),
  guilds: z.array(botGuild),
  /** in an outage: their status changes and nothing else */
  unavailableIds: z.array(snowflake),
});

/** `available`: an outage is over. */
export const saveGuildInput = z.object({
  instanceId,
  guild: botGuild,
  cause: z.enum(['installed', 'available', 'updated']),
});

export const guildGoneInput = z.object({ instanceId, guildId: snowflake, cause: z.enum(['removed', 'unavailable']) });

/** All members of a guild, as fetched. */
export const syncMembersInput = z.object({ instanceId, guildId: snowflake, members: z.array(botMember) });
export const syncMembersAnswer = z.object({
  /** false: too few came to be believed, nothing was changed */
  isTaken: z.boolean(),
});

/** Some members that changed, joined or left. */
export const saveMembersInput = z.object({
  instanceId,
  guildId: snowflake,
  changed: z.array(botMember),
  joinedIds: z.array(snowflake),
  leftIds: z.array(snowflake),
  /** of the guild, as Discord counts; null when nothing was said about it */
  memberCount: z.int().nullable(),
});

/** What only the bot knows. Never tokens, addresses or message text. */
export const recordEventInput = z.object({
  instanceId,
  guildId: snowflake,
  eventType: z.enum(GUILD_EVENT_TYPES),
  eventData: z.string().max(500).nullable(),
  errorMessage: z.string().max(500).nullable(),
});

// ---- what people do in Discord

/** Who clicked or typed: Discord vouches for it, and it is the only authority. */
export const actor = z.object({
  discordUserId: snowflake,
  discordUsername: discordName,
  /** null in direct messages */
  guildId: snowflake.nullable(),
  /** Manage Server in that guild, as Discord said with the interaction */
  canManageGuild: z.boolean(),
});
export type Actor = z.infer<typeof actor>;

const style = { primary: 1, secondary: 2, success: 3, danger: 4, link: 5 } as const;
/** Discord's numbers for the looks of a button. */
export const BUTTON_STYLES = style;

const button = z.union([
  z.object({
    type: z.literal(2),
    style: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
    label: z.string().min(1).max(80),
    custom_id: z.string().min(1).max(100),
    disabled: z.boolean().optional(),
  }),
  z.object({ type: z.literal(2), style: z.literal(5), label: z.string().min(1).max(80), url: z.url() }),
]);
const embed = z.object({
  title: z.string().max(256).optional(),
  url: z.url().optional(),
  description: z.string().max(4096).optional(),
  color: z.int().optional(),
  fields: z
    .array(
      z.object({
        name: z.string().min(1).max(256),
        value: z.string().min(1).max(1024),
        inline: z.boolean().optional(),
      }),
    )
    .max(25)
    .optional(),
  footer: z.object({ text: z.string().min(1).max(2048) }).optional(),
});

/** A message in Discord's own words, made by the server and shown by the bot or sent as it is. Mentions nobody by itself. */
export const discordMessage = z.object({
  content: z.string().max(2000).optional(),
  embeds: z.array(embed).max(10).optional(),
  components: z
    .array(z.object({ type: z.literal(1), components: z.array(button).min(1).max(5) }))
    .max(5)
    .optional(),
});
export type DiscordMessage = z.infer<typeof discordMessage>;
export type DiscordButton = z.infer<typeof button>;
export type DiscordEmbed = z.infer<typeof embed>;

export const actorInput = z.object({ actor });
export const registerInput = z.object({ actor, campaignId: safeText(100).nullable() });
export const setStatusInput = z
  .object({
    actor,
    state: z.enum(STATUS_STATES),
    minutes: z.int().min(STATUS_MINUTES.min).max(STATUS_MINUTES.max).nullable(),
  })
  .refine(hasMinutes, MINUTES_REQUIRED);
export const answerOrderInput = z.object({
  actor,
  /** what a person typed instead of choosing is no id */
  orderId: z.guid({ error: copy.chooseOrder }).toLowerCase(),
  response: z.enum(RSVP_RESPONSES),
  /** `changedAt` of the order as its buttons showed it; left out: the order is answered as it stands */
  seen: z.iso.datetime().nullish(),
});
export const answeredOrder = z.object({
  /** what came of it, for the person who answered */
  reply: discordMessage,
  isRefused: z.boolean(),
  /** the order as it stands now; null where there is none to show */
  card: discordMessage.nullable(),
});
export const orderChoicesInput = z.object({ actor, text: z.string().max(100) });
export const orderChoices = z.array(z.object({ name: z.string().min(1).max(100), value: z.string().max(100) })).max(25);
export const setWantsOrdersInput = z.object({ actor, wantsOrders: z.boolean() });
export const setChannelInput = z.object({ actor, channelId: snowflake });
/** `reason` is the bot's own: never what a person wrote. */
export const commandFailedInput = z.object({
  actor,
  command: z.string().min(1).max(100),
  reason: z.string().min(1).max(200),
});
export const unlinkInput = z.object({ actor, isConfirmed: z.boolean() });
