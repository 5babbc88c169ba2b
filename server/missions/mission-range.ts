/** Missions of a date range: the range as instants, the admins' list of it, and its attendance. */
import type { z } from 'zod';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { nameForAdmins } from '#server/schema/predicates.ts';
import type { Interval } from '#server/time/intervals.ts';
import { addDays, dayBounds, localDate, localDateTime, toIso } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { LISTED_MAX, MISSION_RANGE_DAYS } from '#shared/limits.ts';
import type { AttendanceDto, attendanceRangeInput, MissionRangeInput } from '#shared/schemas/mission-lists.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import { loadMissions } from './mission-view.ts';

/** The instants of a range of dates in a zone, in which the answer gives local times. */
export interface DateRange extends Interval {
  timeZone: string;
}

/** The instants of a range of dates; 400 for one that ends before it starts or covers too many days. */
export function requireRange({ from, to }: MissionRangeInput, timeZone: string, now: Date): DateRange {
  const first = from ?? localDate(now.getTime(), timeZone);
  const last = to ?? addDays(first, MISSION_RANGE_DAYS.initial - 1);
  const refuse = (sentence: string) => new AppError('VALIDATION', sentence, { field: 'to' });
  if (last < first) throw refuse(copy.rangeEndsBeforeStart);
  if (last > addDays(first, MISSION_RANGE_DAYS.max - 1)) throw refuse(copy.missionRangeTooLong);
  return { startMs: dayBounds(first, timeZone).startMs, endMs: dayBounds(last, timeZone).endMs, timeZone };
}

/**
 * All rows of a range; 400 beyond the most that one answer lists, so that no script takes a part for the whole.
 * @param rows read with a limit of one more than `most`
 */
export function requireAll<Row>(rows: readonly Row[], most: number): readonly Row[] {
  if (rows.length > most) throw new AppError('VALIDATION', copy.missionRangeTooFull, { field: 'to' });
  return rows;
}

/** Missions of any status that start in the range, by start. */
export async function listMissions(em: Em, range: DateRange, now: Date): Promise<MissionDto[]> {
  const { missions } = await loadMissions(em, range, range.timeZone, now);
  return [...requireAll(missions, LISTED_MAX.missions)];
}

/** The seats that pilots held until the end of missions that are over and started in the range, with their attendance. */
export async function listAttendance(
  em: Em,
  input: z.infer<typeof attendanceRangeInput>,
  now: Date,
): Promise<AttendanceDto> {
  const timeZone = input.tz ?? 'UTC';
  const { startMs, endMs } = requireRange(input, timeZone, now);
  const rows = await db(em)
    .selectFrom('mission as m')
    .innerJoin('seat as s', 's.mission_id', 'm.id')
    .innerJoin('frag_order as o', 'o.id', 's.order_id')
    .innerJoin('app_user as u', 'u.id', 's.pilot_id')
    .innerJoin('flight as f', 'f.id', 's.flight_id')
    .innerJoin('package as p', 'p.id', 'f.package_id')
    .innerJoin('aircraft as a', 'a.id', 'f.aircraft_id')
    .select(({ ref }) => [
      'm.id as missionId',
      'm.name as missionName',
      'm.theater',
      ms(ref('m.starts_at')).as('startMs'),
      'f.callsign as flightCallsign',
      'a.name as aircraftName',
      'f.role',
      'f.side',
      's.seat_index as seatIndex',
      'o.id as orderId',
      's.pilot_id as userId',
      nameForAdmins('u').as('userDisplayName'),
      'o.attendance',
    ])
    .where('m.status', '=', 'scheduled')
    .where('m.ends_at', '<=', now)
    .where('m.starts_at', '>=', new Date(startMs))
    .where('m.starts_at', '<', new Date(endMs))
    .where('o.status', '=', 'issued')
    .where('o.rsvp', '=', 'accepted')
    .orderBy('m.starts_at')
    .orderBy('m.id')
    .orderBy('p.sort_order')
    .orderBy('f.sort_order')
    .orderBy('f.id')
    .orderBy('s.seat_index')
    .limit(LISTED_MAX.attendance + 1)
    .execute();
  return requireAll(rows, LISTED_MAX.attendance).map(
    ({ missionId, missionName, theater, startMs: begin, ...seat }) => ({
      missionId,
      missionName,
      theater,
      startUtc: toIso(begin),
      startLocal: localDateTime(begin, timeZone),
      timeZone,
      ...seat,
    }),
  );
}
