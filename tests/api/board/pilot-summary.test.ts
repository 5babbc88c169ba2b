/** A pilot's summary for admins: dated windows, levels, upcoming and previous seats, the week in any zone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import type { AssignedMissionDto, AvailabilitySummaryDto, ScheduleDto } from '#shared/schemas/admin-pilot.ts';
import {
  givenAdmin,
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  type Person,
} from '#tests/harness/given.ts';
import { givenMissionIn, givenOrder, inbox, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

async function summaryOf({ id }: { id: string }, search = ''): Promise<AvailabilitySummaryDto> {
  const { status, body } = await admin.client.call('GET', `/admin/users/${id}/availability-summary${search}`);
  expect([status, body.message]).toEqual([200, undefined]);
  return body;
}

async function scheduleOf({ id }: { id: string }, search = ''): Promise<ScheduleDto> {
  const { status, body } = await admin.client.call('GET', `/admin/users/${id}/availability${search}`);
  expect([status, body.message]).toEqual([200, undefined]);
  return body;
}

const slot = (
  weekday: number,
  startLocal: string,
  endLocal: string,
  aircraftCodeId = 0,
  notes: string | null = null,
) => ({
  weekday,
  startLocal,
  endLocal,
  aircraftCodeId,
  notes,
});

async function givenWeek(pilot: Person, slots: readonly ReturnType<typeof slot>[]): Promise<void> {
  const { status } = await pilot.client.call('POST', `/users/${pilot.id}/availability/templates`, {
    name: 'Week',
    isActive: true,
    slots,
  });
  expect(status).toBe(201);
}

/** Move a mission so that it ended before now; seats carry its times too. */
async function endMission(missionId: string, hoursAgo: number): Promise<void> {
  const em = service.app.orm.em.fork();
  const [start, end] = [hoursFromNow(-hoursAgo - 2), hoursFromNow(-hoursAgo)].map((time) => `${time}:00Z`);
  await query(
    em,
    sql`update mission set starts_at = ${start}::timestamptz, ends_at = ${end}::timestamptz where id = ${missionId}`,
  );
  await query(
    em,
    sql`update seat set starts_at = ${start}::timestamptz, ends_at = ${end}::timestamptz where mission_id = ${missionId}`,
  );
}

const told = (missions: readonly AssignedMissionDto[]) =>
  missions.map(({ missionName, status, rsvp }) => `${missionName} ${status} ${rsvp}`);

