/** Answers to frag orders through the API: every move of the table, and its refusals. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenCrowd, givenSharedOffers } from '#tests/harness/crowd.ts';
import { givenAdmin, givenMission, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import {
  callOffMissions,
  givenMissionIn,
  givenPilot,
  holds,
  inbox,
  orderOf,
  read,
  respond,
  retirePilots,
} from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { ask } from '#tests/harness/transports.ts';

const F16 = 2;
const A10 = 3;

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService({ withJobs: true });
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  expect(await findBreaches(service)).toEqual([]);
  await retirePilots(service);
  await callOffMissions(service);
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

/** The pilot's earlier answer, before the one under test. */
const SAID = { pending: [], accepted: ['accepted'], standby: ['standby'], declined: ['declined'] } as const;

describe('more than a day before start, with the seat still free', () => {
  test.each<[from: keyof typeof SAID, answer: string, seated: boolean]>([
    ['pending', 'accepted', true],
    ['pending', 'standby', false],
    ['pending', 'declined', false],
    ['accepted', 'accepted', true],
    ['accepted', 'standby', false],
    ['accepted', 'declined', false],
    ['standby', 'accepted', true],
    ['standby', 'standby', false],
    ['standby', 'declined', false],
    ['declined', 'accepted', true],
    ['declined', 'standby', false],
    ['declined', 'declined', false],
  ])('%s to %s', async (from, response, seated) => {
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 30);
    const order = await orderOf(pilot);
    for (const said of SAID[from]) expect((await respond(pilot, order, said)).status).toBe(200);
    const answer = await respond(pilot, order, response);
    expect(answer).toMatchObject({ status: 200, body: { id: order.id, status: 'issued', rsvp: response } });
    expect(await holds(service, order)).toBe(seated);
    expect(answer.body.standbyPosition).toBe(response === 'standby' ? 1 : null);
    expect(await read(pilot, order)).toMatchObject(answer.body);
    expect(await inbox(pilot)).toEqual([]);
    expect((await inbox(pilot, true)).map(({ rsvp }: { rsvp: string }) => rsvp)).toEqual([response]);
    const accepted = await pilot.client.call('GET', '/pilot/inbox/accepted');
    expect(accepted.body.map(({ id }: { id: string }) => id)).toEqual(seated ? [order.id] : []);
  });
});

test.each(['Accepted', 'ACCEPTED', 'accepted', 'aCCePTeD'])('the answer %s is accepted', async (response) => {
  const pilot = await givenPilot(service);
  await givenMissionIn(service, admin, 30);
  expect((await respond(pilot, await orderOf(pilot), response)).body.rsvp).toBe('accepted');
});

test('accepting again confirms, and keeps the time of the first', async () => {
  const pilot = await givenPilot(service);
  await givenMissionIn(service, admin, 30);
  const order = await orderOf(pilot);
  expect((await respond(pilot, order, 'Accepted')).body.confirmedAt).toBeNull();
  const confirmed = await respond(pilot, order, 'Accepted');
  expect(Date.parse(confirmed.body.confirmedAt)).toBeGreaterThan(Date.now() - 60_000);
  expect((await respond(pilot, order, 'Accepted')).body).toEqual(confirmed.body);
});

test("another pilot's order is not found, and stays unchanged", async () => {
  const pilot = await givenPilot(service);
  await givenMissionIn(service, admin, 30);
  const order = await orderOf(pilot);
  for (const stranger of [await givenPerson(service), admin]) {
    expect(await respond(stranger, order, 'declined')).toMatchObject({
      status: 404,
      body: { message: 'Frag order not found' },
    });
  }
  expect((await read(pilot, order)).rsvp).toBe('pending');
});

