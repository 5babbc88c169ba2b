/** A seat that becomes free by an answer or by expiry, and the pilot who gets it next. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
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

const expire = ({ id }: { id: string }) =>
  rows(sql`update frag_order set expires_at = now() - interval '1 second' where id = ${id}`);

test('standby pilots queue in the order they came', async () => {
  const first = await givenPilot(service);
  await givenMissionIn(service, admin, 30);
  const firstOrder = await orderOf(first);
  const second = await givenPilot(service);
  await respond(first, firstOrder, 'standby');
  const secondOrder = await orderOf(second);
  const third = await givenPilot(service);
  // the first can no longer fly, so the seat that the second gives up skips them
  await rows(sql`update availability_template set is_active = false where user_id = ${first.id}`);
  expect((await respond(second, secondOrder, 'standby')).body.standbyPosition).toBe(2);
  expect((await read(first, firstOrder)).standbyPosition).toBe(1);
  expect((await orderOf(third)).missionId).toBe(secondOrder.missionId);
  await respond(first, firstOrder, 'declined');
  expect((await read(second, secondOrder)).standbyPosition).toBe(1);
});

test('the seat of an expired order is filled also when an admin changes another seat before the job runs', async () => {
  const first = await givenPilot(service);
  const second = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 30, {
    aircraftSlots: [{ aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' }],
  });
  const [one, two] = [await orderOf(first), await orderOf(second)];
  const next = await givenPilot(service);
  const named = await givenPerson(service);
  const kept = await read(second, two);
  await expire(one);
  const { body } = await admin.client.call('GET', `/admin/missions/${mission.id}`);
  const seat = `/admin/missions/${mission.id}/seats/${body.packages[0].flights[0].id}/${kept.seatIndex}`;
  expect((await admin.client.call('PUT', seat, { userId: named.id, replace: true })).status).toBe(200);
  expect(await inbox(next)).toMatchObject([{ missionId: mission.id, seatIndex: 1 - kept.seatIndex }]);
});

describe('the seat that a pilot gives up', () => {
  test('more than a day ahead goes to the longest waiting standby pilot at once', async () => {
    const first = await givenPilot(service);
    await givenMissionIn(service, admin, 30);
    const order = await orderOf(first);
    const second = await givenPilot(service);
    await respond(first, order, 'standby');
    await respond(second, await orderOf(second), 'declined');
    expect(await read(first, order)).toMatchObject({ rsvp: 'accepted', standbyPosition: null });
    expect(await holds(service, order)).toBe(true);
  });

  test('within a day is offered to the standby pilot first', async () => {
    const first = await givenPilot(service);
    await givenMissionIn(service, admin, 12);
    const order = await orderOf(first);
    const second = await givenPilot(service);
    await respond(first, order, 'standby');
    await respond(second, await orderOf(second), 'declined');
    const offer = await orderOf(first);
    expect(offer).toMatchObject({ missionId: order.missionId, rsvp: 'pending', status: 'issued' });
    expect(offer.id).not.toBe(order.id);
    expect(await read(first, order)).toMatchObject({ status: 'cancelled', statusReason: 'superseded' });
    expect((await respond(first, offer, 'accepted')).status).toBe(200);
  });

  test('in the last two hours is offered to all who look for a flight, and the first to accept has it', async () => {
    const first = await givenPilot(service);
    await givenMissionIn(service, admin, 1.5);
    const order = await orderOf(first);
    const hunters = [await givenPilot(service), await givenPilot(service)];
    for (const { client, id } of hunters)
      await client.call('PUT', `/users/${id}/status`, { state: 'now', minutes: 120 });
    const idle = await givenPilot(service);
    await respond(first, order, 'declined');
    const offers = await Promise.all(hunters.map(orderOf));
    expect(offers.map(({ missionId }) => missionId)).toEqual([order.missionId, order.missionId]);
    expect(await inbox(idle)).toEqual([]);
    const [fast, slow] = hunters;
    const [fastOffer, slowOffer] = offers;
    if (!fast || !slow || !fastOffer || !slowOffer) throw new Error('two hunters were expected');
    expect((await respond(fast, fastOffer, 'accepted')).status).toBe(200);
    expect(await respond(slow, slowOffer, 'accepted')).toMatchObject({
      status: 409,
      body: { message: 'This seat has been taken by another pilot.' },
    });
    expect(await inbox(slow)).toEqual([]);
  });
});

describe('an overdue order', () => {
  test.each(['accepted', 'standby', 'declined'])(
    'answers %s with 410, and the next pilot has the seat',
    async (said) => {
      const pilot = await givenPilot(service);
      const { mission } = await givenMissionIn(service, admin, 30);
      const order = await orderOf(pilot);
      const next = await givenPilot(service);
      await expire(order);
      expect(await respond(pilot, order, said)).toMatchObject({
        status: 410,
        body: { message: 'This frag order has expired.' },
      });
      expect(await inbox(pilot)).toEqual([]);
      expect(await read(pilot, order)).toMatchObject({ status: 'cancelled', statusReason: 'expired', rsvp: 'pending' });
      expect(await orderOf(next)).toMatchObject({ missionId: mission.id, rsvp: 'pending', seatIndex: 0 });
    },
  );

  test('reads as expired everywhere, before the job has run', async () => {
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 30);
    const order = await orderOf(pilot);
    await expire(order);
    expect(await inbox(pilot)).toEqual([]);
    expect((await pilot.client.call('GET', '/pilot/inbox/status')).body).toEqual({
      hasNewOrders: false,
      pendingCount: 0,
    });
    expect(await read(pilot, order)).toMatchObject({ status: 'cancelled', statusReason: 'expired' });
  });

  test('gives its seat to the next pilot by the job, without any request', async () => {
    const pilot = await givenPilot(service);
    // so far ahead that nothing else calls for the job before the order runs out
    const { mission } = await givenMissionIn(service, admin, 60);
    const order = await orderOf(pilot);
    const next = await givenPilot(service);
    const [job] = await rows<{ due: boolean }>(
      sql`select run_at = (select expires_at from frag_order where id = ${order.id}) as due
          from graphile_worker.jobs where key = ${`backfill_mission_at:${mission.id}`}`,
    );
    expect(job).toEqual({ due: true });
    await expire(order);
    await rows(
      sql`update graphile_worker._private_jobs set run_at = now() where key = ${`backfill_mission_at:${mission.id}`}`,
    );
    const holders = () => rows<{ pilot_id: string }>(sql`select pilot_id from seat where mission_id = ${mission.id}`);
    await expect.poll(holders, { timeout: 15_000, interval: 100 }).toEqual([{ pilot_id: next.id }]);
    expect(await rows(sql`select status, status_reason from frag_order where id = ${order.id}`)).toEqual([
      { status: 'cancelled', status_reason: 'expired' },
    ]);
  });

  test('that was answered does not expire', async () => {
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 30);
    const order = await orderOf(pilot);
    await respond(pilot, order, 'accepted');
    await expire(order);
    expect((await respond(pilot, order, 'accepted')).status).toBe(200);
    expect(await read(pilot, order)).toMatchObject({ status: 'issued', rsvp: 'accepted' });
  });
});

test('a standby pilot who comes second to a shared offer stays on standby, and is asked when the seat is free again', async () => {
  const waiter = await givenPilot(service);
  const holder = await givenPilot(service);
  await givenMissionIn(service, admin, 1.5, {
    aircraftSlots: [{ aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' }],
  });
  const [ofWaiter, ofHolder] = [await orderOf(waiter), await orderOf(holder)];
  const givenReadyPilot = async () => {
    const pilot = await givenPilot(service);
    const ready = await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'now', minutes: 480 });
    expect(ready.status).toBe(200);
    return pilot;
  };
  // the seat that the standby pilot gives up goes to a pilot on Find Flight, so that the mission is full again
  const early = await givenReadyPilot();
  expect((await respond(holder, ofHolder, 'accepted')).status).toBe(200);
  expect((await respond(waiter, ofWaiter, 'standby')).status).toBe(200);
  expect((await respond(early, await orderOf(early), 'accepted')).status).toBe(200);

  const quick = await givenReadyPilot();
  expect((await respond(holder, ofHolder, 'declined')).status).toBe(200);
  const [ofQuick, offered] = [await orderOf(quick), await orderOf(waiter)];
  expect((await respond(quick, ofQuick, 'accepted')).status).toBe(200);
  const second = await respond(waiter, offered, 'accepted');
  expect([second.status, second.body.message]).toEqual([409, 'This seat has been taken by another pilot.']);
  const all = await inbox(waiter, true);
  expect(all).toMatchObject([{ id: ofWaiter.id, status: 'issued', rsvp: 'standby', standbyPosition: 1 }]);

  expect((await respond(quick, ofQuick, 'declined')).status).toBe(200);
  expect((await respond(waiter, await orderOf(waiter), 'accepted')).status).toBe(200);
});

describe('by the jobs alone, a seat that is free', () => {
  const holders = (missionId: string) => () =>
    rows<{ pilot_id: string }>(sql`select pilot_id from seat where mission_id = ${missionId}`);
  const SOON = { timeout: 15_000, interval: 100 };

  test('goes to the pilot who becomes free for it', async () => {
    const { mission } = await givenMissionIn(service, admin, 30);
    const pilot = await givenPerson(service);
    const day = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 10);
    const added = await pilot.client.call('POST', `/users/${pilot.id}/availability/overrides`, {
      dateLocal: day(29),
      untilLocal: day(34),
      kind: 'available',
      startLocal: '00:00',
      endLocal: '00:00',
    });
    expect(added.status).toBe(201);
    await expect.poll(holders(mission.id), SOON).toEqual([{ pilot_id: pilot.id }]);
    expect(await orderOf(pilot)).toMatchObject({ missionId: mission.id, rsvp: 'pending' });
  });

  test('in the last two hours is offered to the pilot who starts to look for a flight', async () => {
    const pilot = await givenPilot(service);
    await rows(sql`update availability_template set is_active = false where user_id = ${pilot.id}`);
    const { mission } = await givenMissionIn(service, admin, 1.5);
    await rows(sql`update availability_template set is_active = true where user_id = ${pilot.id}`);
    await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'now', minutes: 300 });
    await expect.poll(async () => (await inbox(pilot)).length, SOON).toBe(1);
    const offer = await orderOf(pilot);
    expect([offer.missionId, await holds(service, offer)]).toEqual([mission.id, false]);
    expect((await respond(pilot, offer, 'accepted')).status).toBe(200);
  });

  test('since its pilot was suspended goes to the next one, and the order says that it was withdrawn', async () => {
    const pilot = await givenPilot(service);
    const { mission } = await givenMissionIn(service, admin, 30);
    const order = await orderOf(pilot);
    expect((await respond(pilot, order, 'accepted')).status).toBe(200);
    const next = await givenPilot(service);
    const roles = `/admin/users/${pilot.id}/roles`;
    expect((await admin.client.call('DELETE', `${roles}/user`)).status).toBe(200);
    await expect.poll(holders(mission.id), SOON).toEqual([{ pilot_id: next.id }]);
    expect((await admin.client.call('POST', roles, { role: 'user' })).status).toBe(200);
    const { status, statusReason, changes, flightCallsign } = await read(pilot, order);
    expect([status, statusReason]).toEqual(['cancelled', 'superseded']);
    expect(changes).toEqual([{ field: 'seat', from: `${flightCallsign}, seat 1`, to: null }]);
  });
});
