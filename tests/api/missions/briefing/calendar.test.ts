/** Orders in a pilot's own calendar: read back by a parser that is not the service's. */
import ICAL from 'ical.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenAlwaysFree, givenPerson, type MissionRequest, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterEach(() => retirePilots(service));
afterAll(() => service.stop());

const CALENDAR = 'text/calendar; charset=utf-8';

/** A calendar program: no cookies, no origin. fetch would add no-cache to a conditional request, hence max-age. */
const subscribe = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { headers: { 'cache-control': 'max-age=0', ...headers } });

const download = (pilot: Person | null, id: string): Promise<Response> =>
  fetch(`${service.url}/api/v1/pilot/inbox/${id}/calendar.ics`, {
    headers: pilot ? { cookie: pilot.client.cookie() } : {},
  });

interface Parsed {
  uid: string;
  summary: string;
  description: string;
  location: string;
  status: string;
  url: string;
  transparency: string;
  sequence: number;
  start: string;
  end: string;
  isUtc: boolean;
  alarms: number;
}

function parse(text: string): { method: string; name: string; refresh: string; events: Parsed[] } {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const value = (component: ICAL.Component, name: string) => String(component.getFirstPropertyValue(name) ?? '');
  return {
    method: value(calendar, 'method'),
    name: value(calendar, 'x-wr-calname'),
    refresh: value(calendar, 'refresh-interval'),
    events: calendar.getAllSubcomponents('vevent').map((component) => {
      const event = new ICAL.Event(component);
      return {
        uid: event.uid,
        summary: event.summary,
        description: event.description,
        location: event.location,
        sequence: event.sequence,
        status: value(component, 'status'),
        url: value(component, 'url'),
        transparency: value(component, 'transp'),
        start: event.startDate.toJSDate().toISOString(),
        end: event.endDate.toJSDate().toISOString(),
        isUtc: event.startDate.zone === ICAL.Timezone.utcTimezone && event.endDate.zone === ICAL.Timezone.utcTimezone,
        alarms: component.getAllSubcomponents('valarm').length,
      };
    }),
  };
}

async function givenAccepted(
  pilot: Person,
  hours: number,
  request: MissionRequest = {},
): Promise<{ id: string; missionId: string }> {
  await givenMissionIn(service, admin, hours, request);
  const order = await orderOf(pilot);
  expect((await respond(pilot, order, 'Accepted')).status).toBe(200);
  return order;
}

const makeLink = async (pilot: Person): Promise<string> =>
  (await pilot.client.call('POST', '/pilot/calendar')).body.url;
const readFeed = async (url: string) => parse(await (await subscribe(url)).text());
const change = (statement: ReturnType<typeof sql>) => query(service.app.orm.em.fork(), statement);

