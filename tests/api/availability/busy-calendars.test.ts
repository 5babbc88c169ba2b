/**
 * Busy calendars from end to end: what is read takes time away, wherever somebody asks who can fly; what is not understood, or
 * not answered, frees none.
 */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refreshCalendars } from '#server/availability/busy/refresh.ts';
import { query, sql } from '#server/schema/query.ts';
import { CALENDAR_PROBLEM_TEXTS } from '#shared/calendar-problems.ts';
import { calendarOf, startCalendarServer, type CalendarServer } from '#tests/harness/calendar-server.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenOrder, holds, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let server: CalendarServer;
let admin: Person;
beforeAll(async () => {
  server = await startCalendarServer();
  service = await startService({ env: { CALENDARS_ALLOW_PRIVATE: 'on' } });
  admin = await givenAdmin(service);
});
afterAll(async () => {
  await service.stop();
  await server.stop();
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PATH = '/pilot/busy-calendars';
const MIDNIGHT = new Date(new Date().setUTCHours(0, 0, 0, 0)).getTime();
/** A time on a date some days from today, UTC. */
const at = (days: number, hour: number): number => MIDNIGHT + days * DAY_MS + hour * HOUR_MS;
const time = (days: number, from: number, to: number) => ({ startMs: at(days, from), endMs: at(days, to) });
const dateOf = (days: number): string => new Date(at(days, 0)).toISOString().slice(0, 10);
const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

let names = 0;
const newName = (): string => {
  names += 1;
  return `calendar-${names}.ics`;
};
/** A pilot who can fly every evening from 18:00 to 22:00, UTC. */
async function givenEvenings(): Promise<Person> {
  const pilot = await givenPerson(service);
  const slots = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
    weekday,
    startLocal: '18:00',
    endLocal: '22:00',
    aircraftCodeId: 0,
  }));
  const { status } = await pilot.client.call('PUT', `/users/${pilot.id}/availability/week`, { slots });
  expect(status).toBe(200);
  return pilot;
}
const add = ({ client }: Person, name: string, more: Record<string, unknown> = {}) =>
  client.call('POST', PATH, { url: server.url(name), name: 'Work', ...more });
async function given(pilot: Person, times: { startMs: number; endMs: number }[], more: Record<string, unknown> = {}) {
  const name = newName();
  server.serve(name, calendarOf(times));
  const { status, body } = await add(pilot, name, more);
  expect(status).toBe(201);
  return { name, id: String(body.id) };
}
const list = async ({ client }: Person) => (await client.call('GET', PATH)).body;
/** Make all calendars due, and run the job. */
async function refresh(now = new Date()): Promise<void> {
  await rows(sql`update busy_calendar set due_at = ${new Date(now.getTime() - 1000)}`);
  await refreshCalendars(service.app, () => service.app.orm.em.fork(), now);
}
async function dayOf(pilot: Person, days: number, reader = pilot): Promise<{ free: string[]; busy: string[] }> {
  const path = `/users/${pilot.id}/availability/window?start=${dateOf(days)}&days=1`;
  const { status, body } = await reader.client.call('GET', path);
  expect([status, body.code]).toEqual([200, undefined]);
  const spans = (times: { startLocal: string; endLocal: string }[]) =>
    times.map(({ startLocal, endLocal }) => `${startLocal}-${endLocal}`);
  return { free: spans(body.days[0].slots), busy: spans(body.days[0].busy) };
}

