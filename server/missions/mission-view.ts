/** Missions with packages, flights and seats, as the admins' board shows them. */
import { isOneOf, ms } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Mission } from '#server/schema/mission.ts';
import type { Em } from '#server/schema/orm.ts';
import { isLiveHold, nameForAdmins } from '#server/schema/predicates.ts';
import { missionStatus } from '#server/planning/rules/mission-status.ts';
import type { Interval } from '#server/time/intervals.ts';
import { localDateTime, toIso } from '#server/time/time.ts';
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import { LISTED_MAX } from '#shared/limits.ts';
import type { FlightDto, MissionDto } from '#shared/schemas/missions.ts';

/** Missions of any status that start in a range, by start; one more than a list shows, with the number of all. */
const listMissions = named('admin_missions', (source, { from, until }: { from: Date; until: Date }) =>
  source
    .selectFrom('mission as m')
    .select(({ ref, fn, selectFrom }) => [
      'm.id',
      'm.name',
      'm.theater',
      'm.status',
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.ends_at')).as('endMs'),
      'm.is_practice as isPractice',
      selectFrom('app_user as u')
        .select(nameForAdmins('u').as('name'))
        .whereRef('u.id', '=', 'm.created_by_id')
        .$asScalar()
        .$notNull()
        .as('createdByName'),
      ...MISSION_TEXT_KEYS.map((key) => `m.${key}` as const),
      'm.links',
      fn.countAll<string>().over().as('total'),
    ])
    .where('m.starts_at', '>=', from)
    .where('m.starts_at', '<', until)
    .orderBy('m.starts_at')
    .orderBy('m.created_at')
    .orderBy('m.id')
    .limit(LISTED_MAX.missions + 1),
);

type OfMissions = { ids: readonly string[] };

const listPackages = named('admin_packages', (source, { ids }: OfMissions) =>
  source
    .selectFrom('package as p')
    .select(({ ref }) => [
      'p.id',
      'p.mission_id as missionId',
      'p.callsign',
      'p.objective',
      'p.own_objective as ownObjective',
      ms(ref('p.launch_at')).as('launchMs'),
      ms(ref('p.tot_at')).as('totMs'),
      'p.notes',
      'p.sort_order as sortOrder',
    ])
    .where(isOneOf('p.mission_id', ids))
    .orderBy('p.sort_order'),
);

const listFlights = named('admin_flights', (source, { ids }: OfMissions) =>
  source
    .selectFrom('flight as f')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .select(({ ref }) => [
      'f.id',
      'f.package_id as packageId',
      'f.callsign',
      'f.aircraft_id as aircraftId',
      'a.name as aircraftName',
      'f.role',
      'f.side',
      ms(ref('f.launch_at')).as('launchMs'),
      ms(ref('f.tot_at')).as('totMs'),
      'f.launch_minutes as launchMinutes',
      'f.tot_minutes as totMinutes',
      'f.radio_freq as radioFreq',
      'f.size_cap as sizeCap',
      'f.notes',
      'f.sort_order as sortOrder',
    ])
    .where(isOneOf('f.mission_id', ids))
    .orderBy('f.sort_order'),
);

/** The held seats of these missions by seat index; expired holds do not count. */
const listSeats = named('admin_seats', (source, { ids, now }: OfMissions & { now: Date }) =>
  source
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
    .where(isOneOf('s.mission_id', ids))
    .where(isLiveHold('o', now))
    .orderBy('s.seat_index'),
);

type Row<Statement extends (...values: never[]) => Promise<unknown[]>> = Awaited<ReturnType<Statement>>[number];
type SeatRow = Row<typeof listSeats>;
type FlightFacts = Omit<Row<typeof listFlights>, 'packageId'>;
type PackageFacts = Omit<Row<typeof listPackages>, 'missionId'> & { flights: readonly FlightFacts[] };
type MissionFacts = Omit<Row<typeof listMissions>, 'total'> & { packages: readonly PackageFacts[] };

const epoch = (instant: Date | null | undefined): number | null => instant?.getTime() ?? null;
const isoOrNull = (instant: number | null) => (instant === null ? null : toIso(instant));

/** The contract names these instants twice, with and without `Utc`. */
function presentTimes({ launchMs, totMs }: { launchMs: number | null; totMs: number | null }) {
  const [launch, tot] = [isoOrNull(launchMs), isoOrNull(totMs)];
  return { launchUtc: launch, launch, totUtc: tot, tot };
}

