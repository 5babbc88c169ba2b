/** Email about a frag order, in its state when it is sent, if its pilot still wants it. */
import type { OrderRow } from '#server/orders/order-view.ts';
import { composeMessage, findForPilot } from '#server/delivery/push/order-push.ts';
import type { Em } from '#server/schema/orm.ts';
import type { ClaimedMail } from './compose.ts';
import type { MailLinks } from './mail-links.ts';
import type { Letter } from './rules/letter.ts';
import { orderLetter, type LetterOrder, type OrderTopic } from './rules/order-letter.ts';

/** True for what the choice "New frag orders" is about; the other topics are changes. */
export const isOfOrders = (topic: OrderTopic): boolean => topic === 'order' || topic === 'seat';

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
  const found = await findForPilot(em, orderId, userId, now);
  if (!found) return null;
  const { pilot, order } = found;
  if (!(isOfOrders(topic) ? pilot.mailOrders : pilot.mailChanges)) return null;
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