describe('a busy calendar', () => {
  test('takes its times away from the week, and shows only those that it takes away', async () => {
    const pilot = await givenEvenings();
    await given(pilot, [time(2, 9, 17), time(2, 19, 20.5), time(3, 12, 36)]);
    expect(await dayOf(pilot, 1)).toEqual({ free: ['18:00-22:00'], busy: [] });
    expect(await dayOf(pilot, 2)).toEqual({ free: ['18:00-19:00', '20:30-22:00'], busy: ['19:00-20:30'] });
    expect(await dayOf(pilot, 3)).toEqual({ free: [], busy: ['18:00-22:00'] });
  });

  test('gives way to an available exception, and never adds a time', async () => {
    const pilot = await givenEvenings();
    await given(pilot, [time(2, 18, 22)]);
    const path = `/users/${pilot.id}/availability/overrides`;
    const here = { kind: 'available', dateLocal: dateOf(2), startLocal: '20:00', endLocal: '23:00' };
    expect((await pilot.client.call('POST', path, here)).status).toBe(201);
    expect(await dayOf(pilot, 2)).toEqual({ free: ['20:00-23:00'], busy: ['18:00-20:00'] });
  });

  test('is listed without its address, for its pilot alone', async () => {
    const pilot = await givenEvenings();
    const { name } = await given(pilot, [time(2, 19, 20)]);
    const [shown] = await list(pilot);
    expect(shown).toMatchObject({ name: 'Work', events: 1, unread: 0, problem: null, isFailing: false });
    expect(shown.address).toBe(`${new URL(server.url(name)).host}/….ics`);
    expect(await list(admin)).toEqual([]);
    const stored = await rows<{ text: string }>(sql`select c::text as text from busy_calendar as c`);
    const log = await rows<{ text: string }>(sql`select a::text as text from audit_entry as a`);
    const all = JSON.stringify([shown, stored, log]);
    expect(all).not.toContain('0123456789abcdef');
    expect(all).not.toContain('title');
  });

  test('is only times on the page that admins have of the pilot', async () => {
    const pilot = await givenEvenings();
    await given(pilot, [time(2, 9, 17), time(2, 19, 20)]);
    const { body } = await admin.client.call(
      'GET',
      `/admin/users/${pilot.id}/availability-summary?upcomingDays=5&tz=UTC`,
    );
    expect(body.busyTimes).toEqual([{ dateLocal: dateOf(2), startLocal: '19:00', endLocal: '20:00' }]);
  });

  test('counts for who is offered a seat', async () => {
    const [busy, free] = [await givenEvenings(), await givenEvenings()];
    await given(busy, [time(4, 19, 20)]);
    const path = `/admin/missions/recommended-time?date=${dateOf(4)}&tz=UTC&minDuration=240`;
    const { body } = await admin.client.call('GET', path);
    const found = JSON.stringify(body);
    expect(found).toContain(free.id);
    expect(found).not.toContain(busy.id);
  });

  test('that appears over an accepted order leaves the seat to its pilot, as a dated exception does', async () => {
    await retirePilots(service);
    const pilot = await givenOrder(service, admin, 'Busy evening');
    const order = await orderOf(pilot);
    expect((await respond(pilot, order, 'accepted')).status).toBe(200);
    await given(pilot, [time(0, 0, 24 * 30)]);
    await refresh();
    expect(await holds(service, order)).toBe(true);
  });

  test('stops counting when it is removed, and can be removed twice', async () => {
    const pilot = await givenEvenings();
    const { id } = await given(pilot, [time(2, 18, 22)]);
    for (let times = 0; times < 2; times += 1) {
      expect((await pilot.client.call('DELETE', `${PATH}/${id}`)).status).toBe(200);
      expect(await dayOf(pilot, 2)).toEqual({ free: ['18:00-22:00'], busy: [] });
    }
    expect(await list(pilot)).toEqual([]);
  });

  test('of another pilot is not found, and stays', async () => {
    const [pilot, other] = [await givenEvenings(), await givenEvenings()];
    const { id } = await given(pilot, [time(2, 18, 22)]);
    const answer = await other.client.call('POST', `${PATH}/${id}/refresh`);
    expect([answer.status, answer.body.code]).toEqual([404, 'BUSY_CALENDAR_NOT_FOUND']);
    await other.client.call('DELETE', `${PATH}/${id}`);
    expect(await list(pilot)).toHaveLength(1);
  });

  test('can be added only once, with five at most', async () => {
    const pilot = await givenEvenings();
    const { name } = await given(pilot, []);
    const again = await add(pilot, name);
    expect([again.status, again.body.issues[0].path]).toEqual([400, 'url']);
    for (let added = 1; added < 5; added += 1) await given(pilot, []);
    const sixth = newName();
    server.serve(sixth, calendarOf([]));
    const refused = await add(pilot, sixth);
    expect([refused.status, refused.body.code]).toEqual([409, 'LIMIT_REACHED']);
  });

  test('goes with the account, and is in its download as a name and times', async () => {
    const pilot = await givenEvenings();
    await given(pilot, [time(2, 19, 20)]);
    const { body } = await pilot.client.call('GET', '/auth/data.json');
    expect(JSON.stringify(body)).toContain('Work');
    expect(JSON.stringify(body)).not.toContain('0123456789abcdef');
    await rows(sql`delete from app_user where id = ${pilot.id}`);
    expect(await rows(sql`select 1 from busy_time where user_id = ${pilot.id}`)).toEqual([]);
  });
});

