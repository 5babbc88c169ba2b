/** Local times and their zones: recommended times become missions at these times, and scripts name the zone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  givenAdmin,
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  type Person,
} from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
let token: string;
beforeAll(async () => {
  service = await startService();
  admin = await givenPerson(service, { roles: ['admin', 'user'], timeZone: 'Asia/Tokyo' });
  await givenAlwaysFree(service, admin.id);
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const made = await admin.client.call('POST', `/users/${admin.id}/tokens`, {
    name: 'Ops',
    scopes: ['admin'],
    expiresAt,
  });
  token = made.body.token;
});
afterAll(() => service.stop());

/** A call as a script makes it. */
const callByToken = (method: string, path: string, body?: unknown) =>
  createClient(service).call(method, path, body, { authorization: `Bearer ${token}` });

const plan = {
  name: 'Op Zone',
  theater: 'Kola',
  aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' }],
};
const times = { startLocal: hoursFromNow(200), endLocal: hoursFromNow(202) };
const date = hoursFromNow(48).slice(0, 10);

test.each([
  ['', 'UTC'],
  ['&tz=Asia/Tokyo', 'Asia/Tokyo'],
])('a recommended time%s, passed on with its zone, is the time of the mission', async (search, zone) => {
  const { body } = await callByToken('GET', `/admin/missions/recommended-time?date=${date}&limit=1${search}`);
  const [{ startLocal, endLocal, startUtc }] = body.recommendations;
  expect(body.timeZone).toBe(zone);
  const created = await callByToken('POST', '/admin/missions', {
    ...plan,
    startLocal,
    endLocal,
    timeZone: body.timeZone,
    publish: false,
  });
  const { mission } = created.body;
  expect((await callByToken('GET', `/admin/missions/${mission.id}`)).body.startUtc).toBe(startUtc);
});

const SENTENCE = 'With an access token, local times need their timeZone, such as Europe/Berlin or UTC';
test.each<[method: string, path: string, body: Record<string, unknown>, at: string]>([
  ['POST', '/admin/missions', { ...plan, ...times }, 'timeZone'],
  ['POST', '/admin/missions/dry-run', { ...plan, ...times }, 'timeZone'],
  ['POST', '/admin/missions/week-plan', { missionIds: [], request: { ...plan, ...times } }, 'request.timeZone'],
  ['PUT', '/admin/missions/{mission}', times, 'timeZone'],
])('%s %s by a script needs the zone of its local times; a browser has one', async (method, path, body, at) => {
  const ops = await givenAdmin(service);
  const { mission } = await givenMission(service, ops, { ...times, publish: false });
  const address = path.replace('{mission}', mission.id);
  const refused = await callByToken(method, address, body);
  expect([refused.status, refused.body]).toEqual([
    400,
    { code: 'VALIDATION', message: SENTENCE, issues: [{ path: at, message: SENTENCE }] },
  ]);
  expect((await admin.client.call(method, address, body)).status).toBeLessThan(300);
  const inside =
    at === 'timeZone' ? { ...body, timeZone: 'UTC' } : { ...body, request: { ...plan, ...times, timeZone: 'UTC' } };
  expect((await callByToken(method, address, inside)).status).toBeLessThan(300);
});

test('an edit by a script without local times needs no zone', async () => {
  const { mission } = await givenMission(service, admin, { ...times, publish: false });
  expect((await callByToken('PUT', `/admin/missions/${mission.id}`, { notes: 'Lights on' })).status).toBe(200);
});
