/** Missions for pilots: which they may see, and what of them stays hidden. The admins' view is the oracle. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import {
  givenAdmin,
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  type Person,
} from '#tests/harness/given.ts';
import { editMission } from '#tests/harness/mission-edits.ts';
import { inbox, orderOf, respond } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
let blue: Person;
let red: Person;
/** without a seat */
let visitor: Person;
let missionId: string;
let whole: MissionDto;

beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  blue = await givenPerson(service, { displayName: 'Bluebird', timeZone: 'Asia/Tokyo' });
  red = await givenPerson(service, { displayName: 'Redwing' });
  visitor = await givenPerson(service, { displayName: 'Passerby' });
  await givenAlwaysFree(service, blue.id, 2);
  await givenAlwaysFree(service, red.id, 3);
  const created = await givenMission(service, admin, {
    notes: 'Server password swordfish',
    links: [{ url: 'https://example.org/target', title: 'Target folder', kind: 'other' }],
    aircraftSlots: [
      { aircraftId: 2, slotCount: 3, side: 0, notes: 'CAP', additionalNotes: 'Blue flight notes' },
      { aircraftId: 4, slotCount: 1, side: 0, notes: 'SEAD' },
      { aircraftId: 3, slotCount: 2, side: 1, notes: 'CAS', additionalNotes: 'Red flight notes' },
    ],
  });
  missionId = created.mission.id;
  for (const pilot of [blue, red]) await respond(pilot, await orderOf(pilot), 'Accepted');
  const em = service.app.orm.em.fork();
  // plans have no times on target for every role
  await query(em, sql`update flight set tot_at = launch_at + interval '31 minutes' where mission_id = ${missionId}`);
  await query(
    em,
    sql`update package set notes = 'Notes of package ' || callsign, tot_at = launch_at + interval '32 minutes'
        where mission_id = ${missionId}`,
  );
  whole = (await admin.client.call('GET', `/admin/missions/${missionId}`)).body;
});
afterAll(() => service.stop());

const get = async ({ client }: Person, id = missionId) => client.call('GET', `/missions/${id}`);
const list = async ({ client }: Person, search = '') => (await client.call('GET', `/missions${search}`)).body;
const flightsOf = (mission: Pick<MissionDto, 'packages'>) => mission.packages.flatMap(({ flights }) => flights);
const ofSide = (side: 0 | 1) => flightsOf(whole).filter((flight) => flight.side === side);

describe.each([
  ['Blue', () => blue, 0, 1],
  ['Red', () => red, 1, 0],
] as const)('a pilot of %s', (_name, person, own, other) => {
  test('reads the whole plan of that side', async () => {
    const { body } = await get(person());
    expect(body).toMatchObject({
      id: missionId,
      name: whole.name,
      notes: 'Server password swordfish',
      status: 'scheduled',
    });
    const shown = flightsOf(body);
    expect(shown.map(({ id }) => id).sort()).toEqual(
      ofSide(own)
        .map(({ id }) => id)
        .sort(),
    );
    for (const flight of shown) {
      const { radioFreq, notes, callsign, launchUtc, totUtc, openSlots } =
        ofSide(own).find(({ id }) => id === flight.id) ?? {};
      expect(flight).toMatchObject({ radioFreq, notes, callsign, launchUtc, totUtc, openSlots });
    }
    expect(
      body.packages.every(({ objective, notes }: { objective: string; notes: string }) => objective && notes),
    ).toBe(true);
    const names = flightsOf(body).flatMap((flight) => Reflect.get(flight, 'pilots'));
    expect(names.filter((name) => name !== null)).toEqual([person().displayName]);
    expect(body.openSeats).toBe(ofSide(own).reduce((sum, flight) => sum + flight.openSlots, 0));
  });

  test('reads nothing of the other side', async () => {
    const answers = JSON.stringify([(await get(person())).body, await list(person())]);
    const packages = whole.packages.filter(({ flights }) => flights.some(({ side }) => side === other));
    const secrets = [
      ...ofSide(other).flatMap(({ id, callsign, radioFreq, notes }) => [id, callsign, radioFreq, notes]),
      ...packages.flatMap(({ id, callsign, objective, notes }) => [id, callsign, objective, notes]),
      ...ofSide(other).flatMap(({ assignments }) =>
        assignments.flatMap(({ userId, userDisplayName }) => [userId, userDisplayName]),
      ),
    ].filter((secret) => typeof secret === 'string');
    expect(secrets.length).toBeGreaterThan(8);
    expect(secrets.filter((secret) => answers.includes(secret))).toEqual([]);
  });
});

