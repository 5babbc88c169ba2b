/** Posts in Discord: what Marshal shows there, and where. Deliveries bring them up to date. */
import { defineEntity } from '@mikro-orm/core';
import { createdAt, id, oneOf, updatedAt } from './base.ts';
import { json, p, text } from './columns.ts';
import { Guild } from './guild.ts';
import { none, owner, quotes } from './personal.ts';

/**
 * Kinds of post: the registration announcement, a pilot's order (a direct message that edits keep up to date), a public
 * mention of a pilot whose direct messages are closed, news of a mission with open seats, a guild scheduled event, a reminder of a mission,
 * the card of a mission in a server's missions channel, the welcome after the bot was installed, a warning of too few pilots to the
 * mission's creator, news of the open missions of a published week, an admin's message to pilots who want
 * community news, the thread of a mission's card.
 */
export const POST_KINDS = [
  'registration',
  'order',
  'mention',
  'news',
  'event',
  'reminder',
  'card',
  'welcome',
  'turnout',
  'week',
  'community',
  'thread',
] as const;
export type PostKind = (typeof POST_KINDS)[number];

/** Kinds with one permanent post per subject and reader or server, which is edited when something changes. */
export const KEPT_KINDS = [
  'order',
  'event',
  'news',
  'reminder',
  'card',
  'week',
  'community',
  'thread',
] as const satisfies readonly PostKind[];

const KEPT_FOR = 'for 90 days after the last change';

/** The thread of a mission's card as Discord shows it. */
export interface ThreadState {
  name: string;
  /** the members that Marshal has added; others came by themselves and stay */
  members: string[];
  /** pilots who fly but are not in the server, as Discord said */
  strangers: string[];
  isArchived: boolean;
}

export const DiscordPostSchema = defineEntity({
  name: 'DiscordPost',
  properties: {
    id: id(),
    kind: text(none).$type<PostKind>(),
    /** what it is about and for whom; a second request joins a delivery that waits */
    dedupeKey: text(none),
    guild: () => p.manyToOne(Guild).nullable().deleteRule('cascade'),
    channelId: text(none).nullable(),
    discordUserId: text(owner('discord id')).nullable(),
    /** the order, mission, published week or community message it is about */
    subjectId: text(none).nullable(),
    payload: json<Record<string, unknown>>(quotes('people', KEPT_FOR)),
    /** the first attempt: Discord remembers a nonce only for a short time after it */
    firstTriedAt: p.datetime().nullable(),
    /** the last call to Discord about it: a mission's card is edited at most every few seconds */
    calledAt: p.datetime().nullable(),
    /** id of the sent message or scheduled event; once there is one, sending again edits it */
    messageId: text(none).nullable(),
    /** hash of the content that Discord shows; null if unknown, so that the message is edited in any case */
    shown: text(none).nullable(),
    /** counts the messages that replaced one another: each has a nonce of its own, by which Discord knows it from the others */
    posting: p.smallint().default(0),
    /** when it was found deleted in Discord, or its event was called off: nothing takes its place */
    removedAt: p.datetime().nullable(),
    /** for a thread */
    thread: json<ThreadState>(quotes('thread', KEPT_FOR)).nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [
    {
      name: 'discord_post_one_kept',
      expression: `create unique index "discord_post_one_kept" on "discord_post" ("dedupe_key") where kind in (${KEPT_KINDS.map((kind) => `'${kind}'`).join(', ')})`,
    },
  ],
  indexes: [{ name: 'discord_post_subject_idx', properties: ['subjectId'] }],
  checks: [{ name: 'discord_post_kind_known', expression: oneOf('kind', POST_KINDS) }],
});
export class DiscordPost extends DiscordPostSchema.class {}
DiscordPostSchema.setClass(DiscordPost);
