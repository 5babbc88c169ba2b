/** Candidates for one seat of a mission, for an admin who assigns a pilot. */
import type { z } from 'zod';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isLiveHold } from '#server/schema/predicates.ts';
import { judgeCandidate } from '#server/orders/seating/rules/one-mission/seat-candidate.ts';
import { compareText } from '#server/availability/rules/name-order.ts';
import type { EligibilityFacts, SeatingSeat } from '#server/orders/seating/rules/eligibility.ts';
import { AppError } from '#server/platform/errors.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { candidatesInput, SeatCandidateDto, seatInput } from '#shared/schemas/mission-admin.ts';
import { PROFICIENCY_LEVELS, type ProficiencyLevel } from '#shared/vocabulary.ts';
import { visitCandidates } from './candidates.ts';
import { seatWords } from '#server/orders/seats/rules/order-changes.ts';
import { selectMissions } from '#server/orders/seats/orders.ts';

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
  if (!flight) throw new AppError('FLIGHT_NOT_FOUND');
  if (seatIndex >= flight.flightSize) throw new AppError('SEAT_NOT_FOUND');
  return { ...flight, seatIndex };
}

/** The live orders of a mission with their seats, by pilot. */
async function loadHolds(em: Em, missionId: string, now: Date) {
  const rows = await db(em)
    .selectFrom('frag_order as o')
    .leftJoin('seat as s', 's.order_id', 'o.id')
    .leftJoin('flight as f', 'f.id', 's.flight_id')
    .select(['o.pilot_id as pilotId', 'o.rsvp', 'f.callsign', 's.seat_index as seatIndex'])
    .where('o.mission_id', '=', missionId)
    .where('o.status', '=', 'issued')
    .where('o.rsvp', '<>', 'declined')
    .where(isLiveHold('o', now))
    .execute();
  return new Map(rows.map((row) => [row.pilotId, row]));
}

/**
 * Active pilots whose call sign contains the text: eligible ones first, then those who can be assigned nevertheless, then the
 * rest, each by level and name, at most `LISTED_MAX.candidates`. Unknown mission, flight or seat: 404.
 */
export async function listSeatCandidates(
  em: Em,
  input: z.infer<typeof candidatesInput>,
  now: Date,
): Promise<SeatCandidateDto[]> {
  const mission = await selectMissions(em).where('m.id', '=', input.id).executeTakeFirst();
  if (!mission) throw new AppError('MISSION_NOT_FOUND');
  const seat = await findSeat(em, input);
  const holds = await loadHolds(em, mission.id, now);
  const wanted = input.query?.trim().toLowerCase() ?? '';
  const candidates: SeatCandidateDto[] = [];
  let eligible = 0;
  const question = {
    first: holds.keys(),
    ...(wanted !== '' && { isWanted: (name: string) => name.toLowerCase().includes(wanted) }),
    rankOf: (levels: EligibilityFacts['levels']) => -byLevel(levels.get(seat.aircraftId) ?? 'basic') + LEVELS,
  };
  await visitCandidates(em, mission, now, question, (pilot, part) => {
    const hold = holds.get(pilot.id);
    const candidate = {
      userId: pilot.id,
      userDisplayName: pilot.name,
      ...judgeCandidate(pilot, pilot.name, seat, mission, now.getTime()),
      rsvp: hold?.rsvp ?? null,
      holds: hold ? holdsWords(hold) : null,
    };
    candidates.push(candidate);
    if (candidate.reason === null) eligible += 1;
    if (part === 'first') return false;
    return (part === 'present' ? eligible : candidates.length) >= LISTED_MAX.candidates;
  });
  return candidates.toSorted(compareCandidates).slice(0, LISTED_MAX.candidates);
}

const holdsWords = ({ callsign, seatIndex }: { callsign: string | null; seatIndex: number | null }): string | null =>
  callsign === null || seatIndex === null ? null : seatWords(callsign, seatIndex);

const LEVELS = PROFICIENCY_LEVELS.length;
const byLevel = (level: ProficiencyLevel): number => PROFICIENCY_LEVELS.indexOf(level);
const rankOf = ({ reason, isAssignable }: SeatCandidateDto) => (reason === null ? 0 : isAssignable ? 1 : 2);

function compareCandidates(a: SeatCandidateDto, b: SeatCandidateDto): number {
  return (
    rankOf(a) - rankOf(b) ||
    byLevel(b.level) - byLevel(a.level) ||
    a.userDisplayName.localeCompare(b.userDisplayName, 'en') ||
    compareText(a.userId, b.userId)
  );
}
