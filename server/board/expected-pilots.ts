/** Expected pilots: expected online over time, heat map of a week, recommended times of a day. */
import type { z } from 'zod';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, overlapsRange } from '#server/schema/predicates.ts';
import { compareText, presentIn } from '#server/seating/rules/eligibility.ts';
import { freeWindows, hasTimeOn, startsAfter } from '#server/availability/rules/free-time.ts';
import { type Interval, mergeIntervals } from '#server/time/intervals.ts';
import { recommendTimes, recommendTimesToFill } from '#server/board/rules/recommendation.ts';
import { recommendationWords } from '#server/board/rules/recommendation-text.ts';
import { tallyOverlaps, tallyPilots } from '#server/board/rules/tallies.ts';
import {
  dayBounds,
  HOUR_MS,
  listDates,
  listHours,
  localDate,
  localDateTime,
  localTime,
  MINUTE_MS,
  toIso,
} from '#server/time/time.ts';
import { ANY_AIRCRAFT_ID, HEAT_DAYS, RECOMMENDED_HOURS_MAX } from '#shared/limits.ts';
import { parseSeatRequests } from '#shared/seat-request.ts';
import type {
  ExpectedOnlineDto,
  expectedOnlineInput,
  HeatDto,
  heatInput,
  recommendedTimes,
  recommendedTimesInput,
} from '#shared/schemas/dashboard.ts';
import { selectHeldSeats } from '#server/seats/orders.ts';
import { findAircraft } from '#server/pilots/aircraft.ts';
import { loadPresences } from '#server/availability/presences.ts';
import { loadAircraftLists } from '#server/pilots/proficiencies.ts';
import { loadNames } from '#server/accounts/users.ts';

/** Held seats that overlap the range, by pilot: accepted ones, and pending ones that have not expired. */
async function loadHeldSeats(em: Em, range: Interval, now: Date) {
  const seats = await selectHeldSeats(em, now).where(overlapsRange('s', range)).execute();
  return Map.groupBy(seats, ({ pilotId }) => pilotId);
}

/** Accepted seats of active pilots that overlap the range. */
async function loadAcceptedSeats(em: Em, range: Interval): Promise<Interval[]> {
  return db(em)
    .selectFrom('seat as s')
    .innerJoin('frag_order as o', 'o.id', 's.order_id')
    .innerJoin('app_user as u', 'u.id', 's.pilot_id')
    .select(({ ref }) => [ms(ref('s.starts_at')).as('startMs'), ms(ref('s.ends_at')).as('endMs')])
    .where('o.rsvp', '=', 'accepted')
    .where(isActivePilot('u'))
    .where(overlapsRange('s', range))
    .execute();
}

/**
 * Active pilots per time bucket, starting at `from`; the last bucket has full length even if `to` lies within it.
 * Pilots who hold a seat or are in Do Not Disturb count too: they will be online.
 */
export async function getExpectedOnline(
  em: Em,
  { from, to, bucket }: z.infer<typeof expectedOnlineInput>,
  now: Date,
): Promise<ExpectedOnlineDto> {
  const startMs = Date.parse(from);
  const bucketMs = bucket * MINUTE_MS;
  const buckets = Math.ceil((Date.parse(to) - startMs) / bucketMs);
  const edges = Float64Array.from({ length: buckets + 1 }, (_, index) => startMs + index * bucketMs);
  const range = { startMs, endMs: startMs + buckets * bucketMs };
  const pilots = await loadPresences(em, undefined, range, now);
  const { whole, part } = tallyPilots(
    edges,
    pilots.map(({ presences }) => ({ windows: mergeIntervals(presences), startsAfterMs: -Infinity })),
  );
  const committed = tallyOverlaps(edges, await loadAcceptedSeats(em, range));
  return {
    bucketMinutes: bucket,
    points: whole.map((expected, index) => ({
      startUtc: toIso(startMs + index * bucketMs),
      expected,
      partial: part[index] ?? 0,
      committed: committed[index] ?? 0,
    })),
  };
}

/**
 * Active pilots per hour of seven local days who could fly for the whole hour. Pilots with a seat at that time do not
 * count, and pilots in Do Not Disturb do not count for the next 24 h. In one aircraft, those count who could be ordered
 * into it. Unknown aircraft: 400.
 */
