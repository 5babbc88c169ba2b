/** The admins' board on a real database: against an oracle, and its mission counts. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { getDaySummary, getWeeklySummary } from '#server/board/dashboard.ts';
import { createRosterReader } from '#server/availability/roster-reader.ts';
import { getExpectedOnline, getHeat, getRecommendedTimes } from '#server/board/expected-pilots.ts';
import { formatSeatRequests } from '#shared/seat-request.ts';
import { TIME_ZONES } from '#shared/vocabulary.ts';
import { type Community, randomCommunity } from '#tests/harness/community.ts';
import { givenCommunity } from '#tests/harness/given-community.ts';
import { givenAdmin, givenMission, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { createOracle, type OracleTime } from '#tests/harness/oracle.ts';
import { givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { seeded } from '#tests/harness/seeded.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const MINUTE_MS = 60_000;
/** More pilots than these communities have. */
const ALL_NAMED = { pilots: 100, skipPilots: 0 };
const DAY_MS = 1_440 * MINUTE_MS;

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

/** An empty community: only the admin, without availability. */
afterEach(async () => {
  const em = service.app.orm.em.fork();
  await query(em, sql`delete from mission`);
  await query(em, sql`delete from app_user where id <> ${admin.id}`);
});

const read = async (path: string) => {
  const { status, body } = await admin.client.call('GET', `/admin${path}`);
  return { status, body };
};

const asAnswered = ({ ids, ...time }: OracleTime, index: number) => ({
  rank: index + 1,
  startLocal: time.startLocal,
  endLocal: time.endLocal,
  startUtc: time.startUtc,
  endUtc: time.endUtc,
  participantCount: ids.length,
  availableUserNames: time.names,
  availableUserIds: ids,
});

/** The counts that the summaries must show, from the missions alone; dates are in the requested zone. */
function countDay({ missions }: Community, date: string, tz: string) {
  const dateOf = (ms: number) => new Intl.DateTimeFormat('sv-SE', { timeZone: tz }).format(ms);
  const ofDay = missions.filter(({ status, startMs }) => status === 'scheduled' && dateOf(startMs) === date);
  const accepted = ofDay.flatMap(({ seats }) => seats).filter(({ kind }) => kind === 'accepted').length;
  const flights = ofDay.flatMap((mission) => mission.flights);
  const seats = flights.reduce((sum, { sizeCap }) => sum + sizeCap, 0);
  return {
    missions: ofDay.length,
    flights: flights.length,
    pilotsAssigned: accepted,
    awaitingSlots: seats - accepted,
  };
}

/** Flights that launch from now on, within [fromMs, toMs), by instant. */
function listLaunches({ missions }: Community, nowMs: number, fromMs: number, toMs: number) {
  const flights = missions
    .filter(({ status }) => status === 'scheduled')
    .flatMap((mission) => mission.flights)
    .filter(({ launchMs }) => launchMs >= nowMs && launchMs >= fromMs && launchMs < toMs);
  const instants = [...new Set(flights.map(({ launchMs }) => launchMs))].sort((a, b) => a - b);
  return instants.slice(0, 20).map((ms) => {
    const together = flights.filter(({ launchMs }) => launchMs === ms);
    return {
      time: new Date(ms).toISOString(),
      flights: together.length,
      seats: together.reduce((sum, { sizeCap }) => sum + sizeCap, 0),
    };
  });
}