function presentFlight({ launchMs, totMs, ...flight }: FlightFacts, seats: readonly SeatRow[]): FlightDto {
  const accepted = seats.filter(({ rsvp }) => rsvp === 'accepted');
  const pending = seats.filter(({ rsvp }) => rsvp === 'pending');
  return {
    ...flight,
    ...presentTimes({ launchMs, totMs }),
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

type SeatsOf = (flightId: string) => readonly SeatRow[];

const presentPackage = ({ launchMs, totMs, flights, ...facts }: PackageFacts, seatsOf: SeatsOf) => ({
  ...facts,
  ...presentTimes({ launchMs, totMs }),
  flights: flights.map((flight) => presentFlight(flight, seatsOf(flight.id))),
});

function present(facts: MissionFacts, seatsOf: SeatsOf, timeZone: string, now: Date): MissionDto {
  const { startMs, endMs, packages, links, ...mission } = facts;
  return {
    ...mission,
    status: missionStatus(mission.status, startMs, endMs, now.getTime()),
    timeZone,
    startLocal: localDateTime(startMs, timeZone),
    endLocal: localDateTime(endMs, timeZone),
    startUtc: toIso(startMs),
    endUtc: toIso(endMs),
    links: links ?? [],
    packages: packages.map((one) => presentPackage(one, seatsOf)),
  };
}

async function loadSeats(em: Em, ids: readonly string[], now: Date): Promise<SeatsOf> {
  const seatsOf = Map.groupBy(await listSeats(em, { ids, now }), ({ flightId }) => flightId);
  return (flightId) => seatsOf.get(flightId) ?? [];
}

/**
 * Missions of any status that start in the range, by start: at most one more than a list shows. Statements and no entities,
 * because entities of a day's missions take ten milliseconds to make.
 * @returns with the number of all missions in the range
 */
export async function loadMissions(
  em: Em,
  { startMs, endMs }: Interval,
  timeZone: string,
  now: Date,
): Promise<{ missions: MissionDto[]; total: number }> {
  const rows = await listMissions(em, { from: new Date(startMs), until: new Date(endMs) });
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return { missions: [], total: 0 };
  const packagesOf = Map.groupBy(await listPackages(em, { ids }), ({ missionId }) => missionId);
  const flightsOf = Map.groupBy(await listFlights(em, { ids }), ({ packageId }) => packageId);
  const seatsOf = await loadSeats(em, ids, now);
  const missions = rows.map(({ total: _total, ...mission }) => {
    const packages = (packagesOf.get(mission.id) ?? []).map(({ missionId: _missionId, ...one }) => ({
      ...one,
      flights: (flightsOf.get(one.id) ?? []).map(({ packageId: _packageId, ...flight }) => flight),
    }));
    return present({ ...mission, packages }, seatsOf, timeZone, now);
  });
  return { missions, total: Number(rows[0]?.total ?? 0) };
}

/** A mission that is loaded with its creator, packages, flights and their aircraft. */
export async function presentMission(em: Em, mission: Mission, timeZone: string, now: Date): Promise<MissionDto> {
  const seatsOf = await loadSeats(em, [mission.id], now);
  const { id, name, theater, status, isPractice, createdBy } = mission;
  const facts: MissionFacts = {
    id,
    name,
    theater,
    status,
    isPractice,
    startMs: mission.startsAt.getTime(),
    endMs: mission.endsAt.getTime(),
    createdByName: createdBy.displayName ?? createdBy.email,
    ...eachField(MISSION_TEXT_KEYS, (key) => mission[key] ?? null),
    links: mission.links ?? [],
    packages: mission.packages.getItems().map((one) => ({
      id: one.id,
      callsign: one.callsign,
      objective: one.objective,
      ownObjective: one.ownObjective ?? null,
      launchMs: epoch(one.launchAt),
      totMs: epoch(one.totAt),
      notes: one.notes ?? null,
      sortOrder: one.sortOrder,
      flights: one.flights.getItems().map((flight) => ({
        id: flight.id,
        callsign: flight.callsign,
        aircraftId: flight.aircraft.id,
        aircraftName: flight.aircraft.name,
        role: flight.role,
        side: flight.side,
        launchMs: epoch(flight.launchAt),
        totMs: epoch(flight.totAt),
        launchMinutes: flight.launchMinutes ?? null,
        totMinutes: flight.totMinutes ?? null,
        radioFreq: flight.radioFreq ?? null,
        sizeCap: flight.sizeCap,
        notes: flight.notes ?? null,
        sortOrder: flight.sortOrder,
      })),
    })),
  };
  return present(facts, seatsOf, timeZone, now);
}
