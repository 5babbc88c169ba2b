/** The board's numbers, compared with a minute-by-minute oracle, in all zones and at every clock change of two years. */
import { describe, expect, test } from 'vitest';
import { toBusy } from '#server/availability/rules/busy-minutes.ts';
import { createExpansion, statusPresence, withOverrides } from '#server/availability/rules/dated-windows.ts';
import { presentIn } from '#server/orders/seating/rules/eligibility.ts';
import { freeWindows } from '#server/availability/rules/pilot-presences.ts';
import { startsAfter } from '#server/availability/rules/do-not-disturb.ts';
import { leaveTime } from '#server/accounts/rules/leave.ts';
import { type Interval, mergeIntervals, overlaps, subtractIntervals } from '#server/time/intervals.ts';
import { Crowd } from '#server/availability/rules/index/crowd.ts';
import { flyersBy } from '#server/board/rules/flyers.ts';
import { flyersIn } from '#server/board/rules/recommendation-text.ts';
import type { ProficiencyLevel } from '#shared/vocabulary.ts';
import { recommendTimesToFill } from '#server/board/rules/recommended-times-to-fill.ts';
import { countFree, countPresence, countPresentOn, gatherFree } from '#server/board/rules/indexed-counts.ts';
import { recommendTimes } from '#server/board/rules/recommended-times.ts';
import { createRoster, type Roster } from '#server/availability/rules/roster.ts';
import { rosterSlot } from '#server/availability/rules/roster-pilot.ts';
import { tallyOverlaps, tallyPilots } from '#server/board/rules/tallies.ts';
import { addDays, dayBounds, DAY_MS, listDates, listHours, localTime, MINUTE_MS, toIso } from '#server/time/time.ts';
import { TIME_ZONES } from '#shared/vocabulary.ts';
import { type Community, type CommunityPilot, randomCommunity } from '#tests/harness/community.ts';
import { createOracle } from '#tests/harness/oracle.ts';
import { seeded } from '#tests/harness/seeded.ts';

/** Sundays with a clock change in some of the ten zones. */
const CHANGES = [
  '2026-03-08',
  '2026-03-29',
  '2026-04-05',
  '2026-10-04',
  '2026-10-25',
  '2026-11-01',
  '2027-03-14',
  '2027-03-28',
  '2027-04-04',
  '2027-10-03',
  '2027-10-31',
  '2027-11-07',
] as const;

/** The pilots as input for the rules. */
function present({ pilots, missions }: Community, nowMs: number, fromMs: number, toMs: number) {
  const expand = createExpansion(fromMs, toMs);
  const seatsOf = ({ id }: CommunityPilot) =>
    missions.filter(({ seats }) => seats.some(({ pilotId, kind }) => pilotId === id && kind !== 'expired'));
  return pilots
    .filter(({ active }) => active)
    .map((pilot) => {
      const { zone, state, minutesLeft } = pilot;
      const slots = pilot.slots.map((slot) => ({ ...slot, notes: null }));
      const overrides = pilot.overrides.map((override) => ({ ...override, notes: null }));
      const expiresAtMs = minutesLeft === null ? null : nowMs + minutesLeft * MINUTE_MS;
      const everything = [
        ...withOverrides(expand(slots, zone), overrides, zone, toBusy(pilot.busy)),
        ...statusPresence({ state, minutes: minutesLeft, expiresAtMs }, nowMs),
      ];
      const presences = subtractIntervals(everything, pilot.leave ? [leaveTime(pilot.leave, zone)] : []);
      return {
        pilot,
        active: true,
        state,
        levels: new Map(),
        presences,
        commitments: seatsOf(pilot),
        startsAfterMs: startsAfter(state, nowMs),
        windows: freeWindows(presences, seatsOf(pilot)),
      };
    });
}

/** Aircraft lists of pilots, who take turns. */
const LISTS: ReadonlyMap<number, ProficiencyLevel>[] = [[], [2], [4, 2], [2, 4, 5], [1, 2, 3, 4]].map(
  (ids) => new Map(ids.map((id) => [id, 'basic'])),
);

