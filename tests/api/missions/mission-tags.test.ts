/** ETags of missions, for admins and for pilots: the same while the answer is the same, another after every change of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import {
  givenAdmin,
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  type Person,
} from '#tests/harness/given.ts';
import { givenQueue } from '#tests/harness/cast.ts';
import { givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
let pilot: Person;
let missionId: string;
let flightId: string;
const date = hoursFromNow(30).slice(0, 10);
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  pilot = await givenPerson(service, { displayName: 'Kestrel' });
  await givenAlwaysFree(service, pilot.id);
  missionId = (await givenMission(service, admin)).mission.id;
  flightId = (await admin.client.call('GET', `/admin/missions/${missionId}`)).body.packages[0].flights[0].id;
});
afterAll(() => service.stop());

const PATHS = [
  () => `/admin/missions/by-date?date=${date}`,
  () => `/admin/missions?from=${date}&to=${date}`,
  () => `/admin/missions/${missionId}`,
];
/** By plain fetch, which leaves If-None-Match to us. */
const get = (path: string, tag?: string, cookie = admin.client.cookie()) =>
  fetch(`${service.url}/api/v1${path}`, {
    headers: { cookie, ...(tag === undefined ? {} : { 'if-none-match': tag }) },
  });
const tagOf = async (path: string) => (await get(path)).headers.get('etag') ?? '';
const statement = (text: ReturnType<typeof sql>) => query(service.app.orm.em.fork(), text);

test.each(PATHS)('%s: an unchanged answer is not sent again', async (path) => {
  const first = await get(path());
  const tag = first.headers.get('etag') ?? '';
  expect([first.status, tag, first.headers.get('cache-control')]).toEqual([
    200,
    expect.stringMatching(/^W\/"[0-9a-f]{32}"$/),
    'private, no-cache',
  ]);
  const again = await get(path(), `W/"other", ${tag}`);
  expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, '']);
  expect((await get(path(), tag, pilot.client.cookie())).status).toBe(403);
  expect((await get(path(), tag, '')).status).toBe(401);
});

describe('every change of the answer changes the tag', () => {
  const mission = (method: string, path: string, body?: unknown) =>
    admin.client.call(method, `/admin/missions/${missionId}${path}`, body);

  test.each<[what: string, change: () => Promise<unknown>]>([
    ['an answer', async () => respond(pilot, await orderOf(pilot), 'Accepted')],
    ['the notes', () => mission('PUT', '', { notes: 'Lights on' })],
    ['a flight', () => mission('PUT', '', { flights: [{ id: flightId, sizeCap: 2 }] })],
    [
      'new aircraft',
      () => mission('PUT', '', { addAircraftSlots: [{ aircraftId: 9, slotCount: 1, side: 1, notes: 'CAS' }] }),
    ],
    ['a removed pilot', () => mission('DELETE', `/seats/${flightId}/0`)],
    ['an assigned pilot', () => mission('PUT', `/seats/${flightId}/1`, { userId: pilot.id })],
    ['a hold that expires', () => statement(sql`update frag_order set expires_at = now() where status = 'issued'`)],
    [
      'a new call sign',
      () => admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Merlin', timeZone: 'UTC' }),
    ],
    [
      'the start of the mission',
      () =>
        statement(
          sql`update mission set starts_at = now(), ends_at = now() + interval '1 hour' where id = ${missionId}`,
        ),
    ],
    ['the cancellation', () => mission('POST', '/cancel')],
  ])('%s', async (_what, change) => {
    const path = `/admin/missions/${missionId}`;
    const before = await get(path);
    const tag = before.headers.get('etag') ?? '';
    const text = await before.text();
    await change();
    const after = await get(path, tag);
    const isSame = after.status === 304 || (await after.clone().text()) === text;
    expect([after.status, after.headers.get('etag') === tag, isSame]).toEqual([200, false, false]);
  });

  test('a mission that begins, by the clock alone', async () => {
    const { mission: made } = await givenMission(service, admin, {
      startLocal: hoursFromNow(60),
      endLocal: hoursFromNow(61),
    });
    const soon = new Date(Date.now() + 3_000).toISOString();
    await statement(
      sql`update mission set starts_at = ${soon}, ends_at = now() + interval '1 hour' where id = ${made.id}`,
    );
    const path = `/admin/missions/${made.id}`;
    const tag = await tagOf(path);
    await expect.poll(async () => (await get(path, tag)).status, { timeout: 10_000 }).toBe(200);
    expect(Object(await (await get(path)).json()).status).toBe('launched');
  });

  test('a mission more in the list', async () => {
    const path = `/admin/missions?from=${date}&to=${date}`;
    const tag = await tagOf(path);
    await givenMission(service, admin, { publish: false });
    expect((await get(path, tag)).status).toBe(200);
  });
});

