/**
 * The outbox of messages to Discord. A row and the job that sends it are written in the transaction of the change that they
 * report, so neither exists without the other. Each channel or person has one serial queue, so that messages stay in order.
 */
import { hashToken } from '#server/platform/tokens.ts';
import { newId } from '#server/schema/base.ts';
import { ago, db, json } from '#server/schema/database.ts';
import type { OutboxKind, ThreadState } from '#server/schema/operations.ts';
import type { Em } from '#server/schema/orm.ts';
import { enqueueJobs, hasJob, jobKey, jobKeyIn } from '#server/signals/jobs.ts';

const KEPT_DAYS = 90;

/** Kinds with one permanent message per subject, which is edited when something changes. */
export const KEPT_KINDS: readonly OutboxKind[] = [
  'order',
  'event',
  'news',
  'reminder',
  'card',
  'week',
  'community',
  'thread',
];

export interface NewMessage {
  kind: OutboxKind;
  /** identifies the message; a second request joins the waiting row, or updates the kept one */
  dedupeKey: string;
  guildId: string | null;
  /** null for a direct message, whose channel Discord provides */
  channelId: string | null;
  /** the recipient of a direct message, or the person that a `mention` names */
  discordUserId: string | null;
  /** the order or mission that it is about */
  subjectId: string | null;
  payload: Record<string, unknown>;
}

/** An outbox row, as the composing functions get it. */
export interface OutboxRow extends NewMessage {
  id: string;
  /** id of the message or scheduled event to edit; null if there is none yet */
  messageId: string | null;
  /** hash of the content that Discord shows; null if that is unknown */
  shown: string | null;
  /** which of the messages that replaced one another this is */
  posting: number;
  /** it was deleted in Discord, or called off, and nothing takes its place */
  isRemoved: boolean;
  /** the thread as Discord shows it; null for other kinds */
  thread: ThreadState | null;
  /** attempts since it was queued, including this one */
  attempts: number;
  /** time of the first attempt to send this message; null for none */
  firstTriedMs: number | null;
  /** language of the reader's Discord client, or of the server for posts that address nobody; null if unknown */
  locale: string | null;
}

/** The site's address for links, stored with the row, so that composing needs no configuration. */
export function publicUrlOf({ payload }: Pick<OutboxRow, 'payload'>): string {
  if (typeof payload['publicUrl'] !== 'string') throw new Error('A message does not know its site');
  return payload['publicUrl'];
}

/** True if the row is a direct message. */
export function isDirect(row: Pick<OutboxRow, 'kind' | 'discordUserId'>): boolean {
  return row.kind !== 'mention' && row.discordUserId !== null;
}

/** The columns that choose the queue of a row's job. */
type Addressed = Pick<OutboxRow, 'id' | 'kind' | 'guildId' | 'channelId' | 'discordUserId'>;

const ADDRESSED = [
  'o.id',
  'o.kind',
  'o.guild_id as guildId',
  'o.channel_id as channelId',
  'o.discord_user_id as discordUserId',
] as const;

function queueOf(row: Addressed): string {
  // the job library keeps the names of queues for good, so they name nobody
  if (isDirect(row)) return `discord-person:${hashToken(row.discordUserId ?? '')}`;
  return row.channelId === null ? `discord-guild:${row.guildId}` : `discord-channel:${row.channelId}`;
}

/** Enqueue the job that sends a row, after a delay; a waiting job is rescheduled. In the caller's transaction. */
export async function enqueueSending(tx: Em, row: Addressed, delayMs = 0): Promise<void> {
  const { id: rowId } = row;
  const job = { payload: { rowId }, key: jobKey('sendDiscord', rowId), queue: queueOf(row), delayMs };
  await enqueueJobs(tx, 'send_discord', [job]);
}

/** The message with this key that is waiting to be sent. */
const selectWaiting = (tx: Em, dedupeKey: string) =>
  db(tx)
    .selectFrom('outbox_message')
    .select('id')
    .where('dedupe_key', '=', dedupeKey)
    .where('state', 'in', ['queued', 'sending']);

/** True if a message with this key is waiting to be sent. */
export async function isWaiting(tx: Em, dedupeKey: string): Promise<boolean> {
  return (await selectWaiting(tx, dedupeKey).executeTakeFirst()) !== undefined;
}

/**
 * Queue a kept message again: it is edited, or posted if it has not been. If it is being sent right now, it is sent once more
 * after that. One that waits already is composed when it is sent, and one that waits for its next attempt keeps its back-off.
 * Part of the caller's transaction.
 */
export async function queueAgain(tx: Em, rowId: string, now: Date): Promise<void> {
  const row = await db(tx)
    .updateTable('outbox_message as o')
    .set({ state: 'queued', attempts: 0, error_message: null, updated_at: now })
    .where('o.id', '=', rowId)
    .where('o.kind', 'in', KEPT_KINDS)
    .where('o.state', '<>', 'queued')
    .returning(ADDRESSED)
    .executeTakeFirst();
  if (row) await enqueueSending(tx, row);
}