describe('the refresh', () => {
  test('takes over what has changed, and tells pages of it only then', async () => {
    const pilot = await givenEvenings();
    const { name } = await given(pilot, [time(2, 18, 20)]);
    const changes = async () =>
      (await rows<{ count: number }>(sql`select count(*)::int from roster_change where user_id = ${pilot.id}`))[0]
        ?.count;
    const before = await changes();
    await refresh();
    await refresh();
    expect(server.requests.filter((one) => one.name === name).map(({ status }) => status)).toEqual([200, 304, 304]);
    expect(await changes()).toBe(before);
    server.serve(name, calendarOf([time(2, 20, 22)]));
    await refresh();
    expect(await dayOf(pilot, 2)).toEqual({ free: ['18:00-20:00'], busy: ['20:00-22:00'] });
    expect(await changes()).not.toBe(before);
  });

  test('does not read again what differs only in the time of the request', async () => {
    const pilot = await givenEvenings();
    const name = newName();
    const stamped = (stamp: string) => calendarOf([time(2, 18, 20)], `DTSTAMP:${stamp}`);
    server.serve(name, stamped('20261129T100000Z'), { etag: null });
    const { body } = await add(pilot, name);
    const hashes = () => rows(sql`select content_hash, known_until from busy_calendar where id = ${body.id}`);
    const before = await hashes();
    server.serve(name, stamped('20261129T103000Z'), { etag: null });
    await refresh();
    expect(await hashes()).toEqual(before);
    expect((await list(pilot))[0].problem).toBeNull();
  });

  test('expands repeating events for later times, although the calendar has not changed', async () => {
    const pilot = await givenEvenings();
    const name = newName();
    const daily = calendarOf([time(1, 19, 20)], 'RRULE:FREQ=DAILY');
    server.serve(name, daily);
    await add(pilot, name);
    const until = async () => {
      const [busy] = await rows<{ minute: number }>(
        sql`select upper(minutes) as minute from busy_time where user_id = ${pilot.id}`,
      );
      return busy?.minute ?? 0;
    };
    const first = await until();
    const later = new Date(Date.now() + 30 * DAY_MS);
    await refresh(later);
    expect(server.requests.findLast((one) => one.name === name)?.status).toBe(200);
    expect(await until()).toBe(first + 30 * 1_440);
  });

  test('reads whole days in the new time zone of a pilot who has moved', async () => {
    const pilot = await givenEvenings();
    const name = newName();
    const day = dateOf(3).replaceAll('-', '');
    server.serve(
      name,
      `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART;VALUE=DATE:${day}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
    );
    await add(pilot, name);
    await rows(sql`update app_user set time_zone = 'Asia/Tokyo' where id = ${pilot.id}`);
    await refresh();
    const [busy] = await rows<{ minute: number }>(
      sql`select lower(minutes) as minute from busy_time where user_id = ${pilot.id}`,
    );
    expect(busy?.minute).toBe(at(2, 15) / 60_000);
  });

  test('keeps the times of a calendar that fails, says so after a day, and recovers', async () => {
    const pilot = await givenEvenings();
    const { name } = await given(pilot, [time(5, 19, 20)]);
    server.react(name, (_request, response) => response.writeHead(503).end());
    await refresh();
    expect((await list(pilot))[0]).toMatchObject({ problem: 'answer', isFailing: false });
    await rows(
      sql`update busy_calendar set failing_since = failing_since - interval '25 hours' where user_id = ${pilot.id}`,
    );
    expect((await list(pilot))[0]).toMatchObject({ problem: 'answer', isFailing: true, events: 1 });
    expect((await dayOf(pilot, 5)).busy).toEqual(['19:00-20:00']);
    server.react(name, (_request, response) => response.end('<title>Sign in</title>'));
    await refresh();
    expect((await dayOf(pilot, 5)).busy).toEqual(['19:00-20:00']);
    server.serve(name, calendarOf([]));
    await refresh();
    expect((await list(pilot))[0]).toMatchObject({ problem: null, isFailing: false, failingSince: null });
    expect((await dayOf(pilot, 5)).busy).toEqual([]);
  });

  test('asks less often after each failure, and never twice at the same time', async () => {
    const pilot = await givenEvenings();
    const { name } = await given(pilot, []);
    server.react(name, (_request, response) => response.writeHead(500).end());
    const pauses: number[] = [];
    for (let failures = 0; failures < 6; failures += 1) {
      const now = new Date();
      await Promise.all([refresh(now), refreshCalendars(service.app, () => service.app.orm.em.fork(), now)]);
      const [row] = await rows<{ due: string }>(
        sql`select due_at as due from busy_calendar where user_id = ${pilot.id}`,
      );
      pauses.push(Math.round((Date.parse(row?.due ?? '') - now.getTime()) / 60_000));
    }
    const [first = 0, second = 0, , , , last = 0] = pauses;
    expect(first).toBeGreaterThanOrEqual(27);
    expect(second).toBeGreaterThanOrEqual(54);
    expect(last).toBeLessThanOrEqual(6.6 * 60);
    expect(server.requests.filter((one) => one.name === name)).toHaveLength(7);
  });

  test('is a job of the workers', async () => {
    const pilot = await givenEvenings();
    const { name } = await given(pilot, []);
    server.serve(name, calendarOf([time(2, 19, 20)]));
    await rows(sql`update busy_calendar set due_at = now() - interval '1 second' where user_id = ${pilot.id}`);
    const workers = await startService({ beside: service, withJobs: true, env: { CALENDARS_ALLOW_PRIVATE: 'on' } });
    try {
      await rows(sql`select graphile_worker.add_job('refresh_calendars', '{}')`);
      await expect.poll(async () => (await list(pilot))[0].events, { timeout: 20_000 }).toBe(1);
    } finally {
      await workers.stop();
    }
  }, 60_000);

  test('can be asked for, and says what went wrong', async () => {
    const pilot = await givenEvenings();
    const { name, id } = await given(pilot, []);
    server.react(name, (_request, response) => response.writeHead(404).end());
    const { status, body } = await pilot.client.call('POST', `${PATH}/${id}/refresh`);
    expect([status, body.problem]).toEqual([200, 'gone']);
  });
});

describe('a calendar is not added', () => {
  const bomb = gzipSync(Buffer.alloc(64_000_000, ' '));
  const big = calendarOf(Array.from({ length: 10_000 }, (_, index) => time(index, 1, 2)));
  test.each<[keyof typeof CALENDAR_PROBLEM_TEXTS, string, Parameters<CalendarServer['react']>[1]]>([
    ['refused', 'behind a sign-in', (_request, response) => response.writeHead(401).end()],
    ['gone', 'that is gone', (_request, response) => response.writeHead(410).end()],
    ['answer', 'of a server with an error', (_request, response) => response.writeHead(500).end()],
    ['notCalendar', 'that is a web page', (_request, response) => response.end('<!doctype html>')],
    ['notCalendar', 'that is garbage', (_request, response) => response.end(Buffer.from([0, 255, 254, 13, 10, 7]))],
    ['tooLarge', 'of more than 1 MB', (_request, response) => response.end(big)],
    [
      'tooLarge',
      'that is small until it is unpacked',
      (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    ],
    ['unreachable', 'whose connection is cut', (request) => request.socket.destroy()],
    [
      'unreachable',
      'that claims to be packed',
      (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('BEGIN:VCALENDAR'),
    ],
    [
      'redirect',
      'that leads to itself',
      (request, response) => response.writeHead(302, { location: request.url }).end(),
    ],
    ['slow', 'whose server does not answer', () => undefined],
    [
      'slow',
      'whose server goes on and on',
      (_request, response) => {
        const timer = setInterval(() => response.write('X'), 100);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])(
    '%s: %s',
    async (problem, _what, answer) => {
      const pilot = await givenEvenings();
      const name = newName();
      server.react(name, answer);
      const begin = performance.now();
      const { status, body } = await add(pilot, name);
      expect([status, body.code]).toEqual([400, 'CALENDAR_UNREADABLE']);
      expect(body.message).toBe(CALENDAR_PROBLEM_TEXTS[problem]);
      expect(performance.now() - begin).toBeLessThan(8_000);
      expect(await list(pilot)).toEqual([]);
    },
    20_000,
  );

  test('but is when it is packed, and behind a redirect', async () => {
    const pilot = await givenEvenings();
    const [name, moved] = [newName(), newName()];
    server.react(name, (_request, response) => response.writeHead(301, { location: server.url(moved) }).end());
    const packed = gzipSync(calendarOf([time(2, 19, 20)]));
    server.react(moved, (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed));
    expect((await add(pilot, name)).status).toBe(201);
    expect((await dayOf(pilot, 2)).busy).toEqual(['19:00-20:00']);
  });
});
