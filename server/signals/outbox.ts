/**
 * The outbox of email, push notifications, webhooks and Discord: a row and the job that sends it are written in the transaction
 * of what it tells, so none exists without the others. A row says what it is about; its text is composed when it is sent.
 */
import { expressionBuilder, type Expression, type ExpressionBuilder, type Nullable } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { newId } from '#server/schema/base.ts';
import { ago, db, isOneOf, tableOf, type Database } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { addJob, hasJob, jobKeyIn, queueIn, type JobName } from './jobs.ts';
import { DELIVERIES } from '#shared/limits.ts';
import { DELIVERY_CHANNELS, type DeliveryChannel, type NotificationKind } from '#server/schema/delivery.ts';
import type { PostKind } from '#server/schema/discord-post.ts';
import type { MailKind } from '#shared/vocabulary.ts';
import type { SentEvent } from '#shared/webhook-events.ts';

/** How long a due delivery may wait before the maintenance job assumes that nobody sends it. */
const OVERDUE_SECONDS = 30;
const ENQUEUED_MAX = 500;
/** States of a delivery that is not over. */
export const WAITING = ['queued', 'sending'] as const;

/** The job that makes one attempt. Each has workers of its own, so that a server that does not answer delays nothing else. */
const JOB_OF = {
  mail: 'send_mail',
  push: 'send_push',
  webhook: 'send_webhook',
  discord: 'send_discord',
} as const satisfies Record<DeliveryChannel, JobName>;

interface NewRow {
  userId?: string;
  subjectId?: string;
  topic?: string;
  /** one that is queued with the same key is enough */
  dedupeKey?: string;
  /** when to send it; by default as soon as the transaction has committed */
  dueAt?: Date;
}

/** An email to queue: to an account, or to an address. */
export interface NewMail extends NewRow {
  kind: MailKind;
  address?: string;
  /** after this, the email is of no use */
  deadlineAt: Date;
}
/** A notification to queue, to one device. */
export interface NewNotification extends NewRow {
  kind: NotificationKind;
  deviceId: string;
  /** after this, the notification is of no use */
  deadlineAt: Date;
}

/** A request to a webhook, to queue behind earlier requests of its stream. It is always of use. */
export interface NewRequest extends NewRow {
  kind: SentEvent;
  webhookId: string;
  eventId: string;
  stream: string;
  isReplay?: boolean;
}

/** A change of a post in Discord, to queue behind earlier ones of the post. */
interface NewChange extends NewRow {
  kind: PostKind;
  postId: string;
}

/** One for each key, in the order of the keys, in which all transactions lock them. */
function withoutRepeats<Row extends NewRow>(rows: readonly Row[]): Row[] {
  const keyed = new Map<string, Row>();
  for (const row of rows) if (row.dedupeKey !== undefined) keyed.set(row.dedupeKey, row);
  const single = rows.filter(({ dedupeKey }) => dedupeKey === undefined);
  return [...[...keyed].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row), ...single];
}

/** Deliveries `d`, as a condition: none that is earlier in the same stream or of the same post waits, and nobody has paused the webhook. */
export const isNext = ({
  not,
  and,
  or,
  exists,
  selectFrom,
  eb,
}: ExpressionBuilder<Database & { d: Database['delivery'] }, 'd'>) =>
  and([
    not(
      exists(
        selectFrom('delivery as f')
          .select('f.id')
          .whereRef('f.webhook_id', '=', 'd.webhook_id')
          .whereRef('f.stream', '=', 'd.stream')
          .where('f.state', 'in', WAITING)
          .whereRef('f.seq', '<', 'd.seq'),
      ),
    ),
    not(
      exists(
        selectFrom('delivery as f')
          .select('f.id')
          .whereRef('f.post_id', '=', 'd.post_id')
          .where('f.state', 'in', WAITING)
          .whereRef('f.seq', '<', 'd.seq'),
      ),
    ),
    or([
      eb('d.webhook_id', 'is', null),
      exists(
        selectFrom('webhook as w')
          .select('w.id')
          .whereRef('w.id', '=', 'd.webhook_id')
          .where('w.is_enabled', '=', true),
      ),
    ]),
  ]);

type Joined = Database & { d: Database['delivery']; p: Nullable<Database['discord_post']> };
const joined = expressionBuilder<Joined, 'd' | 'p'>();

/** The queue of a post `p`: those in one channel or to one person stay in order. */
function discordQueue({ and, eb, fn, ref, val }: ExpressionBuilder<Joined, 'd' | 'p'>): Expression<string> {
  // the job library keeps the names of queues for good, so they name nobody
  const person = fn('encode', [fn('sha256', [fn('convert_to', [ref('p.discord_user_id'), val('UTF8')])]), val('hex')]);
  return eb
    .case()
    .when(and([eb('p.kind', '<>', 'mention'), eb('p.discord_user_id', 'is not', null)]))
    .then(queueIn('discord_person', person))
    .when('p.channel_id', 'is', null)
    .then(queueIn('discord_guild', ref('p.guild_id')))
    .else(queueIn('discord_channel', ref('p.channel_id')))
    .end();
}