/** Columns that a row may get as it starts over. */
interface Change {
  state?: 'queued';
  attempts?: number;
  error_message?: null;
  channel_id?: string | null;
  removed_at?: Date;
}

/** Start a kept row over, because its message is gone or stands elsewhere: what is sent next is another message. */
export async function startOver(tx: Em, rowId: string, change: Change = {}): Promise<void> {
  await db(tx)
    .updateTable('outbox_message')
    .set(({ eb }) => ({
      message_id: null,
      shown: null,
      thread: null,
      removed_at: null,
      first_tried_at: null,
      posting: eb('posting', '+', 1),
      ...change,
    }))
    .where('id', '=', rowId)
    .execute();
}

/** Queue again every kept message of a kind about a subject that Discord shows or that is being sent. */
export async function queueStanding(tx: Em, kind: OutboxKind, subjectId: string, now: Date): Promise<void> {
  const standing = await db(tx)
    .selectFrom('outbox_message')
    .select('id')
    .where('kind', '=', kind)
    .where('subject_id', '=', subjectId)
    .where(({ eb, or }) => or([eb('message_id', 'is not', null), eb('state', '=', 'sending')]))
    .execute();
  for (const { id } of standing) await queueAgain(tx, id, now);
}

/** Update a kept row with the new content; for another person or channel it starts over. */
async function renew(tx: Em, message: NewMessage, now: Date): Promise<string | null> {
  const { kind, dedupeKey, guildId, channelId, discordUserId, subjectId, payload } = message;
  const row = await db(tx)
    .selectFrom('outbox_message')
    .select(['id', 'channel_id as channelId', 'discord_user_id as discordUserId'])
    .where('dedupe_key', '=', dedupeKey)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return null;
  await db(tx)
    .updateTable('outbox_message')
    .set({
      payload: json(payload),
      guild_id: guildId,
      subject_id: subjectId,
      discord_user_id: discordUserId,
      removed_at: null,
      updated_at: now,
    })
    .where('id', '=', row.id)
    .execute();
  const isElsewhere = row.discordUserId !== discordUserId || (!isDirect(message) && row.channelId !== channelId);
  if (!isElsewhere) await queueAgain(tx, row.id, now);
  else {
    await startOver(tx, row.id, { state: 'queued', attempts: 0, error_message: null, channel_id: channelId });
    await enqueueSending(tx, { ...message, id: row.id });
  }
  return row.id;
}

/**
 * Queue a message in the caller's transaction: a row and its job, or the existing row.
 * @returns the row's id
 */
export async function queueMessage(tx: Em, message: NewMessage, now: Date): Promise<string> {
  const { kind, dedupeKey, guildId, channelId, discordUserId, subjectId, payload } = message;
  for (;;) {
    const made = await db(tx)
      .insertInto('outbox_message')
      .values({
        id: newId(),
        kind,
        dedupe_key: dedupeKey,
        guild_id: guildId,
        channel_id: channelId,
        discord_user_id: discordUserId,
        subject_id: subjectId,
        payload: json(payload),
        state: 'queued',
        attempts: 0,
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made) {
      await enqueueSending(tx, { ...message, id: made.id });
      return made.id;
    }
    if (KEPT_KINDS.includes(kind)) {
      const renewed = await renew(tx, message, now);
      if (renewed !== null) return renewed;
    } else {
      const waiting = await selectWaiting(tx, dedupeKey).executeTakeFirst();
      if (waiting) return waiting.id;
    }
    // between the insert and the select the row was sent or purged: try again
  }
}

/**
 * Enqueue jobs for waiting rows that have none, because their sender was killed or the database failed too often. Safe to
 * run at any time.
 */
export async function enqueueWaitingMessages(em: Em): Promise<void> {
  const rows = await db(em)
    .selectFrom('outbox_message as o')
    .select(ADDRESSED)
    .where('o.state', 'in', ['queued', 'sending'])
    .where(({ not, ref }) => not(hasJob(jobKeyIn('sendDiscord', ref('o.id')))))
    .orderBy('o.created_at')
    .orderBy('o.id')
    .execute();
  for (const row of rows) await enqueueSending(em, row);
}

/** Delete rows that were finished long ago, except for missions that are not over: they may still be edited. */
export async function purgeOutbox(em: Em): Promise<void> {
  await db(em)
    .deleteFrom('outbox_message as o')
    .where('o.state', 'in', ['sent', 'failed', 'uncertain', 'cancelled'])
    .where('o.updated_at', '<', ago(`${KEPT_DAYS} days`))
    .where(({ and, not, exists, selectFrom }) => {
      const missions = selectFrom('mission as m').where('m.ends_at', '>', ({ fn }) => fn<Date>('now'));
      const orders = missions.innerJoin('frag_order as f', 'f.mission_id', 'm.id');
      return and([
        not(exists(missions.where(({ eb, ref, cast }) => eb(ref('o.subject_id'), '=', cast<string>('m.id', 'text'))))),
        not(exists(orders.where(({ eb, ref, cast }) => eb(ref('o.subject_id'), '=', cast<string>('f.id', 'text'))))),
      ]);
    })
    .execute();
}
