/** Candidates for one seat of a mission, for an admin who assigns a pilot. */
import type { z } from 'zod';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, isLiveHold, nameForAdmins } from '#server/schema/predicates.ts';
import { judgeCandidate } from '#server/seating/rules/one-mission/seat-candidate.ts';
import { compareText } from '#server/availability/rules/name-order.ts';
import { type SeatingSeat } from '#server/seating/rules/eligibility.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { SeatCandidateDto, seatInput } from '#shared/schemas/mission-admin.ts';
import { PROFICIENCY_LEVELS } from '#shared/vocabulary.ts';
import { loadCandidates } from './candidates.ts';
import { seatWords } from '#server/seats/rules/order-changes.ts';
import { selectMissions } from '#server/seats/orders.ts';

/**
 * A seat of a mission, with its aircraft, role and flight callsign.
 * @throws AppError 404 for a flight of another mission, and for a seat beyond the flight's size
 */
export async function findSeat(
  em: Em,
  { id, flightId, seatIndex }: z.infer<typeof seatInput>,
): Promise<SeatingSeat & { callsign: string }> {
  const flight = await db(em)
    .selectFrom('flight as f')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .select([
      'f.id as flightId',
      'f.callsign',
      'f.size_cap as flightSize',
      'f.aircraft_id as aircraftId',
      'a.name as aircraftName',
      'f.role',
    ])
    .where('f.id', '=', flightId)
    .where('f.mission_id', '=', id)
    .executeTakeFirst();
  if (!flight) throw new AppError('FLIGHT_NOT_FOUND', copy.flightNotFound);
  if (seatIndex >= flight.flightSize) throw new AppError('SEAT_NOT_FOUND', copy.seatUnknown);
  return { ...flight, seatIndex };
}

/**
 * Every active pilot: eligible ones first, then those who can be assigned nevertheless, then the rest, each by level and
 * name. Unknown mission, flight or seat: 404.
 */
export async function listSeatCandidates(
  em: Em,
  input: z.infer<typeof seatInput>,
  now: Date,
): Promise<SeatCandidateDto[]> {
  const mission = await selectMissions(em).where('m.id', '=', input.id).executeTakeFirst();
  if (!mission) throw new AppError('MISSION_NOT_FOUND', copy.missionNotFound);
  const seat = await findSeat(em, input);
  const rows = await db(em)
    .selectFrom('app_user as u')
    .leftJoin('frag_order as o', (join) =>
      join
        .onRef('o.pilot_id', '=', 'u.id')
        .on('o.mission_id', '=', mission.id)
        .on('o.status', '=', 'issued')
        .on('o.rsvp', '<>', 'declined')
        .on(isLiveHold('o', now)),
    )
    .leftJoin('seat as s', 's.order_id', 'o.id')
    .leftJoin('flight as f', 'f.id', 's.flight_id')
    .select(['u.id', nameForAdmins('u').as('name'), 'o.rsvp', 'f.callsign', 's.seat_index as seatIndex'])
    .where(isActivePilot('u'))
    .execute();
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const candidates = (await loadCandidates(em, mission, now)).flatMap((pilot): SeatCandidateDto[] => {
    const row = rowOf.get(pilot.id);
    if (!row) return [];
    return [
      {
        userId: row.id,
        userDisplayName: row.name,
        ...judgeCandidate(pilot, row.name, seat, mission, now.getTime()),
        rsvp: row.rsvp,
        holds: row.callsign === null || row.seatIndex === null ? null : seatWords(row.callsign, row.seatIndex),
      },
    ];
  });
  return candidates.toSorted(compareCandidates).slice(0, LISTED_MAX.pilots);
}

const rankOf = ({ reason, isAssignable }: SeatCandidateDto) => (reason === null ? 0 : isAssignable ? 1 : 2);

function compareCandidates(a: SeatCandidateDto, b: SeatCandidateDto): number {
  return (
    rankOf(a) - rankOf(b) ||
    PROFICIENCY_LEVELS.indexOf(b.level) - PROFICIENCY_LEVELS.indexOf(a.level) ||
    a.userDisplayName.localeCompare(b.userDisplayName, 'en') ||
    compareText(a.userId, b.userId)
  );
}
