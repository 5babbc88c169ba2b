/** The missions ahead as a pilot finds them: with a free seat to take, or why there is none. */
import type { Em } from '#server/schema/orm.ts';
import { isLiveHold } from '#server/schema/predicates.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { assessPilot, isLeadSeat, type SeatingPilot } from '#server/seating/rules/eligibility.ts';
import type { Interval } from '#server/time/intervals.ts';
import { DAY_MS, toIso } from '#server/time/time.ts';
import { findObstacle, TO_PILOT, whyNot } from '#server/seating/rules/ineligibility.ts';
import { LISTED_MAX, OPENINGS_DAYS } from '#shared/limits.ts';
import type { OpeningsDto } from '#shared/schemas/seats.ts';
import type { MissionRole, Side } from '#shared/vocabulary.ts';
import { loadSeatingPilots } from './candidates.ts';
import type { Viewer } from '#server/platform/viewer.ts';

type FlightRow = Interval & {
  id: string;
  name: string;
  theater: string;
  flightId: string;
  callsign: string;
  aircraftId: number;
  aircraftName: string;
  role: MissionRole;
  side: Side;
  sizeCap: number;
  launchMs: number | null;
  /** seats that somebody holds; a hold whose time is over is none */
  held: number[];
  /** other pilots on standby for the mission */
  waiting: number;
};

type OwnSeat = Interval & { missionId: string; name: string };

/** The flights of missions that have not begun and start before `until`, the next ones of very many: in board order. */
async function loadFlights(em: Em, viewer: Viewer, now: Date, until: Date): Promise<FlightRow[]> {
  return query<FlightRow>(
    em,
    sql`select m.id, m.name, m.theater, ${msOf('m.starts_at')} as "startMs", ${msOf('m.ends_at')} as "endMs",
               f.id as "flightId", f.callsign, f.aircraft_id as "aircraftId", a.name as "aircraftName", f.role, f.side,
               f.size_cap as "sizeCap", ${msOf('f.launch_at')} as "launchMs",
               array(select s.seat_index from seat s join frag_order o on o.id = s.order_id
                     where s.flight_id = f.id and ${isLiveHold('o', now)}) as held,
               (select count(*)::int from frag_order o
                where o.mission_id = m.id and o.status = 'issued' and o.rsvp = 'standby'
                  and o.pilot_id <> ${viewer.id}) as waiting
        from (select id, name, theater, starts_at, ends_at from mission
              where status = 'scheduled' and starts_at > ${now} and starts_at < ${until}
              order by starts_at, id limit ${sql.lit(LISTED_MAX.missions)}) as m
        join flight f on f.mission_id = m.id
        join package p on p.id = f.package_id join aircraft a on a.id = f.aircraft_id
        order by m.starts_at, m.id, p.sort_order, f.sort_order, f.id`,
  );
}

/** The seats that a pilot holds in missions that have not ended. */
async function loadOwnSeats(em: Em, pilotId: string, now: Date): Promise<OwnSeat[]> {
  return query<OwnSeat>(
    em,
    sql`select m.id as "missionId", m.name, ${msOf('s.starts_at')} as "startMs", ${msOf('s.ends_at')} as "endMs"
        from seat s join frag_order o on o.id = s.order_id join mission m on m.id = s.mission_id
        where s.pilot_id = ${pilotId} and s.ends_at > ${now} and ${isLiveHold('o', now)}`,
  );
}

const presentMission = ({ id, name, theater, startMs, endMs }: FlightRow) => ({
  missionId: id,
  missionName: name,
  theater,
  startUtc: toIso(startMs),
  endUtc: toIso(endMs),
});

/** The flight's seats that nobody holds. */
function listFree(flight: FlightRow): OpeningsDto['open'][number]['seats'] {
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
    }));
}

function sortMission(
  mission: FlightRow,
  flights: readonly FlightRow[],
  pilot: SeatingPilot,
  committedTo: readonly OwnSeat[],
  nowMs: number,
): OpeningsDto {
  const { blocked, fitFor } = assessPilot(pilot, mission, nowMs);
  const fitting = blocked === null ? flights.filter(({ aircraftId }) => fitFor(aircraftId) !== null) : [];
  const seats = fitting.flatMap(listFree);
  if (seats.length > 0) return { open: [{ ...presentMission(mission), seats }], closed: [] };
  const obstacle = findObstacle({ pilot, mission, flights, committedTo, waiting: mission.waiting, nowMs });
  const { reason } = obstacle;
  return { open: [], closed: [{ ...presentMission(mission), reason, sentence: whyNot(obstacle, TO_PILOT) }] };
}

/**
 * Missions that start within `OPENINGS_DAYS`, the next one first, without those in which the viewer holds a seat: those
 * with a free seat that fits, and the others with what stands in the way.
 */
export async function listOpenings(em: Em, viewer: Viewer, now: Date): Promise<OpeningsDto> {
  const flights = await loadFlights(em, viewer, now, new Date(now.getTime() + OPENINGS_DAYS * DAY_MS));
  const seats = await loadOwnSeats(em, viewer.id, now);
  const [first] = flights;
  if (!first) return { open: [], closed: [] };
  const range = { startMs: first.startMs, endMs: Math.max(...flights.map(({ endMs }) => endMs)) };
  const [pilot] = await loadSeatingPilots(em, { range, aircraftIds: [], pilotIds: [viewer.id], now });
  if (!pilot) return { open: [], closed: [] };
  const held = new Set(seats.map(({ missionId }) => missionId));
  const missions = [...Map.groupBy(flights, ({ id }) => id).values()].flatMap((own) => {
    const [mission] = own;
    return mission && !held.has(mission.id) ? [sortMission(mission, own, pilot, seats, now.getTime())] : [];
  });
  return { open: missions.flatMap(({ open }) => open), closed: missions.flatMap(({ closed }) => closed) };
}