export async function getHeat(
  em: Em,
  { startDate, tz = 'UTC', aircraftId }: z.infer<typeof heatInput>,
  now: Date,
): Promise<HeatDto> {
  if (aircraftId !== ANY_AIRCRAFT_ID) await findAircraft(em, [aircraftId]);
  const nowMs = now.getTime();
  const start = startDate ?? localDate(nowMs, tz);
  const days = listDates(start, HEAT_DAYS).map((dateLocal) => ({ dateLocal, ...listHours(dateLocal, tz) }));
  const range = { startMs: dayBounds(start, tz).startMs, endMs: days.at(-1)?.endMs ?? nowMs };
  const edges = Float64Array.from([...days.flatMap(({ starts }) => starts), range.endMs]);
  const held = await loadHeldSeats(em, range, now);
  const pilots = await loadPresences(em, undefined, range, now);
  const listOf = await loadAircraftLists(em);
  const { whole } = tallyPilots(
    edges,
    pilots.map(({ id, presences, status }) => ({
      windows: freeWindows(
        aircraftId === ANY_AIRCRAFT_ID ? presences : presentIn({ presences, levels: listOf(id) }, aircraftId),
        held.get(id) ?? [],
      ),
      startsAfterMs: startsAfter(status.effectiveState, nowMs),
    })),
  );
  let step = 0;
  return {
    startDate: start,
    timeZone: tz,
    aircraftId,
    days: days.map(({ dateLocal, starts }) => ({
      dateLocal,
      hours: starts.map((startMs) => ({
        startUtc: toIso(startMs),
        startLocal: localTime(startMs, tz),
        pilots: whole[step++] ?? 0,
      })),
    })),
  };
}

/** Times of scheduled missions that overlap the range. */
async function loadMissionTimes(em: Em, range: Interval): Promise<Interval[]> {
  return db(em)
    .selectFrom('mission as m')
    .select(({ ref }) => [ms(ref('m.starts_at')).as('startMs'), ms(ref('m.ends_at')).as('endMs')])
    .where('m.status', '=', 'scheduled')
    .where(overlapsRange('m', range))
    .execute();
}

/**
 * The times of a local date at which the most active pilots are free, ranked, or those that fill most of the requested
 * seats. Pilots in Do Not Disturb only count for times that start more than 24 h from now. Unknown aircraft: 400.
 */
export async function getRecommendedTimes(
  em: Em,
  { date, tz = 'UTC', minDuration, limit, seats }: z.infer<typeof recommendedTimesInput>,
  now: Date,
): Promise<z.infer<typeof recommendedTimes>> {
  const demand = parseSeatRequests(seats);
  await findAircraft(
    em,
    demand.map(({ aircraftId }) => aircraftId),
    () => 'seats',
  );
  const day = dayBounds(date, tz);
  const minDurationMs = minDuration * MINUTE_MS;
  const longestMs = Math.max(minDurationMs, RECOMMENDED_HOURS_MAX * HOUR_MS);
  const range = { startMs: day.startMs, endMs: day.endMs + longestMs };
  const held = await loadHeldSeats(em, range, now);
  const listOf = await loadAircraftLists(em);
  const pilots = (await loadPresences(em, undefined, range, now)).map(({ id, presences, status, isActive }) => {
    const commitments = held.get(id) ?? [];
    return {
      id,
      active: isActive,
      presences,
      commitments,
      state: status.effectiveState,
      levels: listOf(id),
      windows: freeWindows(presences, commitments),
      startsAfterMs: startsAfter(status.effectiveState, now.getTime()),
    };
  });
  const request = {
    day,
    nowMs: now.getTime(),
    minDurationMs,
    limit,
    missions: await loadMissionTimes(em, range),
  };
  const times = demand.length > 0 ? recommendTimesToFill(pilots, request, demand) : recommendTimes(pilots, request);
  const names = await loadNames(em, [...new Set(times.flatMap((time) => time.pilots.map(({ id }) => id)))]);
  return {
    timeZone: tz,
    totalAvailableUsers: pilots.filter((pilot) => hasTimeOn(pilot, day)).length,
    ...(demand.length > 0 && { requestedSeats: demand.reduce((sum, { seats: count }) => sum + count, 0) }),
    recommendations: times.map(({ startMs, endMs, pilots: crowd, fillableSeats }, index) => {
      const people = crowd
        .map(({ id }) => ({ id, name: names.get(id) ?? '' }))
        .sort((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id));
      return {
        rank: index + 1,
        startLocal: localDateTime(startMs, tz),
        endLocal: localDateTime(endMs, tz),
        startUtc: toIso(startMs),
        endUtc: toIso(endMs),
        participantCount: crowd.length,
        ...(fillableSeats !== undefined && { fillableSeats }),
        reason: recommendationWords(crowd, { startMs, endMs }),
        availableUserNames: people.map(({ name }) => name),
        availableUserIds: people.map(({ id }) => id),
      };
    }),
  };
}
