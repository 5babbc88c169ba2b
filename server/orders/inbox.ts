/** A pilot's frag orders: inbox, one order, accepted missions. */
import { sql } from 'kysely';
import { countRows, db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isAwaitingAnswer } from '#server/schema/predicates.ts';
import { DAY_MS } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { INBOX_HISTORY_DAYS } from '#shared/limits.ts';
import type { AcceptedMissionDto, FragOrderDto } from '#shared/schemas/pilot.ts';
import { publishLive } from '#server/signals/live-signals.ts';
import { selectOrders, presentMissions, presentOrder } from './order-view.ts';
import type { Viewer } from '#server/platform/viewer.ts';

const pendingAt = (now: Date) => sql<boolean>`(${isAwaitingAnswer('o', now)} and m.status = 'scheduled')`;

/**
 * Pending orders, newest first; an order that has to be answered again counts as new. With `includeCompleted` also the
 * answered ones of upcoming missions and of the last 30 days. With `marksRead` its orders no longer count as new; a script that
 * reads the inbox must not make them old for its pilot.
 */
export async function listInbox(
  em: Em,
  viewer: Viewer,
  { includeCompleted, marksRead }: { includeCompleted: boolean; marksRead: boolean },
  now: Date,
): Promise<FragOrderDto[]> {
  const since = new Date(now.getTime() - INBOX_HISTORY_DAYS * DAY_MS);
  const rows = await selectOrders(em)
    .where('o.pilot_id', '=', viewer.id)
    .where(({ or, and, eb }) => {
      const isAnswered = and([
        eb('o.status', '=', 'issued'),
        eb('o.rsvp', '<>', 'pending'),
        eb('m.ends_at', '>', since),
      ]);
      return includeCompleted ? or([pendingAt(now), isAnswered]) : pendingAt(now);
    })
    .execute();
  if (marksRead) await db(em).updateTable('app_user').set({ inbox_read_at: now }).where('id', '=', viewer.id).execute();
  return rows.map((row) => presentOrder(row, now));
}

/** The number of pending orders, in one indexed statement, since every open page polls it. Changed orders count as new. */
export async function getInboxStatus(
  em: Em,
  viewer: Viewer,
  now: Date,
): Promise<{ hasNewOrders: boolean; pendingCount: number }> {
  return db(em)
    .selectFrom('frag_order as o')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .innerJoin('app_user as u', 'u.id', 'o.pilot_id')
    .select([
      countRows().as('pendingCount'),
      sql<boolean>`coalesce(bool_or(greatest(o.issued_at, o.changed_at) > coalesce(u.inbox_read_at, '-infinity')), false)`.as(
        'hasNewOrders',
      ),
    ])
    .where('o.pilot_id', '=', viewer.id)
    .where(pendingAt(now))
    .executeTakeFirstOrThrow();
}

/** One order of the viewer in full, whatever its state. `marksRead` as for the inbox. Another pilot's order: 404. */
export async function getOrder(
  em: Em,
  viewer: Viewer,
  { id, marksRead }: { id: string; marksRead: boolean },
  now: Date,
): Promise<AcceptedMissionDto> {
  const rows = await selectOrders(em)
    .where('o.id', '=', id)
    .where('o.pilot_id', '=', viewer.id)
    .where('o.status', '<>', 'draft')
    .execute();
  const [order] = await presentMissions(em, viewer, rows, now);
  if (!order) throw new AppError('ORDER_NOT_FOUND', copy.orderNotFound);
  if (!marksRead) return order;
  const news = await db(em)
    .updateTable('frag_order')
    .set({ read_at: now })
    .where('id', '=', id)
    .where('read_at', 'is', null)
    .returning('id')
    .execute();
  // a standby pilot's new seat has a notice on the home page until its order is read
  if (news.length > 0 && order.rsvp === 'accepted') await publishLive(em, ['orders', [viewer.id]]);
  return order;
}

/** Accepted orders of missions that have not ended, the next one first. */
export async function listAccepted(em: Em, viewer: Viewer, now: Date): Promise<AcceptedMissionDto[]> {
  const rows = await selectOrders(em)
    .where('o.pilot_id', '=', viewer.id)
    .where('o.status', '=', 'issued')
    .where('o.rsvp', '=', 'accepted')
    .where('m.status', '=', 'scheduled')
    .where('m.ends_at', '>', now)
    .execute();
  const missions = await presentMissions(em, viewer, rows, now);
  return missions.toSorted((a, b) => Date.parse(a.startUtc) - Date.parse(b.startUtc) || a.seq - b.seq);
}
