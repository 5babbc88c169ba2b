/** Discord as the bot last saw it. Snowflakes are text: they do not fit a JavaScript number. */
import { defineEntity } from '@mikro-orm/core';
import { CHANNEL_TYPES, GUILD_STATUSES, type ChannelType, type GuildStatus } from '#shared/vocabulary.ts';
import { createdAt, id, oneOf, updatedAt } from './base.ts';
import { freeJson, freeText, p, text } from './columns.ts';
import { none, own, owner, personal, quotes, shown } from './personal.ts';
import { User } from './user.ts';

export interface GuildRole {
  id: string;
  name: string;
}

export const GuildSchema = defineEntity({
  name: 'Guild',
  properties: {
    id: text(none).primary(),
    name: freeText(100, none),
    iconUrl: text(none).nullable(),
    status: text(none).$type<GuildStatus>(),
    /** Discord's approximate count; null before it is known */
    memberCount: p.integer().nullable(),
    defaultSplashChannelId: text(none).nullable(),
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
    missionsChannelId: text(none).nullable(),
    /** the role that a new card mentions */
    missionsRoleId: text(none).nullable(),
    /** missions become guild scheduled events where the bot may create them */
    hasMissionEvents: p.boolean().default(true),
    /** the card of a mission gets a thread with its pilots */
    hasMissionThreads: p.boolean().default(false),
    /** roles that can be mentioned by name, without @everyone and those of bots */
    roles: freeJson<GuildRole[]>(['name'], none).defaultRaw("'[]'"),
    /** the language of the server's posts, as Discord names it, such as `en-US`; null until the bot reports it */
    locale: text(none).nullable(),
  },
  checks: [{ name: 'guild_status_known', expression: oneOf('status', GUILD_STATUSES) }],
});
export class Guild extends GuildSchema.class {}
GuildSchema.setClass(Guild);

/** The link between a Discord account and a pilot, the same in all guilds. */
export const DiscordAccountSchema = defineEntity({
  name: 'DiscordAccount',
  properties: {
    discordUserId: text(own('discordUserId', { isMark: true })).primary(),
    user: () => personal(p.oneToOne(User).owner().deleteRule('cascade'), owner('account')),
    username: freeText(100, own('username', { isUsername: true })),
    linkedAt: personal(p.datetime(), shown('linkedAt')),
    /** the pilot gets frag orders as direct messages too */
    wantsOrders: personal(p.boolean().default(true), shown('wantsOrders')),
    /** the channel for direct messages, once Discord has opened it */
    dmChannelId: text(own(null, { isMark: true })).nullable(),
    /** when Discord refused a direct message; cleared by the next one that arrives */
    dmClosedAt: p.datetime().nullable(),
    /** the language of the pilot's Discord client when it was last used with Marshal, such as `en-US` */
    locale: text(own('locale')).nullable(),
  },
});
export class DiscordAccount extends DiscordAccountSchema.class {}
DiscordAccountSchema.setClass(DiscordAccount);

export const GuildMemberSchema = defineEntity({
  name: 'GuildMember',
  properties: {
    guild: () => p.manyToOne(Guild).primary().deleteRule('cascade'),
    discordUserId: text(owner('discord id')).primary(),
    discordUsername: freeText(100, own('username', { isUsername: true })),
    isBot: p.boolean().default(false),
    isModerator: personal(p.boolean().default(false), shown('isModerator')),
    joinedAt: personal(p.datetime().nullable(), shown('joinedAt')),
    /** members who left keep their row, so that the account's history stays complete */
    leftAt: personal(p.datetime().nullable(), shown('leftAt')),
    updatedAt: updatedAt(),
  },
  indexes: [{ name: 'guild_member_discord_user_idx', properties: ['discordUserId'] }],
});
export class GuildMember extends GuildMemberSchema.class {}
GuildMemberSchema.setClass(GuildMember);

export const GuildChannelSchema = defineEntity({
  name: 'GuildChannel',
  properties: {
    id: text(none).primary(),
    guild: () => p.manyToOne(Guild).deleteRule('cascade').index('guild_channel_guild_idx'),
    name: freeText(100, none),
    type: text(none).$type<ChannelType>(),
    topic: freeText(1000, none).nullable(),
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
    eventType: text(none),
    eventData: freeText(200, quotes('member', 'for 90 days')).nullable(),
    errorMessage: freeText(500, quotes('marks', 'for 90 days')).nullable(),
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
    name: text(none).primary(),
    /** the process that runs the bot */
    holder: text(none),
    beatAt: p.datetime(),
    expiresAt: p.datetime(),
    /** when the holder's connection to Discord was made, or lost */
    connectedAt: p.datetime().nullable(),
    disconnectedAt: p.datetime().nullable(),
    /** true if Discord grants it the members intent; null before it has connected */
    hasMembersIntent: p.boolean().nullable(),
    botUserId: text(none).nullable(),
    botName: freeText(100, none).nullable(),
    /** why it cannot connect, as a sentence */
    problem: freeText(500, none).nullable(),
  },
});
export class BotLease extends BotLeaseSchema.class {}
BotLeaseSchema.setClass(BotLease);

/** A personal link from Discord to the registration page; only the token's hash is stored. */
export const RegistrationSessionSchema = defineEntity({
  name: 'RegistrationSession',
  properties: {
    tokenHash: text(none).primary(),
    guild: () => p.manyToOne(Guild).deleteRule('cascade'),
    discordUserId: text(owner('discord id')),
    discordUsername: freeText(100, own(null)),
    /** the language of the person's Discord client */
    locale: text(own(null)).nullable(),
    campaignId: freeText(100, own(null)).nullable(),
    createdAt: createdAt(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
    user: () => personal(p.manyToOne(User).nullable().deleteRule('set null'), owner('account')),
  },
  indexes: [{ name: 'registration_session_discord_user_idx', properties: ['discordUserId'] }],
});
export class RegistrationSession extends RegistrationSessionSchema.class {}
RegistrationSessionSchema.setClass(RegistrationSession);
