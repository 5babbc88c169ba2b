/** The guided start: every step follows from what the community has, and it goes when all is done or when it is put away. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeEach(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  await query(service.app.orm.em.fork(), sql`update app_user set display_name = null`);
});
afterEach(() => service.stop());

const start = async (person = admin) => (await person.client.call('GET', '/admin/guided-start')).body;
const NOTHING = {
  isShown: true,
  hasName: false,
  hasCallSign: false,
  hasInvited: false,
  hasServer: false,
  hasMission: false,
  practice: null,
  pilots: 1,
  withTimes: 0,
};

test('each step is done when the community has it; Discord is optional', async () => {
  expect(await start()).toEqual(NOTHING);
  await admin.client.call('PUT', '/admin/community', { name: 'Lantern Wing', registration: 'open' });
  expect(await start()).toEqual({ ...NOTHING, hasName: true });
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Goose', timeZone: 'Europe/Berlin' });
  expect(await start()).toMatchObject({ hasCallSign: true, hasInvited: false });
  await admin.client.call('POST', '/admin/invites', { name: 'Recruits' });
  expect(await start()).toMatchObject({ hasInvited: true, isShown: true, pilots: 1 });
  const pilot = await givenPerson(service);
  await givenAlwaysFree(service, pilot.id);
  await givenMission(service, admin, { publish: false });
  expect(await start()).toMatchObject({ hasMission: false, isShown: true, pilots: 2, withTimes: 1 });
  // times of a single date are times, too
  const single = { dateLocal: '2031-05-06', kind: 'available', startLocal: '18:00', endLocal: '22:00' };
  await admin.client.call('POST', `/users/${admin.id}/availability/overrides`, single);
  expect(await start()).toMatchObject({ withTimes: 2 });
  await givenMission(service, admin);
  expect(await start()).toMatchObject({ hasMission: true, hasServer: false, isShown: false });
});

test('another pilot counts as invited, however they came; the bot in a server as connected', async () => {
  await givenPerson(service);
  await query(
    service.app.orm.em.fork(),
    sql`insert into guild (id, name, status, installed_at, accepted_at, last_seen_at) values ('1', 'Wing', 'active', now(), now(), now())`,
  );
  expect(await start()).toMatchObject({ hasInvited: true, hasServer: true, pilots: 2 });
});

test('it is put away for all admins, and its settings stay', async () => {
  await admin.client.call('PUT', '/admin/community', { name: 'Lantern Wing', registration: 'approval' });
  const other = await givenAdmin(service);
  expect((await start(other)).isShown).toBe(true);
  expect((await admin.client.call('POST', '/admin/guided-start/dismiss')).body).toEqual({ success: true });
  expect([(await start()).isShown, (await start(other)).isShown]).toEqual([false, false]);
  expect((await admin.client.call('GET', '/admin/community')).body).toEqual({
    name: 'Lantern Wing',
    registration: 'approval',
  });
});