describe('the link', () => {
  test('is off, then shown once with its creation time, then off again', async () => {
    const { client } = await givenPilot(service);
    expect((await client.call('GET', '/pilot/calendar')).body).toEqual({ createdAt: null });
    const made = await client.call('POST', '/pilot/calendar');
    expect(made.status).toBe(201);
    expect(made.body.url).toMatch(new RegExp(`^${service.url}/api/v1/calendar/[\\w-]{43}\\.ics$`));
    expect((await client.call('GET', '/pilot/calendar')).body).toEqual({ createdAt: made.body.createdAt });
    expect((await client.call('DELETE', '/pilot/calendar')).body).toEqual({ success: true });
    expect((await client.call('GET', '/pilot/calendar')).body).toEqual({ createdAt: null });
    expect((await subscribe(made.body.url)).status).toBe(404);
    expect((await client.call('DELETE', '/pilot/calendar')).body, 'twice is fine').toEqual({ success: true });
  });

  test('is stored as a hash only', async () => {
    const pilot = await givenPilot(service);
    const token = /calendar\/([\w-]+)\.ics/.exec(await makeLink(pilot))?.[1] ?? '';
    const rows = await change(sql`select * from calendar_feed where user_id = ${pilot.id}`);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('stops working when it is replaced', async () => {
    const pilot = await givenPilot(service);
    const first = await makeLink(pilot);
    expect((await subscribe(first)).status).toBe(200);
    const second = await makeLink(pilot);
    expect(second).not.toBe(first);
    expect((await subscribe(first)).status).toBe(404);
    expect((await subscribe(second)).status).toBe(200);
  });

  test.each([
    ['a wrong token', () => 'A'.repeat(43)],
    ['no token', () => '.'],
    ['the id of the pilot', (pilot: Person) => pilot.id],
    ['a long one', () => 'A'.repeat(4000)],
    ['a null character', () => '%00'],
  ])('%s is not found, in words', async (_what, token) => {
    const pilot = await givenPilot(service);
    await makeLink(pilot);
    const response = await subscribe(`${service.url}/api/v1/calendar/${token(pilot)}.ics`);
    expect([response.status, await response.json()]).toEqual([
      404,
      { code: 'CALENDAR_NOT_FOUND', message: 'Calendar not found' },
    ]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('of a suspended pilot is not found', async () => {
    const pilot = await givenPilot(service);
    const url = await makeLink(pilot);
    await retirePilots(service);
    expect((await subscribe(url)).status).toBe(404);
  });
});

describe('the feed', () => {
  test('is a named calendar with a refresh interval and an ETag', async () => {
    const pilot = await givenPilot(service);
    const url = await makeLink(pilot);
    const empty = await subscribe(url);
    expect(
      Object.fromEntries(
        ['content-type', 'cache-control', 'content-disposition'].map((name) => [name, empty.headers.get(name)]),
      ),
    ).toEqual({
      'content-type': CALENDAR,
      'cache-control': 'private, no-cache',
      'content-disposition': 'inline; filename="marshal.ics"',
    });
    expect(parse(await empty.text())).toEqual({
      method: 'PUBLISH',
      name: 'Marshal missions',
      refresh: 'PT1H',
      events: [],
    });

    const known = { 'if-none-match': empty.headers.get('etag') ?? '' };
    const again = await subscribe(url, known);
    expect([again.status, await again.text()]).toEqual([304, '']);
    await givenAccepted(pilot, 30);
    const changed = await subscribe(url, known);
    expect(changed.status).toBe(200);
    expect(parse(await changed.text()).events).toHaveLength(1);
  });

  test('contains an accepted order with everything that a pilot looks for in a calendar', async () => {
    const pilot = await givenPerson(service, { timeZone: 'Europe/Berlin' });
    const url = await makeLink(pilot);
    await givenAlwaysFree(service, pilot.id);
    const { id } = await givenAccepted(pilot, 0, {
      name: 'Op Iron Hound; part 2, "night"',
      startLocal: '2027-01-20T18:00',
      endLocal: '2027-01-20T21:00',
    });
    const order = (await pilot.client.call('GET', '/pilot/inbox/accepted')).body[0];
    const digits = (iso: string) => iso.slice(11, 16).replace(':', '');
    const inBerlin = (iso: string) => `${digits(iso)}Z ${digits(new Date(Date.parse(iso) + 3_600_000).toISOString())}L`;
    const [event] = (await readFeed(url)).events;
    expect(event).toMatchObject({
      uid: `${id}@marshal`,
      summary: `${order.label} Op Iron Hound; part 2, "night" (${order.flightCallsign}, F-16C Viper)`,
      location: 'Syria',
      status: 'CONFIRMED',
      transparency: 'OPAQUE',
      url: `${service.url}/orders/${id}`,
      start: '2027-01-20T18:00:00.000Z',
      end: '2027-01-20T21:00:00.000Z',
      isUtc: true,
      alarms: 0,
    });
    for (const line of [
      'Brief 1800Z 1900L', // Berlin is one hour ahead in January
      `Launch ${inBerlin(order.launchUtc)}`,
      `TOT ${inBerlin(order.totUtc)}`,
      'L is Europe/Berlin',
      `Radio ${order.radioFreq}`,
      `Package ${order.package.callsign}: ${order.package.objective}`,
      `${service.url}/orders/${id}`,
    ]) {
      expect(event?.description.split('\n')).toContain(line);
    }
    expect(event?.description).not.toContain('@');
  });

  test('contains exact instants for missions on nights of clock changes, whatever the zone of the reader', async () => {
    const nights = [
      ['2027-03-14T06:30', '2027-03-14T08:00'], // New York skips 02:00 to 03:00 at 07:00Z
      ['2027-03-28T00:30', '2027-03-28T02:00'], // Berlin skips 02:00 to 03:00 at 01:00Z
      ['2027-10-31T00:30', '2027-10-31T02:30'], // Berlin repeats 02:00 to 03:00 at 01:00Z
      ['2027-11-07T05:30', '2027-11-07T07:30'], // New York repeats 01:00 to 02:00 at 06:00Z
    ] as const;
    for (const timeZone of ['America/New_York', 'Europe/Berlin', 'Australia/Sydney']) {
      const pilot = await givenPilot(service);
      const url = await makeLink(pilot);
      for (const [startLocal, endLocal] of nights) await givenAccepted(pilot, 0, { startLocal, endLocal });
      await change(sql`update app_user set time_zone = ${timeZone} where id = ${pilot.id}`);
      const { events } = await readFeed(url);
      expect(events.map(({ start, end }) => [start, end])).toEqual(
        nights.map((times) => times.map((time) => `${time}:00.000Z`)),
      );
      expect(events.every(({ isUtc }) => isUtc)).toBe(true);
      await retirePilots(service);
    }
  });

  test('leaves out orders never accepted, other pilots, and missions that ended more than 30 days ago', async () => {
    const pilot = await givenPilot(service);
    const url = await makeLink(pilot);
    const accepted = await givenAccepted(pilot, 200);
    const old = await givenAccepted(pilot, 210);
    const recent = await givenAccepted(pilot, 220);
    await givenMissionIn(service, admin, 230);
    await respond(pilot, await orderOf(pilot), 'Declined');
    await givenMissionIn(service, admin, 240);
    const pending = await orderOf(pilot);
    const move = (order: { missionId: string }, days: number) =>
      change(sql`update mission set starts_at = now() - make_interval(days => ${days}, hours => 2),
                   ends_at = now() - make_interval(days => ${days}) where id = ${order.missionId}`);
    await move(old, 31);
    await move(recent, 29);
    const uids = (await readFeed(url)).events.map(({ uid }) => uid);
    expect(uids).toEqual([recent, accepted].map(({ id }) => `${id}@marshal`));
    expect(uids).not.toContain(`${pending.id}@marshal`);
    await retirePilots(service);
    const other = await givenPilot(service);
    expect((await readFeed(await makeLink(other))).events).toEqual([]);
  });
});

describe('a change', () => {
  test.each<[string, (pilot: Person, order: { id: string; missionId: string }) => Promise<unknown>]>([
    ['given back', (pilot, order) => respond(pilot, order, 'Declined')],
    ['swapped for standby', (pilot, order) => respond(pilot, order, 'Standby')],
    [
      'cancelled with its mission',
      async (_pilot, { missionId }) => {
        await change(
          sql`update frag_order set status = 'cancelled', status_reason = 'mission cancelled' where mission_id = ${missionId}`,
        );
        await change(sql`update mission set status = 'cancelled', updated_at = now() where id = ${missionId}`);
      },
    ],
    [
      'superseded',
      (_pilot, { id }) =>
        change(sql`update frag_order set status = 'cancelled', status_reason = 'superseded' where id = ${id}`),
    ],
  ])('an order that is %s is cancelled under the same UID, with a higher sequence', async (_what, act) => {
    const pilot = await givenPilot(service);
    const url = await makeLink(pilot);
    const order = await givenAccepted(pilot, 60);
    const [before] = (await readFeed(url)).events;
    await act(pilot, order);
    const [after, ...rest] = (await readFeed(url)).events;
    expect(rest).toEqual([]);
    expect(before).toMatchObject({ uid: `${order.id}@marshal`, status: 'CONFIRMED' });
    expect(after).toMatchObject({ uid: `${order.id}@marshal`, status: 'CANCELLED', transparency: 'TRANSPARENT' });
    expect(after?.sequence).toBeGreaterThan(before?.sequence ?? Infinity);
  });

  test('an order that is accepted again after it was given back is back, at the current time', async () => {
    const pilot = await givenPilot(service);
    const url = await makeLink(pilot);
    const order = await givenAccepted(pilot, 60);
    await respond(pilot, order, 'Declined');
    await respond(pilot, order, 'Accepted');
    await change(sql`update mission set starts_at = '2027-02-01T10:00Z', ends_at = '2027-02-01T12:00Z', updated_at = now() + interval '1 minute'
                     where id = ${order.missionId}`);
    const { events } = await readFeed(url);
    expect(events).toMatchObject([
      {
        uid: `${order.id}@marshal`,
        status: 'CONFIRMED',
        start: '2027-02-01T10:00:00.000Z',
        end: '2027-02-01T12:00:00.000Z',
      },
    ]);
  });
});

describe('an admin', () => {
  /** An accepted order whose every step is an hour old, so that the next one is later by the second. */
  async function givenOldAccepted() {
    const pilot = await givenPilot(service);
    const url = await makeLink(pilot);
    const order = await givenAccepted(pilot, 60);
    const hour = sql`interval '1 hour'`;
    await change(
      sql`update frag_order set issued_at = issued_at - ${hour}, answered_at = answered_at - ${hour} where id = ${order.id}`,
    );
    await change(sql`update mission set updated_at = updated_at - ${hour} where id = ${order.missionId}`);
    const { body } = await admin.client.call('GET', `/admin/missions/${order.missionId}`);
    return { pilot, url, order, path: `/admin/missions/${order.missionId}`, flight: body.packages[0].flights[0] };
  }

  test('moves the event by moving the mission, and it is tentative until the pilot accepts again', async () => {
    const { pilot, url, order, path } = await givenOldAccepted();
    const [before] = (await readFeed(url)).events;
    const at = { startLocal: '2027-02-01T10:00', endLocal: '2027-02-01T12:00' };
    expect((await admin.client.call('PUT', path, at)).status).toBe(200);
    const [moved, ...rest] = (await readFeed(url)).events;
    expect(rest).toEqual([]);
    expect(moved).toMatchObject({
      uid: `${order.id}@marshal`,
      status: 'TENTATIVE',
      start: '2027-02-01T10:00:00.000Z',
      end: '2027-02-01T12:00:00.000Z',
    });
    expect(moved?.sequence).toBeGreaterThan(before?.sequence ?? Infinity);
    await respond(pilot, order, 'Accepted');
    expect((await readFeed(url)).events).toMatchObject([{ status: 'CONFIRMED', start: '2027-02-01T10:00:00.000Z' }]);
  });

  test.each<[string, (path: string, flightId: string) => Promise<{ status: number }>]>([
    ['takes the seat back', (path, id) => admin.client.call('DELETE', `${path}/seats/${id}/0`)],
    ['calls the mission off', (path) => admin.client.call('POST', `${path}/cancel`)],
  ])('who %s cancels the date', async (_what, act) => {
    const { url, order, path, flight } = await givenOldAccepted();
    const [before] = (await readFeed(url)).events;
    expect((await act(path, flight.id)).status).toBe(200);
    const { events } = await readFeed(url);
    expect(events).toMatchObject([{ uid: `${order.id}@marshal`, status: 'CANCELLED' }]);
    // by the time of the change, not only by the one that a cancelled version is ahead
    expect(events[0]?.sequence).toBeGreaterThan((before?.sequence ?? Infinity) + 2);
  });

  test('changes the text of the event by changing the radio', async () => {
    const { url, path, flight } = await givenOldAccepted();
    const [before] = (await readFeed(url)).events;
    await admin.client.call('PUT', path, { flights: [{ id: flight.id, radioFreq: '261.500' }] });
    const [after] = (await readFeed(url)).events;
    expect(after).toMatchObject({ status: 'CONFIRMED', description: expect.stringContaining('Radio 261.500 AM') });
    expect(after?.sequence).toBeGreaterThan(before?.sequence ?? Infinity);
  });
});

describe('one order as a file', () => {
  test('is the same event as a download, named by its label', async () => {
    const pilot = await givenPilot(service);
    const url = await makeLink(pilot);
    const { id } = await givenAccepted(pilot, 60);
    const response = await download(pilot, id);
    const { label } = (await pilot.client.call('GET', `/pilot/inbox/${id}`)).body;
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
    ]).toEqual([200, CALENDAR, `attachment; filename="${label}.ics"`]);
    const { events } = parse(await response.text());
    expect(events).toEqual((await readFeed(url)).events);
    expect(events).toHaveLength(1);
  });

  test('is tentative while it is pending', async () => {
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 60);
    const { id } = await orderOf(pilot);
    const { events } = parse(await (await download(pilot, id)).text());
    expect(events).toMatchObject([{ status: 'TENTATIVE', transparency: 'TRANSPARENT' }]);
  });

  test.each([
    ['a visitor', null, 401, 'NOT_AUTHENTICATED', 'User not authenticated'],
    ['another pilot', 'other', 404, 'ORDER_NOT_FOUND', 'Frag order not found'],
    ['an admin', 'admin', 404, 'ORDER_NOT_FOUND', 'Frag order not found'],
  ])('%s does not get it', async (_who, who, status, code, message) => {
    const { id } = await givenAccepted(await givenPilot(service), 60);
    const caller = who === 'other' ? await givenPerson(service) : who === 'admin' ? admin : null;
    const response = await download(caller, id);
    expect([response.status, await response.json()]).toEqual([status, { code, message }]);
  });
});