/** The same pilots as the roster holds them. */
function enrol({ pilots, missions }: Community, nowMs: number): Roster {
  const roster = createRoster();
  roster.advance(nowMs);
  for (const [index, pilot] of pilots.entries()) {
    const { id, name, zone, active, state, minutesLeft, leave } = pilot;
    roster.put({
      id,
      name,
      timeZone: zone,
      isActive: active,
      status: {
        state,
        minutes: minutesLeft,
        expiresAtMs: minutesLeft === null ? null : nowMs + minutesLeft * MINUTE_MS,
      },
      leaveDates: leave,
      slots: pilot.slots.map((slot) => rosterSlot({ ...slot, notes: null })),
      overrides: pilot.overrides.map((override) => ({ ...override, notes: null })),
      busy: toBusy(pilot.busy),
      seats: missions.flatMap(({ startMs, endMs, seats }) =>
        seats
          .filter(({ pilotId }) => pilotId === id)
          .map(({ kind }) => ({ startMs, endMs, expiresAtMs: kind === 'expired' ? nowMs : null })),
      ),
      levels: LISTS[index % LISTS.length] ?? new Map(),
    });
  }
  return roster;
}

function recommended({ roster, community, nowMs, tz }: Case, date: string, minDuration: number, limit: number) {
  const day = dayBounds(date, tz);
  const missions = community.missions.filter(({ status }) => status === 'scheduled');
  const request = { day, nowMs, minDurationMs: minDuration * MINUTE_MS, limit, missions };
  const crowd = new Crowd(roster.bound());
  return {
    total: countPresentOn(roster.free(), day),
    times: recommendTimes(request, roster.free()).map((time) => {
      gatherFree(roster.free(), time, crowd);
      const pilots = roster
        .byName()
        .filter((pilot) => crowd.members[pilot] !== 0)
        .map((pilot) => roster.named(pilot));
      expect(pilots.length).toBe(time.count);
      // what they offer together is what each of them offers
      const own = new Set(pilots.map(({ id }) => id));
      const flyers = roster.presences(time).filter(({ id }) => own.has(id));
      expect(Object.fromEntries(flyersBy(roster, crowd, time))).toEqual(Object.fromEntries(flyersIn(flyers, time)));
      const ids = pilots.map(({ id }) => id).sort();
      return { startUtc: toIso(time.startMs), endUtc: toIso(time.endMs), ids };
    }),
  };
}

interface Case {
  roster: Roster;
  seed: number;
  community: Community;
  nowMs: number;
  /** the first day of the request */
  date: string;
  tz: string;
}

function filling(
  { community, nowMs, tz }: Case,
  { date, minutes, limit, seats }: Omit<Parameters<ReturnType<typeof createOracle>['fill']>[0], 'tz'>,
) {
  const day = dayBounds(date, tz);
  const minDurationMs = minutes * MINUTE_MS;
  const people = present(community, nowMs, day.startMs, day.endMs + minDurationMs);
  const missions = community.missions.filter(({ status }) => status === 'scheduled');
  const times = recommendTimesToFill(people, { day, nowMs, minDurationMs, limit, missions }, seats);
  return {
    most: times[0]?.fillableSeats ?? 0,
    times: times.map((time) => ({
      startUtc: toIso(time.startMs),
      endUtc: toIso(time.endMs),
      filled: time.fillableSeats,
      ids: time.pilots.map(({ pilot }) => pilot.id).sort(),
    })),
  };
}

