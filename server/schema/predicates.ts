/**
 * SQL predicates that many statements share, for the builder's `where` and for raw templates alike. Each takes the
 * table's alias in the statement.
 */
import { expressionBuilder, sql, type RawBuilder } from 'kysely';
import { copy } from '#shared/copy.ts';
import type { Database } from '#server/schema/database.ts';
import type { Interval } from '#server/time/intervals.ts';

/** An account with the role `user`: neither suspended nor an admin who does not fly. @param user alias of `app_user` */
export const isActivePilot = (user: string): RawBuilder<boolean> =>
  sql<boolean>`'user' = any(${sql.ref(`${user}.roles`)})`;

/** A pending order past its expiry that no job has expired yet. @param order alias of `frag_order` */
const isOverdue = (order: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${order}.rsvp`)} = 'pending' and ${sql.ref(`${order}.expires_at`)} <= ${now})`;

/** An issued order that has expired, even if no job has cancelled it yet. @param order alias of `frag_order` */
export const isExpired = (order: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${order}.status`)} = 'issued' and ${isOverdue(order, now)})`;

/** An issued order that its pilot can still answer in time. @param order alias of `frag_order` */
export const isAwaitingAnswer = (order: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${order}.status`)} = 'issued' and ${sql.ref(`${order}.rsvp`)} = 'pending' and ${sql.ref(`${order}.expires_at`)} > ${now})`;

/** The order's hold on its seat still counts: it is answered, or not overdue. @param order alias of `frag_order` */
export const isLiveHold = (order: string, now: Date): RawBuilder<boolean> => sql<boolean>`not ${isOverdue(order, now)}`;

/** The order was withdrawn because its pilot was on leave: once they are back, they may be asked again. @param order alias of `frag_order` */
export const isLeaveWithdrawal = (order: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${order}.status`)} = 'cancelled' and ${copy.onLeaveThen}::text = any(${sql.ref(`${order}.reasons`)}))`;

/** The row's times overlap the range; touching ends do not count. @param row alias of `seat` or `mission` @param range epoch ms */
export const overlapsRange = (row: string, { startMs, endMs }: Interval): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${row}.starts_at`)} < ${new Date(endMs)} and ${sql.ref(`${row}.ends_at`)} > ${new Date(startMs)})`;

/** The times of two rows overlap; touching ends do not count. Both are aliases of `seat` or `mission`. */
export const overlapsRow = (row: string, other: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${row}.starts_at`)} < ${sql.ref(`${other}.ends_at`)} and ${sql.ref(`${row}.ends_at`)} > ${sql.ref(`${other}.starts_at`)})`;

/** How many sides of the mission have seats. @param mission alias of `mission` */
export const countSides = (mission: string) =>
  expressionBuilder<Database>()
    .selectFrom('flight')
    .select(({ fn, cast }) => cast<number>(fn.count('flight.side').distinct(), 'integer').as('sides'))
    .where('flight.mission_id', '=', sql.ref<string>(`${mission}.id`))
    .$asScalar()
    .$notNull();

/** A pilot's call sign, or `nameless`: never the email address, which only admins see. @param user alias of `app_user` */
export const publicName = (user: string, nameless: string): RawBuilder<string> =>
  sql<string>`coalesce(${sql.ref(`${user}.display_name`)}, ${nameless}::text)`;

/** A pilot's call sign, or else the email address: for admins only. @param user alias of `app_user` */
export const nameForAdmins = (user: string): RawBuilder<string> =>
  sql<string>`coalesce(${sql.ref(`${user}.display_name`)}, ${sql.ref(`${user}.email`)})`;

/** An admin has accepted the Discord server, whose row is `g` in the statement. Until then it gets nothing of the community. */
export const isAcceptedGuild = expressionBuilder<{ g: Database['guild'] }, 'g'>()('g.accepted_at', 'is not', null);

/** The mission is real: practice missions stay on the site, without messages and notifications. @param missionId a column */
export const isNoPractice = (missionId: string): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from mission as practice where practice.id = ${sql.ref(missionId)} and practice.is_practice)`;
