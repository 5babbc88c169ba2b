/**
 * Conditions that many statements share, for the builder's `where` and for raw templates alike. Each takes the alias that
 * the statement gives the table.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Interval } from '#server/time/intervals.ts';

/** An account with the role `user`: neither suspended nor an admin who does not fly. @param user alias of `app_user` */
export const isActivePilot = (user: string): RawBuilder<boolean> =>
  sql<boolean>`'user' = any(${sql.ref(`${user}.roles`)})`;

/** The order asks for an answer whose time is over, and no job has expired it yet. @param order alias of `frag_order` */
export const isOverdue = (order: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${order}.rsvp`)} = 'pending' and ${sql.ref(`${order}.expires_at`)} <= ${now})`;

/** An issued order that has run out: it reads as expired before a job has cancelled it. @param order alias of `frag_order` */
export const isExpired = (order: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${order}.status`)} = 'issued' and ${isOverdue(order, now)})`;

/** The seat that the order holds still counts: it is answered, or its answer is not overdue. @param order alias of `frag_order` */
export const isLiveHold = (order: string, now: Date): RawBuilder<boolean> => sql<boolean>`not ${isOverdue(order, now)}`;

/** The row and the range have time in common; ends that only touch do not count. @param row alias of `seat` or `mission` @param range epoch milliseconds */
export const overlapsRange = (row: string, { startMs, endMs }: Interval): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${row}.starts_at`)} < ${new Date(endMs)} and ${sql.ref(`${row}.ends_at`)} > ${new Date(startMs)})`;

/** A pilot's call sign, or a stand-in: never the address, which only admins see. @param user alias of `app_user` */
export const publicName = (user: string, nameless: string): RawBuilder<string> =>
  sql<string>`coalesce(${sql.ref(`${user}.display_name`)}, ${nameless}::text)`;

/** A pilot's call sign, or the address, for admins only. @param user alias of `app_user` */
export const nameForAdmins = (user: string): RawBuilder<string> =>
  sql<string>`coalesce(${sql.ref(`${user}.display_name`)}, ${sql.ref(`${user}.email`)})`;