test('the user, the zone and the levels: 14 days from today and UTC unless asked otherwise', async () => {
  const pilot = await givenPerson(service, { timeZone: 'Asia/Tokyo', displayName: 'Kestrel' });
  await givenWeek(
    pilot,
    Array.from({ length: 7 }, (_, day) => slot(day, '12:00', '13:00')),
  );
  await admin.client.call('PUT', `/users/${pilot.id}/proficiencies/2`, { level: 'expert' });
  await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/3`, { level: 'learning' });
  const summary = await summaryOf(pilot);
  expect(summary.user).toEqual({
    id: pilot.id,
    email: pilot.email,
    displayName: 'Kestrel',
    timeZone: 'Asia/Tokyo',
    roles: ['user'],
    createdAt: pilot.createdAt.toISOString(),
    approval: null,
  });
  expect(summary.timeZone).toBe('UTC');
  const first = Temporal.Now.plainDateISO('UTC');
  expect(summary.availabilityWindows).toEqual(
    Array.from({ length: 14 }, (_, day) => ({
      dateLocal: first.add({ days: day }).toString(),
      startLocal: '03:00',
      endLocal: '04:00',
      source: 'template',
      aircraftCodeId: 0,
      notes: null,
    })),
  );
  expect(
    summary.aircraftProficiencies.map(({ aircraftCode, aircraftName, level, setByAdmin }) => [
      aircraftCode,
      aircraftName,
      level,
      setByAdmin,
    ]),
  ).toEqual([
    ['A-10C_2', 'A-10C II Warthog', 'learning', false],
    ['F-16C_50', 'F-16C Viper', 'expert', true],
  ]);
  for (const days of [1, 7, 30, 31]) {
    expect((await summaryOf(pilot, `?upcomingDays=${days}`)).availabilityWindows).toHaveLength(days);
  }
  expect(await admin.client.trpc.admin.pilot.availabilitySummary.query({ id: pilot.id })).toEqual(summary);
});

test('windows are cut at midnights of the requested zone and name their source', async () => {
  const zone = 'Pacific/Kiritimati';
  const pilot = await givenPerson(service, { timeZone: 'UTC' });
  await givenWeek(
    pilot,
    Array.from({ length: 7 }, (_, day) => slot(day, '08:00', '12:00', 2, 'Evenings')),
  );
  const today = Temporal.Now.plainDateISO(zone);
  const away = today.add({ days: 3 }).toString();
  const extra = today.add({ days: 5 }).toString();
  // 08:00Z to 12:00Z is 22:00 to 02:00 in Kiritimati, 14 h ahead
  const night = (day: number) => [
    { dateLocal: today.add({ days: day }).toString(), startLocal: '00:00', endLocal: '02:00', source: 'template' },
    { dateLocal: today.add({ days: day }).toString(), startLocal: '22:00', endLocal: '24:00', source: 'template' },
  ];
  await pilot.client.call('POST', `/users/${pilot.id}/availability/overrides`, {
    dateLocal: away,
    kind: 'unavailable',
    startLocal: '00:00',
    endLocal: '00:00',
  });
  await pilot.client.call('POST', `/users/${pilot.id}/availability/overrides`, {
    dateLocal: extra,
    kind: 'available',
    startLocal: '13:00',
    endLocal: '14:00',
    notes: 'Day off',
  });
  const { availabilityWindows } = await summaryOf(pilot, `?upcomingDays=7&tz=${zone}`);
  expect(availabilityWindows.map(({ aircraftCodeId: _id, notes: _notes, ...window }) => window)).toEqual([
    ...night(0),
    ...night(1),
    ...night(2),
    // the UTC date of the exception is the evening of that date and the morning of the next one there
    night(3)[0],
    night(4)[1],
    ...night(5),
    { dateLocal: today.add({ days: 6 }).toString(), startLocal: '00:00', endLocal: '02:00', source: 'template' },
    { dateLocal: today.add({ days: 6 }).toString(), startLocal: '03:00', endLocal: '04:00', source: 'override' },
    night(6)[1],
  ]);
  expect(availabilityWindows[0]).toMatchObject({ aircraftCodeId: 2, notes: 'Evenings' });
  expect(availabilityWindows.find(({ source }) => source === 'override')).toMatchObject({
    aircraftCodeId: 0,
    notes: 'Day off',
  });
});

test('the rest of a Find Flight status is a window of its own', async () => {
  const pilot = await givenPerson(service);
  await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'now', minutes: 480 });
  const { availabilityWindows } = await summaryOf(pilot);
  // over midnight there are two
  expect(new Set(availabilityWindows.map(({ source }) => source))).toEqual(new Set(['status']));
  const minutes = availabilityWindows.reduce((sum, { startLocal, endLocal }) => {
    const [from, to] = [startLocal, endLocal].map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
    return sum + (to ?? 0) - (from ?? 0);
  }, 0);
  expect(Math.abs(480 - minutes)).toBeLessThanOrEqual(2);
});

describe('assignments', () => {
  test('upcoming seats are those offered and accepted, soonest first, with their flight', async () => {
    await retirePilots(service);
    const pilot = await givenOrder(service, admin, 'Op Later', {
      startLocal: hoursFromNow(60),
      endLocal: hoursFromNow(63),
      theater: 'Kola',
    });
    await givenMissionIn(service, admin, 40, { name: 'Op Sooner' });
    await givenMissionIn(service, admin, 50, { name: 'Op Declined' });
    for (const order of await inbox(pilot)) {
      if (order.missionName === 'Op Sooner') await respond(pilot, order, 'Accepted');
      if (order.missionName === 'Op Declined') await respond(pilot, order, 'Declined');
    }
    const { upcomingMissions, previousMissions } = await summaryOf(pilot, '?tz=Asia/Tokyo');
    expect(told(upcomingMissions)).toEqual(['Op Sooner scheduled accepted', 'Op Later scheduled pending']);
    expect(previousMissions).toEqual([]);
    const later = (await inbox(pilot)).find(({ missionName }: { missionName: string }) => missionName === 'Op Later');
    const board = (await admin.client.call('GET', `/admin/missions/${later.missionId}`)).body;
    const local = (iso: string) =>
      Temporal.Instant.from(iso)
        .toZonedDateTimeISO('Asia/Tokyo')
        .toPlainDateTime()
        .toString({ smallestUnit: 'minute' });
    expect(upcomingMissions[1]).toEqual({
      missionId: later.missionId,
      missionName: 'Op Later',
      theater: 'Kola',
      packageCallsign: board.packages[0].callsign,
      flightCallsign: board.packages[0].flights[0].callsign,
      aircraftName: 'F-16C Viper',
      seatIndex: 0,
      startUtc: later.startUtc,
      endUtc: later.endUtc,
      startLocal: local(later.startUtc),
      endLocal: local(later.endUtc),
      status: 'scheduled',
      rsvp: 'pending',
    });
    // an expired offer holds no seat, whether or not the job has run
    await query(
      service.app.orm.em.fork(),
      sql`update frag_order set expires_at = now() - interval '1 minute' where id = ${later.id}`,
    );
    expect(told((await summaryOf(pilot)).upcomingMissions)).toEqual(['Op Sooner scheduled accepted']);
  });

  test('a running mission is upcoming, an ended one is previous, latest first; offers of ended ones are left out', async () => {
    await retirePilots(service);
    const pilot = await givenPerson(service);
    await givenAlwaysFree(service, pilot.id);
    const names = ['Op Running', 'Op Yesterday', 'Op Last Week', 'Op Unanswered'];
    const ids = new Map<string, string>();
    for (const [index, name] of names.entries()) {
      const { mission } = await givenMissionIn(service, admin, 30 + 5 * index, { name });
      ids.set(name, mission.id);
    }
    for (const order of await inbox(pilot)) {
      if (order.missionName !== 'Op Unanswered') await respond(pilot, order, 'Accepted');
    }
    await endMission(ids.get('Op Running') ?? '', -1);
    await endMission(ids.get('Op Yesterday') ?? '', 24);
    await endMission(ids.get('Op Last Week') ?? '', 7 * 24);
    await endMission(ids.get('Op Unanswered') ?? '', 48);
    const { upcomingMissions, previousMissions } = await summaryOf(pilot);
    expect(told(upcomingMissions)).toEqual(['Op Running launched accepted']);
    expect(told(previousMissions)).toEqual(['Op Yesterday completed accepted', 'Op Last Week completed accepted']);
  });

  test('a cancelled mission is previous for pilots who had accepted it, and left out for those only asked', async () => {
    await retirePilots(service);
    const pilot = await givenOrder(service, admin, 'Op Called Off');
    const accepted = await orderOf(pilot);
    await respond(pilot, accepted, 'Accepted');
    const { mission: asked } = await givenMissionIn(service, admin, 50, { name: 'Op Never Mind' });
    for (const id of [accepted.missionId, asked.id]) {
      expect((await admin.client.call('POST', `/admin/missions/${id}/cancel`)).status).toBe(200);
    }
    const { upcomingMissions, previousMissions } = await summaryOf(pilot);
    expect([told(upcomingMissions), told(previousMissions)]).toEqual([[], ['Op Called Off cancelled accepted']]);
  });

  test('the latest 50 previous ones are listed', async () => {
    await retirePilots(service);
    const pilot = await givenPerson(service);
    await givenAlwaysFree(service, pilot.id);
    const { mission } = await givenMission(service, admin, { name: 'Op Veteran' });
    await respond(pilot, await orderOf(pilot), 'Accepted');
    await endMission(mission.id, 10);
    // fifty-four copies, each a day before the one before
    await query(
      service.app.orm.em.fork(),
      sql`with copies as (
            select n, gen_random_uuid() as m, gen_random_uuid() as k, gen_random_uuid() as f from generate_series(1, 54) n),
          missions as (
            insert into mission (id, name, theater, status, starts_at, ends_at, time_zone, created_by_id, created_at, updated_at)
            select m, 'Op ' || n, theater, status, starts_at - n * interval '1 day', ends_at - n * interval '1 day', time_zone,
                   created_by_id, now(), now() from copies, mission where id = ${mission.id}),
          packages as (
            insert into package (id, mission_id, callsign, objective, side, sort_order)
            select k, m, 'ALPHA', 'CAP', 0, 0 from copies),
          flights as (
            insert into flight (id, mission_id, package_id, slot_index, callsign, aircraft_id, role, side, size_cap, sort_order)
            select f, m, k, 0, 'VIPER 1', 2, 'CAP', 0, 1, 0 from copies)
          insert into frag_order (id, mission_id, flight_id, seat_index, pilot_id, status, rsvp, reasons, issued_at, expires_at, created_at)
          select gen_random_uuid(), m, f, 0, ${pilot.id}, 'issued', 'accepted', '{}', now(), now(), now() from copies`,
    );
    const { previousMissions } = await summaryOf(pilot);
    expect(previousMissions.map(({ missionName }) => missionName)).toEqual([
      'Op Veteran',
      ...Array.from({ length: 49 }, (_, index) => `Op ${index + 1}`),
    ]);
  });
});

describe('the weekly schedule', () => {
  test('is in the pilot’s own zone or the requested one', async () => {
    const pilot = await givenPerson(service, { timeZone: 'America/Phoenix', displayName: 'Yucca' });
    await givenWeek(pilot, [
      slot(6, '20:00', '01:00', 2, 'Late'),
      slot(1, '18:00', '00:00'),
      slot(1, '06:00', '07:30'),
    ]);
    const own = await scheduleOf(pilot);
    expect([own.user.displayName, own.timeZone]).toEqual(['Yucca', 'America/Phoenix']);
    const entry = (dayOfWeek: number, timeRange: string, startLocal: string, endLocal: string, aircraftCodeId = 0) => ({
      dayOfWeek,
      timeRange,
      startLocal,
      endLocal,
      aircraftCodeId,
      notes: aircraftCodeId === 0 ? null : 'Late',
    });
    expect(own.schedule).toEqual([
      entry(1, '06:00 - 07:30', '06:00', '07:30'),
      entry(1, '18:00 - 24:00', '18:00', '24:00'),
      entry(6, '20:00 - 01:00 +1', '20:00', '01:00', 2),
    ]);
    // Arizona keeps UTC-7 all year
    const zulu = await scheduleOf(pilot, '?tz=UTC');
    expect([zulu.timeZone, zulu.schedule]).toEqual([
      'UTC',
      [
        entry(0, '03:00 - 08:00', '03:00', '08:00', 2),
        entry(1, '13:00 - 14:30', '13:00', '14:30'),
        entry(2, '01:00 - 07:00', '01:00', '07:00'),
      ],
    ]);
  });

  test('is that of the active template, or empty without one', async () => {
    const pilot = await givenPerson(service);
    expect((await scheduleOf(pilot)).schedule).toEqual([]);
    await givenWeek(pilot, [slot(1, '18:00', '20:00')]);
    await givenWeek(pilot, [slot(2, '19:00', '21:00')]);
    expect((await scheduleOf(pilot)).schedule.map(({ dayOfWeek, timeRange }) => [dayOfWeek, timeRange])).toEqual([
      [2, '19:00 - 21:00'],
    ]);
  });
});

test('an account from Discord shows no address, and a suspended one can still be read', async () => {
  const pilot = await givenPerson(service, { roles: [] });
  await query(
    service.app.orm.em.fork(),
    sql`update app_user set email = id || '@discord.invalid', email_key = id || '@discord.invalid' where id = ${pilot.id}`,
  );
  const summary = await summaryOf(pilot);
  expect([summary.user.email, summary.user.roles]).toEqual(['', []]);
});

describe('refusals', () => {
  const nobody = '0192c0de-0000-7000-8000-000000000000';
  test.each([
    [`/admin/users/${nobody}/availability-summary`, 404, 'User not found'],
    [`/admin/users/${nobody}/availability`, 404, 'User not found'],
    ['/admin/users/1/availability-summary', 400, 'This id is not valid'],
    [
      `/admin/users/${nobody}/availability-summary?upcomingDays=32`,
      400,
      'The number of days must be a whole number from 1 to 31',
    ],
    [
      `/admin/users/${nobody}/availability-summary?upcomingDays=0`,
      400,
      'The number of days must be a whole number from 1 to 31',
    ],
    [`/admin/users/${nobody}/availability?tz=Mars/Olympus`, 400, 'Please select a timezone'],
  ])('%s answers %i', async (path, status, message) => {
    const answer = await admin.client.call('GET', path);
    expect([answer.status, answer.body.message]).toEqual([status, message]);
  });
});
