/** Missions with packages, flights and seats, as the admins' board shows them. */
import { db, isOneOf } from '#server/schema/database.ts';
import type { Flight, Mission, Package } from '#server/schema/mission.ts';
import type { Em } from '#server/schema/orm.ts';
import { isLiveHold, nameForAdmins } from '#server/schema/predicates.ts';
import { missionStatus } from '#server/planning/rules/mission-status.ts';
import { localDateTime } from '#server/time/time.ts';
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import type { FlightDto, MissionDto } from '#shared/schemas/missions.ts';
import type { Rsvp } from '#shared/vocabulary.ts';

interface SeatRow {
  flightId: string;
  seatIndex: number;
  userId: string;
  userDisplayName: string;
  rsvp: Rsvp;
}

/**
 * The held seats of these missions, in one statement; expired holds do not count.
 * @returns a lookup of a flight's held seats, by seat index
 */
export async function loadSeatRows(
  em: Em,
  missionIds: readonly string[],
  now: Date,
): Promise<(flightId: string) => readonly SeatRow[]> {
  if (missionIds.length === 0) return () => [];
  const seats: SeatRow[] = await db(em)
    .selectFrom('seat as s')
    .innerJoin('frag_order as o', 'o.id', 's.order_id')
    .select(({ selectFrom }) => [
      's.flight_id as flightId',
      's.seat_index as seatIndex',
      's.pilot_id as userId',
      // looked up by pilot: a join for hundreds of seats would read all accounts
      selectFrom('app_user as u')
        .select(nameForAdmins('u').as('name'))
        .whereRef('u.id', '=', 's.pilot_id')
        .$asScalar()
        .$notNull()
        .as('userDisplayName'),
      'o.rsvp',
    ])
    .where(isOneOf('s.mission_id', missionIds))
    .where(isLiveHold('o', now))
    .orderBy('s.seat_index')
    .execute();
  const seatsOf = Map.groupBy(seats, ({ flightId }) => flightId);
  return (flightId) => seatsOf.get(flightId) ?? [];
}

/** The contract names these instants twice, with and without `Utc`. */
function presentTimes({ launchAt, totAt }: { launchAt?: Date | null; totAt?: Date | null }) {
  const launch = launchAt?.toISOString() ?? null;
  const tot = totAt?.toISOString() ?? null;
  return { launchUtc: launch, launch, totUtc: tot, tot };
}

function presentFlight(flight: Flight, seats: readonly SeatRow[]): FlightDto {
  const accepted = seats.filter(({ rsvp }) => rsvp === 'accepted');
  const pending = seats.filter(({ rsvp }) => rsvp === 'pending');
  return {
    id: flight.id,
    callsign: flight.callsign,
    aircraftId: flight.aircraft.id,
    aircraftName: flight.aircraft.name,
    role: flight.role,
    side: flight.side,
    ...presentTimes(flight),
    launchMinutes: flight.launchMinutes ?? null,
    totMinutes: flight.totMinutes ?? null,
    radioFreq: flight.radioFreq ?? null,
    sizeCap: flight.sizeCap,
    notes: flight.notes ?? null,
    sortOrder: flight.sortOrder,
    acceptedCount: accepted.length,
    pendingCount: pending.length,
    openSlots: flight.sizeCap - accepted.length - pending.length,
    assignments: accepted.map(({ flightId, seatIndex, userId, userDisplayName }) => ({
      flightId,
      seatIndex,
      userId,
      userDisplayName,
    })),
  };
}

function presentPackage(missionPackage: Package, seatsOf: (flightId: string) => readonly SeatRow[]) {
  return {
    id: missionPackage.id,
    callsign: missionPackage.callsign,
    objective: missionPackage.objective,
    ownObjective: missionPackage.ownObjective ?? null,
    ...presentTimes(missionPackage),
    notes: missionPackage.notes ?? null,
    sortOrder: missionPackage.sortOrder,
    flights: missionPackage.flights.getItems().map((flight) => presentFlight(flight, seatsOf(flight.id))),
  };
}

/** @param seatsOf held seats of a flight by seat index, without expired ones */
export function presentMission(
  mission: Mission,
  seatsOf: (flightId: string) => readonly SeatRow[],
  timeZone: string,
  now: Date,
): MissionDto {
  const [startMs, endMs] = [mission.startsAt.getTime(), mission.endsAt.getTime()];
  return {
    id: mission.id,
    name: mission.name,
    theater: mission.theater,
    status: missionStatus(mission.status, startMs, endMs, now.getTime()),
    timeZone,
    startLocal: localDateTime(startMs, timeZone),
    endLocal: localDateTime(endMs, timeZone),
    startUtc: mission.startsAt.toISOString(),
    endUtc: mission.endsAt.toISOString(),
    isPractice: mission.isPractice,
    createdByName: mission.createdBy.displayName ?? mission.createdBy.email,
    ...eachField(MISSION_TEXT_KEYS, (key) => mission[key] ?? null),
    links: mission.links ?? [],
    packages: mission.packages.getItems().map((missionPackage) => presentPackage(missionPackage, seatsOf)),
  };
}
