/** Email about a frag order, in its state when it is sent, if its pilot still wants it. */
import { quietUntil } from '#server/availability/rules/free-time.ts';
import { selectOrders, type OrderRow } from '#server/orders/order-view.ts';
import { composeMessage } from '#server/push/order-push.ts';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import type { ClaimedMail } from './compose.ts';
import type { MailLinks } from './mail-links.ts';
import type { Letter } from './rules/letter.ts';
import { orderLetter, type LetterOrder, type OrderTopic } from './rules/order-letter.ts';

/** True for what the choice "New frag orders" is about; the other topics are changes. */
export const isOfOrders = (topic: OrderTopic): boolean => topic === 'order' || topic === 'seat';

/** The order's pilot, with the choices that decide. */
const loadPilot = (em: Em, orderId: string, userId: string) =>
  db(em)
    .selectFrom('frag_order as o')
    .innerJoin('app_user as u', 'u.id', 'o.pilot_id')
    .leftJoin('pilot_status as t', 't.user_id', 'u.id')
    .select(({ ref }) => [
      'u.display_name as name',
      'u.time_zone as timeZone',
      'u.email_orders as wantsOrders',
      'u.email_changes as wantsChanges',
      't.state',
      't.minutes',
      ms(ref('t.expires_at')).as('statusExpiresMs'),
    ])
    .where('o.id', '=', orderId)
    .where('u.id', '=', userId)
    .where(isActivePilot('u'))
    .executeTakeFirst();

/** An order as the letters tell of it. */
export const letterOrder = (order: OrderRow): LetterOrder => ({
  seq: order.seq,
  missionName: order.mission_name,
  theater: order.theater,
  flightCallsign: order.flight_callsign,
  aircraftName: order.aircraft_name,
  seatIndex: order.seat_index,
  side: order.side,
  role: order.role,
  startMs: order.starts_ms,
  launchMs: order.launch_ms,
  expiresMs: order.expires_ms,
  asks: order.status === 'issued' && order.rsvp === 'pending',
  isOver: order.status === 'cancelled',
  isMissionCancelled: order.status_reason === 'mission cancelled',
});

/**
 * @returns null if the news is no longer true, not wanted, or not wanted now: Do Not Disturb holds back what starts within 24 h,
 * as for push notifications
 */
export async function composeOrderMail(
  em: Em,
  { publicUrl, mailLinks }: { publicUrl: string; mailLinks: MailLinks },
  mail: ClaimedMail,
  now: Date,
): Promise<Letter | null> {
  const { userId, subjectId: orderId } = mail;
  const topic = mail.topic as OrderTopic;
  if (userId === null || orderId === null) return null;
  const pilot = await loadPilot(em, orderId, userId);
  if (!pilot || !(isOfOrders(topic) ? pilot.wantsOrders : pilot.wantsChanges)) return null;
  const status = { state: pilot.state ?? 'available', minutes: pilot.minutes, expiresAtMs: pilot.statusExpiresMs };
  const order = await selectOrders(em).where('o.id', '=', orderId).executeTakeFirst();
  if (!order || order.starts_ms <= quietUntil(status, now.getTime())) return null;
  const composed = await composeMessage(em, order, topic, now);
  if (!composed || composed.deadlineMs <= now.getTime()) return null;
  return orderLetter({
    topic,
    order: letterOrder(order),
    sentence: composed.message.body,
    name: pilot.name,
    timeZone: pilot.timeZone,
    url: `${publicUrl}/orders/${orderId}`,
    unsubscribeUrl: mailLinks.unsubscribeUrl({ choice: isOfOrders(topic) ? 'orders' : 'changes', subject: userId }),
  });
}
