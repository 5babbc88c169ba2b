/** Attendance, as an admin records it once a mission is over. */
import type { z } from 'zod';
import { emit } from '#server/signals/emit.ts';
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { nameForAdmins } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { AppError } from '#server/platform/errors.ts';
import type { attendanceInput } from '#shared/schemas/mission-admin.ts';
import { changeOrders } from '#server/orders/seats/order-writes.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { lockFlown } from './presences.ts';

/**
 * Record the attendance of pilots who held a seat until the end; null removes a mark, and the last mark for an order
 * counts. Pilots whose mark changes get a notice. Unknown mission: 404; 409 before the mission is over, for a cancelled
 * one, and for an order without a seat.
 */
export async function recordAttendance(
  em: Em,
  viewer: Viewer,
  { id, attendance }: z.infer<typeof attendanceInput>,
  now: Date,
): Promise<void> {
  await transact(em, async (tx) => {
    const mission = await lockFlown(tx, id, now);
    const marks = new Map(attendance.map((mark) => [mark.orderId, mark.attendance]));
    const pilots = await db(tx)
      .selectFrom('frag_order as o')
      .innerJoin('seat as s', 's.order_id', 'o.id')
      .innerJoin('app_user as u', 'u.id', 'o.pilot_id')
      .select(['o.id', 'o.pilot_id as pilotId', 'o.attendance', nameForAdmins('u').as('pilot')])
      .where('o.mission_id', '=', id)
      .where('o.status', '=', 'issued')
      .where('o.rsvp', '=', 'accepted')
      .where(isOneOf('o.id', [...marks.keys()]))
      .orderBy('o.seq')
      .execute();
    if (pilots.length < marks.size) throw new AppError('PILOT_HELD_NO_SEAT');
    const told = pilots.filter((order) => order.attendance !== (marks.get(order.id) ?? null));
    const marked = told.map((order) => ({ id: order.id, attendance: marks.get(order.id) ?? null }));
    await changeOrders(tx, mission, 'mark attendance', marked, now);
    emit(tx, {
      type: 'attendance.recorded',
      by: viewer,
      mission,
      marks: pilots.map(({ id: orderId, pilot, pilotId: userId }) => ({
        pilot,
        userId,
        attendance: marks.get(orderId) ?? null,
      })),
      told: told.map(({ id: orderId, pilotId }) => ({ orderId, pilotId })),
    });
  });
}
