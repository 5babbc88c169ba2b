/** Upcoming missions for a pilot: those with an open seat to take, and the others with the reason why there is none. */
import type { InferResult, Kysely } from 'kysely';
import { countRows, db, ms, type Database } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { isLiveHold } from '#server/schema/predicates.ts';
import { isInQueue } from '#server/orders/seats/standby-queue.ts';
import { assessPilot, isLeadSeat, type EligibilityFacts } from '#server/orders/seating/rules/eligibility.ts';
import { firstOverlap, overlaps } from '#server/time/intervals.ts';
import { DAY_MS, toIso } from '#server/time/time.ts';
import {
  findIneligibility,
  findNearMiss,
  TO_PILOT,
  ineligibilitySentence,
} from '#server/orders/seating/rules/ineligibility.ts';
import { findRemedy, type Remedy } from './rules/fly-anyway.ts';
import { LISTED_MAX, OPENINGS_DAYS } from '#shared/limits.ts';
import type { FlyAnywayDto, OpeningsDto, RemedyDto } from '#shared/schemas/seats.ts';
import { selectHeldSeatsFrom } from '#server/orders/seats/held-seats.ts';
import { loadFacts, throughLeave } from './candidates.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/**
 * The flights of scheduled missions that start soon, in board order, limited to the next missions; or of one mission. Each
 * with its held seats, without expired holds, and the number of other pilots on standby for the mission.
 */
const selectFlights = (
  source: Kysely<Database>,
  { viewerId, now }: { viewerId: string; now: Date },
  which: { until: Date } | { missionId: string },
) =>
  source
    .selectFrom((from) =>
      from
        .selectFrom('mission')
        .select(['id', 'name', 'theater', 'starts_at', 'ends_at'])
        // here, once for a mission instead of for each of its flights
        .select(({ selectFrom, exists }) => [
          selectFrom('frag_order as o')
            .select(countRows().as('waiting'))
            .whereRef('o.mission_id', '=', 'mission.id')
            .where(isInQueue('o'))
            .where('o.pilot_id', '<>', viewerId)
            .$asScalar()
            .$notNull()
            .as('waiting'),
          exists(
            selectFrom('frag_order as mine')
              .whereRef('mine.mission_id', '=', 'mission.id')
              .where('mine.pilot_id', '=', viewerId)
              .where('mine.status', '=', 'issued')
              .where('mine.rsvp', '=', 'standby'),
          )
            .$castTo<boolean>()
            .as('isOnStandby'),
        ])
        .where('status', '=', 'scheduled')
        .where('starts_at', '>', now)
        .where(({ eb }) => ('until' in which ? eb('starts_at', '<', which.until) : eb('id', '=', which.missionId)))
        .where(({ eb, or }) => or([eb('is_practice', '=', false), eb('created_by_id', '=', viewerId)]))
        .orderBy('starts_at')
        .orderBy('id')
        .limit(LISTED_MAX.missions)
        .as('m'),
    )
    .innerJoin('flight as f', 'f.mission_id', 'm.id')
    .innerJoin('package as p', 'p.id', 'f.package_id')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .select(({ ref, fn, selectFrom }) => [
      'm.id',
      'm.name',
      'm.theater',
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.ends_at')).as('endMs'),
      'f.id as flightId',
      'f.callsign',
      'f.aircraft_id as aircraftId',
      'a.name as aircraftName',
      'f.role',
      'f.side',
      'f.size_cap as sizeCap',
      ms(ref('f.launch_at')).as('launchMs'),
      fn<number[]>('array', [
        selectFrom('seat as s')
          .innerJoin('frag_order as o', 'o.id', 's.order_id')
          .select('s.seat_index')
          .whereRef('s.flight_id', '=', 'f.id')
          .where(isLiveHold('o', now)),
      ]).as('held'),
      'm.waiting',
      'm.isOnStandby',
    ])
    .orderBy('m.starts_at')
    .orderBy('m.id')
    .orderBy('p.sort_order')
    .orderBy('f.sort_order')
    .orderBy('f.id');