describe('every number of a random community matches the oracle', () => {
  test.each([
    [1, '2026-03-06', 'America/New_York'],
    [2, '2026-04-01', 'Australia/Sydney'],
    [3, '2026-10-23', 'Europe/Berlin'],
    [4, '2027-10-01', 'Australia/Sydney'],
    [5, '2027-11-05', 'America/Los_Angeles'],
    [6, '2027-03-25', 'Europe/London'],
    [7, '2026-07-01', 'Asia/Tokyo'],
    [8, '2026-12-29', 'UTC'],
  ] as const)('seed %i, from %s, in %s', async (seed, date, tz) => {
    const random = seeded(seed);
    const fromMs = Date.parse(`${date}T00:00:00Z`);
    const nowMs = fromMs + random.between(-30, 40) * 60 * MINUTE_MS;
    const now = new Date(nowMs);
    const community = randomCommunity(random, { size: 24, fromMs, days: 7 });
    await givenCommunity(service, community, nowMs, admin.id);
    const em = () => service.app.orm.em.fork();
    const source = () => ({ em: em(), rosters: createRosterReader() });
    const oracle = createOracle(community, nowMs, { fromMs: fromMs - DAY_MS, toMs: fromMs + 9 * DAY_MS });

    for (const days of [0, 2, 3]) {
      const asked = new Date(fromMs + days * DAY_MS).toISOString().slice(0, 10);
      const request = { date: asked, tz, minDuration: random.pick([60, 15, 240]), limit: 24 };
      const { total, times } = oracle.recommend(request);
      const found = await getRecommendedTimes(source(), { ...request, ...ALL_NAMED }, now);
      expect(found.totalAvailableUsers).toBe(total);
      expect(found.recommendations.map(({ reason: _reason, ...time }) => time)).toEqual(times.map(asAnswered));
      expect(found.recommendations.every((one) => one.reason.startsWith(`${one.participantCount} pilot`))).toBe(true);
    }
    const wanted = { seats: [2, 4].map((aircraftId) => ({ aircraftId, seats: random.between(1, 4) })), limit: 24 };
    const filling = oracle.fill({ date, tz, minutes: 180, ...wanted });
    const filled = await getRecommendedTimes(
      source(),
      { date, tz, minDuration: 180, limit: 24, seats: formatSeatRequests(wanted.seats), ...ALL_NAMED },
      now,
    );
    expect(filled.requestedSeats).toBe(wanted.seats.reduce((sum, { seats }) => sum + seats, 0));
    expect(
      filled.recommendations.map((time) => ({
        startUtc: time.startUtc,
        endUtc: time.endUtc,
        filled: time.fillableSeats,
        ids: time.availableUserIds.toSorted(),
      })),
    ).toEqual(filling.times);
    for (const aircraftId of [0, 2]) {
      const found = await getHeat(source(), { startDate: date, tz, aircraftId }, now);
      expect(found.days).toEqual(oracle.heat({ startDate: date, tz, aircraftId }));
    }
    const series = { fromMs: fromMs + 37 * MINUTE_MS, toMs: fromMs + 3 * DAY_MS, bucket: random.pick([5, 30, 240]) };
    const online = await getExpectedOnline(
      source(),
      { from: new Date(series.fromMs).toISOString(), to: new Date(series.toMs).toISOString(), bucket: series.bucket },
      now,
    );
    expect(online.points).toEqual(oracle.online(series));

    const week = await getWeeklySummary(em(), { startDate: date, tz }, now);
    expect(week.dailySummaries).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((days) => {
        const dateLocal = new Date(fromMs + days * DAY_MS).toISOString().slice(0, 10);
        const dayOfWeek = new Date(`${dateLocal}T00:00:00Z`).getUTCDay();
        return { dateLocal, dayOfWeek, ...countDay(community, dateLocal, tz) };
      }),
    );
    const hours = oracle
      .heat({ startDate: date, tz, aircraftId: 0 })
      .map((one) => one.hours.map(({ startUtc }) => Date.parse(startUtc)));
    const weekEndMs = (hours.at(-1)?.at(-1) ?? 0) + 60 * MINUTE_MS;
    const dayStartMs = hours[0]?.[0] ?? 0;
    expect(week.upcomingLaunches).toEqual(listLaunches(community, nowMs, dayStartMs, weekEndMs));

    const day = await getDaySummary(source(), { day: date, tz }, now);
    const dayMinutes = (hours[0]?.length ?? 0) * 60;
    // one bucket of that whole day: pilots present for all or part of it
    const [whole] = oracle.online({
      fromMs: dayStartMs,
      toMs: dayStartMs + dayMinutes * MINUTE_MS,
      bucket: dayMinutes,
    });
    expect(day).toEqual({
      date,
      timeZone: tz,
      ...countDay(community, date, tz),
      expectedPilots: (whole?.expected ?? 0) + (whole?.partial ?? 0),
    });
  });

  test('over HTTP as well', async () => {
    const random = seeded(99);
    const date = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10);
    const fromMs = Date.parse(`${date}T00:00:00Z`);
    const community = randomCommunity(random, { size: 24, fromMs, days: 7 });
    await givenCommunity(service, community, Date.now(), admin.id);
    const oracle = createOracle(community, Date.now(), { fromMs: fromMs - DAY_MS, toMs: fromMs + 9 * DAY_MS });
    for (const tz of TIME_ZONES) {
      const { total, times } = oracle.recommend({ date, tz, minDuration: 60, limit: 3 });
      const found = await read(`/missions/recommended-time?date=${date}&tz=${tz}&minDuration=60&limit=3`);
      expect(found.body.totalAvailableUsers).toBe(total);
      expect(found.body.recommendations).toMatchObject(times.map(asAnswered));
    }
    const heat = await read(`/dashboard/heat?startDate=${date}&tz=Europe/Paris&aircraftId=4`);
    expect(heat.body.days).toEqual(oracle.heat({ startDate: date, tz: 'Europe/Paris', aircraftId: 4 }));
    const to = new Date(fromMs + DAY_MS).toISOString();
    const online = await read(`/dashboard/series/expected-online?from=${date}T00:00:00Z&to=${to}`);
    expect(online.body).toEqual({
      bucketMinutes: 30,
      points: oracle.online({ fromMs, toMs: fromMs + DAY_MS, bucket: 30 }),
    });
  });
});

