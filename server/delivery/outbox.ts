/**
 * The outbox of email and push notifications: a row and the job that sends it are written in the transaction of what it tells,
 * so none exists without the others. A row says what it is about; its text is composed when it is sent.
 */
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { newId } from '#server/schema/base.ts';
import { ago, db, isOneOf, tableOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { addJob, enqueueJobs, hasJob, jobKey, jobKeyIn, type JobName } from '#server/signals/jobs.ts';
import { DELIVERIES } from '#shared/limits.ts';
import type { DeliveryChannel, NotificationKind } from '#server/schema/delivery.ts';
import type { MailKind } from '#shared/vocabulary.ts';

/** How long a due delivery may wait before the maintenance job assumes that nobody sends it. */
const OVERDUE_SECONDS = 30;
const ENQUEUED_MAX = 500;

/** The job that makes one attempt. Each has workers of its own, so that a server that does not answer delays nothing else. */
const JOB_OF = { mail: 'send_mail', push: 'send_push' } as const satisfies Record<DeliveryChannel, JobName>;
const KEY_OF = { mail: 'sendMail', push: 'sendPush' } as const satisfies Record<DeliveryChannel, string>;

interface NewRow {
  userId?: string;
  subjectId?: string;
  topic?: string;
  /** one that is queued with the same key is enough */
  dedupeKey?: string;
  /** when to send it; by default as soon as the transaction has committed */
  dueAt?: Date;
  /** of no use afterwards */
  deadlineAt: Date;
}

/** An email to queue: to an account, or to an address. */
export interface NewMail extends NewRow {
  kind: MailKind;
  address?: string;
}
/** A notification to queue, to one device. */
export interface NewNotification extends NewRow {
  kind: NotificationKind;
  deviceId: string;
}

/** One for each key, in the order of the keys, in which all transactions lock them. */
function withoutRepeats<Row extends NewRow>(rows: readonly Row[]): Row[] {
  const keyed = new Map<string, Row>();
  for (const row of rows) if (row.dedupeKey !== undefined) keyed.set(row.dedupeKey, row);
  const single = rows.filter(({ dedupeKey }) => dedupeKey === undefined);
  return [...[...keyed].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row), ...single];
}

/** Enqueue the job that makes the next attempt of a delivery. @param at by default as soon as the transaction has committed */
export async function enqueueSending(tx: Em, channel: DeliveryChannel, deliveryId: string, at?: Date): Promise<void> {
  const job = { payload: { deliveryId }, key: jobKey(KEY_OF[channel], deliveryId), ...(at && { at }) };
  await enqueueJobs(tx, JOB_OF[channel], [job]);
}

/** Enqueue the jobs of these deliveries, each for when it is due. */
const enqueueAll = (tx: Em, channel: DeliveryChannel, ids: readonly string[]) =>
  db(tx)
    .selectFrom('delivery as d')
    .select(({ ref }) =>
      addJob(JOB_OF[channel], {
        payload: jsonBuildObject({ deliveryId: ref('d.id') }),
        key: jobKeyIn(KEY_OF[channel], ref('d.id')),
        runAt: ref('d.next_attempt_at'),
      }).as('job'),
    )
    .where(isOneOf('d.id', ids))
    .execute();

const COLUMNS = ['id', 'kind', 'user_id', 'device_id', 'address', 'subject_id', 'topic', 'dedupe_key'] as const;
const TYPES = {
  id: 'uuid',
  kind: 'text',
  user_id: 'uuid',
  device_id: 'uuid',
  address: 'text',
  subject_id: 'text',
  topic: 'text',
  dedupe_key: 'text',
  due_at: 'timestamptz',
  deadline_at: 'timestamptz',
} as const;

async function queue(tx: Em, channel: DeliveryChannel, rows: readonly (NewMail | NewNotification)[]): Promise<void> {
  if (rows.length === 0) return;
  const values = withoutRepeats(rows).map((row) => ({
    id: newId(),
    kind: row.kind,
    user_id: row.userId ?? null,
    device_id: 'deviceId' in row ? row.deviceId : null,
    address: ('address' in row ? row.address : undefined) ?? null,
    subject_id: row.subjectId ?? null,
    topic: row.topic ?? null,
    dedupe_key: row.dedupeKey ?? null,
    due_at: row.dueAt ?? null,
    deadline_at: row.deadlineAt,
  }));
  const queued = await db(tx)
    .insertInto('delivery')
    .columns([...COLUMNS, 'deadline_at', 'channel', 'next_attempt_at', 'created_at'])
    .expression(
      db(tx)
        // a single parameter, however many there are
        .selectFrom(tableOf('d', values, TYPES))
        .select(({ cast, val, fn }) => [
          ...COLUMNS.map((column) => `d.${column}` as const),
          'd.deadline_at',
          cast<DeliveryChannel>(val(channel), 'text').as('channel'),
          fn.coalesce('d.due_at', fn<Date>('now')).as('next_attempt_at'),
          fn<Date>('now').as('created_at'),
        ]),
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
  await enqueueAll(tx, channel, ids);
}

/**
 * Queue email in the caller's transaction. One that is queued with the same key is locked until the commit, so that it is
 * composed from what this transaction leaves.
 */
export const queueMail = (tx: Em, mails: readonly NewMail[]): Promise<void> => queue(tx, 'mail', mails);

/** The same for notifications. */
export const queueNotifications = (tx: Em, notifications: readonly NewNotification[]): Promise<void> =>
  queue(tx, 'push', notifications);

/** Enqueue jobs for due deliveries that have none, because their sender was killed. Safe to run at any time. */
export async function enqueueOverdueDeliveries(em: Em): Promise<void> {
  for (const channel of Object.keys(JOB_OF) as DeliveryChannel[]) {
    const overdue = await db(em)
      .selectFrom('delivery as d')
      .select('d.id')
      .where('d.channel', '=', channel)
      .where('d.state', 'in', ['queued', 'sending'])
      .where('d.next_attempt_at', '<', ago(`${OVERDUE_SECONDS} seconds`))
      .where(({ not, ref }) => not(hasJob(jobKeyIn(KEY_OF[channel], ref('d.id')))))
      .orderBy('d.next_attempt_at')
      .limit(ENQUEUED_MAX)
      .execute();
    for (const { id } of overdue) await enqueueSending(em, channel, id);
  }
}

/** Delete rows that are no longer needed: those that were sent soon, failures once admins have had time to read them. */
export async function purgeDeliveries(em: Em): Promise<void> {
  await db(em)
    .deleteFrom('delivery')
    .where(({ or, and, eb }) =>
      or([
        and([eb('state', 'in', ['sent', 'dropped']), eb('created_at', '<', ago(`${DELIVERIES.sentDays} days`))]),
        eb('created_at', '<', ago(`${DELIVERIES.failedDays} days`)),
      ]),
    )
    .execute();
}
