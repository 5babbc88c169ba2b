/** Swaps of seats as their pilots see them, and with whom a seat could be swapped. */
import type { RawBuilder } from 'kysely';
import type { Em } from '#server/schema/orm.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { assessPilot } from '#server/seating/rules/eligibility.ts';
import { toIso } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { SeatSwapDto, SwapPartnerDto } from '#shared/schemas/seats.ts';
import type { MissionRole, Side, SwapState } from '#shared/vocabulary.ts';
import { loadCandidates } from '#server/seating/candidates.ts';
import type { LockedMission } from '#server/seats/orders.ts';
import { NAMELESS } from '#server/planning/package-view.ts';
import type { Viewer } from '#server/platform/viewer.ts';

type Place = {
  flightId: string;
  flightCallsign: string;
  seatIndex: number;
  aircraftName: string;
  role: MissionRole;
  side: Side;
};

/** An accepted order with the seat it holds. */
export type SwapSide = Place & { orderId: string; pilotId: string; pilotName: string; aircraftId: number };

export type SwapRow = {
  id: string;
  missionId: string;
  missionName: string;
  theater: string;
  startMs: number;
  endMs: number;
  expiresMs: number;
  state: SwapState;
  orderId: string;
  pilotId: string;
  pilotName: string;
  withOrderId: string;
  withPilotId: string;
  withPilotName: string;
  place: Place;
  withPlace: Place;
};

/**
 * Whether a proposal can still be agreed to: both orders hold the very seats they held when it was made, accepted since
 * before it, the mission is ahead and the time is not over. Nothing has to be written when that ends.
 * Over `w` (seat_swap), `m` (mission), `o` and `q` (the orders of who asks and who is asked).
 */
const stands = (now: Date) => {
  const holds = (order: 'o' | 'q', flight: string, seat: string) => {
    const [alias, flightId, seatIndex] = [sql.ref(order), sql.ref(`w.${flight}`), sql.ref(`w.${seat}`)];
    return sql`(${alias}.status = 'issued' and ${alias}.rsvp = 'accepted' and ${alias}.flight_id = ${flightId}
                and ${alias}.seat_index = ${seatIndex} and coalesce(${alias}.accepted_at, ${alias}.issued_at) <= w.created_at)`;
  };
  return sql`(m.status = 'scheduled' and m.starts_at > ${now} and w.expires_at > ${now}
              and ${holds('o', 'flight_id', 'seat_index')} and ${holds('q', 'with_flight_id', 'with_seat_index')})`;
};

const placeOf = (flight: 'f' | 'g', aircraft: 'a' | 'b', seat: string) =>
  sql`json_build_object('flightId', ${sql.ref(flight)}.id, 'flightCallsign', ${sql.ref(flight)}.callsign,
        'seatIndex', ${sql.ref(seat)}, 'aircraftName', ${sql.ref(aircraft)}.name, 'role', ${sql.ref(flight)}.role,
        'side', ${sql.ref(flight)}.side)`;

/** @param where condition over `w` (seat_swap), `o` and `q` (the orders of who asks and who is asked) @returns newest first */
export async function loadSwaps(em: Em, now: Date, where: RawBuilder<unknown>): Promise<SwapRow[]> {
  return query<SwapRow>(
    em,
    sql`select w.id, m.id as "missionId", m.name as "missionName", m.theater, ${msOf('m.starts_at')} as "startMs",
               ${msOf('m.ends_at')} as "endMs", ${msOf('w.expires_at')} as "expiresMs",
               case when w.state = 'proposed' and not ${stands(now)} then 'lapsed' else w.state end as state,
               o.id as "orderId", o.pilot_id as "pilotId", coalesce(u.display_name, ${NAMELESS}::text) as "pilotName",
               q.id as "withOrderId", q.pilot_id as "withPilotId",
               coalesce(v.display_name, ${NAMELESS}::text) as "withPilotName",
               ${placeOf('f', 'a', 'w.seat_index')} as place, ${placeOf('g', 'b', 'w.with_seat_index')} as "withPlace"
        from seat_swap w join mission m on m.id = w.mission_id
        join frag_order o on o.id = w.order_id join app_user u on u.id = o.pilot_id
        join frag_order q on q.id = w.with_order_id join app_user v on v.id = q.pilot_id
        join flight f on f.id = w.flight_id join aircraft a on a.id = f.aircraft_id
        join flight g on g.id = w.with_flight_id join aircraft b on b.id = g.aircraft_id
        where ${where} order by w.created_at desc, w.id desc limit ${sql.lit(LISTED_MAX.orders)}`,
  );
}

