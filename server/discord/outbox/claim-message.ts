/** Claims an outbox row, composes its message and records the attempt before calling Discord. */
import { db, json, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { OUTAGE_MS, PATIENCE_HOURS } from '#server/discord/rules/backoff.ts';
import type { DiscordClient } from '#server/discord/discord-client.ts';
import { givenUpAnnouncement, type Place } from '#server/discord/rules/failures.ts';
import { HOUR_MS } from '#server/time/time.ts';
import { addGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { enqueueSending, isDirect, KEPT_KINDS, type OutboxRow } from './outbox.ts';
import { copy } from '#shared/copy.ts';
import { withoutRefusedLinks } from '#shared/discord-links.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import type { OUTBOX_STATES } from '#shared/vocabulary.ts';
import { compose } from './compose.ts';
import { hashShown } from './content-hash.ts';
import { queueEarlier } from './order-messages.ts';

/** Discord gets a call up to so long after its row was claimed, which counts if no answer is recorded. */
const CALL_MS = 500;

/** A row that this process has claimed. */
export interface Claim {
  row: OutboxRow & { firstTriedMs: number };
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

/** The row while it is to be sent, locked, with the place it goes to. */
async function findWaiting(tx: Em, rowId: string, now: Date) {
  return db(tx)
    .selectFrom('outbox_message as o')
    .leftJoin('guild as g', 'g.id', 'o.guild_id')
    .leftJoin('guild_channel as c', 'c.id', 'o.channel_id')
    .leftJoin('discord_account as d', 'd.discord_user_id', 'o.discord_user_id')
    .select(({ eb, ref, cast, fn, selectFrom }) => [
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
      'o.attempts',
      eb('o.removed_at', 'is not', null).$castTo<boolean>().as('isRemoved'),
      ms(ref('o.first_tried_at')).as('firstTriedMs'),
      'o.error_message as errorMessage',
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
          // it is archived a day after the end
          .when('o.kind', '=', 'thread')
          .then(ref('o.updated_at'))
          .when('o.kind', '=', 'week')
          .then(
            selectFrom('mission as m')
              .select((max) => max.fn.max('m.ends_at').as('ends_at'))
              .where('m.week_id', '=', cast<string>('o.subject_id', 'uuid'))
              .$asScalar(),
          )
          .else(ref('o.created_at'))
          .end(),
        '<',
        new Date(now.getTime() - PATIENCE_HOURS * HOUR_MS),
      ).as('isOverdue'),
    ])
    .where('o.id', '=', rowId)
    .where('o.state', 'in', ['queued', 'sending'])
    .forUpdate('o')
    .executeTakeFirst();
}

type Waiting = NonNullable<Awaited<ReturnType<typeof findWaiting>>>;

function placeOf(row: Waiting): Place {
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
const pauseOf = ({ kind, calledMs }: Waiting, cardPauseMs: number, now: Date): number =>
  (kind === 'card' || kind === 'thread') && calledMs !== null ? calledMs + cardPauseMs - now.getTime() : 0;

async function close(
  tx: Em,
  rowId: string,
  state: (typeof OUTBOX_STATES)[number],
  now: Date,
  why: string | null = null,
): Promise<null> {
  await db(tx)
    .updateTable('outbox_message')
    .set({ state, error_message: why, updated_at: now })
    .where('id', '=', rowId)
    .execute();
  return null;
}

/** Give up a row after too long. For an announcement, admins see the reason, and if it may have been posted. */
async function giveUp(tx: Em, row: Waiting, now: Date): Promise<null> {
  const place = placeOf(row);
  if (row.kind !== 'registration' || row.guildId === null || place.kind !== 'channel') {
    return close(tx, row.id, 'failed', now, row.errorMessage);
  }
  const mayStand = row.firstTriedMs !== null;
  const why = givenUpAnnouncement(place.name, row.errorMessage, mayStand);
  await close(tx, row.id, mayStand ? 'uncertain' : 'failed', now, why);
  const event = mayStand ? 'announcement_uncertain' : 'announcement_failed';
  await addGuildEvent(tx, row.guildId, event, place.name, why, now);
  return null;
}

const isOtherRing = (before: unknown, ring: string): boolean =>
  typeof before === 'string' && ring !== '' && ring !== before;

/**
 * Claim a row, in a transaction that ends before Discord is called.
 * @returns null if there is nothing to send: it has been sent, is due later, has no content any longer, or was given up
 */
export async function claim(
  tx: Em,
  rowId: string,
  { cardPauseMs }: Pick<DiscordClient, 'cardPauseMs'>,
  now: Date,
): Promise<Claim | null> {
  const row = await findWaiting(tx, rowId, now);
  if (!row) return null;
  const isKept = KEPT_KINDS.includes(row.kind);
  if (row.messageId !== null && !isKept) return close(tx, rowId, 'sent', now);
  if (row.guildStatus === 'disabled') return close(tx, rowId, 'cancelled', now, copy.botRemoved);
  // the last check before Discord, whoever has queued it
  if (row.guildId !== null && row.acceptedAt === null) return close(tx, rowId, 'cancelled', now, copy.guildPending);
  if (row.isOverdue === true) return giveUp(tx, row, now);
  if (row.guildStatus === 'unavailable') {
    await enqueueSending(tx, row, OUTAGE_MS);
    return null;
  }
  const pauseMs = pauseOf(row, cardPauseMs, now);
  if (pauseMs > 0) {
    await enqueueSending(tx, row, pauseMs);
    return null;
  }
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
    const mayStand = isKept && row.messageId === null && row.firstTriedMs !== null;
    if (message === null && !mayStand) {
      if (row.messageId !== null) return close(tx, rowId, 'sent', now);
      await queueEarlier(tx, row, now);
      return close(tx, rowId, 'cancelled', now);
    }
    if (row.messageId !== null && row.shown === shown) return close(tx, rowId, 'sent', now);
  }
  const attempts = row.attempts + 1;
  const firstTriedMs = row.firstTriedMs ?? now.getTime();
  await db(tx)
    .updateTable('outbox_message')
    .set({
      state: 'sending',
      attempts,
      called_at: new Date(now.getTime() + CALL_MS),
      first_tried_at: new Date(firstTriedMs),
      updated_at: now,
      ...(row.firstTriedMs === null || row.payload['ring'] === undefined
        ? { payload: json({ ...row.payload, ring }) }
        : {}),
    })
    .where('id', '=', rowId)
    .execute();
  return {
    row: { ...row, attempts, firstTriedMs },
    wasTried: row.messageId === null && row.firstTriedMs !== null,
    place: placeOf(row),
    message,
    shown,
    replyTo,
    dmChannelId: row.dmChannelId,
  };
}
