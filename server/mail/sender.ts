/**
 * The sender of email: one attempt for each job. An attempt is recorded before it is made, no transaction is open during one,
 * and the result is recorded afterwards: a sender that is killed repeats at most the email that it was sending, with the same
 * Message-ID.
 */
import type { MikroORM } from '@mikro-orm/postgresql';
import type { InviteLinks } from '#server/accounts/invite-links.ts';
import type { Env } from '#server/platform/env.ts';
import type { Log } from '#server/platform/log.ts';
import { db, fromNow, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { nextAttemptMs } from '#server/webhooks/rules/retries.ts';
import type { MailState } from '#shared/vocabulary.ts';
import { composeMail, readSender, type ClaimedMail } from './compose.ts';
import type { MailLinks } from './mail-links.ts';
import { enqueueSending } from './outbox.ts';
import { subjectOf, writeHtml, writeText } from './rules/letter.ts';
import type { Mailer, SendResult } from './transport.ts';

/** When an attempt without a result counts as failed: its sender was killed. Longer than an attempt, shorter than a job's lock. */
const LEASE_SECONDS = 50;

interface Sender {
  orm: MikroORM;
  env: Pick<Env, 'PUBLIC_URL'>;
  log: Log;
  inviteLinks: InviteLinks;
  mailLinks: MailLinks;
  mailer: Mailer | null;
}

/** Claim a due email and record the attempt, in one statement: of two senders one gets it. @returns null if it is not due */
const claim = (em: Em, mailId: string) =>
  db(em)
    .updateTable('mail_message')
    .set((eb) => ({
      state: 'sending',
      attempts: eb('attempts', '+', 1),
      next_attempt_at: fromNow(`${LEASE_SECONDS} seconds`),
    }))
    .where('id', '=', mailId)
    .where('state', 'in', ['queued', 'sending'])
    .where('next_attempt_at', '<=', ({ fn }) => fn<Date>('now'))
    .returning(({ ref }) => [
      'id',
      'kind',
      'user_id as userId',
      'address',
      'subject_id as subjectId',
      'topic',
      'attempts',
      'response_status as lastStatus',
      'error_message as lastError',
      ms(ref('created_at')).as('queuedMs'),
      ms(ref('deadline_at')).as('deadlineMs'),
    ])
    .executeTakeFirst();

type Claim = ClaimedMail & NonNullable<Awaited<ReturnType<typeof claim>>>;

interface Outcome {
  state: MailState;
  status?: number | null;
  error?: string | null;
  /** of a state that is not the last one */
  nextMs?: number;
}

/** Record the result of an attempt. An address that was only needed for sending is deleted. */
async function settle(tx: Em, { id, attempts }: Claim, outcome: Outcome): Promise<void> {
  const { state, status = null, error = null, nextMs } = outcome;
  const settled = await db(tx)
    .updateTable('mail_message')
    .set(({ fn, ref }) => ({
      state,
      next_attempt_at: nextMs === undefined ? null : new Date(nextMs),
      response_status: status,
      error_message: error,
      address: state === 'sent' || state === 'dropped' ? null : ref('address'),
      dedupe_key: state === 'queued' ? ref('dedupe_key') : null,
      sent_at: state === 'sent' ? fn<Date>('now') : null,
    }))
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'sending')
    .returning('id')
    .executeTakeFirst();
  if (!settled) return;
  if (nextMs !== undefined) await enqueueSending(tx, id, new Date(nextMs));
}

/** What follows from a failed attempt: another one, unless the refusal is for good or the time is up. */
function afterFailure(claimed: Claim, result: Extract<SendResult, { outcome: 'failed' }>, nowMs: number): Outcome {
  const { attempts, queuedMs, deadlineMs } = claimed;
  const { status, error, isPermanent } = result;
  const nextMs = isPermanent
    ? null
    : nextAttemptMs({ attempts, askedMs: null, queuedMs, nowMs, jitter: Math.random() });
  if (nextMs === null || nextMs >= deadlineMs) return { state: 'failed', status, error };
  return { state: 'queued', status, error, nextMs };
}

/** Make one attempt to send an email. Safe to run late, twice, concurrently, and after a crash. */
export async function sendMail(sender: Sender, mailId: string): Promise<void> {
  const { orm, env, log, inviteLinks, mailLinks, mailer } = sender;
  if (mailer === null) return;
  const em = orm.em.fork();
  const claimed = await claim(em, mailId);
  if (!claimed) return;
  const line = { mail: mailId, kind: claimed.kind, attempt: claimed.attempts };
  const finish = (outcome: Outcome) => transact(em, (tx) => settle(tx, claimed, outcome));
  const now = new Date();
  if (claimed.deadlineMs <= now.getTime()) {
    const { lastError: error, lastStatus: status } = claimed;
    log.warn({ ...line }, 'an email was given up');
    return finish(error === null ? { state: 'dropped' } : { state: 'failed', status, error });
  }
  const composed = await composeMail(em, { publicUrl: env.PUBLIC_URL, inviteLinks, mailLinks }, claimed, now);
  if (composed === null) {
    log.info(line, 'an email was no longer wanted');
    return finish({ state: 'dropped' });
  }
  const { to, letter } = composed;
  const from = await readSender(em);
  const result = await mailer.send({
    messageId: `<${mailId}@${mailer.domain}>`,
    to,
    subject: subjectOf(letter),
    text: writeText(letter, from),
    html: writeHtml(letter, from),
    ...(letter.unsubscribe && { unsubscribeUrl: letter.unsubscribe.url }),
  });
  if (result.outcome === 'sent') {
    await finish({ state: 'sent' });
    // neither address nor subject: the log outlives the account
    log.info(line, 'an email was sent');
    return;
  }
  const outcome = afterFailure(claimed, result, Date.now());
  await finish(outcome);
  log.warn({ ...line, status: result.status, state: outcome.state }, 'an email was not sent');
}
