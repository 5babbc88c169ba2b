/** Frag orders as pilots see them: one joined statement, since every open home page asks for it every 30 s. */
import type { RawBuilder } from 'kysely';
import type { Em } from '#server/schema/orm.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { isExpired, orderTitle } from '#server/seats/rules/orders.ts';
import { toIso } from '#server/time/time.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import { fragLabel } from '#shared/labels.ts';
import type { AcceptedMissionDto, FragOrderDto, OrderChange } from '#shared/schemas/pilot.ts';
import type {
  Attendance,
  MissionRole,
  OrderStatus,
  OrderStatusReason,
  ProficiencyLevel,
  Rsvp,
  Side,
} from '#shared/vocabulary.ts';
import { loadPackages } from '#server/planning/package-view.ts';
import type { Viewer } from '#server/platform/viewer.ts';

export interface OrderRow {
  id: string;
  seq: number;
  status: OrderStatus;
  status_reason: OrderStatusReason | null;
  rsvp: Rsvp;
  mission_id: string;
  mission_name: string;
  theater: string;
  starts_ms: number;
  ends_ms: number;
  flight_callsign: string;
  package_id: string;
  aircraft_id: number;
  aircraft_name: string;
  seat_index: number;
  role: MissionRole;
  side: Side;
  launch_ms: number | null;
  tot_ms: number | null;
  radio_freq: string | null;
  flight_notes: string | null;
  reasons: string[];
  issued_ms: number;
  expires_ms: number;
  confirmed_ms: number | null;
  standby_position: number | null;
  changes: OrderChange[] | null;
  changed_ms: number | null;
  attendance: Attendance | null;
}

/** Orders with all they show. @param where condition over `o` (frag_order), `m` (mission) and `f` (flight) */
export async function loadOrders(em: Em, where: RawBuilder<unknown>): Promise<OrderRow[]> {
  return query<OrderRow>(
    em,
    sql`select o.id, o.seq, o.status, o.status_reason, o.rsvp, o.mission_id, m.name as mission_name, m.theater,
          ${msOf('m.starts_at')} as starts_ms, ${msOf('m.ends_at')} as ends_ms,
          f.callsign as flight_callsign, f.package_id, f.aircraft_id, a.name as aircraft_name, o.seat_index, f.role, f.side,
          ${msOf('f.launch_at')} as launch_ms, ${msOf('f.tot_at')} as tot_ms, f.radio_freq, f.notes as flight_notes,
          o.reasons, o.changes, o.attendance, ${msOf('o.changed_at')} as changed_ms, ${msOf('o.issued_at')} as issued_ms, ${msOf('o.expires_at')} as expires_ms,
          ${msOf('o.confirmed_at')} as confirmed_ms,
          case when o.status = 'issued' and o.rsvp = 'standby' then (
            select count(*)::int from frag_order q
            where q.mission_id = o.mission_id and q.status = 'issued' and q.rsvp = 'standby'
              and (q.answered_at, q.seq) <= (o.answered_at, o.seq)) end as standby_position
        from frag_order o
        join mission m on m.id = o.mission_id
        join flight f on f.id = o.flight_id
        join aircraft a on a.id = f.aircraft_id
        where ${where}
        order by greatest(o.issued_at, o.changed_at) desc, o.seq desc limit ${sql.lit(LISTED_MAX.orders)}`,
  );
}

const isoOrNull = (ms: number | null) => (ms === null ? null : toIso(ms));

/** An order whose time is over reads as expired, whether or not a job has come by. */
export function presentOrder(row: OrderRow, now: Date): FragOrderDto {
  const expired = isExpired({ status: row.status, rsvp: row.rsvp, expiresAtMs: row.expires_ms }, now.getTime());
  return {
    id: row.id,
    seq: row.seq,
    label: fragLabel(row.seq),
    status: expired ? 'cancelled' : row.status,
    statusReason: expired ? 'expired' : row.status_reason,
    rsvp: row.rsvp,
    missionId: row.mission_id,
    missionName: row.mission_name,
    theater: row.theater,
    startUtc: toIso(row.starts_ms),
    endUtc: toIso(row.ends_ms),
    flightCallsign: row.flight_callsign,
    aircraftName: row.aircraft_name,
    seatIndex: row.seat_index,
    role: row.role,
    side: row.side,
    launchUtc: isoOrNull(row.launch_ms),
    title: orderTitle(row.role, row.aircraft_name, row.seat_index),
    reasons: row.reasons,
    issuedAt: toIso(row.issued_ms),
    expiresAt: toIso(row.expires_ms),
    confirmedAt: isoOrNull(row.confirmed_ms),
    standbyPosition: row.standby_position,
    changes: row.changes ?? [],
    changedAt: isoOrNull(row.changed_ms),
  };
}

/**
 * Orders of one pilot with all that is needed to fly them: real radio, the whole package, the pilot's level.
 * @param rows of `viewer` only, in any order, which is kept
 */
export async function presentMissions(
  em: Em,
  viewer: Viewer,
  rows: readonly OrderRow[],
  now: Date,
): Promise<AcceptedMissionDto[]> {
  if (rows.length === 0) return [];
  const packageOf = await loadPackages(
    em,
    rows.map((row) => row.package_id),
  );
  const levels = await query<{ aircraft_id: number; level: ProficiencyLevel }>(
    em,
    sql`select aircraft_id, level from proficiency where user_id = ${viewer.id}`,
  );
  const levelOf = new Map(levels.map(({ aircraft_id, level }) => [aircraft_id, level]));
  return rows.map((row) => ({
    ...presentOrder(row, now),
    totUtc: isoOrNull(row.tot_ms),
    radioFreq: row.radio_freq,
    level: levelOf.get(row.aircraft_id) ?? 'basic',
    notes: row.flight_notes,
    package: packageOf(row.package_id),
  }));
}