/** Swaps of one's own orders. */
export const ofPilot = (pilotId: string) => sql`(o.pilot_id = ${pilotId} or q.pilot_id = ${pilotId})`;

export function presentSwap(row: SwapRow, viewer: Viewer): SeatSwapDto {
  const isMine = row.pilotId === viewer.id;
  return {
    id: row.id,
    missionId: row.missionId,
    missionName: row.missionName,
    theater: row.theater,
    startUtc: toIso(row.startMs),
    endUtc: toIso(row.endMs),
    state: row.state,
    pilotName: isMine ? row.withPilotName : row.pilotName,
    orderId: isMine ? row.orderId : row.withOrderId,
    isMine,
    from: isMine ? row.place : row.withPlace,
    to: isMine ? row.withPlace : row.place,
    expiresAt: toIso(row.expiresMs),
  };
}

/** What waits for an answer, the viewer's or another pilot's, newest first. */
export async function listSwaps(em: Em, viewer: Viewer, now: Date): Promise<SeatSwapDto[]> {
  const rows = await loadSwaps(em, now, sql`w.state = 'proposed' and ${ofPilot(viewer.id)}`);
  return rows.filter(({ state }) => state === 'proposed').map((row) => presentSwap(row, viewer));
}

/** The accepted seats of a mission, in board order. */
export async function loadSwapSides(em: Em, missionId: string): Promise<SwapSide[]> {
  return query<SwapSide>(
    em,
    sql`select o.id as "orderId", o.pilot_id as "pilotId", coalesce(u.display_name, ${NAMELESS}::text) as "pilotName",
               f.id as "flightId", f.callsign as "flightCallsign", s.seat_index as "seatIndex",
               f.aircraft_id as "aircraftId", a.name as "aircraftName", f.role, f.side
        from seat s join frag_order o on o.id = s.order_id join app_user u on u.id = o.pilot_id
        join flight f on f.id = s.flight_id join package p on p.id = f.package_id join aircraft a on a.id = f.aircraft_id
        where s.mission_id = ${missionId} and o.status = 'issued' and o.rsvp = 'accepted'
        order by p.sort_order, f.sort_order, f.id, s.seat_index`,
  );
}

/**
 * Which of the others could change places with one: each has windows for the other's aircraft all through the mission.
 * Their seats in it are no obstacle, and neither is who wants no disturbance: both fly anyhow.
 */
export async function filterPartners(
  em: Em,
  mission: LockedMission,
  own: SwapSide,
  others: readonly SwapSide[],
  now: Date,
): Promise<SwapSide[]> {
  const pilotIds = [own, ...others].map(({ pilotId }) => pilotId);
  const pilots = await loadCandidates(em, mission, now, pilotIds);
  const assessed = new Map(pilots.map((pilot) => [pilot.id, assessPilot(pilot, mission, now.getTime())]));
  const fits = (pilotId: string, aircraftId: number) => {
    const found = assessed.get(pilotId);
    return found !== undefined && found.pilot.active && found.fitFor(aircraftId) !== null;
  };
  return others.filter(
    (other) =>
      other.pilotId !== own.pilotId && fits(own.pilotId, other.aircraftId) && fits(other.pilotId, own.aircraftId),
  );
}

/**
 * With whom the viewer could swap the seat of an order; nobody when it is not accepted or its mission has begun.
 * Another pilot's order is not found.
 */
export async function listSwapPartners(em: Em, viewer: Viewer, orderId: string, now: Date): Promise<SwapPartnerDto[]> {
  const [mission] = await query<LockedMission>(
    em,
    sql`select m.id, m.name, m.status, ${msOf('m.starts_at')} as "startMs", ${msOf('m.ends_at')} as "endMs"
        from frag_order o join mission m on m.id = o.mission_id
        where o.id = ${orderId} and o.pilot_id = ${viewer.id} and o.status <> 'draft'`,
  );
  if (!mission) throw new AppError(404, copy.orderNotFound);
  if (mission.startMs <= now.getTime()) return [];
  const sides = await loadSwapSides(em, mission.id);
  const own = sides.find((side) => side.orderId === orderId);
  if (!own) return [];
  const partners = await filterPartners(em, mission, own, sides, now);
  return partners.map(({ pilotId: _pilotId, aircraftId: _aircraftId, ...partner }) => partner);
}
