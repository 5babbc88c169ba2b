/** A pilot's summary for admins: availability, proficiencies, upcoming and previous missions. */
import type { z } from 'zod';
import type { InferResult } from 'kysely';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isLiveHold } from '#server/schema/predicates.ts';
import { splitByDay, timesOnDate } from '#server/availability/rules/dated-windows.ts';
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
import { getLeave } from '#server/accounts/leave.ts';
import { loadWithBusy } from '#server/availability/presences.ts';
import { presentUser } from '#server/accounts/present.ts';
import { viewerOf } from '#server/platform/viewer.ts';
import { listProficiencies } from '#server/accounts/pilots/proficiencies.ts';
import { findUser } from '#server/accounts/users.ts';

const PREVIOUS_MAX = 50;

/** Selects orders `o` with their missions `m` and flights; the caller adds the condition. */
const selectAssignments = (em: Em) =>
  db(em)
    .selectFrom('frag_order as o')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .innerJoin('flight as f', 'f.id', 'o.flight_id')
    .innerJoin('package as k', 'k.id', 'f.package_id')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .select(({ ref }) => [
      'o.mission_id as missionId',
      'm.name as missionName',
      'm.theater',
      'm.status',
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.ends_at')).as('endMs'),
      'k.callsign as packageCallsign',
      'f.callsign as flightCallsign',
      'a.name as aircraftName',
      'o.seat_index as seatIndex',
      'o.rsvp',
    ]);

type AssignmentRow = InferResult<ReturnType<typeof selectAssignments>>[number];

function presentAssignment(
  { startMs, endMs, status, ...assignment }: AssignmentRow,
  timeZone: string,
  now: Date,
): AssignedMissionDto {
  return {
    ...assignment,
    startLocal: localDateTime(startMs, timeZone),
    endLocal: localDateTime(endMs, timeZone),
    startUtc: toIso(startMs),
    endUtc: toIso(endMs),
    status: missionStatus(status, startMs, endMs, now.getTime()),
  };
}

/** Seats in missions that have not ended, accepted or still on offer; soonest first. */
async function listUpcoming(em: Em, pilotId: string, now: Date): Promise<AssignmentRow[]> {
  return selectAssignments(em)
    .innerJoin('seat as s', 's.order_id', 'o.id')
    .where('o.pilot_id', '=', pilotId)
    .where('m.status', '=', 'scheduled')
    .where('m.ends_at', '>', now)
    .where(isLiveHold('o', now))
    .orderBy('m.starts_at')
    .orderBy('o.seq')
    .limit(LISTED_MAX.orders)
    .execute();
}

/**
 * Accepted seats in missions that are over, latest first. A cancelled mission counts as over, even if it was to start
 * later: pilots who had accepted find it here.
 */
async function listPrevious(em: Em, pilotId: string, now: Date): Promise<AssignmentRow[]> {
  return selectAssignments(em)
    .where('o.pilot_id', '=', pilotId)
    .where('o.rsvp', '=', 'accepted')
    .where(({ or, and, eb }) =>
      or([
        and([eb('o.status', '=', 'issued'), eb('m.status', '=', 'scheduled'), eb('m.ends_at', '<=', now)]),
        and([eb('o.status_reason', '=', 'mission cancelled'), eb('m.status', '=', 'cancelled')]),
      ]),
    )
    .orderBy('m.starts_at', 'desc')
    .orderBy('o.seq', 'desc')
    .limit(PREVIOUS_MAX)
    .execute();
}

/** A pilot's summary in the given time zone; availability starts at today's date there. Unknown id: 404. */
export async function getAvailabilitySummary(
  em: Em,
  { id, upcomingDays, tz = 'UTC' }: z.infer<typeof availabilitySummaryInput>,
  now: Date,
): Promise<AvailabilitySummaryDto> {
  const user = await findUser(em, id);
  const today = localDate(now.getTime(), tz);
  const dates = listDates(today, upcomingDays);
  const range = { startMs: dayBounds(today, tz).startMs, endMs: dayBounds(addDays(today, upcomingDays), tz).startMs };
  const pilot = await loadWithBusy(em, id, range, now);
  const present = (row: AssignmentRow) => presentAssignment(row, tz, now);
  return {
    user: presentUser(viewerOf(user)),
    leave: await getLeave(em, id, now),
    timeZone: tz,
    availabilityWindows: splitByDay(pilot?.presences ?? [], tz, dates).flatMap(({ dateLocal, slots }) =>
      slots.map(({ aircraftId, ...slot }) => ({ dateLocal, ...slot, aircraftCodeId: aircraftId ?? ANY_AIRCRAFT_ID })),
    ),
    busyTimes: dates.flatMap((dateLocal) =>
      timesOnDate(pilot?.busy ?? [], tz, dateLocal).map((time) => ({ dateLocal, ...time })),
    ),
    aircraftProficiencies: await listProficiencies(em, id),
    upcomingMissions: (await listUpcoming(em, id, now)).map(present),
    previousMissions: (await listPrevious(em, id, now)).map(present),
  };
}

/** The weekly schedule of the active template, [] without one; by default in the pilot's own zone. Unknown id: 404. */
export async function getSchedule(em: Em, { id, tz }: z.infer<typeof scheduleInput>, now: Date): Promise<ScheduleDto> {
  const user = await findUser(em, id);
  const timeZone = tz ?? user.timeZone;
  const slots = await db(em)
    .selectFrom('availability_slot as s')
    .innerJoin('availability_template as t', 't.id', 's.template_id')
    .select([
      's.weekday',
      's.start_local as startLocal',
      's.end_local as endLocal',
      's.aircraft_id as aircraftId',
      's.notes',
    ])
    .where('t.user_id', '=', id)
    .where('t.is_active', '=', true)
    .execute();
  return {
    user: presentUser(viewerOf(user)),
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
