/** Aircraft types: switched on and off, the community's own, and a release whose catalogue has one of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncAircraft } from '#server/accounts/pilots/aircraft.ts';
import { AIRCRAFT_CATALOGUE } from '#server/accounts/pilots/rules/aircraft-catalogue.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenMission, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const TOMCAT = 4;
const FLANKER = 14;
const MUSTANG = { code: 'P-51D-30-NA', name: 'P-51D Mustang', seats: 1, roles: ['CAP', 'Intercept'] };

let service: Service;
let admin: Person;
let pilot: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  pilot = await givenPerson(service);
});
afterAll(() => service.stop());

const em = () => service.app.orm.em.fork();
const codesOffered = async (): Promise<string[]> =>
  (await pilot.client.call('GET', '/aircraft')).body.map(({ code }: { code: string }) => code);
const offer = (ids: number[], active: boolean) => admin.client.call('PUT', '/admin/aircraft/offered', { ids, active });
const add = (type: Partial<typeof MUSTANG> = {}) =>
  admin.client.call('POST', '/admin/aircraft', { ...MUSTANG, ...type });
const typeOf = async (id: number) =>
  (await admin.client.call('GET', '/admin/aircraft')).body.find((type: { id: number }) => type.id === id);
const request = (aircraftId: number) => ({
  name: 'Op Switched Off',
  theater: 'Syria' as const,
  startLocal: hoursFromNow(40),
  endLocal: hoursFromNow(42),
  timeZone: 'UTC',
  aircraftSlots: [{ aircraftId, slotCount: 1, side: 0 as const, notes: 'CAP' as const }],
});

describe('a type that is switched off', () => {
  test('is no longer offered, and can be offered again', async () => {
    expect(await codesOffered()).toContain('Su-27');
    const { status, body } = await offer([FLANKER], false);
    expect(status).toBe(200);
    expect(body).toHaveLength(AIRCRAFT_CATALOGUE.length);
    expect(await codesOffered()).not.toContain('Su-27');
    await offer([FLANKER], true);
    expect(await codesOffered()).toContain('Su-27');
  });

  test('stays in a mission, in a list and in times that have it, and takes no new mission', async () => {
    const { mission } = await givenMission(service, admin, request(TOMCAT));
    await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/${TOMCAT}`, { level: 'expert' });
    expect(await typeOf(TOMCAT)).toMatchObject({ pilots: 1, missions: 1, isOwn: false });
    await offer([TOMCAT], false);

    const refused = await admin.client.call('POST', '/admin/missions', request(TOMCAT));
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      code: 'AIRCRAFT_SWITCHED_OFF',
      message: 'The F-14B Tomcat is switched off in this community. Please choose another aircraft.',
      issues: [{ path: 'aircraftSlots.0.aircraftId' }],
    });
    const added = { addAircraftSlots: request(TOMCAT).aircraftSlots };
    expect((await admin.client.call('PUT', `/admin/missions/${mission.id}`, added)).status).toBe(400);

    const { body } = await admin.client.call('GET', `/admin/missions/${mission.id}`);
    const [{ id: flightId }] = body.packages[0].flights;
    const kept = { flights: [{ id: flightId, aircraftId: TOMCAT, notes: 'Bring chaff' }] };
    expect((await admin.client.call('PUT', `/admin/missions/${mission.id}`, kept)).status).toBe(200);
    const level = await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/${TOMCAT}`, { level: 'basic' });
    expect(level.status).toBe(200);
    const week = {
      name: 'Nights',
      isActive: true,
      slots: [{ weekday: 2, startLocal: '18:00', endLocal: '22:00', aircraftCodeId: TOMCAT, notes: null }],
    };
    expect((await pilot.client.call('POST', `/users/${pilot.id}/availability/templates`, week)).status).toBe(201);
    await offer([TOMCAT], true);
  });

  test('an unknown id switches nothing', async () => {
    const { status, body } = await offer([FLANKER, 31_000], false);
    expect([status, body.code]).toEqual([404, 'AIRCRAFT_TYPE_NOT_FOUND']);
    expect(await codesOffered()).toContain('Su-27');
  });
});

describe("a type of the community's own", () => {
  test('is offered, changed, flown, and deleted only while nothing refers to it', async () => {
    const { status, body: type } = await add();
    expect(status).toBe(201);
    expect(type).toMatchObject({ id: 1_001, isOwn: true, active: true, pilots: 0, missions: 0 });
    expect(await codesOffered()).toContain('P-51D-30-NA');
    const changed = await admin.client.call('PUT', `/admin/aircraft/${type.id}`, {
      ...MUSTANG,
      name: 'Mustang',
      seats: 2,
    });
    expect(changed.body).toMatchObject({ name: 'Mustang', seats: 2 });

    const { slotsSummary } = await givenMission(service, admin, request(type.id));
    expect(slotsSummary[0]).toMatchObject({ aircraftName: 'Mustang', aircraftCode: 'P-51D-30-NA' });
    const refused = await admin.client.call('DELETE', `/admin/aircraft/${type.id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'AIRCRAFT_IN_USE']);
    expect(refused.body.message).toBe('Missions, pilots or their times use this aircraft. Switch it off instead.');

    const { body: unused } = await add({ code: 'Spitfire', name: 'Spitfire IX' });
    expect(unused.id).toBe(1_002);
    expect((await admin.client.call('DELETE', `/admin/aircraft/${unused.id}`)).status).toBe(200);
    expect(await codesOffered()).not.toContain('Spitfire');
  });

  test.each([
    ['code', { code: 'f-16c_50', name: 'Another Viper' }, 'The F-16C Viper already has this code.'],
    ['name', { code: 'F-16X', name: 'f-16c viper' }, 'Another type, F-16C_50, already has this name.'],
  ])('the %s of another type is refused in upper and lower case', async (field, type, message) => {
    const { status, body } = await add(type);
    expect([status, body.code, body.message]).toEqual([409, 'AIRCRAFT_EXISTS', message]);
    expect(body.issues).toEqual([{ path: field, message }]);
  });

  test('of eight that come at once with the same code, one is added', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => add({ code: 'Yak-9', name: 'Yak-9 U' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
  });

  test('at most 200', async () => {
    await query(
      em(),
      sql`insert into aircraft (id, code, name, seats, roles, active)
          select n, 'code ' || n, 'name ' || n, 1, '{CAP}', true from generate_series(2001, 2200) as n`,
    );
    const { status, body } = await add({ code: 'One more', name: 'One more' });
    expect([status, body.code]).toEqual([409, 'LIMIT_REACHED']);
    await query(em(), sql`delete from aircraft where id > 2000`);
  });
});

describe('a type of the catalogue', () => {
  test('is neither changed nor deleted', async () => {
    const changed = await admin.client.call('PUT', `/admin/aircraft/${FLANKER}`, { ...MUSTANG, name: 'Lawn dart' });
    expect([changed.status, changed.body.code]).toEqual([409, 'AIRCRAFT_FROM_CATALOGUE']);
    const deleted = await admin.client.call('DELETE', `/admin/aircraft/${FLANKER}`);
    expect([deleted.status, deleted.body.code]).toEqual([409, 'AIRCRAFT_FROM_CATALOGUE']);
  });

  test('that the community had added itself is left out by the next release, and the others come', async () => {
    const { body: own } = await add({ code: 'F-35A', name: 'Lightning' });
    const next = [
      ...AIRCRAFT_CATALOGUE,
      { id: 36, code: 'f-35a', name: 'F-35A Lightning II', seats: 1, roles: ['CAP'] as const },
      { id: 37, code: 'F-22A', name: 'F-22A Raptor', seats: 1, roles: ['CAP'] as const },
    ];
    await offer([FLANKER], false);
    await syncAircraft(em(), next);
    await syncAircraft(em(), next);
    expect(await typeOf(own.id)).toMatchObject({ code: 'F-35A', name: 'Lightning' });
    expect(await typeOf(36)).toBeUndefined();
    expect(await typeOf(37)).toMatchObject({ code: 'F-22A', isOwn: false });
    expect(await typeOf(FLANKER)).toMatchObject({ active: false });
  });
});

test('changes are audited with the name, and pages hear of them', async () => {
  const { body: type } = await add({ code: 'I-16', name: 'I-16 Ishak' });
  await offer([type.id], false);
  await admin.client.call('PUT', `/admin/aircraft/${type.id}`, {
    ...MUSTANG,
    code: 'I-16',
    name: 'I-16',
    roles: ['CAS'],
  });
  await admin.client.call('DELETE', `/admin/aircraft/${type.id}`);
  const { body } = await admin.client.call('GET', `/admin/audit?subjectId=${type.id}`);
  expect(body.entries.map(({ summary }: { summary: string }) => summary)).toEqual([
    'Deleted the aircraft',
    'Name changed from I-16 Ishak to I-16; roles: CAS',
    'Switched the aircraft off',
    'Added the aircraft',
  ]);
  expect(body.entries[0].subjectName).toBe('I-16');
});
