/** Email as admins see it: how much waits, was sent and has failed, and the last failures with the server's words. */
import { addressOf, type Env } from '#server/platform/env.ts';
import { ago, countRows, db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { toIso } from '#server/time/time.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { MailLogDto } from '#shared/schemas/mail.ts';
import type { MailKind } from '#shared/vocabulary.ts';
import type { Mailer } from './transport.ts';

/** Failures, and email that is tried again after a failed attempt; the newest first. */
async function listFailures(em: Em): Promise<MailLogDto['failures']> {
  const rows = await db(em)
    .selectFrom('delivery as m')
    .leftJoin('app_user as u', 'u.id', 'm.user_id')
    .select(({ ref, fn }) => [
      'm.id',
      'm.kind',
      fn.coalesce('m.address', 'u.email').as('to'),
      'm.state',
      'm.attempts',
      'm.error_message as error',
      ms(ref('m.created_at')).as('queuedMs'),
      ms(ref('m.next_attempt_at')).as('nextMs'),
    ])
    .where('m.channel', '=', 'mail')
    .where('m.error_message', 'is not', null)
    .where('m.state', 'in', ['queued', 'sending', 'failed'])
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(LISTED_MAX.mailFailures)
    .execute();
  return rows.map(({ queuedMs, nextMs, state, to, error, kind, ...row }) => ({
    ...row,
    // the condition on the channel leaves no other
    kind: kind as MailKind,
    to: to ?? '',
    error: error ?? '',
    isOver: state === 'failed',
    queuedAt: toIso(queuedMs),
    nextAttemptAt: nextMs === null ? null : toIso(nextMs),
  }));
}

export async function readMailLog(
  em: Em,
  { env, mailer }: { env: Pick<Env, 'MAIL_FROM' | 'SMTP_URL'>; mailer: Mailer | null },
): Promise<MailLogDto> {
  if (mailer === null || env.MAIL_FROM === undefined || env.SMTP_URL === undefined) {
    return { isOffered: false, from: null, server: null, waiting: 0, sent: 0, failed: 0, failures: [] };
  }
  const counts = await db(em)
    .selectFrom('delivery')
    .select((eb) => [
      countRows().as('all'),
      eb.fn.countAll<string>().filterWhere('state', 'in', ['queued', 'sending']).as('waiting'),
      eb.fn.countAll<string>().filterWhere('state', '=', 'sent').as('sent'),
      eb.fn.countAll<string>().filterWhere('state', '=', 'failed').as('failed'),
    ])
    .where('channel', '=', 'mail')
    .where(({ or, eb }) => or([eb('created_at', '>', ago('7 days')), eb('state', 'in', ['queued', 'sending'])]))
    .executeTakeFirst();
  return {
    isOffered: true,
    from: addressOf(env.MAIL_FROM),
    server: new URL(env.SMTP_URL).host,
    waiting: Number(counts?.waiting ?? 0),
    sent: Number(counts?.sent ?? 0),
    failed: Number(counts?.failed ?? 0),
    failures: await listFailures(em),
  };
}