type Asked = { viewerId: string; now: Date; until: Date };
const listFlights = named('openings', (source, { viewerId, now, until }: Asked) =>
  selectFlights(source, { viewerId, now }, { until }),
);

type FlightRow = InferResult<ReturnType<typeof selectFlights>>[number];

/** The seats that a pilot holds in missions that have not ended. */
const listOwnSeats = named('own_seats', (source, { viewerId, now }: { viewerId: string; now: Date }) =>
  selectHeldSeatsFrom(source, now)
    .innerJoin('mission as m', 'm.id', 's.mission_id')
    .select(['m.id as missionId', 'm.name', 'o.rsvp'])
    .where('s.pilot_id', '=', viewerId)
    .where('s.ends_at', '>', now),
);

type OwnSeat = Awaited<ReturnType<typeof listOwnSeats>>[number];

const presentMission = ({ id, name, theater, startMs, endMs }: FlightRow) => ({
  missionId: id,
  missionName: name,
  theater,
  startUtc: toIso(startMs),
  endUtc: toIso(endMs),
});

/** The flight's free seats, for a pilot who fits them. */
function listFree(flight: FlightRow, { levels }: EligibilityFacts): OpeningsDto['open'][number]['seats'] {
  const { flightId, callsign, aircraftId, aircraftName, role, side, sizeCap, launchMs, held } = flight;
  return Array.from({ length: sizeCap }, (_, seatIndex) => seatIndex)
    .filter((seatIndex) => !held.includes(seatIndex))
    .map((seatIndex) => ({
      flightId,
      flightCallsign: callsign,
      seatIndex,
      aircraftName,
      role,
      side,
      launchUtc: launchMs === null ? null : toIso(launchMs),
      isLead: isLeadSeat({ flightId, seatIndex, aircraftId, aircraftName, role, flightSize: sizeCap }),
      isListed: levels.has(aircraftId),
    }));
}

function sortMission(
  mission: FlightRow,
  flights: readonly FlightRow[],
  pilot: EligibilityFacts,
  /** as the pilot would be after the end of the leave */
  withoutLeave: EligibilityFacts,
  own: readonly OwnSeat[],
  nowMs: number,
): OpeningsDto {
  const committedTo = own.filter(isFixed);
  const withdraws = own.filter((seat) => !isFixed(seat) && overlaps(seat, mission)).map(({ name }) => name);
  const { reason, fitFor } = assessPilot(pilot, mission, nowMs);
  const fitting = reason === null ? flights.filter(({ aircraftId }) => fitFor(aircraftId) !== null) : [];
  const seats = fitting.flatMap((flight) => listFree(flight, pilot));
  if (seats.length > 0) return { open: [{ ...presentMission(mission), withdraws, seats }], closed: [] };
  const question = { pilot, mission, committedTo, waiting: mission.waiting, nowMs };
  const ineligibility = findIneligibility({ ...question, flights });
  const sentence = ineligibilitySentence(ineligibility, TO_PILOT);
  const nearMiss = presentNearMiss(flights, question);
  const mayStandBy = ineligibility.reason === 'OUTRANKED' ? ('open' as const) : null;
  const standby = mission.isOnStandby ? ('joined' as const) : mayStandBy;
  const other = ineligibility.reason === 'COMMITTED' ? firstOverlap(committedTo, mission) : undefined;
  return {
    open: [],
    closed: [
      {
        ...presentMission(mission),
        reason: ineligibility.reason,
        sentence,
        withdraws,
        committedTo: other ? { missionId: other.missionId, missionName: other.name } : null,
        flyAnyway: mission.isOnStandby ? null : presentFlyAnyway(mission, flights, withoutLeave, nowMs),
        nearMiss,
        standby,
      },
    ],
  };
}

/** True for a seat that the pilot has accepted; a pending offer is given up for a seat that the pilot takes. */
const isFixed = ({ rsvp }: OwnSeat): boolean => rsvp !== 'pending';

/** Answers about flights that depend on their aircraft only, by aircraft: a mission has many flights of a few. */
function perAircraft<Answer>(flights: readonly FlightRow[], ask: (flight: FlightRow) => Answer): Map<number, Answer> {
  const asked = new Map(flights.map((flight) => [flight.aircraftId, flight]));
  return new Map([...asked].map(([aircraftId, flight]) => [aircraftId, ask(flight)]));
}

