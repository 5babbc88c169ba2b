/** Notifications of orders, in their present state. */
import type { Claim } from '#server/delivery/sender.ts';
import { quietUntil } from '#server/availability/rules/do-not-disturb.ts';
import { presentOrder, selectOrders, type OrderRow } from '#server/orders/order-view.ts';
import { selectSwaps } from '#server/orders/swap-view.ts';
import {
  attendanceMessage,
  changeMessage,
  nudgeMessage,
  orderMessage,
  swapMessage,
  type OrderNews,
} from '#server/delivery/push/rules/push.ts';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { isNewsKind, type NewsChoice, type NewsKind, ORDER_NEWS } from '#server/signals/rules/order-news.ts';
import { DAY_MS } from '#server/time/time.ts';
import { fragLabel } from '#shared/labels.ts';
import { NOTICE_DAYS } from '#shared/limits.ts';
import type { PushMessage } from '#shared/schemas/push.ts';

/** A message, and until when it is of use. */
export type Composed = { message: PushMessage; deadlineMs: number };

/** The message about the pilot's newest swap: one that waits for their answer, or one that was answered; null for none. */
async function composeSwap(
  em: Em,
  news: OrderNews,
  kind: 'swap' | 'swapAnswer',
  startMs: number,
  now: Date,
): Promise<Composed | null> {
  const swaps = await selectSwaps(em, now)
    .where(({ eb, and }) =>
      kind === 'swap'
        ? and([eb('w.with_order_id', '=', news.id), eb('w.state', '=', 'proposed')])
        : and([eb('w.order_id', '=', news.id), eb('w.state', 'in', ['agreed', 'declined'])]),
    )
    .execute();
  for (const { state, place, withPlace, pilotName, withPilotName, expiresMs } of swaps) {
    if (kind === 'swap' && state === 'proposed') {
      const message = swapMessage(news, { state, pilotName, from: withPlace, to: place, expiresMs });
      return { message, deadlineMs: expiresMs };
    }
    if (kind === 'swapAnswer' && (state === 'agreed' || state === 'declined')) {
      const message = swapMessage(news, { state, pilotName: withPilotName, from: place, to: withPlace, expiresMs });
      return { message, deadlineMs: startMs };
    }
  }
  return null;
}

/** The facts of an order that notifications show. */
export const orderNews = (order: OrderRow): OrderNews => ({
  id: order.id,
  label: fragLabel(order.seq),
  missionName: order.mission_name,
  flightCallsign: order.flight_callsign,
  aircraftName: order.aircraft_name,
  seatIndex: order.seat_index,
  launchMs: order.launch_ms,
  startMs: order.starts_ms,
  expiresMs: order.expires_ms,
  changedMs: order.changed_ms,
});

/** The message about an order in its current state, and until when it is of use; null if there is no longer one. */
export async function composeMessage(em: Em, order: OrderRow, kind: NewsKind, now: Date): Promise<Composed | null> {
  const news = orderNews(order);
  if (kind === 'swap' || kind === 'swapAnswer') return composeSwap(em, news, kind, order.starts_ms, now);
  if (kind === 'attendance') {
    const deadlineMs = order.ends_ms + NOTICE_DAYS * DAY_MS;
    return order.attendance && { message: attendanceMessage(news, order.attendance), deadlineMs };
  }
  const { status, status_reason: statusReason, rsvp, reasons } = order;
  const { changes, asksConfirmation } = presentOrder(order, now);
  const asks = status === 'issued' && rsvp === 'pending';
  if (kind === 'nudge') {
    if (asks) return { message: nudgeMessage(news, true), deadlineMs: order.expires_ms };
    return asksConfirmation ? { message: nudgeMessage(news, false), deadlineMs: order.starts_ms } : null;
  }
  const deadlineMs = asks ? order.expires_ms : kind === 'change' ? order.ends_ms : order.starts_ms;
  const isStill = status === 'issued' && rsvp === (kind === 'order' ? 'pending' : 'accepted');
  const message =
    kind === 'change'
      ? changeMessage(news, { statusReason, rsvp, changes, reasons })
      : isStill
        ? orderMessage(news, kind)
        : null;
  return message && { message, deadlineMs };
}

/**
 * An order and its pilot, with the choices of both channels.
 * @returns null for a pilot who is suspended, and while Do Not Disturb holds back what starts within 24 h
 */
export async function findForPilot(em: Em, orderId: string, userId: string, now: Date) {
  const pilot = await db(em)
    .selectFrom('frag_order as o')
    .innerJoin('app_user as u', 'u.id', 'o.pilot_id')
    .leftJoin('pilot_status as t', 't.user_id', 'u.id')
    .select(({ ref }) => [
      'u.display_name as name',
      'u.time_zone as timeZone',
      'u.notify_orders as pushOrders',
      'u.notify_changes as pushChanges',
      'u.email_orders as mailOrders',
      'u.email_changes as mailChanges',
      't.state',
      't.minutes',
      ms(ref('t.expires_at')).as('statusExpiresMs'),
    ])
    .where('o.id', '=', orderId)
    .where('u.id', '=', userId)
    .where(isActivePilot('u'))
    .executeTakeFirst();
  const order = pilot && (await selectOrders(em).where('o.id', '=', orderId).executeTakeFirst());
  if (!order) return null;
  const status = { state: pilot.state ?? 'available', minutes: pilot.minutes, expiresAtMs: pilot.statusExpiresMs };
  if (order.starts_ms <= quietUntil(status, now.getTime())) return null;
  const wants = {
    push: { orders: pilot.pushOrders, changes: pilot.pushChanges },
    email: { orders: pilot.mailOrders, changes: pilot.mailChanges },
  } satisfies Record<string, Record<NewsChoice, boolean>>;
  return { name: pilot.name, timeZone: pilot.timeZone, wants, order };
}

/** @returns null if the order has been answered or has expired, or if the pilot does not want the notification, or not now */
export async function composeOrderPush(
  em: Em,
  { subjectId: orderId, topic, userId }: Claim,
  now: Date,
): Promise<Composed | null> {
  if (orderId === null || userId === null || !isNewsKind(topic)) return null;
  const found = await findForPilot(em, orderId, userId, now);
  return found?.wants.push[ORDER_NEWS[topic].choice] ? composeMessage(em, found.order, topic, now) : null;
}
