/** All orders of a mission, as admins read them. */
import type { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import { nameForAdmins } from '#server/schema/predicates.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { isExpired } from '#server/seats/rules/orders.ts';
import { toIso } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import { fragLabel } from '#shared/labels.ts';
import type { missionOrders } from '#shared/schemas/mission-work.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import type { Attendance, OrderStatus, OrderStatusReason, Rsvp } from '#shared/vocabulary.ts';

type Row = {
  id: string;
  seq: number;
  userId: string;
  userDisplayName: string;
  flightId: string;
  flightCallsign: string;
  aircraftName: string;
  seatIndex: number;
  status: OrderStatus;
  statusReason: OrderStatusReason | null;
  rsvp: Rsvp;
  isOpenOffer: boolean;
  holdsSeat: boolean;
  isLate: boolean;
  standbyPosition: number | null;
  issuedMs: number;
  expiresMs: number;
  answeredMs: number | null;
  confirmedMs: number | null;
  reasons: string[];
  changes: OrderChange[] | null;
  attendance: Attendance | null;
};

const isoOrNull = (ms: number | null) => (ms === null ? null : toIso(ms));

/** Newest first; an order whose time is over reads as expired, whether or not a job has come by. Unknown id: 404. */
export async function listMissionOrders(em: Em, missionId: string, now: Date): Promise<z.infer<typeof missionOrders>> {
  const [mission] = await query(em, sql`select 1 from mission where id = ${missionId}`);
  if (!mission) throw new AppError(404, copy.missionNotFound);
  const rows = await query<Row>(
    em,
    sql`select o.id, o.seq, o.pilot_id as "userId", ${nameForAdmins('u')} as "userDisplayName",
               o.flight_id as "flightId", f.callsign as "flightCallsign", a.name as "aircraftName",
               o.seat_index as "seatIndex", o.status, o.status_reason as "statusReason", o.rsvp,
               o.is_open_offer as "isOpenOffer", s.order_id is not null as "holdsSeat", o.is_late as "isLate",
               case when o.status = 'issued' and o.rsvp = 'standby' then
                 (rank() over (partition by o.status, o.rsvp order by o.answered_at, o.seq))::int
               end as "standbyPosition",
               ${msOf('o.issued_at')} as "issuedMs", ${msOf('o.expires_at')} as "expiresMs",
               ${msOf('o.answered_at')} as "answeredMs", ${msOf('o.confirmed_at')} as "confirmedMs",
               o.reasons, o.changes, o.attendance
        from frag_order o
        join app_user u on u.id = o.pilot_id
        join flight f on f.id = o.flight_id
        join aircraft a on a.id = f.aircraft_id
        left join seat s on s.order_id = o.id
        where o.mission_id = ${missionId} and o.status <> 'draft'
        order by o.issued_at desc, o.seq desc limit ${sql.lit(LISTED_MAX.pilots)}`,
  );
  return rows.map(({ seq, issuedMs, expiresMs, answeredMs, confirmedMs, ...row }) => {
    const expired = isExpired({ ...row, expiresAtMs: expiresMs }, now.getTime());
    return {
      ...row,
      seq,
      label: fragLabel(seq),
      ...(expired ? { status: 'cancelled' as const, statusReason: 'expired' as const, holdsSeat: false } : {}),
      issuedAt: toIso(issuedMs),
      expiresAt: toIso(expiresMs),
      answeredAt: isoOrNull(answeredMs),
      confirmedAt: isoOrNull(confirmedMs),
      changes: row.changes ?? [],
    };
  });
}