/** Jobs of one queue run one after the other: requests to one webhook, and posts in one channel or to one person. */
const QUEUES: Partial<Record<DeliveryChannel, Expression<string>>> = {
  webhook: queueIn('webhook', joined.ref('d.webhook_id')),
  discord: discordQueue(joined),
};

/** Selects deliveries `d` of a channel, and enqueues the job of each for when it is due. */
const enqueueSelected = (tx: Em, channel: DeliveryChannel) =>
  db(tx)
    .selectFrom('delivery as d')
    .leftJoin('discord_post as p', 'p.id', 'd.post_id')
    .select(({ ref }) =>
      addJob(JOB_OF[channel], {
        payload: jsonBuildObject({ deliveryId: ref('d.id') }),
        key: jobKeyIn(JOB_OF[channel], ref('d.id')),
        runAt: ref('d.next_attempt_at'),
        ...(QUEUES[channel] && { queue: QUEUES[channel] }),
      }).as('job'),
    )
    .where('d.channel', '=', channel);

/** Enqueue the job that makes the next attempt of each of these deliveries, for when it is due. */
export async function enqueueSending(tx: Em, channel: DeliveryChannel, ids: readonly string[]): Promise<void> {
  await enqueueSelected(tx, channel).where(isOneOf('d.id', ids)).orderBy('d.seq').execute();
}

/** Enqueue the job of a delivery that was not due yet, for when it is. */
export async function enqueueLater(tx: Em, deliveryId: string): Promise<void> {
  const early = await db(tx)
    .selectFrom('delivery')
    .select(['id', 'channel'])
    .where('id', '=', deliveryId)
    .where('state', 'in', WAITING)
    .where('next_attempt_at', '>', ({ fn }) => fn<Date>('now'))
    .executeTakeFirst();
  if (early) await enqueueSending(tx, early.channel, [early.id]);
}

/** Enqueue the jobs of a webhook's deliveries that wait for no other. @param stream of this one only */
export async function enqueueNext(tx: Em, webhookId: string, stream?: string): Promise<void> {
  const next = enqueueSelected(tx, 'webhook').where('d.webhook_id', '=', webhookId).where('d.state', 'in', WAITING);
  await (stream === undefined ? next : next.where('d.stream', '=', stream)).where(isNext).execute();
}

/** Enqueue the job of the next change of a post that waits. */
export async function enqueueNextChange(tx: Em, postId: string): Promise<void> {
  await enqueueSelected(tx, 'discord')
    .where('d.post_id', '=', postId)
    .where('d.state', 'in', WAITING)
    .where(isNext)
    .execute();
}

/** Send what waits for a webhook now, whatever the pauses after its failures. */
export async function resumeWebhook(tx: Em, webhookId: string, now: Date): Promise<void> {
  await db(tx)
    .updateTable('delivery')
    .set({ next_attempt_at: now })
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'queued')
    .where('next_attempt_at', '>', now)
    .execute();
  await enqueueNext(tx, webhookId);
}

const COLUMNS = [
  'id',
  'kind',
  'user_id',
  'device_id',
  'webhook_id',
  'event_id',
  'post_id',
  'stream',
  'is_replay',
  'address',
  'subject_id',
  'topic',
  'dedupe_key',
  'deadline_at',
] as const;
const TYPES = {
  id: 'uuid',
  kind: 'text',
  user_id: 'uuid',
  device_id: 'uuid',
  webhook_id: 'uuid',
  event_id: 'uuid',
  post_id: 'uuid',
  stream: 'text',
  is_replay: 'boolean',
  address: 'text',
  subject_id: 'text',
  topic: 'text',
  dedupe_key: 'text',
  due_at: 'timestamptz',
  deadline_at: 'timestamptz',
  ordinal: 'integer',
} as const;

type NewDelivery = NewRow & { kind: string } & Partial<
    Pick<NewMail, 'address' | 'deadlineAt'> &
      Pick<NewNotification, 'deviceId'> &
      Omit<NewRequest, 'kind'> &
      Pick<NewChange, 'postId'>
  >;

