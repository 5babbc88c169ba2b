/** ETags of missions for pilots: the same while the answer is the same, another after every change of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenQueue } from '#tests/harness/cast.ts';
import { givenAdmin, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { givenPilot, orderOf, respond } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
/** with a seat, on standby, without either */
let seated: Person;
let waiting: Person;
let visitor: Person;
let missionId: string;
let flightId: string;
const date = hoursFromNow(30).slice(0, 10);
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  seated = await givenPilot(service, 9);
  ({ id: missionId } = (
    await givenMission(service, admin, { aircraftSlots: [{ aircraftId: 9, slotCount: 2, side: 0, notes: 'CAP' }] })
  ).mission);
  await respond(seated, await orderOf(seated), 'Accepted');
  flightId = (await admin.client.call('GET', `/admin/missions/${missionId}`)).body.packages[0].flights[0].id;
  [waiting, visitor] = [await givenPilot(service, 3), await givenPilot(service, 3)];
});
afterAll(() => service.stop());

const one = () => `/missions/${missionId}`;
const range = () => `/missions?from=${date}&to=${date}`;
/** By plain fetch, which leaves If-None-Match to us. */
const get = (path: string, { client }: Person, tag?: string) =>
  fetch(`${service.url}/api/v1${path}`, {
    headers: { cookie: client.cookie(), ...(tag === undefined ? {} : { 'if-none-match': tag }) },
  });

describe.each([
  ['one', one],
  ['a range', range],
])('%s', (_what, path) => {
  test('that is unchanged is not sent again', async () => {
    const first = await get(path(), seated);
    const tag = first.headers.get('etag') ?? '';
    expect([first.status, tag]).toEqual([200, expect.stringMatching(/^W\/"[0-9a-f]{32}"$/)]);
    const again = await get(path(), seated, tag);
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('has a tag of its own for each pilot, who see different things', async () => {
    const tag = (await get(path(), seated)).headers.get('etag') ?? '';
    expect((await get(path(), visitor, tag)).status).toBe(200);
  });
});

test('a mission that a pilot may not see stays unknown, whatever the tag', async () => {
  const { mission } = await givenMission(service, admin, { publish: false });
  const answer = await get(`/missions/${mission.id}`, visitor, 'W/"any"');
  expect(answer.status).toBe(404);
  expect((await get(`/missions/${mission.id}`, visitor, answer.headers.get('etag') ?? '')).status).toBe(404);
});

describe('every change of the answer changes the tag', () => {
  const edit = (body: object) => admin.client.call('PUT', `/admin/missions/${missionId}`, body);
  const standBy = (pilot: Person, minutes: number) =>
    givenQueue(service, missionId, [pilot], new Date(Date.now() - minutes * 60_000));

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
    const before = await get(one(), whose());
    const tag = before.headers.get('etag') ?? '';
    const text = await before.text();
    await change();
    const after = await get(one(), whose(), tag);
    expect([after.status === 304, await after.text()]).not.toEqual([true, '']);
    expect([after.headers.get('etag') === tag, (await (await get(one(), whose())).text()) === text]).toEqual([
      false,
      false,
    ]);
  });
});
