/** Dashboard summaries: counts per day and per week, and upcoming launches. */
import type { InferResult } from 'kysely';
import type { z } from 'zod';
import { countRows, db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import type { Interval } from '#server/time/intervals.ts';
import { addDays, dayBounds, listDates, localDate, MINUTE_MS, toIso, weekdayOf } from '#server/time/time.ts';
import { UPCOMING_LAUNCHES_MAX } from '#shared/limits.ts';
import type { daySummary, daySummaryInput, WeeklySummaryDto, weeklySummaryInput } from '#shared/schemas/dashboard.ts';
import type { RosterSource } from '#server/availability/roster-reader.ts';

const DAYS_PER_WEEK = 7;

/** Selects scheduled missions `m` that start in the range, with their counts. */
export function selectMissionCounts(em: Em, range: Interval) {
  return db(em)
    .selectFrom('mission as m')
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('flight')
          .select(({ fn, cast, lit }) => [
            countRows().as('flights'),
            cast<number>(fn.coalesce(fn.sum('size_cap'), lit(0)), 'integer').as('seats'),
          ])
          .whereRef('mission_id', '=', 'm.id')
          .as('f'),
      (join) => join.onTrue(),
    )
    .select(({ ref, selectFrom }) => [
      ms(ref('m.starts_at')).as('startMs'),
      'f.flights',
      'f.seats',
      selectFrom('seat as s')
        .innerJoin('frag_order as o', 'o.id', 's.order_id')
        .select(countRows().as('accepted'))
        .whereRef('s.mission_id', '=', 'm.id')
        .where('o.rsvp', '=', 'accepted')
        .$asScalar()
        .$notNull()
        .as('accepted'),
    ])
    .where('m.status', '=', 'scheduled')
    .where('m.starts_at', '>=', new Date(range.startMs))
    .where('m.starts_at', '<', new Date(range.endMs));
}

type MissionCounts = InferResult<ReturnType<typeof selectMissionCounts>>[number];

function addCounts(missions: readonly MissionCounts[]) {
  const sum = { missions: missions.length, flights: 0, pilotsAssigned: 0, awaitingSlots: 0 };
  for (const { flights, seats, accepted } of missions) {
    sum.flights += flights;
    sum.pilotsAssigned += accepted;
    sum.awaitingSlots += seats - accepted;
  }
  return sum;
}

/** The counts of one local date, by default today. A mission belongs to the date of its start. */
export async function getDaySummary(
  { em, rosters }: RosterSource,
  { day, tz = 'UTC' }: z.infer<typeof daySummaryInput>,
  now: Date,
): Promise<z.infer<typeof daySummary>> {
  const date = day ?? localDate(now.getTime(), tz);
  const bounds = dayBounds(date, tz);
  const missions = await selectMissionCounts(em, bounds).execute();
  const { present } = (await rosters.read(em, bounds.startMs, now)).presence();
  const expectedPilots = present.countPresent(bounds.startMs / MINUTE_MS, bounds.endMs / MINUTE_MS);
  return { date, timeZone: tz, ...addCounts(missions), expectedPilots };
}

/** Flights of scheduled missions, grouped by launch time. */
async function loadLaunches(em: Em, range: Interval) {
  return db(em)
    .selectFrom('flight as f')
    .innerJoin('mission as m', 'm.id', 'f.mission_id')
    .select(({ ref, fn, cast }) => [
      ms(ref('f.launch_at')).as('launchMs'),
      countRows().as('flights'),
      cast<number>(fn.sum('f.size_cap'), 'integer').as('seats'),
    ])
    .where('m.status', '=', 'scheduled')
    .where('f.launch_at', '>=', new Date(range.startMs))
    .where('f.launch_at', '<', new Date(range.endMs))
    .groupBy('f.launch_at')
    .orderBy('f.launch_at')
    .limit(UPCOMING_LAUNCHES_MAX)
    .$narrowType<{ launchMs: number }>()
    .execute();
}

/** The counts of seven local dates from `startDate` (by default today), and their launches from now on. */
export async function getWeeklySummary(
  em: Em,
  { startDate, tz = 'UTC' }: z.infer<typeof weeklySummaryInput>,
  now: Date,
): Promise<WeeklySummaryDto> {
  const nowMs = now.getTime();
  const start = startDate ?? localDate(nowMs, tz);
  const week = { startMs: dayBounds(start, tz).startMs, endMs: dayBounds(addDays(start, DAYS_PER_WEEK), tz).startMs };
  const missions = Map.groupBy(await selectMissionCounts(em, week).execute(), ({ startMs }) => localDate(startMs, tz));
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
