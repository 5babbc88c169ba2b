/** Closed direct messages: recorded, and mentioned to the pilot in a server at most once a day, without any details. */
import { Routes } from 'discord-api-types/v10';
import { db, json } from '#server/schema/database.ts';
import { DiscordAccount } from '#server/schema/guild.ts';
import type { Em } from '#server/schema/orm.ts';
import { isAcceptedGuild, isAwaitingAnswer } from '#server/schema/predicates.ts';
import { closedDmsMention } from '#server/discord/rules/news-text.ts';
import { DAY_MS } from '#server/time/time.ts';
import { recordGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { DiscordProblem, type DiscordClient } from '#server/discord/discord-client.ts';
import type { SendResult } from '#server/delivery/sender.ts';
import { type Post, queuePost, stateOf } from './posts.ts';
import { isMembershipUnknown } from '#server/schema/reachability.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';

const WHY = 'Direct messages are closed';
/** A pilot is mentioned in public at most once in this time. */
const PAUSE_MS = DAY_MS;

/** A server, and the channel to post in. */
interface MentionPlace {
  guildId: string;
  channelId: string | null;
}

/**
 * The accepted servers of which this person is a current member, or may be one while the bot gets no lists of members; the best one first: where
 * they are known, then where they registered.
 */
async function findPlaces(tx: Em, discordUserId: string): Promise<MentionPlace[]> {
  return db(tx)
    .selectFrom('discord_account as d')
    .innerJoin('guild as g', (join) => join.on('g.status', '=', 'active'))
    .leftJoin('guild_member as m', (join) =>
      join
        .onRef('m.guild_id', '=', 'g.id')
        .onRef('m.discord_user_id', '=', 'd.discord_user_id')
        .on('m.left_at', 'is', null),
    )
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('guild_channel')
          .select('id')
          .whereRef('guild_id', '=', 'g.id')
          .where('is_postable', '=', true)
          .orderBy((eb) => eb('id', 'is distinct from', eb.ref('g.default_splash_channel_id')))
          .orderBy('position')
          .orderBy('id')
          .limit(1)
          .as('c'),
      (join) => join.onTrue(),
    )
    .select(['g.id as guildId', 'c.id as channelId'])
    .where('d.discord_user_id', '=', discordUserId)
    .where(({ eb, or }) => or([eb('m.guild_id', 'is not', null), isMembershipUnknown]))
    .where(isAcceptedGuild)
    .orderBy((eb) => eb('c.id', 'is', null))
    .orderBy((eb) => eb('m.guild_id', 'is', null))
    .orderBy(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('registration_session as r')
            .whereRef('r.guild_id', '=', 'g.id')
            .whereRef('r.discord_user_id', '=', 'd.discord_user_id'),
        ),
      ),
    )
    .orderBy((eb) => eb('c.id', 'is distinct from', eb.ref('g.default_splash_channel_id')))
    .orderBy('g.installed_at')
    .orderBy('g.id')
    .execute();
}

async function wasMentionedLately(tx: Em, discordUserId: string, now: Date): Promise<boolean> {
  const mention = await db(tx)
    .selectFrom('discord_post as o')
    .select('o.id')
    .where('o.dedupe_key', '=', mentionKey(discordUserId))
    .where('o.created_at', '>', new Date(now.getTime() - PAUSE_MS))
    .where((eb) => eb(stateOf(eb), '<>', 'dropped'))
    .limit(1)
    .executeTakeFirst();
  return mention !== undefined;
}

const mentionKey = (discordUserId: string) => `mention:${discordUserId}`;

/**
 * Handle a direct message that Discord refused, in the transaction that marks the row as failed. It is recorded in the
 * events of the pilot's servers; for an order, one of them gets a public mention.
 */
export async function onDmClosed(tx: Em, row: Post, now: Date): Promise<void> {
  const { discordUserId } = row;
  if (discordUserId === null) return;
  const account = await tx.findOne(DiscordAccount, { discordUserId });
  if (!account) return;
  account.dmClosedAt ??= now;
  const places = await findPlaces(tx, discordUserId);
  for (const { guildId } of places) await recordGuildEvent(tx, guildId, 'dm_failed', account.username, WHY, now);
  const [place, ...others] = places.filter(({ channelId }) => channelId !== null);
  if (row.kind !== 'order' || !place || (await wasMentionedLately(tx, discordUserId, now))) return;
  const about = { ...place, discordUserId, subjectId: null };
  await queuePost(tx, { kind: 'mention', dedupeKey: mentionKey(discordUserId), ...about, payload: { others } }, now);
}

/**
 * Ask Discord if the person whom a message mentions is in the server: nobody else is notified, and others need not read the name.
 * @throws DiscordProblem
 */
export async function isMentionedMember(discord: DiscordClient, { guildId, discordUserId }: Post): Promise<boolean> {
  if (guildId === null || discordUserId === null) return false;
  try {
    await discord.get(Routes.guildMember(guildId, discordUserId));
    return true;
  } catch (error) {
    if (error instanceof DiscordProblem && error.status === 404) return false;
    throw error;
  }
}

/** Move a mention of somebody who is not in its server to the next one; without any it is dropped. */
export function moveMention(row: Post, now: Date): SendResult {
  const [next, ...others] = Array.isArray(row.payload['others']) ? (row.payload['others'] as MentionPlace[]) : [];
  return {
    ...(next ? { outcome: 'again', afterMs: 0, attempts: 0, isQuiet: true } : { outcome: 'dropped' }),
    async record(tx, { isSettled }) {
      if (!isSettled) return;
      await db(tx)
        .updateTable('discord_post')
        .set({
          first_tried_at: null,
          updated_at: now,
          ...(next && { guild_id: next.guildId, channel_id: next.channelId, payload: json({ others }) }),
        })
        .where('id', '=', row.id)
        .execute();
    },
  };
}

/** The public mention, while a pilot with a pending order does not accept direct messages; otherwise null. */
export async function composeMention(em: Em, row: Post, now: Date): Promise<DiscordMessage | null> {
  if (row.discordUserId === null) return null;
  const waiting = await db(em)
    .selectFrom('discord_account as d')
    .innerJoin('frag_order as o', 'o.pilot_id', 'd.user_id')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .select('o.id')
    .where('d.discord_user_id', '=', row.discordUserId)
    .where('d.dm_closed_at', 'is not', null)
    .where('d.wants_orders', '=', true)
    .where(isAwaitingAnswer('o', now))
    .where('m.status', '=', 'scheduled')
    .where('m.starts_at', '>', now)
    .limit(1)
    .executeTakeFirst();
  return waiting ? closedDmsMention(row.discordUserId, row.id, textsFor(row.locale)) : null;
}
