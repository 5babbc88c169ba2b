/** Who could be put on a seat of a mission. */
import type { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, isLiveHold, nameForAdmins } from '#server/schema/predicates.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { judgeCandidate } from '#server/seating/rules/one-mission/seat-candidate.ts';
import { compareText, type SeatingSeat } from '#server/seating/rules/eligibility.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { SeatCandidateDto, seatInput } from '#shared/schemas/mission-work.ts';
import { PROFICIENCY_LEVELS, type Rsvp } from '#shared/vocabulary.ts';
import { loadCandidates } from './candidates.ts';
import { seatWords } from '#server/seats/mission-lock.ts';
import type { LockedMission } from '#server/seats/orders.ts';

/**
 * A seat of a mission, with what fits it and what it is called.
 * @throws AppError 404 for a flight that is not the mission's, and for a seat beyond its size
 */
export async function findSeat(
  em: Em,
  { id, flightId, seatIndex }: z.infer<typeof seatInput>,
): Promise<SeatingSeat & { callsign: string }> {
  const [flight] = await query<Omit<SeatingSeat, 'seatIndex'> & { callsign: string }>(
    em,
    sql`select f.id as "flightId", f.callsign, f.size_cap as "flightSize", f.aircraft_id as "aircraftId",
               a.name as "aircraftName", f.role
        from flight f join aircraft a on a.id = f.aircraft_id where f.id = ${flightId} and f.mission_id = ${id}`,
  );
  if (!flight) throw new AppError(404, copy.flightNotFound);
  if (seatIndex >= flight.flightSize) throw new AppError(404, copy.seatUnknown);
  return { ...flight, seatIndex };
}

type PilotRow = { id: string; name: string; rsvp: Rsvp | null; callsign: string | null; seat_index: number | null };

/**
 * Every active pilot: those whom nothing stands in the way of first, then those who can be assigned all the same, each by
 * level and name. Unknown mission, flight or seat: 404.
 */
export async function listSeatCandidates(
  em: Em,
  input: z.infer<typeof seatInput>,
  now: Date,
): Promise<SeatCandidateDto[]> {
  const [mission] = await query<LockedMission>(
    em,
    sql`select id, name, status, ${msOf('starts_at')} as "startMs", ${msOf('ends_at')} as "endMs"
        from mission where id = ${input.id}`,
  );
  if (!mission) throw new AppError(404, copy.missionNotFound);
  const seat = await findSeat(em, input);
  const rows = await query<PilotRow>(
    em,
    sql`select u.id, ${nameForAdmins('u')} as name, o.rsvp, f.callsign, s.seat_index
        from app_user u
        left join frag_order o on o.pilot_id = u.id and o.mission_id = ${mission.id} and o.status = 'issued'
          and o.rsvp <> 'declined' and ${isLiveHold('o', now)}
        left join seat s on s.order_id = o.id
        left join flight f on f.id = s.flight_id
        where ${isActivePilot('u')}`,
  );
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
        holds: row.callsign === null || row.seat_index === null ? null : seatWords(row.callsign, row.seat_index),
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
