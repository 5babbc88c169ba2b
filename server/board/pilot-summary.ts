/** One pilot as admins look at them: when they can fly, what they fly, where they sit. */
import type { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import { isLiveHold } from '#server/schema/predicates.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { splitByDay, type WeeklySlot } from '#server/availability/rules/availability.ts';
import { missionStatus } from '#server/planning/rules/mission-status.ts';
import { addDays, dayBounds, listDates, localDate, localDateTime, toIso } from '#server/time/time.ts';
import { scheduleIn, timeRange } from '#server/availability/rules/week-schedule.ts';
import { ANY_AIRCRAFT_ID, LISTED_MAX } from '#shared/limits.ts';
import type {
  AssignedMissionDto,
  AvailabilitySummaryDto,
  availabilitySummaryInput,
  ScheduleDto,
  scheduleInput,
} from '#shared/schemas/admin-pilot.ts';
import type { Rsvp, StoredMissionStatus } from '#shared/vocabulary.ts';
import { loadPresences } from '#server/availability/presences.ts';
import { presentUser } from '#server/accounts/present.ts';
import { listProficiencies } from '#server/pilots/proficiencies.ts';
import { findUser } from '#server/accounts/users.ts';

const PREVIOUS_MAX = 50;

interface AssignmentRow {
  mission_id: string;
  mission_name: string;
  theater: string;
  mission_status: StoredMissionStatus;
  starts_ms: number;
  ends_ms: number;
  package_callsign: string;
  flight_callsign: string;
  aircraft_name: string;
  seat_index: number;
  rsvp: Rsvp;
}

function presentAssignment(row: AssignmentRow, timeZone: string, now: Date): AssignedMissionDto {
  return {
    missionId: row.mission_id,
    missionName: row.mission_name,
    theater: row.theater,
    packageCallsign: row.package_callsign,
    flightCallsign: row.flight_callsign,
    aircraftName: row.aircraft_name,
    seatIndex: row.seat_index,
    startLocal: localDateTime(row.starts_ms, timeZone),
    endLocal: localDateTime(row.ends_ms, timeZone),
    startUtc: toIso(row.starts_ms),
    endUtc: toIso(row.ends_ms),
    status: missionStatus(row.mission_status, row.starts_ms, row.ends_ms, now.getTime()),
    rsvp: row.rsvp,
  };
}

const ASSIGNMENT = sql`o.mission_id, m.name as mission_name, m.theater, m.status as mission_status,
  ${msOf('m.starts_at')} as starts_ms, ${msOf('m.ends_at')} as ends_ms, k.callsign as package_callsign,
  f.callsign as flight_callsign, a.name as aircraft_name, o.seat_index, o.rsvp
  from frag_order o join mission m on m.id = o.mission_id join flight f on f.id = o.flight_id
  join package k on k.id = f.package_id join aircraft a on a.id = f.aircraft_id`;

/** Seats of missions that have not ended, offered ones while the offer stands; soonest first. */
async function listUpcoming(em: Em, pilotId: string, now: Date): Promise<AssignmentRow[]> {
  return query<AssignmentRow>(
    em,
    sql`select ${ASSIGNMENT} join seat s on s.order_id = o.id
        where o.pilot_id = ${pilotId} and m.status = 'scheduled' and m.ends_at > ${now}
          and ${isLiveHold('o', now)}
        order by m.starts_at, o.seq limit ${sql.lit(LISTED_MAX.orders)}`,
  );
}

/**
 * Accepted seats of missions that are over, latest first. A mission that was called off is over, whenever it was to
 * be: who had accepted it finds it here as cancelled.
 */
async function listPrevious(em: Em, pilotId: string, now: Date): Promise<AssignmentRow[]> {
  return query<AssignmentRow>(
    em,
    sql`select ${ASSIGNMENT}
        where o.pilot_id = ${pilotId} and o.rsvp = 'accepted'
          and ((o.status = 'issued' and m.status = 'scheduled' and m.ends_at <= ${now})
            or (o.status_reason = 'mission cancelled' and m.status = 'cancelled'))
        order by m.starts_at desc, o.seq desc limit ${sql.lit(PREVIOUS_MAX)}`,
  );
}

/** Everything in the asked zone; the dated windows run from today there. Unknown id: 404. */
export async function getAvailabilitySummary(
  em: Em,
  { id, upcomingDays, tz = 'UTC' }: z.infer<typeof availabilitySummaryInput>,
  now: Date,
): Promise<AvailabilitySummaryDto> {
  const user = await findUser(em, id);
  const today = localDate(now.getTime(), tz);
  const dates = listDates(today, upcomingDays);
  const range = { startMs: dayBounds(today, tz).startMs, endMs: dayBounds(addDays(today, upcomingDays), tz).startMs };
  const [pilot] = await loadPresences(em, [id], range, now);
  const present = (row: AssignmentRow) => presentAssignment(row, tz, now);
  return {
    user: presentUser({ ...user, displayName: user.displayName ?? null }),
    timeZone: tz,
    availabilityWindows: splitByDay(pilot?.presences ?? [], tz, dates).flatMap(({ dateLocal, slots }) =>
      slots.map(({ aircraftId, ...slot }) => ({ dateLocal, ...slot, aircraftCodeId: aircraftId ?? ANY_AIRCRAFT_ID })),
    ),
    aircraftProficiencies: await listProficiencies(em, id),
    upcomingMissions: (await listUpcoming(em, id, now)).map(present),
    previousMissions: (await listPrevious(em, id, now)).map(present),
  };
}

/** The active template, [] without one; in the pilot's own zone unless another is asked for. Unknown id: 404. */
export async function getSchedule(em: Em, { id, tz }: z.infer<typeof scheduleInput>, now: Date): Promise<ScheduleDto> {
  const user = await findUser(em, id);
  const timeZone = tz ?? user.timeZone;
  const slots = await query<WeeklySlot>(
    em,
    sql`select s.weekday, s.start_local as "startLocal", s.end_local as "endLocal", s.aircraft_id as "aircraftId", s.notes
        from availability_slot s join availability_template t on t.id = s.template_id
        where t.user_id = ${id} and t.is_active`,
  );
  return {
    user: presentUser({ ...user, displayName: user.displayName ?? null }),
    timeZone,
    schedule: scheduleIn(slots, user.timeZone, timeZone, now.getTime()).map((entry) => ({
      dayOfWeek: entry.dayOfWeek,
      timeRange: timeRange(entry),
      startLocal: entry.startLocal,
      endLocal: entry.endLocal,
      aircraftCodeId: entry.aircraftId ?? ANY_AIRCRAFT_ID,
      notes: entry.notes,
    })),
  };
}
