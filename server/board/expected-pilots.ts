/** Expected pilots: expected online over time, heat map of a week, recommended times of a day. */
import type { z } from 'zod';
import { db, ms } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, overlapsRange } from '#server/schema/predicates.ts';
import { fitInAny, isPresentIn } from '#server/orders/seating/rules/eligibility.ts';
import { freeWindows } from '#server/availability/rules/pilot-presences.ts';
import { startsAfter } from '#server/availability/rules/do-not-disturb.ts';
import { type Interval, mergeIntervals, overlaps } from '#server/time/intervals.ts';
import { type RecommendationRequest, recommendTimesToFill } from '#server/board/rules/recommended-times-to-fill.ts';
import { countFreeThroughout, countPresence, countPresentOn, gatherFree } from '#server/board/rules/indexed-counts.ts';
import { recommendTimes } from '#server/board/rules/recommended-times.ts';
import { flyersBy } from '#server/board/rules/flyers.ts';
import { UNKNOWN_OFFER } from '#server/availability/rules/index/week-windows.ts';
import { Crowd } from '#server/availability/rules/index/crowd.ts';
import { compareNames } from '#server/availability/rules/name-order.ts';
import type { NamedPilot, Offer, Roster } from '#server/availability/rules/roster.ts';
import type { RosterSource } from '#server/availability/roster-reader.ts';
import { flyersIn, recommendationWords } from '#server/board/rules/recommendation-text.ts';
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
import { findAircraft } from '#server/accounts/pilots/aircraft.ts';

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
  { em, rosters }: RosterSource,
  { from, to, bucket }: z.infer<typeof expectedOnlineInput>,
  now: Date,
): Promise<ExpectedOnlineDto> {
  const startMs = Date.parse(from);
  const bucketMs = bucket * MINUTE_MS;
  const buckets = Math.ceil((Date.parse(to) - startMs) / bucketMs);
  const edges = Float64Array.from({ length: buckets + 1 }, (_, index) => startMs + index * bucketMs);
  const range = { startMs, endMs: startMs + buckets * bucketMs };
  const committed = tallyOverlaps(edges, await loadAcceptedSeats(em, range));
  const roster = await rosters.read(em, startMs, now);
  const { whole, part } = countExpected(roster, edges, bucket);
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

function countExpected(roster: Roster, edges: Float64Array, bucket: number) {
  const [startMs = 0] = edges;
  if (startMs % MINUTE_MS === 0) {
    return countPresence(roster.presence(), { from: startMs / MINUTE_MS, buckets: edges.length - 1, bucket });
  }
  // the index knows whole minutes only
  const pilots = listActive(roster, { startMs, endMs: edges.at(-1) ?? startMs });
  return tallyPilots(
    edges,
    pilots.map(({ presences }) => ({ windows: mergeIntervals(presences), startsAfterMs: -Infinity })),
  );
}

/** Active pilots with their presences, seats and aircraft lists. */
function listActive(roster: Roster, range: Interval) {
  return roster.presences(range).map((pilot) => ({
    ...pilot,
    seats: pilot.seats.filter((seat) => overlaps(seat, range)),
  }));
}

/**
 * Active pilots per hour of seven local days who could fly for the whole hour. Pilots with a seat at that time do not
 * count, and pilots in Do Not Disturb do not count for the next 24 h. In one aircraft, those count who could be ordered
 * into it. Unknown aircraft: 400.
 */
export async function getHeat(
  { em, rosters }: RosterSource,
  { startDate, tz = 'UTC', aircraftId }: z.infer<typeof heatInput>,
  now: Date,
): Promise<HeatDto> {
  if (aircraftId !== ANY_AIRCRAFT_ID) await findAircraft(em, [aircraftId]);
  const nowMs = now.getTime();
  const start = startDate ?? localDate(nowMs, tz);
  const days = listDates(start, HEAT_DAYS).map((dateLocal) => ({ dateLocal, ...listHours(dateLocal, tz) }));
  const range = { startMs: dayBounds(start, tz).startMs, endMs: days.at(-1)?.endMs ?? nowMs };
  const edges = Float64Array.from([...days.flatMap(({ starts }) => starts), range.endMs]);
  const roster = await rosters.read(em, range.startMs, now);
  const whole =
    aircraftId === ANY_AIRCRAFT_ID ? countFreeThroughout(roster.free(), edges) : countFreeIn(roster, edges, aircraftId);
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

/**
 * Pilots per step who could fly in this aircraft throughout.
 * @param edges ascending whole minutes; step i lasts from edge i to edge i + 1, at most a day
 */
function countFreeIn(roster: Roster, edges: Float64Array, aircraftId: number): number[] {
  const crowd = new Crowd(roster.bound());
  return Array.from(edges.subarray(0, -1), (startMs, index) => {
    const step = { startMs, endMs: edges[index + 1] ?? startMs };
    gatherFree(roster.free(), step, crowd);
    let pilots = crowd
      .others()
      .filter((handle) => {
        const presences = roster.presencesDuring(handle, step);
        return isPresentIn({ levels: roster.levelsOf(handle), presences }, aircraftId, step);
      })
      .toArray().length;
    for (const [number, count] of crowd.offers.entries()) {
      if (number !== UNKNOWN_OFFER && count > 0 && isForAircraft(roster.offer(number), aircraftId)) pilots += count;
    }
    return pilots;
  });
}

const isForAircraft = (offer: Offer, aircraftId: number): boolean =>
  offer.aircraftId === null ? fitInAny(offer, aircraftId) !== null : offer.aircraftId === aircraftId;

/** Times of scheduled missions that overlap the range. */
const selectMissionTimes = named<{ start: Date; end: Date }, Interval>('mission times', (source, { start, end }) =>
  source
    .selectFrom('mission as m')
    .select(({ ref }) => [ms(ref('m.starts_at')).as('startMs'), ms(ref('m.ends_at')).as('endMs')])
    .where('m.status', '=', 'scheduled')
    .where('m.starts_at', '<', end)
    .where('m.ends_at', '>', start),
);

/**
 * The times of a local date at which the most active pilots are free, ranked, or those that fill most of the requested
 * seats. Pilots in Do Not Disturb only count for times that start more than 24 h from now. Unknown aircraft: 400.
 */
export async function getRecommendedTimes(
  { em, rosters }: RosterSource,
  { date, tz = 'UTC', minDuration, limit, seats, pilots, skipPilots }: z.infer<typeof recommendedTimesInput>,
  now: Date,
): Promise<z.infer<typeof recommendedTimes>> {
  const demand = parseSeatRequests(seats);
  await findAircraft(
    em,
    demand.map(({ aircraftId }) => aircraftId),
    () => 'seats',
  );
  const page = { skip: skipPilots, limit: pilots };
  const day = dayBounds(date, tz);
  const minDurationMs = minDuration * MINUTE_MS;
  const longestMs = Math.max(minDurationMs, RECOMMENDED_HOURS_MAX * HOUR_MS);
  const range = { startMs: day.startMs, endMs: day.endMs + longestMs };
  const request = {
    day,
    nowMs: now.getTime(),
    minDurationMs,
    limit,
    missions: await selectMissionTimes(em, { start: new Date(range.startMs), end: new Date(range.endMs) }),
  };
  const roster = await rosters.read(em, range.startMs, now);
  const times = demand.length > 0 ? fillTimes(roster, request, range, demand, page) : listTimes(roster, request, page);
  return {
    timeZone: tz,
    totalAvailableUsers: countPresentOn(roster.free(), day),
    ...(demand.length > 0 && { requestedSeats: demand.reduce((sum, { seats: count }) => sum + count, 0) }),
    recommendations: times.map(({ startMs, endMs, count, people, reason, fillableSeats }, index) => ({
      rank: index + 1,
      startLocal: localDateTime(startMs, tz),
      endLocal: localDateTime(endMs, tz),
      startUtc: toIso(startMs),
      endUtc: toIso(endMs),
      participantCount: count,
      ...(fillableSeats !== undefined && { fillableSeats }),
      reason,
      availableUserNames: people.map(({ name }) => name),
      availableUserIds: people.map(({ id }) => id),
    })),
  };
}

/** Which pilots of a time are named. */
type Page = { readonly skip: number; readonly limit: number };

type ShownTime = Interval & {
  readonly count: number;
  readonly people: readonly NamedPilot[];
  readonly reason: string;
  readonly fillableSeats?: number | undefined;
};

function listTimes(roster: Roster, request: RecommendationRequest, page: Page): ShownTime[] {
  const crowd = new Crowd(roster.bound());
  return recommendTimes(request, roster.free()).map((time) => {
    gatherFree(roster.free(), time, crowd);
    return {
      ...time,
      people: listMembers(roster, crowd, page),
      reason: recommendationWords(flyersBy(roster, crowd, time), time),
    };
  });
}

/** A page of a crowd, by name. */
function listMembers(roster: Roster, { members }: Crowd, { skip, limit }: Page): NamedPilot[] {
  const people: NamedPilot[] = [];
  let before = 0;
  for (const handle of roster.byName()) {
    if (people.length === limit) break;
    if (members[handle] === 0) continue;
    if (before < skip) before += 1;
    else people.push(roster.named(handle));
  }
  return people;
}

function fillTimes(
  roster: Roster,
  request: RecommendationRequest,
  range: Interval,
  demand: ReturnType<typeof parseSeatRequests>,
  { skip, limit }: Page,
): ShownTime[] {
  const pilots = listActive(roster, range).map((pilot) => ({
    id: pilot.id,
    name: pilot.name,
    active: pilot.isActive,
    presences: pilot.presences,
    commitments: pilot.seats,
    state: pilot.status.effectiveState,
    levels: pilot.levels,
    windows: freeWindows(pilot.presences, pilot.seats),
    startsAfterMs: startsAfter(pilot.status.effectiveState, request.nowMs),
  }));
  return recommendTimesToFill(pilots, request, demand).map(({ startMs, endMs, pilots: crowd, fillableSeats }) => ({
    startMs,
    endMs,
    count: crowd.length,
    people: crowd.toSorted(compareNames).slice(skip, skip + limit),
    fillableSeats,
    reason: recommendationWords(flyersIn(crowd, { startMs, endMs }), { startMs, endMs }),
  }));
}
