/**
 * Email as the rooms ask for it: each call notes one in a transaction. `server/mail` writes what was noted to its outbox just
 * before the commit; where no SMTP server is set up nobody does, and nothing is written.
 */
import type { Em } from '#server/schema/orm.ts';
import type { PushKind } from './jobs.ts';
import { createNotes } from './transaction-notes.ts';

/** What happened to an order that its pilot gets an email about: all but attendance, which is read on the site. */
export type MailTopic = Exclude<PushKind, 'attendance'>;

/** A noted email. */
export type NotedMail =
  | { kind: 'order'; orderId: string; topic: MailTopic }
  | { kind: 'reminder'; reminderId: string; userId: string; deadlineAt: Date }
  | { kind: 'turnout'; warningId: string; userId: string; deadlineAt: Date }
  | { kind: 'verification' | 'welcome' | 'test'; userId: string }
  /** news about the safety of an account, which the audit entry tells */
  | { kind: 'security'; userId: string; auditId: string }
  | { kind: 'password'; address: string }
  | { kind: 'invite'; address: string; inviteId: string }
  /** a pilot's week after that Sunday, `YYYY-MM-DD` */
  | { kind: 'digest'; userId: string; sunday: string }
  /** a visitor's request, to all admins who want to hear of them */
  | { kind: 'request' };

const notes = createNotes<NotedMail>('An email');

/** Note email, in the transaction of what it tells. */
export const noteMail = (tx: Em, ...mails: NotedMail[]): void => notes.note(tx, mails);

/** @param transaction the context of a transaction that is about to commit @returns its email, which is then forgotten */
export const takeNotedMail = notes.take;
