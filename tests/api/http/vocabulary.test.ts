/** The fixed lists that inputs choose from, and one user: calls that pages do without and scripts need. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let pilot: Person;
beforeAll(async () => {
  service = await startService();
  pilot = await givenPerson(service, { displayName: 'Kestrel', timeZone: 'Asia/Tokyo' });
});
afterAll(() => service.stop());

const readAsVisitor = async (path: string) => (await createClient(service).call('GET', path)).body;

test('theaters and mission roles are those of the specification, for anybody', async () => {
  expect(await readAsVisitor('/theaters')).toEqual([
    'Caucasus',
    'Nevada',
    'Normandy',
    'Persian Gulf',
    'Syria',
    'Mariana Islands',
    'South Atlantic',
    'Sinai',
    'Kola',
  ]);
  expect(await readAsVisitor('/roles')).toEqual([
    'Training',
    'CAP',
    'Strike',
    'CAS',
    'DEAD',
    'SEAD',
    'Intercept',
    'Recon',
    'Tanker',
    'AWACS',
    'EW',
  ]);
});

test('every time zone in the list is accepted, and the offered ones are in it', async () => {
  const zones: string[] = await readAsVisitor('/time-zones');
  expect(zones).toEqual(zones.toSorted());
  expect(new Set(zones).size).toBe(zones.length);
  expect(zones).toEqual(
    expect.arrayContaining([
      'UTC',
      'America/New_York',
      'America/Chicago',
      'America/Denver',
      'America/Los_Angeles',
      'Europe/London',
      'Europe/Paris',
      'Europe/Berlin',
      'Asia/Tokyo',
      'Australia/Sydney',
    ]),
  );
  const save = (timeZone: string) =>
    pilot.client.call('PUT', `/users/${pilot.id}`, { displayName: 'Kestrel', timeZone });
  for (const zone of [...zones.filter((_, index) => index % 40 === 0), 'UTC', 'Asia/Tokyo']) {
    expect([zone, (await save(zone)).status]).toEqual([zone, 200]);
  }
});

test('one user is what auth/me says, for the pilot and for admins', async () => {
  const me = (await pilot.client.call('GET', '/auth/me')).body;
  const admin = await givenAdmin(service);
  for (const { client } of [pilot, admin]) {
    expect(await client.call('GET', `/users/${pilot.id}`)).toMatchObject({ status: 200, body: me });
  }
  const unknown = await admin.client.call('GET', '/users/0192c0de-0000-7000-8000-000000000000');
  expect([unknown.status, unknown.body.code]).toEqual([404, 'USER_NOT_FOUND']);
});
