/** Schemas of the bot's calls to the server: lease, guild and member sync, slash commands, buttons, Discord messages. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import {
  SEAT_FIXES,
  CHANNEL_TYPES,
  GUILD_EVENT_TYPES,
  RSVP_RESPONSES,
  STATUS_STATES,
  THEATERS,
} from '#shared/vocabulary.ts';
import { STATUS_MINUTES } from '#shared/limits.ts';
import { safeText } from './common.ts';
import { hasMinutes, MINUTES_REQUIRED } from './pilot.ts';

/** Path of the bot's tRPC endpoint on the server. */
export const BOT_PATH = '/bot';

/** Discord id: a 64-bit number kept as text, because it does not fit a JavaScript number. */
export const snowflake = z.string().regex(/^\d{5,20}$/);

/** Text that Discord users wrote: may contain anything, so it must be rendered as plain text only. */
const discordText = (max: number) =>
  z.string().transform((value) => value.toWellFormed().replaceAll('\0', '').slice(0, max).toWellFormed());
const discordName = discordText(200);
const instanceId = z.string().min(1).max(100);

// ---- lease: the instance that acts

export const beatInput = z.object({
  instanceId,
  /** State of the connection to Discord, shown to admins; null for an instance on standby. */
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
  /** True when this instance holds the lease and acts until the next beat. */
  isActing: z.boolean(),
  /** Guilds that wait for an admin: the server takes no members of them. */
  pendingIds: z.array(snowflake),
});

export const standDownInput = z.object({ instanceId });

// ---- guilds, channels and members

export const botChannel = z.object({
  id: snowflake,
  name: discordName,
  type: z.enum(CHANNEL_TYPES),
  topic: discordText(4_096).nullable(),
  position: z.int(),
  isNsfw: z.boolean(),
  /** The bot's effective permission: roles, overwrites, thread permissions and timeout included. */
  canViewChannel: z.boolean(),
  canSendMessages: z.boolean(),
  canEmbedLinks: z.boolean(),
  /** True for a text or announcement channel with all three permissions. */
  isPostable: z.boolean(),
});
export type BotChannel = z.infer<typeof botChannel>;

export const botMember = z.object({
  discordUserId: snowflake,
  discordUsername: discordName,
  isBot: z.boolean(),
  /** True with Manage Server or Moderate Members, which the owner and administrators always have. */
  isModerator: z.boolean(),
  /** Time at which the member joined the guild, ISO 8601; null when Discord does not say. */
  joinedAt: z.iso.datetime({ offset: true }).nullable(),
});
export type BotMember = z.infer<typeof botMember>;

/** Complete snapshot of a guild: a stored channel that is missing here has been deleted. */
export const botGuild = z.object({
  id: snowflake,
  name: discordName,
  iconUrl: z.string().nullable(),
  memberCount: z.int().nullable(),
  canCreateEvents: z.boolean(),
  canCreateThreads: z.boolean().default(false),
  /** Channel in which Discord posts its own system messages, such as joins. */
  systemChannelId: snowflake.nullable(),
  /** The server's language, such as `en-US`. */
  locale: z.string().max(20).default('en-US'),
  /** Roles without @everyone and bots' roles, the highest first. */
  roles: z
    .array(z.object({ id: snowflake, name: discordName }))
    .max(250)
    .default([]),
  channels: z.array(botChannel),
});
export type BotGuild = z.infer<typeof botGuild>;

/** Most guilds, and most members of a guild, in one call: a call must not keep the server from its other work. */
export const CHUNK_MAX = { guilds: 25, members: 1_000 } as const;

/** Some guilds of a shard. */
export const saveGuildsInput = z.object({ instanceId, guilds: z.array(botGuild).max(CHUNK_MAX.guilds) });

/** Those of the saved guilds that wait for an admin. */
export const savedGuilds = z.object({ pendingIds: z.array(snowflake) });

/** Ids of all guilds of a shard, after `saveGuilds`. The server disables stored guilds of that shard that are missing. */
export const reconcileInput = z.object({
  instanceId,
  shardId: z.int().min(0),
  shardCount: z.int().min(1),
  guildIds: z.array(snowflake),
  /** Guilds in a Discord outage: only their status changes. */
  unavailableIds: z.array(snowflake),
});

/** `available`: a Discord outage has ended. */
export const saveGuildInput = z.object({
  instanceId,
  guild: botGuild,
  cause: z.enum(['installed', 'available', 'updated']),
});

export const guildGoneInput = z.object({ instanceId, guildId: snowflake, cause: z.enum(['removed', 'unavailable']) });

/**
 * Part of the complete member list of a guild: all members whose ids, as text, are above `after` and up to `through`. The
 * parts are sent in order, and each is complete in itself: a stored member of that range who is missing has left.
 */
export const syncMembersInput = z.object({
  instanceId,
  guildId: snowflake,
  /** Members in all parts together. */
  total: z.int().min(0),
  /** Null for the first part. */
  after: snowflake.nullable(),
  /** Null for the last part. */
  through: snowflake.nullable(),
  /** The answer to the first part; false there. */
  isNewList: z.boolean(),
  members: z.array(botMember).max(CHUNK_MAX.members),
});
export const syncMembersAnswer = z.object({
  /** True when no member was known before, so that nobody is said to have joined. */
  isNewList: z.boolean(),
  /** False when the list was too short to be complete; nothing was changed then. */
  isTaken: z.boolean(),
});

/** Members of a guild that changed, joined or left. */
export const saveMembersInput = z.object({
  instanceId,
  guildId: snowflake,
  changed: z.array(botMember),
  joinedIds: z.array(snowflake),
  leftIds: z.array(snowflake),
  /** Discord's member count of the guild; null when unknown. */
  memberCount: z.int().nullable(),
});

