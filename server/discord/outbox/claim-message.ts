/** Claims an outbox row, composes its message and records the attempt before calling Discord. */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { OUTAGE_MS, PATIENCE_HOURS } from '#server/discord/rules/backoff.ts';
import { givenUpAnnouncement, type Place } from '#server/discord/rules/failures.ts';
import { HOUR_MS } from '#server/time/time.ts';
import { addGuildEvent } from '#server/discord/guilds/guild-events.ts';
import { enqueueSending, isDirect, KEPT_KINDS, type OutboxRow, ROW_COLUMNS } from './outbox.ts';
import { copy } from '#shared/copy.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import type { GuildStatus, OUTBOX_STATES } from '#shared/vocabulary.ts';
import { compose } from './compose.ts';
import { hashShown } from './content-hash.ts';

/** A row that this process has claimed. */
export interface Claim {
  row: OutboxRow & { firstTriedMs: number };
  /** Discord was asked for it before, and may have done it */
  wasTried: boolean;
  place: Place;
  /** null for a scheduled event, and where there is nothing to say any more, but something may have been said */
  message: DiscordMessage | null;
  /** hash of the message */
  shown: string | null;
  /** where this person's direct messages are, if Discord has said so */
  dmChannelId: string | null;
}

type Waiting = OutboxRow & {
  guildStatus: GuildStatus | null;
  channelName: string | null;
  canSend: boolean | null;
  canEmbed: boolean | null;
  dmChannelId: string | null;
  errorMessage: string | null;
  /** nobody waits for it any more; null when what it is about is gone */
  isOverdue: boolean | null;
};

/** The time at which outbox row `o` is given up: some time after it was queued, or at the end of its mission. */
const isOverdue = (now: Date) => sql`(case
    when o.kind = 'order' then (
      select m.ends_at from frag_order f join mission m on m.id = f.mission_id where f.id = o.subject_id::uuid)
    when o.kind in ('event', 'news') then (select m.ends_at from mission m where m.id = o.subject_id::uuid)
    else o.created_at end) < ${new Date(now.getTime() - PATIENCE_HOURS * HOUR_MS)}::timestamptz`;

async function findWaiting(tx: Em, rowId: string, now: Date): Promise<Waiting | undefined> {
  const [row] = await query<Waiting>(
    tx,
    sql`select ${ROW_COLUMNS}, g.status as "guildStatus", c.name as "channelName", c.can_send_messages as "canSend",
               c.can_embed_links as "canEmbed", d.dm_channel_id as "dmChannelId", o.error_message as "errorMessage",
               ${isOverdue(now)} as "isOverdue"
        from outbox_message o
        left join guild g on g.id = o.guild_id
        left join guild_channel c on c.id = o.channel_id
        left join discord_account d on d.discord_user_id = o.discord_user_id
        where o.id = ${rowId} and o.state in ('queued', 'sending') for update of o`,
  );
  return row;
}

function placeOf(row: Waiting): Place {
  if (row.kind === 'event') return { kind: 'server' };
  if (isDirect(row)) return { kind: 'person' };
  const { channelName, canSend, canEmbed } = row;
  return {
    kind: 'channel',
    name: channelName ?? `${row.channelId}`,
    canSendMessages: canSend ?? true,
    canEmbedLinks: canEmbed ?? true,
  };
}

async function close(
  tx: Em,
  rowId: string,
  state: (typeof OUTBOX_STATES)[number],
  now: Date,
  why: string | null = null,
): Promise<null> {
  await query(
    tx,
    sql`update outbox_message set state = ${state}, error_message = ${why}, updated_at = ${now} where id = ${rowId}`,
  );
  return null;
}

/** Give up a row after too long; for an announcement the admins read why, and whether it may have been posted. */
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

/**
 * Claim a row, in a transaction that ends before Discord is asked.
 * @returns null when there is nothing to send: it was sent, is to be sent later, there is nothing to say any more, or it
 * was given up
 */
export async function claim(tx: Em, rowId: string, now: Date): Promise<Claim | null> {
  const row = await findWaiting(tx, rowId, now);
  if (!row) return null;
  const isKept = KEPT_KINDS.includes(row.kind);
  if (row.messageId !== null && !isKept) return close(tx, rowId, 'sent', now);
  if (row.guildStatus === 'disabled') return close(tx, rowId, 'cancelled', now, copy.botRemoved);
  if (row.isOverdue === true) return giveUp(tx, row, now);
  if (row.guildStatus === 'unavailable') {
    await enqueueSending(tx, row, OUTAGE_MS);
    return null;
  }
  // whether an earlier try has posted it decides what is done, and not what is to be said now
  const message = await compose(tx, { ...row, firstTriedMs: null }, now);
  const shown = message && hashShown(message);
  if (row.kind !== 'event') {
    const mayStand = isKept && row.messageId === null && row.firstTriedMs !== null;
    if (message === null && !mayStand) return close(tx, rowId, row.messageId === null ? 'cancelled' : 'sent', now);
    if (row.messageId !== null && row.shown === shown) return close(tx, rowId, 'sent', now);
  }
  const attempts = row.attempts + 1;
  const firstTriedMs = row.firstTriedMs ?? now.getTime();
  await query(
    tx,
    sql`update outbox_message set state = 'sending', attempts = ${attempts}, first_tried_at = ${new Date(firstTriedMs)},
                                  updated_at = ${now}
        where id = ${rowId}`,
  );
  return {
    row: { ...row, attempts, firstTriedMs },
    wasTried: row.messageId === null && row.firstTriedMs !== null,
    place: placeOf(row),
    message,
    shown,
    dmChannelId: row.dmChannelId,
  };
}
