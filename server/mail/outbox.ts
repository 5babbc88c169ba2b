/**
 * The outbox of email: a row and the job that sends it are written in the transaction of what the email tells, so none exists
 * without the others. A row says what the email is about; its text is composed when it is sent.
 */
import { newId } from '#server/schema/base.ts';
import { ago, db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { enqueueJobs, hasJob, jobKey, jobKeyIn } from '#server/signals/jobs.ts';
import { MAIL } from '#shared/limits.ts';
import type { MailKind } from '#shared/vocabulary.ts';

/** How long a due email may wait before the maintenance job assumes that nobody sends it. */
const OVERDUE_SECONDS = 30;
const ENQUEUED_MAX = 500;

/** An email to queue: to an account, or to an address. */
export interface NewMail {
  kind: MailKind;
  userId?: string;
  address?: string;
  subjectId?: string;
  topic?: string;
  /** one that is queued with the same key is enough */
  dedupeKey?: string;
  /** when to send it; by default at once */
  dueAt?: Date;
  /** of no use afterwards */
  deadlineAt: Date;
}

/** Enqueue the job that makes the next attempt of an email. @param at by default as soon as the transaction has committed */
export async function enqueueSending(tx: Em, mailId: string, at?: Date): Promise<void> {
  await enqueueJobs(tx, 'send_mail', [{ payload: { mailId }, key: jobKey('sendMail', mailId), ...(at && { at }) }]);
}

/** One for each key, in the order of the keys, in which all transactions lock them. */
function withoutRepeats(mails: readonly NewMail[]): NewMail[] {
  const keyed = new Map<string, NewMail>();
  for (const mail of mails) if (mail.dedupeKey !== undefined) keyed.set(mail.dedupeKey, mail);
  const single = mails.filter(({ dedupeKey }) => dedupeKey === undefined);
  return [...[...keyed].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, mail]) => mail), ...single];
}

/**
 * Queue email in the caller's transaction. One that is queued with the same key is locked until the commit, so that it is
 * composed from what this transaction leaves.
 */
export async function queueMail(tx: Em, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  const queued = await db(tx)
    .insertInto('mail_message')
    .values(({ fn }) =>
      withoutRepeats(mails).map((mail) => ({
        id: newId(),
        kind: mail.kind,
        user_id: mail.userId ?? null,
        address: mail.address ?? null,
        subject_id: mail.subjectId ?? null,
        topic: mail.topic ?? null,
        dedupe_key: mail.dedupeKey ?? null,
        state: 'queued' as const,
        attempts: 0,
        next_attempt_at: mail.dueAt ?? fn<Date>('now'),
        deadline_at: mail.deadlineAt,
        created_at: fn<Date>('now'),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('dedupe_key')
        .where('state', '=', 'queued')
        .doUpdateSet(({ ref }) => ({ deadline_at: ref('excluded.deadline_at') })),
    )
    .returning(({ ref }) => ['id', ms(ref('next_attempt_at')).as('atMs')])
    .execute();
  for (const { id, atMs } of queued) await enqueueSending(tx, id, atMs === null ? undefined : new Date(atMs));
}

/** Enqueue jobs for due email that has none, because its sender was killed. Safe to run at any time. */
export async function enqueueOverdueMail(em: Em): Promise<void> {
  const overdue = await db(em)
    .selectFrom('mail_message as m')
    .select('m.id')
    .where('m.state', 'in', ['queued', 'sending'])
    .where('m.next_attempt_at', '<', ago(`${OVERDUE_SECONDS} seconds`))
    .where(({ not, ref }) => not(hasJob(jobKeyIn('sendMail', ref('m.id')))))
    .orderBy('m.next_attempt_at')
    .limit(ENQUEUED_MAX)
    .execute();
  for (const { id } of overdue) await enqueueSending(em, id);
}

/** Delete rows that are no longer needed: of email that was sent soon, of failures once admins have had time to read them. */
export async function purgeMail(em: Em): Promise<void> {
  await db(em)
    .deleteFrom('mail_message')
    .where(({ or, and, eb }) =>
      or([
        and([eb('state', 'in', ['sent', 'dropped']), eb('created_at', '<', ago(`${MAIL.sentDays} days`))]),
        eb('created_at', '<', ago(`${MAIL.failedDays} days`)),
      ]),
    )
    .execute();
}