test('without a seat a pilot reads the flights and their open seats, and nothing else', async () => {
  const { body } = await get(visitor);
  expect(body).toEqual({
    id: missionId,
    name: whole.name,
    theater: whole.theater,
    status: 'scheduled',
    timeZone: 'UTC',
    startLocal: whole.startLocal,
    endLocal: whole.endLocal,
    startUtc: whole.startUtc,
    endUtc: whole.endUtc,
    openSeats: 4,
    mine: null,
    notes: null,
    links: [],
    packages: whole.packages.map(({ id, callsign, launchUtc, flights }) => ({
      id,
      callsign,
      objective: null,
      launchUtc,
      totUtc: null,
      notes: null,
      flights: flights.map((flight) => ({
        id: flight.id,
        callsign: flight.callsign,
        aircraftId: flight.aircraftId,
        aircraftName: flight.aircraftName,
        role: flight.role,
        side: flight.side,
        // both sides have seats, so they are secret
        view: 'counts',
        launchUtc: flight.launchUtc,
        totUtc: null,
        radioFreq: null,
        sizeCap: flight.sizeCap,
        openSlots: flight.openSlots,
        notes: null,
        pilots: null,
      })),
    })),
  });
});

test('the list has the own seat, and times in the zone of the pilot', async () => {
  const [mine] = await list(blue);
  const flight = ofSide(0).find(({ assignments }) => assignments.length > 0);
  const order = (await inbox(blue, true))[0];
  expect(mine).toMatchObject({
    id: missionId,
    timeZone: 'Asia/Tokyo',
    startLocal: new Date(Date.parse(whole.startUtc) + 9 * 3_600_000).toISOString().slice(0, 16),
    mine: {
      orderId: order.id,
      rsvp: 'accepted',
      holdsSeat: true,
      flightId: flight?.id,
      flightCallsign: flight?.callsign,
      side: 0,
      seatIndex: flight?.assignments[0]?.seatIndex,
      standbyPosition: null,
    },
  });
  expect((await get(blue)).body).toMatchObject(mine);
});

