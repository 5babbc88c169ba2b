/** A pilot's frag orders: inbox, one order, accepted missions. */
import { sql } from 'kysely';
import { countRows, ms } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { isAwaitingAnswer } from '#server/schema/predicates.ts';
import { User } from '#server/schema/user.ts';
import { DAY_MS } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { INBOX_HISTORY_DAYS } from '#shared/limits.ts';
import type { AcceptedMissionDto, FragOrderDto } from '#shared/schemas/pilot.ts';
import { changeOrders } from '#server/orders/seats/order-writes.ts';
import { emit } from '#server/signals/emit.ts';
import { selectOrders, selectOrdersFrom, presentMissions, presentOrder } from './order-view.ts';
import type { Viewer } from '#server/platform/viewer.ts';

const pendingAt = (now: Date) => sql<boolean>`(${isAwaitingAnswer('o', now)} and m.status = 'scheduled')`;

type OfPilot = { pilotId: string; now: Date };

/** The pilot's orders, each with the time at which the pilot last read the inbox. */
const selectInbox = (source: Parameters<typeof selectOrdersFrom>[0], pilotId: string) =>
  selectOrdersFrom(source)
    .innerJoin('app_user as u', 'u.id', 'o.pilot_id')
    .select(({ ref }) => ms(ref('u.inbox_read_at')).as('inbox_read_ms'))
    .where('o.pilot_id', '=', pilotId);

const listPending = named('inbox', (source, { pilotId, now }: OfPilot) =>
  selectInbox(source, pilotId).where(pendingAt(now)),
);

const listAll = named('inbox_all', (source, { pilotId, now, since }: OfPilot & { since: Date }) =>
  selectInbox(source, pilotId).where(({ or, and, eb }) =>
    or([
      pendingAt(now),
      and([eb('o.status', '=', 'issued'), eb('o.rsvp', '<>', 'pending'), eb('m.ends_at', '>', since)]),
    ]),
  ),
);

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
  const ofPilot = { pilotId: viewer.id, now };
  const since = new Date(now.getTime() - INBOX_HISTORY_DAYS * DAY_MS);
  const rows = await (includeCompleted ? listAll(em, { ...ofPilot, since }) : listPending(em, ofPilot));
  // the time is only ever compared with the times of pending orders: without news, writing it would change nothing
  const hasNews = rows.some((row) => Math.max(row.issued_ms, row.changed_ms ?? 0) >= (row.inbox_read_ms ?? 0));
  if (marksRead && hasNews) await em.nativeUpdate(User, { id: viewer.id }, { inboxReadAt: now });
  return rows.map((row) => presentOrder(row, now));
}

const countPending = named('inbox_status', (source, { pilotId, now }: OfPilot) =>
  source
    .selectFrom('frag_order as o')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .innerJoin('app_user as u', 'u.id', 'o.pilot_id')
    .select([
      countRows().as('pendingCount'),
      sql<boolean>`coalesce(bool_or(greatest(o.issued_at, o.changed_at) > coalesce(u.inbox_read_at, '-infinity')), false)`.as(
        'hasNewOrders',
      ),
    ])
    .where('o.pilot_id', '=', pilotId)
    .where(pendingAt(now)),
);

/** The number of pending orders, in one indexed statement, since every open page polls it. Changed orders count as new. */
export async function getInboxStatus(
  em: Em,
  viewer: Viewer,
  now: Date,
): Promise<{ hasNewOrders: boolean; pendingCount: number }> {
  const [counts] = await countPending(em, { pilotId: viewer.id, now });
  return counts ?? { pendingCount: 0, hasNewOrders: false };
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
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  if (!marksRead) return order;
  const unread = rows.filter(({ read_ms }) => read_ms === null);
  if (unread.length > 0) {
    await transact(em, async (tx) => {
      for (const { mission_id: missionId } of unread) await changeOrders(tx, { id: missionId }, 'read', [{ id }], now);
      // a standby pilot's new seat has a notice on the home page until its order is read
      if (order.rsvp === 'accepted') emit(tx, { type: 'notice.closed', pilotId: viewer.id });
    });
  }
  return order;
}

const listSeats = named('accepted', (source, { pilotId, now }: OfPilot) =>
  selectOrdersFrom(source)
    .where('o.pilot_id', '=', pilotId)
    .where('o.status', '=', 'issued')
    .where('o.rsvp', '=', 'accepted')
    .where('m.status', '=', 'scheduled')
    .where('m.ends_at', '>', now),
);

/** Accepted orders of missions that have not ended, the next one first. */
export async function listAccepted(em: Em, viewer: Viewer, now: Date): Promise<AcceptedMissionDto[]> {
  const rows = await listSeats(em, { pilotId: viewer.id, now });
  const missions = await presentMissions(em, viewer, rows, now);
  return missions.toSorted((a, b) => Date.parse(a.startUtc) - Date.parse(b.startUtc) || a.seq - b.seq);
}
