/**
 * Bulk updates of a mission's orders, with different values for each. Raw: the values are joined as records of one JSON
 * parameter, and the query builder has no column definition list.
 */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { nextChangeAt } from '#server/seats/mission-lock.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import type { Attendance } from '#shared/vocabulary.ts';

/** Store attendance marks by order id; an order whose mark changes shows its notice again. */
export async function storeAttendance(tx: Em, marks: ReadonlyMap<string, Attendance | null>): Promise<void> {
  const rows = [...marks].map(([orderId, attendance]) => ({ orderId, attendance }));
  await query(
    tx,
    sql`update frag_order o set attendance = m.attendance,
          notice_closed_at = case when o.attendance is distinct from m.attendance then null else o.notice_closed_at end
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m ("orderId" uuid, attendance text)
        where o.id = m."orderId"`,
  );
}

/** The changes that an edit of the mission makes to one order. */
export interface ChangedOrder {
  orderId: string;
  changes: readonly OrderChange[];
  /** the pilot has to answer (again) */
  asks: boolean;
}

/** Store the changes of an edit. Orders with `asks` become pending and unread. @param expiresAt their new expiry */
export async function storeOrderChanges(
  tx: Em,
  changed: readonly ChangedOrder[],
  { expiresAt, now }: { expiresAt: Date; now: Date },
): Promise<void> {
  await query(
    tx,
    sql`update frag_order o set changes = w.changes, changed_at = ${nextChangeAt(now)},
          rsvp = case when w.asks then 'pending' else o.rsvp end,
          is_open_offer = o.is_open_offer and o.rsvp = 'pending',
          confirmed_at = case when w.asks then null else o.confirmed_at end,
          answered_at = case when w.asks then null else o.answered_at end,
          read_at = case when w.asks then null else o.read_at end,
          expires_at = case when w.asks then ${expiresAt} else o.expires_at end
        from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as w ("orderId" uuid, asks boolean, changes jsonb)
        where o.id = w."orderId"`,
  );
}