/** An event that only the bot can observe. Must not contain tokens, addresses or message text. */
export const recordEventInput = z.object({
  instanceId,
  guildId: snowflake,
  eventType: z.enum(GUILD_EVENT_TYPES),
  eventData: z.string().max(500).nullable(),
  errorMessage: z.string().max(500).nullable(),
});

// ---- commands and buttons

/** The Discord user of an interaction. Discord authenticates the user; nothing else in the input is trusted for that. */
export const actor = z.object({
  discordUserId: snowflake,
  discordUsername: discordName,
  /** Guild of the interaction; null in direct messages. */
  guildId: snowflake.nullable(),
  /** True when the user has Manage Server in that guild, as sent with the interaction. */
  canManageGuild: z.boolean(),
  /** The language of the user's Discord client, such as `en-US` or `de`. */
  locale: z.string().max(20).default('en-US'),
});
export type Actor = z.infer<typeof actor>;

const style = { primary: 1, secondary: 2, success: 3, danger: 4, link: 5 } as const;
/** Discord's button style numbers. */
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
const menu = z.object({
  custom_id: z.string().min(1).max(100),
  placeholder: z.string().max(150).optional(),
  options: z
    .array(
      z.object({
        label: z.string().min(1).max(100),
        description: z.string().min(1).max(100).optional(),
        value: z.string().min(1).max(100),
      }),
    )
    .min(1)
    .max(25),
});
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

/** A message in the format of Discord's API, written by the server and shown or sent unchanged; it mentions nobody. */
export const discordMessage = z.object({
  content: z.string().max(2000).optional(),
  embeds: z.array(embed).max(10).optional(),
  components: z
    .array(z.object({ type: z.literal(1), components: z.array(button).min(1).max(5) }))
    .max(5)
    .optional(),
  /** A menu below the buttons, in replies only. */
  menu: menu.optional(),
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
  /** Id of the order. People can type free text instead of choosing from the list, which is refused. */
  orderId: z.guid({ error: copy.chooseOrder }).toLowerCase(),
  response: z.enum(RSVP_RESPONSES),
  /** `changedAt` of the order when the buttons were shown; without it, the answer applies to the current order. */
  seen: z.iso.datetime().nullish(),
});
/** An answer to "Still flying?". */
export const answerReminderInput = z.object({
  actor,
  reminderId: z.guid({ error: copy.orderNotFound }).toLowerCase(),
  isFlying: z.boolean(),
});
export const answeredOrder = z.object({
  /** Reply to the person who answered. */
  reply: discordMessage,
  isRefused: z.boolean(),
  /** The current order or reminder as a message; null when there is none to show. */
  card: discordMessage.nullable(),
});
export const orderChoicesInput = z.object({ actor, text: z.string().max(100) });
export const orderChoices = z.array(z.object({ name: z.string().min(1).max(100), value: z.string().max(100) })).max(25);
export const setWantsOrdersInput = z.object({ actor, wantsOrders: z.boolean() });
export const setChannelInput = z.object({ actor, channelId: snowflake });
/** Settings of a server for missions; those that are left out stay as they are. */
export const setMissionsInput = z.object({
  actor,
  /** null turns the cards off */
  channelId: snowflake.nullable(),
  /** null mentions nobody */
  roleId: snowflake.nullable(),
  hasEvents: z.boolean().nullish(),
  hasThreads: z.boolean().nullish(),
});
/** A button on the card of a mission. */
export const aboutMissionInput = z.object({
  actor,
  missionId: z.guid({ error: copy.missionNotFound }).toLowerCase(),
});
/** `fixes`: what the message says will change. */
export const joinStandbyFromDiscordInput = aboutMissionInput.extend({
  fixes: z.array(z.enum(SEAT_FIXES)).default([]),
});
export const takeSeatFromDiscordInput = joinStandbyFromDiscordInput.extend({
  flightId: z.guid({ error: copy.flightNotFound }).toLowerCase(),
  seatIndex: z.int().min(0).max(3),
});
/** `reason` is the bot's own wording and never contains text that a person wrote. */
export const commandFailedInput = z.object({
  actor,
  command: z.string().min(1).max(100),
  reason: z.string().min(1).max(200),
});
export const unlinkInput = z.object({ actor, isConfirmed: z.boolean() });

// ---- missions, for admins

/** A mission as text, as `/mission create` takes it. */
export const draftMissionInput = z.object({
  actor,
  /** Of the command: the same one makes one draft. */
  interactionId: snowflake,
  name: discordText(400),
  theater: z.enum(THEATERS, { error: copy.theaterFromList }),
  date: discordText(40),
  time: discordText(40),
  duration: discordText(40),
  seats: discordText(1_000),
});
/** Missions that admins can choose from; drafts are only offered to cancel them. */
export const missionChoicesInput = orderChoicesInput.extend({ withDrafts: z.boolean() });
/** A mission that an admin chose from the list, or wrote. */
export const chosenMissionInput = z.object({
  actor,
  missionId: z.guid({ error: copy.chooseMission }).toLowerCase(),
});

// ---- availability by buttons

/** Times that a button adds: tonight, or the coming weekend. */
export const QUICK_TIMES = ['tonight', 'weekend'] as const;
export const addTimesInput = z.object({ actor, times: z.enum(QUICK_TIMES) });
/** `packed`: the ids of what the button added, as in its own id. */
export const undoTimesInput = z.object({ actor, packed: z.string().max(50) });
