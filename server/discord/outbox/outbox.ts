/**
 * Outbox of messages to Discord. A row and the job that sends it are written in the transaction of the change they
 * report: no commit without its job. Each channel or person has one serial queue, so that messages keep their order.
 */
import { newId } from '#server/schema/base.ts';
import type { OutboxKind } from '#server/schema/operations.ts';
import type { Em } from '#server/schema/orm.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { enqueueJobs, hasJob, JOB_KEYS } from '#server/signals/jobs.ts';

const KEPT_DAYS = 90;

/** Kinds of which a subject has one message for good, which is edited when there is news. */
export const KEPT_KINDS: readonly OutboxKind[] = ['order', 'event', 'news'];

export interface NewMessage {
  kind: OutboxKind;
  /** what it is about; a second request joins the row that still waits, or changes the one that is kept */
  dedupeKey: string;
  guildId: string | null;
  /** null for a direct message, whose channel Discord names */
  channelId: string | null;
  /** whom a direct message is for, or whom a `mention` may name */
  discordUserId: string | null;
  /** the order or mission it shows */
  subjectId: string | null;
  payload: Record<string, unknown>;
}

/** A row as those who word it see it. */
export interface OutboxRow extends NewMessage {
  id: string;
  /** the message, or the scheduled event, that is to be edited; null when there is none yet */
  messageId: string | null;
  /** a hash of what stands there; without a message, the one that this one is to take the place of */
  shown: string | null;
  /** tries since it was queued, this one included */
  attempts: number;
  /** when Discord was first asked for this message; null when it has not been */
  firstTriedMs: number | null;
}

/** The site that a message leads to, noted with its row: composing a message reads no configuration. */
export function publicUrlOf({ payload }: Pick<OutboxRow, 'payload'>): string {
  if (typeof payload['publicUrl'] !== 'string') throw new Error('A message does not know its site');
  return payload['publicUrl'];
}

/** The columns of an `OutboxRow`, of `outbox_message` under the name `o`. */
export const ROW_COLUMNS = sql`o.id, o.kind, o.dedupe_key as "dedupeKey", o.guild_id as "guildId",
  o.channel_id as "channelId", o.discord_user_id as "discordUserId", o.subject_id as "subjectId", o.payload,
  o.message_id as "messageId", o.shown, o.attempts, ${msOf('o.first_tried_at')} as "firstTriedMs"`;

/** Whether the row goes to a person's direct messages. */
export function isDirect(row: Pick<OutboxRow, 'kind' | 'discordUserId'>): boolean {
  return row.kind !== 'mention' && row.discordUserId !== null;
}

function queueOf(row: Pick<OutboxRow, 'kind' | 'guildId' | 'channelId' | 'discordUserId'>): string {
  if (isDirect(row)) return `discord-person:${row.discordUserId}`;
  return row.channelId === null ? `discord-guild:${row.guildId}` : `discord-channel:${row.channelId}`;
}

/** Enqueue the job that sends a row, after a delay; a waiting job is rescheduled. In the caller's transaction. */
export async function enqueueSending(
  tx: Em,
  row: Pick<OutboxRow, 'id' | 'kind' | 'guildId' | 'channelId' | 'discordUserId'>,
  delayMs = 0,
): Promise<void> {
  const { id: rowId } = row;
  const job = { payload: { rowId }, key: JOB_KEYS.sendDiscord(rowId), queue: queueOf(row), delayMs };
  await enqueueJobs(tx, 'send_discord', [job]);
}

/** Whether a message of this key is still to be sent. */
export async function isWaiting(tx: Em, dedupeKey: string): Promise<boolean> {
  const rows = await query(
    tx,
    sql`select 1 as one from outbox_message where dedupe_key = ${dedupeKey} and state in ('queued', 'sending')`,
  );
  return rows.length > 0;
}

/**
 * Send a kept message again, that is: edit it, or post it if that has not been done. While it is being sent it is sent once
 * more after that. Part of the caller's transaction.
 */