describe('the board', () => {
  test('counts a mission once it has orders: accepted seats and pending seats', async () => {
    const pilot = await givenPilot(service);
    const date = hoursFromNow(30).slice(0, 10);
    const flights: NonNullable<Parameters<typeof givenMission>[2]> = {
      aircraftSlots: [{ aircraftId: 2, slotCount: 5, side: 0, notes: 'CAP' }],
    };
    await givenMission(service, admin, flights);
    await givenMission(service, admin, { ...flights, publish: false });
    const summary = async () => (await read(`/dashboard/summary?day=${date}`)).body;
    const waiting = { date, timeZone: 'UTC', missions: 1, flights: 2, pilotsAssigned: 0, awaitingSlots: 5 };
    expect(await summary()).toEqual({ ...waiting, expectedPilots: 1 });

    await respond(pilot, await orderOf(pilot), 'Accepted');
    expect(await summary()).toEqual({ ...waiting, pilotsAssigned: 1, awaitingSlots: 4, expectedPilots: 1 });
    const week = await read(`/dashboard/weekly-summary?startDate=${date}`);
    const { date: _date, timeZone: _zone, ...counts } = waiting;
    expect(week.body.dailySummaries[0]).toMatchObject({ ...counts, pilotsAssigned: 1, awaitingSlots: 4 });
    expect(week.body.upcomingLaunches).toEqual([{ time: expect.stringMatching(/Z$/), flights: 2, seats: 5 }]);

    // suspended pilots are expected nowhere
    await retirePilots(service);
    expect(await summary()).toMatchObject({ expectedPilots: 0 });
  });

  test('counts a mission on the local date of its start, also where a day has 23 hours', async () => {
    const starts = ['2026-10-03T13:45Z', '2026-10-03T14:00Z', '2026-10-04T12:59Z', '2026-10-04T13:00Z'];
    const missions = starts.map((start): Community['missions'][number] => {
      const startMs = Date.parse(start);
      const flights = [{ sizeCap: 4, launchMs: startMs }];
      return { startMs, endMs: startMs + 60 * MINUTE_MS, status: 'scheduled', flights, seats: [] };
    });
    await givenCommunity(service, { pilots: [], missions }, Date.parse('2026-10-01T00:00Z'), admin.id);
    const week = await read('/dashboard/weekly-summary?startDate=2026-10-03&tz=Australia/Sydney');
    expect(week.body.dailySummaries.slice(0, 3)).toMatchObject([
      { dateLocal: '2026-10-03', dayOfWeek: 6, missions: 1 },
      { dateLocal: '2026-10-04', dayOfWeek: 0, missions: 2, flights: 2, awaitingSlots: 8 },
      { dateLocal: '2026-10-05', dayOfWeek: 1, missions: 1 },
    ]);
    const day = await read('/dashboard/summary?day=2026-10-04&tz=Australia/Sydney');
    expect(day.body).toMatchObject({ date: '2026-10-04', missions: 2, flights: 2, awaitingSlots: 8 });
  });

  test('defaults to today in UTC', async () => {
    const before = new Date().toISOString().slice(0, 10);
    const answers = [
      (await read('/dashboard/summary')).body.date,
      (await read('/dashboard/weekly-summary')).body.startDate,
      (await read('/dashboard/heat')).body.startDate,
    ];
    const after = new Date().toISOString().slice(0, 10);
    for (const date of answers) expect([before, after]).toContain(date);
  });

  test.each(['2000-01-01', '2099-12-31', '2100-12-31'])('answers at the edge of its years: %s', async (date) => {
    await givenPilot(service);
    for (const tz of ['UTC', 'Australia/Sydney', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Australia/Lord_Howe']) {
      for (const path of [
        `/dashboard/summary?day=${date}&tz=${tz}`,
        `/dashboard/weekly-summary?startDate=${date}&tz=${tz}`,
        `/dashboard/heat?startDate=${date}&tz=${tz}`,
        `/missions/recommended-time?date=${date}&tz=${tz}&minDuration=720&limit=24`,
      ]) {
        expect([path, (await read(path)).status]).toEqual([path, 200]);
      }
    }
    const series = await read(`/dashboard/series/expected-online?from=${date}T00:00:00Z&to=${date}T23:59:00Z`);
    expect([series.status, series.body.points.length]).toEqual([200, 48]);
  });

  test('has 31 days in steps of 5 minutes, with a complete last step', async () => {
    await givenPerson(service);
    const days = await read(
      '/dashboard/series/expected-online?from=2027-03-01T00:00:00Z&to=2027-04-01T00:00:00Z&bucket=5',
    );
    expect(days.body.points).toHaveLength(8_928);
    const odd = await read(
      '/dashboard/series/expected-online?from=2027-03-01T00:10:00%2B01:00&to=2027-03-01T00:00:00Z&bucket=60',
    );
    expect(odd.body.points.map(({ startUtc }: { startUtc: string }) => startUtc)).toEqual(['2027-02-28T23:10:00.000Z']);
  });

  test.each([
    ['/dashboard/summary?day=2026-02-30', 'Please enter a date as YYYY-MM-DD'],
    ['/dashboard/summary?tz=Mars/Olympus', 'Please select a timezone'],
    ['/dashboard/weekly-summary?startDate=1999-12-31', 'Please enter a date as YYYY-MM-DD'],
    ['/dashboard/heat?aircraftId=30000', 'This aircraft does not exist'],
    ['/dashboard/heat?aircraftId=-1', 'This aircraft does not exist'],
    ['/missions/recommended-time', 'Please enter a date as YYYY-MM-DD'],
    [
      '/missions/recommended-time?date=2027-01-01&minDuration=14',
      'The minimum duration must be a whole number of minutes from 15 to 720',
    ],
    [
      '/missions/recommended-time?date=2027-01-01&seats=2x0',
      'Please name the seats as 2x4,5x2: aircraft, x, number of seats',
    ],
    ['/missions/recommended-time?date=2027-01-01&seats=2x4,9999x1', 'This aircraft does not exist'],
    ['/missions/recommended-time?date=2027-01-01&limit=25', 'The limit must be a whole number from 1 to 24'],
    ['/dashboard/series/expected-online?from=2027-01-01&to=2027-01-02', 'Please enter a time as YYYY-MM-DDTHH:mm:ssZ'],
    [
      '/dashboard/series/expected-online?from=9999-12-31T00:00:00Z&to=9999-12-31T01:00:00Z',
      'Please enter a time as YYYY-MM-DDTHH:mm:ssZ',
    ],
    [
      '/dashboard/series/expected-online?from=2027-01-02T00:00:00Z&to=2027-01-02T00:00:00Z',
      'The end must be after the start',
    ],
    [
      '/dashboard/series/expected-online?from=2027-01-01T00:00:00Z&to=2027-02-01T00:00:01Z',
      'A range can cover at most 31 days',
    ],
    [
      '/dashboard/series/expected-online?from=2027-01-01T00:00:00Z&to=2027-01-02T00:00:00Z&bucket=4',
      'The bucket must be a whole number of minutes from 5 to 240',
    ],
  ])('refuses %s with its sentence', async (path, message) => {
    const { status, body } = await read(path);
    expect([status, body.message]).toEqual([400, message]);
  });
});
