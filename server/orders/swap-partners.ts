/** With whom a pilot could swap a seat. */
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { publicName } from '#server/schema/predicates.ts';
import { assessPilot } from '#server/orders/seating/rules/eligibility.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SwapPartnerDto } from '#shared/schemas/seats.ts';
import { loadCandidates } from '#server/orders/seating/candidates.ts';
import { selectMissions, type MissionRow } from '#server/orders/seats/orders.ts';
import { NAMELESS } from '#shared/labels.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/** The accepted seats of a mission with the orders that hold them, in board order. */
export async function loadSwapSides(em: Em, missionId: string) {
  return db(em)
    .selectFrom('seat as s')
    .innerJoin('frag_order as o', 'o.id', 's.order_id')
    .innerJoin('app_user as u', 'u.id', 'o.pilot_id')
    .innerJoin('flight as f', 'f.id', 's.flight_id')
    .innerJoin('package as p', 'p.id', 'f.package_id')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .select([
      'o.id as orderId',
      'o.pilot_id as pilotId',
      publicName('u', NAMELESS).as('pilotName'),
      'f.id as flightId',
      'f.callsign as flightCallsign',
      's.seat_index as seatIndex',
      'f.aircraft_id as aircraftId',
      'a.name as aircraftName',
      'f.role',
      'f.side',
    ])
    .where('s.mission_id', '=', missionId)
    .where('o.status', '=', 'issued')
    .where('o.rsvp', '=', 'accepted')
    .orderBy('p.sort_order')
    .orderBy('f.sort_order')
    .orderBy('f.id')
    .orderBy('s.seat_index')
    .execute();
}

type SwapSide = Awaited<ReturnType<typeof loadSwapSides>>[number];

/**
 * The pilots who could swap with this one: both fly for one side, and are available in the other's aircraft for the whole
 * mission. Their seats in it and Do Not Disturb do not matter, since both fly anyway.
 * @returns `isListed`: the pilot lists the other's aircraft
 */
export async function filterPartners(
  em: Em,
  mission: MissionRow,
  own: SwapSide,
  others: readonly SwapSide[],
  now: Date,
): Promise<(SwapSide & { isListed: boolean })[]> {
  const pilotIds = [own, ...others].map(({ pilotId }) => pilotId);
  const pilots = await loadCandidates(em, mission, now, pilotIds);
  const assessed = new Map(pilots.map((pilot) => [pilot.id, assessPilot(pilot, mission, now.getTime())]));
  const fits = (pilotId: string, aircraftId: number) => {
    const found = assessed.get(pilotId);
    return found !== undefined && found.pilot.active && found.fitFor(aircraftId) !== null;
  };
  const list = assessed.get(own.pilotId)?.pilot.levels;
  return others
    .filter(
      (other) =>
        other.pilotId !== own.pilotId &&
        other.side === own.side &&
        fits(own.pilotId, other.aircraftId) &&
        fits(other.pilotId, own.aircraftId),
    )
    .map((other) => ({ ...other, isListed: list?.has(other.aircraftId) ?? false }));
}

/**
 * Pilots with whom the viewer could swap the seat of an order; [] if it is not accepted or its mission has begun.
 * Another pilot's order: 404.
 */
export async function listSwapPartners(em: Em, viewer: Viewer, orderId: string, now: Date): Promise<SwapPartnerDto[]> {
  const mission = await selectMissions(em)
    .innerJoin('frag_order as o', 'o.mission_id', 'm.id')
    .where('o.id', '=', orderId)
    .where('o.pilot_id', '=', viewer.id)
    .where('o.status', '<>', 'draft')
    .executeTakeFirst();
  if (!mission) throw new AppError('ORDER_NOT_FOUND');
  if (mission.startMs <= now.getTime()) return [];
  const sides = await loadSwapSides(em, mission.id);
  const own = sides.find((side) => side.orderId === orderId);
  if (!own) return [];
  const partners = await filterPartners(em, mission, own, sides, now);
  return partners.map(({ pilotId: _pilotId, aircraftId: _aircraftId, ...partner }) => partner);
}