describe('who may see a mission', () => {
  /** of the last mission; nobody of an earlier test flies the next one */
  let aircraftId = 6;

  /** the only pilot who can fly the aircraft, with the order in the inbox */
  async function givenAsked(hours: number) {
    aircraftId += 1;
    const pilot = await givenPerson(service);
    await givenAlwaysFree(service, pilot.id, aircraftId);
    const { mission } = await givenMission(service, admin, {
      startLocal: hoursFromNow(hours),
      endLocal: hoursFromNow(hours + 2),
      aircraftSlots: [{ aircraftId, slotCount: 1, side: 0, notes: 'CAP' }],
    });
    return { pilot, id: mission.id, order: await orderOf(pilot) };
  }
  const sees = async (person: Person, id: string): Promise<boolean> => {
    const { status, body } = await get(person, id);
    if (status === 404) expect(body).toEqual({ code: 'MISSION_NOT_FOUND', message: 'Mission not found' });
    const day = (await admin.client.call('GET', `/admin/missions/${id}`)).body.startUtc.slice(0, 10);
    const listed = (await list(person, `?from=${day}&to=${day}&tz=UTC`)).map((one: { id: string }) => one.id);
    expect(listed.includes(id)).toBe(status === 200);
    return status === 200;
  };
  /** a mission that began two hours ago, with its seats */
  async function begin(id: string): Promise<void> {
    const em = service.app.orm.em.fork();
    await query(
      em,
      sql`update mission set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id = ${id}`,
    );
    await query(
      em,
      sql`update seat set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where mission_id = ${id}`,
    );
  }
  const readsPlan = async (person: Person, id: string) => (await get(person, id)).body.packages[0].objective !== null;

  test('a draft: nobody', async () => {
    const { mission } = await givenMission(service, admin, {
      publish: false,
      startLocal: hoursFromNow(400),
      endLocal: hoursFromNow(402),
    });
    expect([await sees(visitor, mission.id), await sees(admin, mission.id)]).toEqual([false, false]);
  });

  test('a pending order holds a seat, until it expires', async () => {
    const { pilot, id, order } = await givenAsked(500);
    expect([await sees(pilot, id), await readsPlan(pilot, id)]).toEqual([true, true]);
    expect((await get(pilot, id)).body.mine).toMatchObject({ orderId: order.id, rsvp: 'pending', holdsSeat: true });
    await query(service.app.orm.em.fork(), sql`update frag_order set expires_at = now() where id = ${order.id}`);
    expect([await sees(pilot, id), await readsPlan(pilot, id)]).toEqual([true, false]);
    expect((await get(pilot, id)).body).toMatchObject({ mine: null, openSeats: 1 });
  });

  test('a declined order: as anybody while the mission is open, and no longer once it has begun', async () => {
    const { pilot, id, order } = await givenAsked(520);
    await respond(pilot, order, 'Declined');
    expect([await sees(pilot, id), await readsPlan(pilot, id)]).toEqual([true, false]);
    await begin(id);
    expect([await sees(pilot, id), await sees(visitor, id)]).toEqual([false, false]);
  });

  test('standby: the mission with the place in the queue, and the plan unless sides are secret', async () => {
    const { pilot, id, order } = await givenAsked(540);
    await respond(pilot, order, 'Standby');
    expect([await sees(pilot, id), await readsPlan(pilot, id)]).toEqual([true, true]);
    await editMission(admin, id, { secretSides: true });
    expect([await sees(pilot, id), await readsPlan(pilot, id)]).toEqual([true, false]);
    expect((await get(pilot, id)).body.mine).toMatchObject({ rsvp: 'standby', holdsSeat: false, standbyPosition: 1 });
  });

  test('a seat: before, during and after the mission', async () => {
    const { pilot, id, order } = await givenAsked(560);
    await respond(pilot, order, 'Accepted');
    await begin(id);
    expect([await sees(pilot, id), await readsPlan(pilot, id), await sees(visitor, id)]).toEqual([true, true, false]);
    expect((await get(pilot, id)).body.status).toBe('completed');
  });

  test('a cancelled mission: those who had a part in it, without the plan', async () => {
    const { pilot, id, order } = await givenAsked(580);
    await respond(pilot, order, 'Accepted');
    await admin.client.call('POST', `/admin/missions/${id}/cancel`);
    expect([await sees(pilot, id), await readsPlan(pilot, id), await sees(visitor, id)]).toEqual([true, false, false]);
    expect((await get(pilot, id)).body).toMatchObject({ status: 'cancelled', mine: null });
  });

  test('a pilot whom an admin has removed: as anybody', async () => {
    const { pilot, id, order } = await givenAsked(600);
    await respond(pilot, order, 'Accepted');
    const [flight] = flightsOf((await admin.client.call('GET', `/admin/missions/${id}`)).body);
    await admin.client.call('DELETE', `/admin/missions/${id}/seats/${flight?.id}/0`);
    expect([await sees(pilot, id), await readsPlan(pilot, id)]).toEqual([true, false]);
    await begin(id);
    expect(await sees(pilot, id)).toBe(false);
  });

  test('an unknown one: nobody', async () => {
    const { status, body } = await get(visitor, '0192c0de-0000-7000-8000-000000000000');
    expect([status, body.code]).toEqual([404, 'MISSION_NOT_FOUND']);
  });
});

test('a pilot without a call sign is shown without the email address', async () => {
  await query(service.app.orm.em.fork(), sql`update app_user set display_name = null where id = ${blue.id}`);
  const text = JSON.stringify((await get(blue)).body);
  expect(text).toContain('"openSlots"');
  expect(text).not.toContain('@example.org');
});
