/** Writes the email that follows from events to the outbox just before their transaction commits. Only where an SMTP server is set up. */
import type { EventSubscriber, TransactionEventArgs } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { emailKey, PLACEHOLDER_PATTERN } from '#server/accounts/email.ts';
import { db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, isNoPractice } from '#server/schema/predicates.ts';
import { effectsOf } from '#server/signals/emit.ts';
import type { Mail } from '#server/signals/rules/effects.ts';
import { ORDER_NEWS } from '#server/signals/rules/order-news.ts';
import { DAY_MS, MINUTE_MS } from '#server/time/time.ts';
import { MAIL } from '#shared/limits.ts';
import { queueMail, type NewMail } from '#server/signals/outbox.ts';
import { mailOfRequests } from './request-mail.ts';

/** How long email about accounts and invites may wait for an SMTP server that is down. */
const PATIENCE_MS = DAY_MS;

type OfKind<Kind extends Mail['kind']> = Extract<Mail, { kind: Kind }>;

/** News of an order in its current state. The pilot's email choices decide, here and again when it is sent. */
async function ofOrders(tx: Em, mails: readonly OfKind<'order'>[]): Promise<NewMail[]> {
  if (mails.length === 0) return [];
  const rows = await db(tx)
    .selectFrom('frag_order as o')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .innerJoin('app_user as u', 'u.id', 'o.pilot_id')
    .select(({ ref }) => [
      'o.id',
      'u.id as userId',
      'u.email_orders as orders',
      'u.email_changes as changes',
      ms(ref('m.ends_at')).as('endsMs'),
    ])
    .where(isOneOf('o.id', [...new Set(mails.map(({ orderId }) => orderId))]))
    .where(isActivePilot('u'))
    .where('u.email', 'not like', PLACEHOLDER_PATTERN)
    .where(isNoPractice('o.mission_id'))
    .execute();
  const orders = new Map(rows.map((row) => [row.id, row]));
  return mails.flatMap(({ orderId, topic }): NewMail[] => {
    const order = orders.get(orderId);
    if (!order?.[ORDER_NEWS[topic].choice]) return [];
    return [
      {
        kind: 'order',
        userId: order.userId,
        subjectId: orderId,
        topic,
        dedupeKey: `${orderId}:${topic}`,
        deadlineAt: new Date(order.endsMs),
      },
    ];
  });
}

function ofOthers(mail: Exclude<Mail, OfKind<'order' | 'request'>>, now: Date): NewMail {
  const within = (span: number) => new Date(now.getTime() + span);
  switch (mail.kind) {
    case 'password': {
      const { kind, address } = mail;
      const deadlineAt = within(MAIL.passwordWaitMinutes * MINUTE_MS);
      return { kind, address, dedupeKey: `password:${emailKey(address)}`, deadlineAt };
    }
    case 'invite': {
      const { kind, address, inviteId } = mail;
      const dedupeKey = `invite:${inviteId}:${emailKey(address)}`;
      return { kind, address, subjectId: inviteId, dedupeKey, deadlineAt: within(PATIENCE_MS) };
    }
    case 'security': {
      const { kind, userId, auditId: subjectId } = mail;
      return { kind, userId, subjectId, dedupeKey: `security:${subjectId}`, deadlineAt: within(PATIENCE_MS) };
    }
    case 'reminder': {
      const { kind, reminderId: subjectId, userId, deadlineAt } = mail;
      return { kind, userId, subjectId, dedupeKey: `reminder:${subjectId}`, deadlineAt };
    }
    case 'turnout': {
      const { kind, warningId: subjectId, userId, deadlineAt } = mail;
      return { kind, userId, subjectId, dedupeKey: `turnout:${subjectId}`, deadlineAt };
    }
    case 'digest': {
      const { kind, userId, sunday: subjectId } = mail;
      return { kind, userId, subjectId, dedupeKey: `digest:${userId}`, deadlineAt: within(PATIENCE_MS) };
    }
    case 'test':
    case 'verification':
    case 'welcome': {
      const { kind, userId } = mail;
      return { kind, userId, dedupeKey: `${kind}:${userId}`, deadlineAt: within(PATIENCE_MS) };
    }
  }
}

async function record(tx: Em, mails: readonly Mail[]): Promise<void> {
  const now = new Date();
  const orders = mails.filter((mail) => mail.kind === 'order');
  const others = mails.flatMap((mail) =>
    mail.kind === 'order' || mail.kind === 'request' ? [] : [ofOthers(mail, now)],
  );
  const requests = mails.some(({ kind }) => kind === 'request') ? await mailOfRequests(tx, now) : [];
  await queueMail(tx, [...(await ofOrders(tx, orders)), ...requests, ...others]);
}

/** Subscribes to the transactions of the ORM. One without email costs nothing. */
export const mailRecorder: EventSubscriber = {
  async beforeTransactionCommit({ em, transaction }: TransactionEventArgs) {
    const mails = effectsOf(transaction, 'mail');
    if (mails.length === 0) return;
    if (!(em instanceof EntityManager)) throw new Error('The transaction has no PostgreSQL');
    await record(em.fork({ keepTransactionContext: true }), mails);
  },
};