describe('within the last day', () => {
  test.each([
    [25, 'declined', 200, undefined, false],
    [23, 'declined', 200, undefined, true],
    [25, 'standby', 200, undefined, false],
    [23, 'standby', 409, 'Standby is possible until 24 hours before the mission starts.', false],
  ])('%i hours before start an accepted seat is %s: %i', async (hours, response, status, message, late) => {
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, hours);
    const order = await orderOf(pilot);
    await respond(pilot, order, 'accepted');
    const answer = await respond(pilot, order, response);
    expect([answer.status, answer.body.message]).toEqual([status, message]);
    expect(await rows(sql`select is_late from frag_order where id = ${order.id}`)).toEqual([{ is_late: late }]);
    expect(await holds(service, order)).toBe(status !== 200);
  });

  test('declining a pending order late does not count as giving back a seat late', async () => {
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 12);
    const order = await orderOf(pilot);
    expect((await respond(pilot, order, 'declined')).status).toBe(200);
    expect(await rows(sql`select is_late from frag_order where id = ${order.id}`)).toEqual([{ is_late: false }]);
  });

  test.each([
    ['accepted', 'declined'],
    ['accepted', 'standby'],
    ['standby', 'accepted'],
    ['declined', 'accepted'],
  ] as const)('after the start, %s to %s is too late', async (from, response) => {
    const pilot = await givenPilot(service);
    const { mission } = await givenMissionIn(service, admin, 30);
    const order = await orderOf(pilot);
    await respond(pilot, order, from);
    await rows(
      sql`update mission set starts_at = now() - interval '1 minute', ends_at = now() + interval '2 hours'
          where id = ${mission.id}`,
    );
    await rows(
      sql`update seat set starts_at = m.starts_at, ends_at = m.ends_at from mission m
          where m.id = mission_id and m.id = ${mission.id}`,
    );
    expect(await respond(pilot, order, response)).toMatchObject({
      status: 409,
      body: { message: 'This mission has already started.' },
    });
    expect((await read(pilot, order)).rsvp).toBe(from);
  });
});

describe('a pilot who wants a seat back', () => {
  test.each(['standby', 'declined'] as const)('after %s finds it taken, and keeps their state', async (said) => {
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 30);
    const order = await orderOf(pilot);
    const next = await givenPilot(service);
    await respond(pilot, order, said);
    await respond(next, await orderOf(next), 'accepted');
    expect(await respond(pilot, order, 'accepted')).toMatchObject({
      status: 409,
      body: { message: 'No seat is free; you remain on standby.' },
    });
    expect((await read(pilot, order)).rsvp).toBe(said);
  });

  test('gets another seat of the flight when their own is taken', async () => {
    const pilot = await givenPilot(service);
    const { mission } = await givenMissionIn(service, admin, 1.5, {
      aircraftSlots: [{ aircraftId: F16, slotCount: 2, side: 0, notes: 'CAP' }],
    });
    const order = await orderOf(pilot);
    expect((await read(pilot, order)).seatIndex).toBe(0);
    await respond(pilot, order, 'declined');
    const [rival] = await givenCrowd(service, 1);
    if (!rival) throw new Error('no rival');
    const [offer] = await givenSharedOffers(service, mission.id, [rival]);
    const taken = await ask(service, 'rest', 'pilot.rsvp', { id: offer, response: 'accepted' }, rival.cookie);
    expect(taken).toMatchObject({ status: 200, body: { seatIndex: 0 } });
    expect(await respond(pilot, order, 'accepted')).toMatchObject({ status: 200, body: { seatIndex: 1 } });
  });

  test('gets no seat in another aircraft or on the other side', async () => {
    const pilot = await givenPilot(service, F16);
    await givenMissionIn(service, admin, 30, {
      aircraftSlots: [
        { aircraftId: F16, slotCount: 1, side: 0, notes: 'CAP' },
        { aircraftId: A10, slotCount: 1, side: 0, notes: 'CAS' },
      ],
    });
    const order = await orderOf(pilot);
    const next = await givenPilot(service, F16);
    await respond(pilot, order, 'standby');
    await respond(next, await orderOf(next), 'accepted');
    expect((await respond(pilot, order, 'accepted')).status).toBe(409);
  });

  test('ends every offer of the seat that others still have', async () => {
    const pilot = await givenPilot(service);
    const { mission } = await givenMissionIn(service, admin, 1.5);
    const order = await orderOf(pilot);
    await respond(pilot, order, 'declined');
    const [rival] = await givenCrowd(service, 1);
    if (!rival) throw new Error('no rival');
    const [offer] = await givenSharedOffers(service, mission.id, [rival]);
    expect((await respond(pilot, order, 'accepted')).status).toBe(200);
    const answer = (response: string) => ask(service, 'rest', 'pilot.rsvp', { id: offer, response }, rival.cookie);
    expect(await answer('accepted')).toMatchObject({
      status: 409,
      message: 'This seat has been taken by another pilot.',
    });
    expect(await answer('declined')).toMatchObject({ status: 410, message: 'This frag order has been cancelled.' });
  });
});

