/** The registration announcement: a public post with a button for a Discord server's members, without personal links. */
import { setTimeout as pass } from 'node:timers/promises';
import type { z } from 'zod';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isAcceptedGuild } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { cannotPost } from '#server/discord/rules/failures.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy, otherSiteSentence } from '#shared/copy.ts';
import { RESEND_PAUSE_SECONDS, RESEND_WAIT_SECONDS } from '#shared/limits.ts';
import type { ResentRegistrationDto, resendRegistrationInput } from '#shared/schemas/discord.ts';
import { emit } from '#server/signals/emit.ts';
import { addGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { isWaiting, queuePost, stateOf } from '#server/discord/posts/posts.ts';
import type { Viewer } from '#server/platform/viewer.ts';

type ResendInput = z.infer<typeof resendRegistrationInput>;

interface Channel {
  id: string;
  name: string;
  isPostable: boolean;
  canSend: boolean;
  canEmbed: boolean;
}

/** Poll interval while a row is being sent. */
const LOOK_MS = 100;

const SENT: ResentRegistrationDto = { success: true, errorMessage: null };
/** A post that is impossible or has failed, with the reason for the admin. */
const refused = (errorMessage: string): ResentRegistrationDto => ({ success: false, errorMessage });

/** One resend at a time per guild, so that the second of two clicks finds the row that the first has queued. */
async function lockGuild(tx: Em, guildId: string) {
  const guild = await db(tx)
    .selectFrom('guild as g')
    .select(['g.name', 'g.status', 'g.default_splash_channel_id as defaultChannel', isAcceptedGuild.as('isAccepted')])
    .where('g.id', '=', guildId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!guild) throw new AppError('GUILD_NOT_FOUND');
  return guild;
}

function notPostable({ name, canSend, canEmbed }: Channel): string {
  return cannotPost(name, [canSend ? [] : ['Send Messages'], canEmbed ? [] : ['Embed Links']].flat());
}

/** The requested channel, or the default one, or the first postable one; a string is the reason why there is none. */
function chooseChannel(
  channels: readonly Channel[],
  asked: string | null,
  defaultChannel: string | null,
): Channel | string {
  if (asked !== null) {
    const channel = channels.find(({ id }) => id === asked);
    if (!channel) throw new AppError('CHANNEL_NOT_FOUND', { field: 'channelId' });
    return channel.isPostable ? channel : notPostable(channel);
  }
  const postable = channels.filter(({ isPostable }) => isPostable);
  return postable.find(({ id }) => id === defaultChannel) ?? postable[0] ?? copy.noPostableChannel;
}

/** The announcement of a guild in one of its channels. */
const announcementIn = (guildId: string, channelId: string) =>
  ({
    kind: 'registration',
    dedupeKey: `registration:${guildId}:${channelId}`,
    guildId,
    channelId,
    discordUserId: null,
    subjectId: null,
    payload: {},
  }) as const;

/** The latest post in a guild within the last minute. Failed posts do not count. */
function findRecent(tx: Em, guildId: string, now: Date) {
  return db(tx)
    .selectFrom('discord_post as o')
    .select(({ ref }) => ms(ref('o.created_at')).as('createdMs'))
    .where('o.guild_id', '=', guildId)
    .where('o.kind', '=', 'registration')
    .where('o.created_at', '>', new Date(now.getTime() - RESEND_PAUSE_SECONDS * 1000))
    .where((eb) => eb(stateOf(eb), 'in', ['queued', 'sending', 'sent']))
    .orderBy('o.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Prevent floods: another post in the same guild within a minute is 429. */
async function refuseFlood(tx: Em, guildId: string, now: Date): Promise<void> {
  const latest = await findRecent(tx, guildId, now);
  if (!latest) return;
  const nextMs = latest.createdMs + RESEND_PAUSE_SECONDS * 1000;
  const retryAfterSeconds = Math.max(1, Math.ceil((nextMs - now.getTime()) / 1000));
  throw new AppError('RATE_LIMITED', copy.resentTooSoon, { retryAfterSeconds });
}

/**
 * Queue the announcement in a channel where the bot can post, in the caller's transaction, which has locked the guild.
 * @returns false if one was posted less than a minute ago
 */
export async function queueAnnouncement(
  tx: Em,
  guildId: string,
  channel: { id: string; name: string },
  now: Date,
): Promise<boolean> {
  const message = announcementIn(guildId, channel.id);
  if (!(await isWaiting(tx, message.dedupeKey))) {
    if (await findRecent(tx, guildId, now)) return false;
    await addGuildEvent(tx, guildId, 'announcement_queued', channel.name, null, now);
  }
  await queuePost(tx, message, now);
  return true;
}

/** A post that will be sent, or the reason why there is none. */
type Queued = { postId: string; willWait: boolean } | ResentRegistrationDto;

async function queue(
  tx: Em,
  admin: Viewer,
  { guildId, channelId }: ResendInput,
  isDiscordOn: boolean,
  now: Date,
): Promise<Queued> {
  const guild = await lockGuild(tx, guildId);
  const channels = await db(tx)
    .selectFrom('guild_channel')
    .select(['id', 'name', 'is_postable as isPostable', 'can_send_messages as canSend', 'can_embed_links as canEmbed'])
    .where('guild_id', '=', guildId)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const channel = chooseChannel(channels, channelId ?? null, guild.defaultChannel);
  if (guild.status === 'disabled') return refused(copy.botRemoved);
  if (!guild.isAccepted) return refused(copy.guildPending);
  if (typeof channel === 'string') return refused(channel);
  if (!isDiscordOn) return refused(copy.discordOff);
  const message = announcementIn(guildId, channel.id);
  const isJoined = await isWaiting(tx, message.dedupeKey);
  if (!isJoined) await refuseFlood(tx, guildId, now);
  const postId = await queuePost(tx, message, now);
  if (!isJoined) {
    emit(tx, {
      type: 'registration.resent',
      by: admin,
      guild: { id: guildId, name: guild.name },
      channel: channel.name,
    });
    await addGuildEvent(tx, guildId, 'announcement_queued', channel.name, null, now);
  }
  return { postId, willWait: guild.status === 'unavailable' };
}

/** The outcome of sending a post; null while it is waiting. */
async function readOutcome(em: Em, postId: string): Promise<ResentRegistrationDto | null> {
  const row = await db(em)
    .selectFrom('delivery')
    .select(['state', 'error_message as error'])
    .where('post_id', '=', postId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  switch (row?.state) {
    case 'queued':
    case 'sending':
      return null;
    case 'sent':
      return SENT;
    case undefined:
    case 'dropped':
      return refused(copy.botRemoved);
    case 'failed':
    case 'uncertain':
      return refused(row.error ?? copy.registrationNotSent);
  }
}

/**
 * Queue the registration announcement, and report its outcome within eight seconds. While one waits for the same channel,
 * another request joins it, so that there is only one post. A server in an outage gets it when it is back within a day; one
 * that removed the bot, or that waits for an admin, is refused.
 * @param site its `publicUrl` is this site's origin, the only one that links may lead to
 * @returns `success: true` if it is posted, or will be as soon as Discord responds; `success: false` with a sentence if no
 * channel is postable, Discord refused, or the outcome is unknown
 * @throws 404 for an unknown guild; 400 for another guild's channel and for another site; 429 within a minute of the last
 * post
 */
export async function resendRegistration(
  em: Em,
  admin: Viewer,
  input: ResendInput,
  { publicUrl, isDiscordOn }: { publicUrl: string; isDiscordOn: boolean },
  now: Date,
): Promise<ResentRegistrationDto> {
  const { registrationBaseUrl } = input;
  if (registrationBaseUrl && new URL(registrationBaseUrl).origin !== publicUrl) {
    throw new AppError('VALIDATION', otherSiteSentence(publicUrl), { field: 'registrationBaseUrl' });
  }
  const queued = await transact(em, (tx) => queue(tx, admin, input, isDiscordOn, now));
  if (!('postId' in queued)) return queued;
  if (queued.willWait) return SENT;
  const patience = AbortSignal.timeout(RESEND_WAIT_SECONDS * 1000);
  for (;;) {
    // each poll is its own statement, so that no lock or connection is held while Discord is called
    const outcome = await readOutcome(em, queued.postId);
    if (outcome !== null) return outcome;
    if (patience.aborted) return SENT;
    await pass(LOOK_MS);
  }
}