function online({ community, nowMs }: Case, fromMs: number, toMs: number, bucket: number) {
  const buckets = Math.ceil((toMs - fromMs) / (bucket * MINUTE_MS));
  const edges = Float64Array.from({ length: buckets + 1 }, (_, index) => fromMs + index * bucket * MINUTE_MS);
  const people = present(community, nowMs, fromMs, edges.at(-1) ?? toMs);
  const { whole, part } = tallyPilots(
    edges,
    people.map(({ presences }) => ({ windows: mergeIntervals(presences), startsAfterMs: -Infinity })),
  );
  const accepted = community.missions.flatMap((mission) =>
    mission.seats
      .filter(({ pilotId, kind }) => kind === 'accepted' && people.some(({ pilot }) => pilot.id === pilotId))
      .map(() => mission),
  );
  const committed = tallyOverlaps(edges, accepted);
  return whole.map((expected, index) => ({
    startUtc: toIso(edges[index] ?? 0),
    expected,
    partial: part[index],
    committed: committed[index],
  }));
}

function heat({ community, nowMs, date, tz }: Case, aircraftId: number) {
  const days = listDates(date, 7).map((dateLocal) => ({ dateLocal, ...listHours(dateLocal, tz) }));
  const edges = Float64Array.from([...days.flatMap(({ starts }) => starts), days.at(-1)?.endMs ?? 0]);
  const people = present(community, nowMs, edges[0] ?? 0, edges.at(-1) ?? 0);
  const { whole } = tallyPilots(
    edges,
    people.map(({ presences, commitments, startsAfterMs }) => ({
      windows: freeWindows(
        aircraftId === 0 ? presences : presentIn({ presences, levels: new Map() }, aircraftId),
        commitments,
      ),
      startsAfterMs,
    })),
  );
  let step = 0;
  return days.map(({ dateLocal, starts }) => ({
    dateLocal,
    hours: starts.map((ms) => ({
      startUtc: toIso(ms),
      startLocal: localTime(ms, tz),
      pilots: whole[step++],
    })),
  }));
}

function heatByIndex({ roster, date, tz }: Case) {
  return listDates(date, 7)
    .flatMap((day) => listHours(day, tz).starts)
    .map((ms) => ({
      startUtc: toIso(ms),
      pilots: countFree(roster.free(), { from: ms / MINUTE_MS, size: 1, step: 1 }, 60)[0],
    }));
}

