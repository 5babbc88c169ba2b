/** A reminder as the channels send it: only while its pilot still holds the seat, for the same start. */
import { findLeaveTime } from '#server/orders/leave-orders.ts';
import { selectOrders, type OrderRow } from '#server/orders/order-view.ts';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { overlaps } from '#server/time/intervals.ts';
import { isConfirmationAsked } from '#shared/reminders.ts';

/** A reminder with its order and the choices of its pilot. */
export interface LoadedReminder {
  id: string;
  pilotId: string;
  order: OrderRow;
  /** asks "Still flying?" and has no answer yet */
  asks: boolean;
  /** the pilot still holds the seat, and the mission has neither moved nor started */
  isCurrent: boolean;
  /** the mission starts at another time by now */
  hasMoved: boolean;
  wants: { discord: boolean; push: boolean; email: boolean };
  name: string | null;
  timeZone: string;
}

/** @returns null for an unknown reminder */
export async function loadReminder(em: Em, id: string, now: Date): Promise<LoadedReminder | null> {
  const row = await db(em)
    .selectFrom('reminder as r')
    .innerJoin('app_user as u', 'u.id', 'r.pilot_id')
    .select(({ ref }) => [
      'r.order_id as orderId',
      'r.pilot_id as pilotId',
      'r.asks',
      ms(ref('r.starts_at')).as('startMs'),
      isActivePilot('u').as('isActive'),
      'u.remind_by_discord as discord',
      'u.remind_by_push as push',
      'u.remind_by_email as email',
      'u.display_name as name',
      'u.time_zone as timeZone',
    ])
    .where('r.id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  const order = await selectOrders(em).where('o.id', '=', row.orderId).executeTakeFirst();
  if (!order) return null;
  const leave = await findLeaveTime(em, row.pilotId);
  const isAway = leave !== null && overlaps(leave, { startMs: order.starts_ms, endMs: order.ends_ms });
  const { pilotId, asks, startMs, isActive, discord, push, email, name, timeZone } = row;
  return {
    id,
    pilotId,
    order,
    asks:
      asks &&
      isConfirmationAsked(
        {
          status: order.status,
          rsvp: order.rsvp,
          startMs: order.starts_ms,
          acceptedMs: order.accepted_ms,
          confirmedMs: order.confirmed_ms,
        },
        now.getTime(),
      ),
    isCurrent:
      isActive &&
      !isAway &&
      order.status === 'issued' &&
      order.rsvp === 'accepted' &&
      order.starts_ms === startMs &&
      now.getTime() < startMs,
    hasMoved: order.starts_ms !== startMs,
    wants: { discord, push, email },
    name,
    timeZone,
  };
}