const presentRemedy = ({ fixes, missing }: Remedy): RemedyDto => ({
  fixes: [...fixes],
  missing: missing.map(({ startMs, endMs }) => ({ startUtc: toIso(startMs), endUtc: toIso(endMs) })),
});

/** The free seats with what has to change for them, or else the standby queue; null when no change is enough, or none needed. */
function presentFlyAnyway(
  mission: FlightRow,
  flights: readonly FlightRow[],
  pilot: EligibilityFacts,
  nowMs: number,
): FlyAnywayDto | null {
  const remedies = perAircraft(flights, ({ aircraftId }) => findRemedy(pilot, mission, aircraftId, nowMs));
  const ways = flights.flatMap((flight) => {
    const remedy = remedies.get(flight.aircraftId) ?? null;
    return remedy === null || remedy.fixes.length === 0 ? [] : [{ flight, remedy: presentRemedy(remedy) }];
  });
  const [first] = ways;
  if (!first) return null;
  const seats = ways.flatMap(({ flight, remedy }) => listFree(flight, pilot).map((seat) => ({ ...seat, ...remedy })));
  // who fits other seats, which are taken, may stand by without any change
  if (seats.length === 0 && ways.length < flights.length) return null;
  return { seats, standby: seats.length === 0 ? { ...first.remedy, aircraftName: first.flight.aircraftName } : null };
}

/** The free seats of a mission that the pilot misses by a short part of the time; null for none. */
function presentNearMiss(
  flights: readonly FlightRow[],
  question: Omit<Parameters<typeof findNearMiss>[0], 'flights'>,
): OpeningsDto['closed'][number]['nearMiss'] {
  const misses = perAircraft(flights, (flight) => findNearMiss({ ...question, flights: [flight] }));
  const near = flights.flatMap((flight) => {
    const missing = misses.get(flight.aircraftId) ?? null;
    return missing === null ? [] : listFree(flight, question.pilot).map((seat) => ({ seat, missing }));
  });
  const [first] = near;
  if (!first) return null;
  return {
    // they do not depend on the aircraft
    missing: first.missing.map(({ startMs, endMs }) => ({ startUtc: toIso(startMs), endUtc: toIso(endMs) })),
    seats: near.map(({ seat }) => seat),
  };
}

/**
 * Missions that start within `OPENINGS_DAYS`, the next one first, except those in which the viewer holds a seat: `open`
 * ones have a free seat that fits, `closed` ones come with the reason, and what a near miss lacks.
 * @param only the id of the one mission that is asked for, however far ahead it is
 */
export async function listOpenMissions(
  em: Em,
  viewer: Viewer,
  now: Date,
  only: string | null = null,
): Promise<OpeningsDto> {
  const asked = { viewerId: viewer.id, now };
  const until = new Date(now.getTime() + OPENINGS_DAYS * DAY_MS);
  const flights = await (only === null
    ? listFlights(em, { ...asked, until })
    : selectFlights(db(em), asked, { missionId: only }).execute());
  const [first] = flights;
  if (!first) return { open: [], closed: [] };
  const seats = await listOwnSeats(em, asked);
  const range = { startMs: first.startMs, endMs: Math.max(...flights.map(({ endMs }) => endMs)) };
  const commitments = new Map([[viewer.id, seats.filter(isFixed)]]);
  const [pilot] = await loadFacts(em, { range, pilotIds: [viewer.id], now, commitments });
  if (!pilot) return { open: [], closed: [] };
  const withoutLeave = await throughLeave(em, pilot, range, now);
  const held = new Set(seats.map(({ missionId }) => missionId));
  const missions = [...Map.groupBy(flights, ({ id }) => id).values()].flatMap((own) => {
    const [mission] = own;
    return mission && !held.has(mission.id)
      ? [sortMission(mission, own, pilot, withoutLeave, seats, now.getTime())]
      : [];
  });
  return { open: missions.flatMap(({ open }) => open), closed: missions.flatMap(({ closed }) => closed) };
}
