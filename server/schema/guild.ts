/** Discord as the bot last saw it. Snowflakes are text: they do not fit a JavaScript number. */
import { defineEntity, p } from '@mikro-orm/core';
import { CHANNEL_TYPES, GUILD_STATUSES, type ChannelType, type GuildStatus } from '#shared/vocabulary.ts';
import { createdAt, id, oneOf, updatedAt } from './base.ts';
import { User } from './user.ts';

export interface GuildRole {
  id: string;
  name: string;
}

export const GuildSchema = defineEntity({
  name: 'Guild',
  properties: {
    id: p.text().primary(),
    name: p.text(),
    iconUrl: p.text().nullable(),
    status: p.text().$type<GuildStatus>(),
    /** Discord's approximate count; null before it is known */
    memberCount: p.integer().nullable(),
    defaultSplashChannelId: p.text().nullable(),
    installedAt: p.datetime(),
    lastSeenAt: p.datetime(),
    /** when an admin accepted the server; until then it gets nothing of the community */
    acceptedAt: p.datetime().nullable(),
    /** when the bot left the guild; its data is deleted 30 days later */
    disabledAt: p.datetime().nullable(),
    /** true if the bot may create guild scheduled events there */
    canCreateEvents: p.boolean().default(false),
    /** true if the bot may start threads there */
    canCreateThreads: p.boolean().default(false),
    /** where the cards of published missions go; null for none */
    missionsChannelId: p.text().nullable(),
    /** the role that a new card mentions */
    missionsRoleId: p.text().nullable(),
    /** missions become guild scheduled events where the bot may create them */
    hasMissionEvents: p.boolean().default(true),
    /** the card of a mission gets a thread with its pilots */
    hasMissionThreads: p.boolean().default(false),
    /** roles that can be mentioned by name, without @everyone and those of bots */
    roles: p.json<GuildRole[]>().defaultRaw("'[]'"),
    /** the language of the server's posts, as Discord names it, such as `en-US`; null until the bot reports it */
    locale: p.text().nullable(),
  },
  checks: [{ name: 'guild_status_known', expression: oneOf('status', GUILD_STATUSES) }],
});
export class Guild extends GuildSchema.class {}
GuildSchema.setClass(Guild);

/** The link between a Discord account and a pilot, the same in all guilds. */
export const DiscordAccountSchema = defineEntity({
  name: 'DiscordAccount',
  properties: {
    discordUserId: p.text().primary(),
    user: () => p.oneToOne(User).owner().deleteRule('cascade'),
    username: p.text(),
    linkedAt: p.datetime(),
    /** the pilot gets frag orders as direct messages too */
    wantsOrders: p.boolean().default(true),
    /** the channel for direct messages, once Discord has opened it */
    dmChannelId: p.text().nullable(),
    /** when Discord refused a direct message; cleared by the next one that arrives */
    dmClosedAt: p.datetime().nullable(),
    /** the language of the pilot's Discord client when it was last used with Marshal, such as `en-US` */
    locale: p.text().nullable(),
  },
});
export class DiscordAccount extends DiscordAccountSchema.class {}
DiscordAccountSchema.setClass(DiscordAccount);

export const GuildMemberSchema = defineEntity({
  name: 'GuildMember',
  properties: {
    guild: () => p.manyToOne(Guild).primary().deleteRule('cascade'),
    discordUserId: p.text().primary(),
    discordUsername: p.text(),
    isBot: p.boolean().default(false),
    isModerator: p.boolean().default(false),
    joinedAt: p.datetime().nullable(),
    /** members who left keep their row, so that the account's history stays complete */
    leftAt: p.datetime().nullable(),
    updatedAt: updatedAt(),
  },
  indexes: [{ name: 'guild_member_discord_user_idx', properties: ['discordUserId'] }],
});
export class GuildMember extends GuildMemberSchema.class {}
GuildMemberSchema.setClass(GuildMember);

export const GuildChannelSchema = defineEntity({
  name: 'GuildChannel',
  properties: {
    id: p.text().primary(),
    guild: () => p.manyToOne(Guild).deleteRule('cascade').index('guild_channel_guild_idx'),
    name: p.text(),
    type: p.text().$type<ChannelType>(),
    topic: p.text().nullable(),
    position: p.integer().default(0),
    isNsfw: p.boolean().default(false),
    isPostable: p.boolean().default(false),
    canSendMessages: p.boolean().default(false),
    canEmbedLinks: p.boolean().default(false),
    updatedAt: updatedAt(),
  },
  checks: [{ name: 'guild_channel_type_known', expression: oneOf('type', CHANNEL_TYPES) }],
});
export class GuildChannel extends GuildChannelSchema.class {}
GuildChannelSchema.setClass(GuildChannel);

export const GuildEventSchema = defineEntity({
  name: 'GuildEvent',
  properties: {
    id: id(),
    guild: () => p.manyToOne(Guild).deleteRule('cascade'),
    eventType: p.text(),
    eventData: p.text().nullable(),
    errorMessage: p.text().nullable(),
    occurredAt: p.datetime(),
  },
  indexes: [{ name: 'guild_event_recent_idx', properties: ['guild', 'occurredAt'] }],
});
export class GuildEvent extends GuildEventSchema.class {}
GuildEventSchema.setClass(GuildEvent);

/**
 * The bot's lease: the process that holds it runs the bot, the others stand by. One row, which its holder has to renew in
 * time; its connection details are shown to admins.
 */
export const BotLeaseSchema = defineEntity({
  name: 'BotLease',
  properties: {
    name: p.text().primary(),
    /** the process that runs the bot */
    holder: p.text(),
    beatAt: p.datetime(),
    expiresAt: p.datetime(),
    /** when the holder's connection to Discord was made, or lost */
    connectedAt: p.datetime().nullable(),
    disconnectedAt: p.datetime().nullable(),
    /** true if Discord grants it the members intent; null before it has connected */
    hasMembersIntent: p.boolean().nullable(),
    botUserId: p.text().nullable(),
    botName: p.text().nullable(),
    /** why it cannot connect, as a sentence */
    problem: p.text().nullable(),
  },
});
export class BotLease extends BotLeaseSchema.class {}
BotLeaseSchema.setClass(BotLease);

/** A personal link from Discord to the registration page; only the token's hash is stored. */
export const RegistrationSessionSchema = defineEntity({
  name: 'RegistrationSession',
  properties: {
    tokenHash: p.text().primary(),
    guild: () => p.manyToOne(Guild).deleteRule('cascade'),
    discordUserId: p.text(),
    discordUsername: p.text(),
    /** the language of the person's Discord client */
    locale: p.text().nullable(),
    campaignId: p.text().nullable(),
    createdAt: createdAt(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
    user: () => p.manyToOne(User).nullable().deleteRule('set null'),
  },
  indexes: [{ name: 'registration_session_discord_user_idx', properties: ['discordUserId'] }],
});
export class RegistrationSession extends RegistrationSessionSchema.class {}
RegistrationSessionSchema.setClass(RegistrationSession);