export async function queueAgain(tx: Em, rowId: string, now: Date): Promise<void> {
  const [row] = await query<Pick<OutboxRow, 'id' | 'kind' | 'guildId' | 'channelId' | 'discordUserId'>>(
    tx,
    sql`update outbox_message o set state = 'queued', attempts = 0, error_message = null, updated_at = ${now}
        where id = ${rowId} and kind = any(${[...KEPT_KINDS]}::text[])
        returning o.id, o.kind, o.guild_id as "guildId", o.channel_id as "channelId", o.discord_user_id as "discordUserId"`,
  );
  if (row) await enqueueSending(tx, row);
}

/** Update a kept row to the new content; for another person or channel it starts anew. */
async function renew(tx: Em, message: NewMessage, now: Date): Promise<string | null> {
  const isDm = isDirect(message);
  const [row] = await query<{ id: string }>(
    tx,
    sql`with old as (
          select id, discord_user_id is distinct from ${message.discordUserId}
                 or (not ${isDm} and channel_id is distinct from ${message.channelId}) as is_elsewhere
          from outbox_message where dedupe_key = ${message.dedupeKey} and kind = ${message.kind} for update)
        update outbox_message o set
          payload = ${JSON.stringify(message.payload)}::jsonb, guild_id = ${message.guildId}, subject_id = ${message.subjectId},
          discord_user_id = ${message.discordUserId},
          channel_id = case when is_elsewhere then ${message.channelId} else channel_id end,
          message_id = case when is_elsewhere then null else message_id end,
          shown = case when is_elsewhere then message_id else shown end,
          first_tried_at = case when is_elsewhere then null else first_tried_at end
        from old where o.id = old.id returning o.id`,
  );
  if (!row) return null;
  await queueAgain(tx, row.id, now);
  return row.id;
}

/**
 * Queue a message in the caller's transaction: a row and its job, or the row that is there already.
 * @returns the row's id
 */
export async function queueMessage(tx: Em, message: NewMessage, now: Date): Promise<string> {
  const { kind, dedupeKey, guildId, channelId, discordUserId, subjectId, payload } = message;
  for (;;) {
    const [made] = await query<{ id: string }>(
      tx,
      sql`insert into outbox_message (id, kind, dedupe_key, guild_id, channel_id, discord_user_id, subject_id, payload,
                                      state, attempts, created_at, updated_at)
          values (${newId()}, ${kind}, ${dedupeKey}, ${guildId}, ${channelId}, ${discordUserId}, ${subjectId},
                  ${JSON.stringify(payload)}::jsonb, 'queued', 0, ${now}, ${now})
          on conflict do nothing returning id`,
    );
    if (made) {
      await enqueueSending(tx, { ...message, id: made.id });
      return made.id;
    }
    if (KEPT_KINDS.includes(kind)) {
      const renewed = await renew(tx, message, now);
      if (renewed !== null) return renewed;
    } else {
      const [waiting] = await query<{ id: string }>(
        tx,
        sql`select id from outbox_message where dedupe_key = ${dedupeKey} and state in ('queued', 'sending')`,
      );
      if (waiting) return waiting.id;
    }
    // it was sent, or purged, between the two looks
  }
}

/**
 * Enqueue jobs for waiting rows that have none, because their sender was killed or its database failed too often. Safe
 * at any time.
 */
export async function enqueueWaitingMessages(em: Em): Promise<void> {
  const rows = await query<Parameters<typeof enqueueSending>[1]>(
    em,
    sql`select o.id, o.kind, o.guild_id as "guildId", o.channel_id as "channelId", o.discord_user_id as "discordUserId"
        from outbox_message o
        where o.state in ('queued', 'sending') and not ${hasJob(sql`'discord:' || o.id::text`)}
        order by o.created_at, o.id`,
  );
  for (const row of rows) await enqueueSending(em, row);
}

/** Delete rows that were finished long ago, except those of missions that are not over: they may still be edited. */
export async function purgeOutbox(em: Em): Promise<void> {
  await query(
    em,
    sql`delete from outbox_message o
        where o.state in ('sent', 'failed', 'uncertain', 'cancelled')
          and o.updated_at < now() - make_interval(days => ${sql.lit(KEPT_DAYS)})
          and not exists (
            select 1 from mission m where m.ends_at > now() and (
              m.id::text = o.subject_id
              or exists (select 1 from frag_order f where f.mission_id = m.id and f.id::text = o.subject_id)))`,
  );
}