describe('two missions', () => {
  test('that overlap: the second answer is refused and names the first', async () => {
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 40, { name: 'Op North' });
    const north = await orderOf(pilot);
    await respond(pilot, north, 'declined');
    await givenMissionIn(service, admin, 42, { name: 'Op South' });
    const south = await orderOf(pilot);
    expect((await respond(pilot, south, 'accepted')).status).toBe(200);
    expect(await respond(pilot, north, 'accepted')).toMatchObject({
      status: 409,
      body: { message: 'You already hold a seat in "Op South" at that time.' },
    });
    await respond(pilot, south, 'declined');
    expect((await respond(pilot, north, 'accepted')).status).toBe(200);
  });

  test('that are back to back can both be accepted', async () => {
    const pilot = await givenPilot(service);
    const start = new Date();
    for (const hours of [40, 43]) {
      await givenMission(service, admin, {
        startLocal: hoursFromNow(hours, start),
        endLocal: hoursFromNow(hours + 3, start),
      });
    }
    const orders = await inbox(pilot);
    expect(orders).toHaveLength(2);
    for (const order of orders) expect((await respond(pilot, order, 'accepted')).status).toBe(200);
  });
});

test('orders of a cancelled mission are 410, and gone from the inbox and the accepted missions', async () => {
  for (const said of ['pending', 'accepted', 'standby', 'declined'] as const) {
    const pilot = await givenPilot(service);
    const { mission } = await givenMissionIn(service, admin, 30);
    const order = await orderOf(pilot);
    for (const one of SAID[said]) await respond(pilot, order, one);
    await rows(sql`update mission set status = 'cancelled' where id = ${mission.id}`);
    await rows(
      sql`update frag_order set status = 'cancelled', status_reason = 'mission cancelled' where mission_id = ${mission.id}`,
    );
    await rows(sql`delete from seat where mission_id = ${mission.id}`);
    for (const response of ['accepted', 'standby', 'declined']) {
      expect(await respond(pilot, order, response)).toMatchObject({
        status: 410,
        body: { message: 'This frag order has been cancelled.' },
      });
    }
    expect(await inbox(pilot, true)).toEqual([]);
    expect((await pilot.client.call('GET', '/pilot/inbox/accepted')).body).toEqual([]);
    await rows(sql`update app_user set roles = '{}' where id = ${pilot.id}`);
  }
});

test('orders are new until the inbox is read, and counted while pending', async () => {
  const pilot = await givenPilot(service);
  const status = async () => (await pilot.client.call('GET', '/pilot/inbox/status')).body;
  expect(await status()).toEqual({ hasNewOrders: false, pendingCount: 0 });
  await givenMissionIn(service, admin, 30);
  expect(await status()).toEqual({ hasNewOrders: true, pendingCount: 1 });
  const order = await orderOf(pilot);
  expect(await status()).toEqual({ hasNewOrders: false, pendingCount: 1 });
  await respond(pilot, order, 'accepted');
  expect(await status()).toEqual({ hasNewOrders: false, pendingCount: 0 });
});
