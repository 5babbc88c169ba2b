/** Email about a frag order, in its state when it is sent, if its pilot still wants it. */
import type { OrderRow } from '#server/orders/order-view.ts';
import { composeMessage, findForPilot } from '#server/delivery/push/order-push.ts';
import type { Em } from '#server/schema/orm.ts';
import { type MailTopic, ORDER_NEWS } from '#server/signals/rules/order-news.ts';
import type { ClaimedMail } from './mail-channel.ts';
import type { MailLinks } from './mail-links.ts';
import type { Letter } from './rules/letter.ts';
import { orderLetter, type LetterOrder } from './rules/order-letter.ts';

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
  const topic = mail.topic as MailTopic;
  if (userId === null || orderId === null) return null;
  const found = await findForPilot(em, orderId, userId, now);
  if (!found) return null;
  const { name, timeZone, wants, order } = found;
  const { choice } = ORDER_NEWS[topic];
  if (!wants.email[choice]) return null;
  const composed = await composeMessage(em, order, topic, now);
  if (!composed || composed.deadlineMs <= now.getTime()) return null;
  return orderLetter({
    topic,
    order: letterOrder(order),
    sentence: composed.message.body,
    name,
    timeZone,
    url: `${publicUrl}/orders/${orderId}`,
    unsubscribeUrl: mailLinks.unsubscribeUrl({ choice, subject: userId }),
  });
}