/** @returns the ids, in the given order; a row that joins another one has the id of the other */
async function queue(tx: Em, channel: DeliveryChannel, rows: readonly NewDelivery[]): Promise<string[]> {
  if (rows.length === 0) return [];
  const values = withoutRepeats(rows).map((row, ordinal) => ({
    id: newId(),
    kind: row.kind,
    user_id: row.userId ?? null,
    device_id: row.deviceId ?? null,
    webhook_id: row.webhookId ?? null,
    event_id: row.eventId ?? null,
    post_id: row.postId ?? null,
    stream: row.stream ?? null,
    is_replay: row.isReplay ?? false,
    address: row.address ?? null,
    subject_id: row.subjectId ?? null,
    topic: row.topic ?? null,
    dedupe_key: row.dedupeKey ?? null,
    due_at: row.dueAt ?? null,
    deadline_at: row.deadlineAt ?? null,
    ordinal,
  }));
  const queued = await db(tx)
    .insertInto('delivery')
    .columns([...COLUMNS, 'channel', 'next_attempt_at', 'created_at'])
    .expression(
      db(tx)
        // a single parameter, however many there are
        .selectFrom(tableOf('d', values, TYPES))
        .select(({ cast, val, fn }) => [
          ...COLUMNS.map((column) => `d.${column}` as const),
          cast<DeliveryChannel>(val(channel), 'text').as('channel'),
          fn.coalesce('d.due_at', fn<Date>('now')).as('next_attempt_at'),
          fn<Date>('now').as('created_at'),
        ])
        .orderBy('d.ordinal'),
    )
    .onConflict((conflict) =>
      conflict
        .column('dedupe_key')
        .where('state', '=', 'queued')
        .doUpdateSet(({ ref }) => ({ deadline_at: ref('excluded.deadline_at'), topic: ref('excluded.topic') })),
    )
    .returning('id')
    .execute();
  const ids = queued.map(({ id }) => id);
  await enqueueSending(tx, channel, ids);
  return ids;
}

/**
 * Queue email in the caller's transaction. One that is queued with the same key is locked until the commit, so that it is
 * composed from what this transaction leaves.
 */
export async function queueMail(tx: Em, mails: readonly NewMail[]): Promise<void> {
  await queue(tx, 'mail', mails);
}

/** The same for notifications. */
export async function queueNotifications(tx: Em, notifications: readonly NewNotification[]): Promise<void> {
  await queue(tx, 'push', notifications);
}

/** The same for requests to webhooks. @returns the ids of the deliveries */
export const queueRequests = (tx: Em, requests: readonly NewRequest[]): Promise<string[]> =>
  queue(tx, 'webhook', requests);

/**
 * Queue changes of posts in Discord. One that is queued already is composed when it is sent, and keeps its back-off; while one is
 * being sent, another follows it.
 */
export async function queueChanges(tx: Em, changes: readonly NewChange[]): Promise<void> {
  await queue(tx, 'discord', changes);
}

/** Enqueue jobs for due deliveries that have none, because their sender was killed. Safe to run at any time. */
export async function enqueueOverdueDeliveries(em: Em): Promise<void> {
  for (const channel of DELIVERY_CHANNELS) {
    const overdue = await db(em)
      .selectFrom('delivery as d')
      .select('d.id')
      .where('d.channel', '=', channel)
      .where('d.state', 'in', WAITING)
      .where('d.next_attempt_at', '<', ago(`${OVERDUE_SECONDS} seconds`))
      .where(({ not, ref }) => not(hasJob(jobKeyIn(JOB_OF[channel], ref('d.id')))))
      .where(isNext)
      .orderBy('d.next_attempt_at')
      .limit(ENQUEUED_MAX)
      .execute();
    if (overdue.length > 0)
      await enqueueSending(
        em,
        channel,
        overdue.map(({ id }) => id),
      );
  }
}

/**
 * Delete rows that are no longer needed: those that were sent soon, failures and the log of webhooks once admins have had time to
 * read them, and with that log the events that no webhook has any longer. What waits for a webhook stays.
 */
export async function purgeDeliveries(em: Em): Promise<void> {
  const [sentBegins, logBegins] = [ago(`${DELIVERIES.sentDays} days`), ago(`${DELIVERIES.failedDays} days`)];
  await db(em)
    .deleteFrom('delivery')
    .where(({ or, and, eb }) => {
      const isNoRequest = eb('channel', '<>', 'webhook');
      return or([
        and([isNoRequest, eb('state', 'in', ['sent', 'dropped']), eb('created_at', '<', sentBegins)]),
        and([isNoRequest, eb('state', 'in', WAITING), eb('created_at', '<', logBegins)]),
        and([eb('state', 'in', ['sent', 'dropped', 'failed']), eb('created_at', '<', logBegins)]),
      ]);
    })
    .execute();
  await db(em)
    .deleteFrom('webhook_event as e')
    .where('e.created_at', '<', logBegins)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('delivery as d').select('d.id').whereRef('d.event_id', '=', 'e.id'))),
    )
    .execute();
}