/** Those who matter for a mission. @returns how many of them are there throughout */
function compareMission({ roster, community, nowMs }: Case, time: Interval): number {
  const people = present(community, nowMs, time.startMs, time.endMs);
  const isThere = ({ presences }: (typeof people)[number]): boolean =>
    mergeIntervals(presences).some(({ startMs, endMs }) => startMs <= time.startMs && time.endMs <= endMs);
  const isAway = ({ leave, zone }: CommunityPilot): boolean => leave !== null && overlaps(leaveTime(leave, zone), time);
  const asked = people.filter((one) => isThere(one) || isAway(one.pilot));
  const { pilots, absent } = roster.presencesAt(time);
  expect(pilots.map(({ id, presences }) => ({ id, presences: mergeIntervals(presences) }))).toEqual(
    asked
      .map(({ pilot, presences }) => ({ id: pilot.id, presences: mergeIntervals(presences) }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  expect(absent).toBe(people.length - asked.length);
  return people.filter(isThere).length;
}

function compare(one: Case, dates: readonly string[]): void {
  const random = seeded(one.seed);
  const fromMs = Date.parse(`${one.date}T00:00:00Z`);
  const oracle = createOracle(one.community, one.nowMs, { fromMs: fromMs - DAY_MS, toMs: fromMs + 9 * DAY_MS });
  const where = `seed ${one.seed}, ${one.tz}, ${one.date}`;
  for (const date of dates) {
    const minDuration = random.pick([15, 60, 60, 90, 240, random.between(15, 720)]);
    const limit = random.pick([1, 3, 24]);
    const { total, times } = oracle.recommend({ date, tz: one.tz, minDuration, limit });
    expect(recommended(one, date, minDuration, limit), `${where}: ${date}, ${minDuration} min`).toEqual({
      total,
      times: times.map(({ startUtc, endUtc, ids }) => ({ startUtc, endUtc, ids: ids.toSorted() })),
    });
  }
  const seats = [2, 4, 7].flatMap((aircraftId) => {
    const size = random.between(0, 3);
    return size === 0 ? [] : [{ aircraftId, seats: size }];
  });
  for (const date of seats.length > 0 ? dates : []) {
    const ask = {
      date,
      minutes: random.pick([60, 180, random.between(15, 300)]),
      limit: random.pick([1, 3, 24]),
      seats,
    };
    expect(filling(one, ask), `${where}: seats, ${JSON.stringify(ask)}`).toEqual(oracle.fill({ ...ask, tz: one.tz }));
  }
  const aircraftId = random.pick([0, 2, 4]);
  const weekHeat = heat(one, aircraftId);
  expect(weekHeat, `${where}: heat of ${aircraftId}`).toEqual(
    oracle.heat({ startDate: one.date, tz: one.tz, aircraftId }),
  );
  expect(heatByIndex(one), `${where}: heat by index`).toEqual(
    oracle
      .heat({ startDate: one.date, tz: one.tz, aircraftId: 0 })
      .flatMap(({ hours }) => hours.map(({ startUtc, pilots }) => ({ startUtc, pilots }))),
  );
  const bucket = random.pick([5, 30, 60, 240, random.between(5, 240)]);
  const start = fromMs + random.between(0, 1_440) * MINUTE_MS;
  const end = start + random.between(1, 4 * 1_440) * MINUTE_MS;
  const points = oracle.online({ fromMs: start, toMs: end, bucket });
  expect(online(one, start, end, bucket), `${where}: online by ${bucket} min`).toEqual(points);
  const time = { startMs: start, endMs: start + bucket * MINUTE_MS };
  expect(compareMission(one, time), `${where}: a mission of ${bucket} min`).toBe(points[0]?.expected);
  const ask = { from: start / MINUTE_MS, buckets: points.length, bucket };
  expect(countPresence(one.roster.presence(), ask), `${where}: online by index, ${bucket} min`).toEqual({
    whole: points.map(({ expected }) => expected),
    part: points.map(({ partial }) => partial),
  });
}

function givenCase(seed: number, date: string, tz: string): Case {
  const random = seeded(seed);
  const fromMs = Date.parse(`${date}T00:00:00Z`);
  const community = randomCommunity(random, { size: random.between(0, 14), fromMs, days: 7 });
  // before or during the week; often on a full hour, so that the limit of 24 h coincides with the steps of the result
  const nowMs =
    fromMs + (random.chance(0.5) ? random.between(-48, 120) * 60 : random.between(-2_880, 7_200)) * MINUTE_MS;
  return { seed, community, roster: enrol(community, nowMs), nowMs, date, tz };
}

describe('recommended times, expected pilots and heat match a count of every minute', () => {
  test.each(CHANGES)('in all zones, in the week around %s', (sunday) => {
    for (const [index, tz] of TIME_ZONES.entries()) {
      const first = listDates(sunday, 1).map((date) =>
        new Date(Date.parse(date) - 4 * DAY_MS).toISOString().slice(0, 10),
      );
      const date = first[0] ?? sunday;
      const one = givenCase(Date.parse(sunday) / DAY_MS + index * 100_000, date, tz);
      compare(one, [sunday, new Date(Date.parse(sunday) - DAY_MS).toISOString().slice(0, 10)]);
    }
  });

  test('in random weeks of random communities', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = seeded(seed);
      const date = addDays('2026-01-01', random.between(0, 720));
      compare(givenCase(seed, date, random.pick(TIME_ZONES)), [date, addDays(date, 5)]);
    }
  });

  test('days of 23 and 25 hours are covered', () => {
    const lengths = CHANGES.flatMap((sunday) => TIME_ZONES.map((tz) => listHours(sunday, tz).starts.length));
    expect(new Set(lengths)).toEqual(new Set([23, 24, 25]));
    // four American zones, three European ones and Sydney, twice in each of two years
    expect(lengths.filter((hours) => hours !== 24)).toHaveLength((4 + 3 + 1) * 4);
  });
});
