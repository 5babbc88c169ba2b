/** What is coming: the counts of a day and of a week, and the flights that launch next. */
import type { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { type Interval, overlaps } from '#server/time/intervals.ts';
import { addDays, dayBounds, listDates, localDate, toIso, weekdayOf } from '#server/time/time.ts';
import { UPCOMING_LAUNCHES_MAX } from '#shared/limits.ts';
import type { daySummary, daySummaryInput, WeeklySummaryDto, weeklySummaryInput } from '#shared/schemas/dashboard.ts';
import { loadPresences } from '#server/availability/presences.ts';

const DAYS_PER_WEEK = 7;

type MissionCounts = { startMs: number; flights: number; seats: number; accepted: number };

/** Missions that start in the range and are on, with what they count. */
async function loadMissionCounts(em: Em, range: Interval): Promise<MissionCounts[]> {
  return query<MissionCounts>(
    em,
    sql`select ${msOf('m.starts_at')} as "startMs", f.flights, f.seats,
               (select count(*)::int from seat s join frag_order o on o.id = s.order_id
                where s.mission_id = m.id and o.rsvp = 'accepted') as accepted
        from mission m, lateral (select count(*)::int as flights, coalesce(sum(size_cap), 0)::int as seats
                                 from flight where mission_id = m.id) f
        where m.status = 'scheduled'
          and m.starts_at >= ${new Date(range.startMs)} and m.starts_at < ${new Date(range.endMs)}`,
  );
}

function addCounts(missions: readonly MissionCounts[]) {
  const sum = { missions: missions.length, flights: 0, pilotsAssigned: 0, awaitingSlots: 0 };
  for (const { flights, seats, accepted } of missions) {
    sum.flights += flights;
    sum.pilotsAssigned += accepted;
    sum.awaitingSlots += seats - accepted;
  }
  return sum;
}

/** One local date, today unless said otherwise. A mission belongs to the date of its start. */
export async function getDaySummary(
  em: Em,
  { day, tz = 'UTC' }: z.infer<typeof daySummaryInput>,
  now: Date,
): Promise<z.infer<typeof daySummary>> {
  const date = day ?? localDate(now.getTime(), tz);
  const bounds = dayBounds(date, tz);
  const missions = await loadMissionCounts(em, bounds);
  const pilots = await loadPresences(em, undefined, bounds, now);
  const isExpected = ({ presences }: { presences: readonly Interval[] }) =>
    presences.some((presence) => overlaps(presence, bounds));
  return { date, timeZone: tz, ...addCounts(missions), expectedPilots: pilots.filter(isExpected).length };
}

type LaunchRow = { launchMs: number; flights: number; seats: number };

/** Flights of missions that are on, by the instant they launch at. */
async function loadLaunches(em: Em, range: Interval): Promise<LaunchRow[]> {
  return query<LaunchRow>(
    em,
    sql`select ${msOf('f.launch_at')} as "launchMs", count(*)::int as flights, sum(f.size_cap)::int as seats
        from flight f join mission m on m.id = f.mission_id
        where m.status = 'scheduled'
          and f.launch_at >= ${new Date(range.startMs)} and f.launch_at < ${new Date(range.endMs)}
        group by f.launch_at order by f.launch_at limit ${UPCOMING_LAUNCHES_MAX}`,
  );
}

/** Seven local dates from `startDate` (today unless said otherwise), and what launches from now on within them. */
export async function getWeeklySummary(
  em: Em,
  { startDate, tz = 'UTC' }: z.infer<typeof weeklySummaryInput>,
  now: Date,
): Promise<WeeklySummaryDto> {
  const nowMs = now.getTime();
  const start = startDate ?? localDate(nowMs, tz);
  const week = { startMs: dayBounds(start, tz).startMs, endMs: dayBounds(addDays(start, DAYS_PER_WEEK), tz).startMs };
  const missions = Map.groupBy(await loadMissionCounts(em, week), ({ startMs }) => localDate(startMs, tz));
  const launches = await loadLaunches(em, { ...week, startMs: Math.max(week.startMs, nowMs) });
  return {
    startDate: start,
    timeZone: tz,
    dailySummaries: listDates(start, DAYS_PER_WEEK).map((dateLocal) => ({
      dateLocal,
      dayOfWeek: weekdayOf(dateLocal),
      ...addCounts(missions.get(dateLocal) ?? []),
    })),
    upcomingLaunches: launches.map(({ launchMs, ...counts }) => ({ time: toIso(launchMs), ...counts })),
  };
}