test('a mission that does not exist stays unknown, whatever the tag', async () => {
  const path = '/admin/missions/0192c0de-7a11-7c3e-9d21-5f0e8a4b6c01';
  const first = await get(path, 'W/"any"');
  const again = await get(path, first.headers.get('etag') ?? '');
  expect([first.status, again.status, again.headers.get('cache-control')]).toEqual([404, 404, 'no-store']);
});

test('tRPC knows no tags', async () => {
  const input = encodeURIComponent(JSON.stringify({ id: missionId }));
  const response = await fetch(`${service.url}/trpc/admin.mission.get?input=${input}`, {
    headers: { cookie: admin.client.cookie(), 'if-none-match': await tagOf(`/admin/missions/${missionId}`) },
  });
  expect([response.status, response.headers.get('etag')]).toEqual([200, null]);
});

describe('for pilots', () => {
  /** with a seat, on standby, without either */
  let seated: Person;
  let waiting: Person;
  let visitor: Person;
  // another mission than the admins' one
  beforeAll(async () => {
    await retirePilots(service);
    seated = await givenPilot(service, 9);
    ({ id: missionId } = (
      await givenMission(service, admin, { aircraftSlots: [{ aircraftId: 9, slotCount: 2, side: 0, notes: 'CAP' }] })
    ).mission);
    await respond(seated, await orderOf(seated), 'Accepted');
    flightId = (await admin.client.call('GET', `/admin/missions/${missionId}`)).body.packages[0].flights[0].id;
    [waiting, visitor] = [await givenPilot(service, 3), await givenPilot(service, 3)];
  });

  const getAs = (path: string, { client }: Person, tag?: string) => get(path, tag, client.cookie());

  const one = () => `/missions/${missionId}`;
  const range = () => `/missions?from=${date}&to=${date}`;
  describe.each([
    ['one', one],
    ['a range', range],
  ])('%s', (_what, path) => {
    test('that is unchanged is not sent again', async () => {
      const first = await getAs(path(), seated);
      const tag = first.headers.get('etag') ?? '';
      expect([first.status, tag]).toEqual([200, expect.stringMatching(/^W\/"[0-9a-f]{32}"$/)]);
      const again = await getAs(path(), seated, tag);
      expect([again.status, await again.text()]).toEqual([304, '']);
    });

    test('has a tag of its own for each pilot, who see different things', async () => {
      const tag = (await getAs(path(), seated)).headers.get('etag') ?? '';
      expect((await getAs(path(), visitor, tag)).status).toBe(200);
    });
  });

  test('a mission that a pilot may not see stays unknown, whatever the tag', async () => {
    const { mission } = await givenMission(service, admin, { publish: false });
    const answer = await getAs(`/missions/${mission.id}`, visitor, 'W/"any"');
    expect(answer.status).toBe(404);
    expect((await getAs(`/missions/${mission.id}`, visitor, answer.headers.get('etag') ?? '')).status).toBe(404);
  });

  describe('every change of the answer changes the tag', () => {
    const edit = (body: object) => admin.client.call('PUT', `/admin/missions/${missionId}`, body);
    const standBy = (who: Person, minutes: number) =>
      givenQueue(service, missionId, [who], new Date(Date.now() - minutes * 60_000));

    test.each<[what: string, whose: () => Person, change: () => Promise<unknown>]>([
      ['notes', () => seated, () => edit({ notes: 'Lights on' })],
      ['the name, for a visitor', () => visitor, () => edit({ name: 'Op Other Name' })],
      ['the first place on standby', () => waiting, () => standBy(waiting, 1)],
      ['somebody who waits longer', () => waiting, () => standBy(visitor, 2)],
      [
        'the zone of the pilot',
        () => seated,
        () => seated.client.call('PUT', `/users/${seated.id}`, { displayName: 'Merlin', timeZone: 'Asia/Tokyo' }),
      ],
      [
        'a lost seat',
        () => seated,
        () => admin.client.call('DELETE', `/admin/missions/${missionId}/seats/${flightId}/0`),
      ],
      ['the cancellation', () => waiting, () => admin.client.call('POST', `/admin/missions/${missionId}/cancel`)],
    ])('%s', async (_what, whose, change) => {
      const before = await getAs(one(), whose());
      const tag = before.headers.get('etag') ?? '';
      const text = await before.text();
      await change();
      const after = await getAs(one(), whose(), tag);
      expect([after.status === 304, await after.text()]).not.toEqual([true, '']);
      expect([after.headers.get('etag') === tag, (await (await getAs(one(), whose())).text()) === text]).toEqual([
        false,
        false,
      ]);
    });
  });
});
