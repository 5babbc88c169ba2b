/** Prepares a change of a post: checks if it may be sent, composes it, and notes the attempt before Discord is called. */
import { db, json, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import type { Claim, SendResult } from '#server/delivery/sender.ts';
import { OUTAGE_MS, PATIENCE_HOURS } from '#server/discord/rules/backoff.ts';
import type { DiscordClient } from '#server/discord/discord-client.ts';
import { givenUpAnnouncement, type Place } from '#server/discord/rules/failures.ts';
import { HOUR_MS } from '#server/time/time.ts';
import { addGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { isDirect, isKept, type Post } from './posts.ts';
import { copy } from '#shared/copy.ts';
import { withoutRefusedLinks } from '#shared/discord-links.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import { compose } from './compose.ts';
import { hashShown } from './content-hash.ts';
import { queueEarlier } from './order-messages.ts';

/** Discord gets a call up to so long after it was prepared, which counts if no answer is recorded. */
const CALL_MS = 500;

const TOO_LATE = 'It was too late to send it.';

/** A post whose change is about to be sent. */
export interface Prepared {
  row: Post & { firstTriedMs: number };
  /** attempts of this change, including this one */
  attempts: number;
  /** an earlier attempt called Discord, which may have posted it */
  wasTried: boolean;
  place: Place;
  /** null for a scheduled event or a thread, and for a message without content that may already have been posted */
  message: DiscordMessage | null;
  /** hash of the message */
  shown: string | null;
  /** id of the message that a new one replies to */
  replyTo: string | null;
  /** the channel for this person's direct messages, if known */
  dmChannelId: string | null;
}

/** The post of a delivery, locked, with the place it goes to. */
async function findPost(tx: Em, { postId, queuedMs }: Pick<Claim, 'postId' | 'queuedMs'>, now: Date) {
  return db(tx)
    .selectFrom('discord_post as o')
    .leftJoin('guild as g', 'g.id', 'o.guild_id')
    .leftJoin('guild_channel as c', 'c.id', 'o.channel_id')
    .leftJoin('discord_account as d', 'd.discord_user_id', 'o.discord_user_id')
    .select(({ eb, ref, cast, fn, selectFrom, val }) => [
      'o.id',
      'o.kind',
      'o.dedupe_key as dedupeKey',
      'o.guild_id as guildId',
      'o.channel_id as channelId',
      'o.discord_user_id as discordUserId',
      'o.subject_id as subjectId',
      'o.payload',
      'o.message_id as messageId',
      'o.shown',
      'o.posting',
      'o.thread',
      eb('o.removed_at', 'is not', null).$castTo<boolean>().as('isRemoved'),
      ms(ref('o.first_tried_at')).as('firstTriedMs'),
      ms(ref('o.called_at')).as('calledMs'),
      'g.status as guildStatus',
      'g.accepted_at as acceptedAt',
      'c.name as channelName',
      'c.can_send_messages as canSend',
      'c.can_embed_links as canEmbed',
      'd.dm_channel_id as dmChannelId',
      fn.coalesce('d.locale', 'g.locale').as('locale'),
      // too long after it was queued, or after the end of its mission; null if its subject no longer exists
      eb(
        eb
          .case()
          .when('o.kind', '=', 'order')
          .then(
            selectFrom('frag_order as f')
              .innerJoin('mission as m', 'm.id', 'f.mission_id')
              .select('m.ends_at')
              .where('f.id', '=', cast<string>('o.subject_id', 'uuid'))
              .$asScalar(),
          )
          .when('o.kind', 'in', ['event', 'news', 'card'])
          .then(
            selectFrom('mission as m')
              .select('m.ends_at')
              .where('m.id', '=', cast<string>('o.subject_id', 'uuid'))
              .$asScalar(),
          )
          .when('o.kind', '=', 'week')
          .then(
            selectFrom('mission as m')
              .select((max) => max.fn.max('m.ends_at').as('ends_at'))
              .where('m.week_id', '=', cast<string>('o.subject_id', 'uuid'))
              .$asScalar(),
          )
          // also for a thread, which is archived a day after the end
          .else(val(new Date(queuedMs)))
          .end(),
        '<',
        new Date(now.getTime() - PATIENCE_HOURS * HOUR_MS),
      ).as('isOverdue'),
    ])
    .where('o.id', '=', postId)
    .forNoKeyUpdate('o')
    .executeTakeFirst();
}

type Found = NonNullable<Awaited<ReturnType<typeof findPost>>>;

function placeOf(row: Found): Place {
  if (row.kind === 'event') return { kind: 'server' };
  if (row.kind === 'thread') return { kind: 'thread' };
  if (isDirect(row)) return { kind: 'person' };
  const { channelName, canSend, canEmbed } = row;
  return {
    kind: 'channel',
    name: channelName ?? `${row.channelId}`,
    canSendMessages: canSend ?? true,
    canEmbedLinks: canEmbed ?? true,
  };
}

/** How long a mission's card or its thread has to wait, because it was changed just now. */
const pauseOf = ({ kind, calledMs }: Found, cardPauseMs: number, now: Date): number =>
  (kind === 'card' || kind === 'thread') && calledMs !== null ? calledMs + cardPauseMs - now.getTime() : 0;

/** Nothing is sent before then, which is no attempt. */
const waitFor = (afterMs: number, { attempts, lastError }: Claim): SendResult => ({
  outcome: 'again',
  afterMs,
  attempts: attempts - 1,
  error: lastError,
  isQuiet: true,
});

/** Give up after too long. For an announcement, admins see the reason, and if it may have been posted. */
function giveUp(row: Found, lastError: string | null, now: Date): SendResult {
  const place = placeOf(row);
  const { guildId } = row;
  if (row.kind !== 'registration' || guildId === null || place.kind !== 'channel') {
    return { outcome: 'failed', isPermanent: true, status: null, error: lastError ?? TOO_LATE };
  }
  const mayStand = row.firstTriedMs !== null;
  const error = givenUpAnnouncement(place.name, lastError, mayStand);
  const event = mayStand ? 'announcement_uncertain' : 'announcement_failed';
  const record = (tx: Em) => addGuildEvent(tx, guildId, event, place.name, error, now);
  return mayStand
    ? { outcome: 'uncertain', error, record }
    : { outcome: 'failed', isPermanent: true, status: null, error, record };
}

const isOtherRing = (before: unknown, ring: string): boolean =>
  typeof before === 'string' && ring !== '' && ring !== before;

/**
 * Prepare a change, in a transaction that ends before Discord is called.
 * @returns a result if there is nothing to send: Discord shows it, it is due later, has no content any longer, or was given up
 */
export async function preparePost(
  tx: Em,
  claimed: Claim,
  { cardPauseMs }: Pick<DiscordClient, 'cardPauseMs'>,
  now: Date,
): Promise<Prepared | SendResult> {
  const row = await findPost(tx, claimed, now);
  if (!row) return { outcome: 'dropped' };
  if (row.messageId !== null && !isKept(row.kind)) return { outcome: 'unchanged' };
  if (row.guildStatus === 'disabled') return { outcome: 'dropped', error: copy.botRemoved };
  // the last check before Discord, whoever has queued it
  if (row.guildId !== null && row.acceptedAt === null) return { outcome: 'dropped', error: copy.guildPending };
  if (row.isOverdue === true) return giveUp(row, claimed.lastError, now);
  if (row.guildStatus === 'unavailable') return waitFor(OUTAGE_MS, claimed);
  const pauseMs = pauseOf(row, cardPauseMs, now);
  if (pauseMs > 0) return waitFor(pauseMs, claimed);
  // an earlier attempt decides how the message is sent, but not its content
  const composed = await compose(tx, { ...row, firstTriedMs: null }, now);
  const { ring, replyTo } = composed;
  // what was attempted may have notified of other news: if it is not found in Discord, a message of its own follows
  const wasOther = row.messageId === null && row.firstTriedMs !== null && isOtherRing(row.payload['ring'], ring);
  const whole = wasOther ? null : composed.message;
  // before links are left out, as everywhere that compares what Discord shows
  const shown = whole && hashShown(whole);
  const message = whole && withoutRefusedLinks(whole);
  if (row.kind !== 'event' && row.kind !== 'thread') {
    const mayStand = isKept(row.kind) && row.messageId === null && row.firstTriedMs !== null;
    if (message === null && !mayStand) {
      if (row.messageId !== null) return { outcome: 'unchanged' };
      await queueEarlier(tx, row);
      return { outcome: 'dropped' };
    }
    if (row.messageId !== null && row.shown === shown) return { outcome: 'unchanged' };
  }
  const firstTriedMs = row.firstTriedMs ?? now.getTime();
  await db(tx)
    .updateTable('discord_post')
    .set({
      called_at: new Date(now.getTime() + CALL_MS),
      first_tried_at: new Date(firstTriedMs),
      updated_at: now,
      ...(row.firstTriedMs === null || row.payload['ring'] === undefined
        ? { payload: json({ ...row.payload, ring }) }
        : {}),
    })
    .where('id', '=', row.id)
    .execute();
  return {
    row: { ...row, firstTriedMs },
    attempts: claimed.attempts,
    wasTried: row.messageId === null && row.firstTriedMs !== null,
    place: placeOf(row),
    message,
    shown,
    replyTo,
    dmChannelId: row.dmChannelId,
  };
}
