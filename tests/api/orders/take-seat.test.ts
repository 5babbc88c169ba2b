/** Taking an open seat: permission, the resulting order, and a sentence for every refusal. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { backfillMission } from '#server/orders/backfill.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import {
  givenMissionIn,
  givenPilot,
  holds,
  inbox,
  orderOf,
  read,
  respond,
  retirePilots,
} from '#tests/harness/orders.ts';
import { joinStandby, openingsOf, refusal, seatIn, take, vipers } from '#tests/harness/seats.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  await retirePilots(service);
  expect(await findBreaches(service)).toEqual([]);
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

/** A mission with free seats that later pilots can take. */
async function givenFree(hours: number, seats = 1, request = {}) {
  const { mission, issued } = await givenMissionIn(service, admin, hours, { aircraftSlots: vipers(seats), ...request });
  expect(issued.orders).toBe(0);
  return seatIn(admin, mission.id);
}

const giveUpTime = ({ id }: { id: string }) =>
  rows(sql`update frag_order set expires_at = now() - interval '1 second' where id = ${id}`);

const lookForFlight = ({ client, id }: Person) =>
  client.call('PUT', `/users/${id}/status`, { state: 'now', minutes: 480 });

describe('an open seat', () => {
  test.each([40, 12, 1])('%i h ahead is accepted for the pilot at once', async (hours) => {
    const seat = await givenFree(hours);
    const pilot = await givenPilot(service);
    const { status, body } = await take(pilot, seat);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      missionId: seat.missionId,
      status: 'issued',
      rsvp: 'accepted',
      seatIndex: 0,
      reasons: ['You took this open seat yourself.'],
      changes: [],
      standbyPosition: null,
    });
    expect(await holds(service, body)).toBe(true);
    expect(await inbox(pilot)).toEqual([]);
    expect((await pilot.client.call('GET', '/pilot/inbox/accepted')).body).toMatchObject([{ id: body.id }]);
    // it is an order like any other: it can be given back
    expect((await respond(pilot, body, 'declined')).status).toBe(200);
    expect(await holds(service, body)).toBe(false);
  });

  test('whose order expired is free before the job has run, and a second one goes to the next pilot', async () => {
    const holders = [await givenPilot(service), await givenPilot(service)];
    const { mission } = await givenMissionIn(service, admin, 40, { aircraftSlots: vipers(2) });
    const orders = await Promise.all(holders.map(orderOf));
    const [pilot, next] = [await givenPilot(service), await givenPilot(service)];
    await Promise.all(orders.map(giveUpTime));
    const { status, body } = await take(pilot, await seatIn(admin, mission.id, 1));
    expect([status, body.seatIndex]).toEqual([201, 1]);
    expect(await inbox(next)).toMatchObject([{ missionId: mission.id, seatIndex: 0 }]);
    const jobs = await rows(sql`select 1 from graphile_worker.jobs where key = ${`backfill_mission_at:${mission.id}`}`);
    expect(jobs).toHaveLength(1);
  });

  test('whose order expired is kept for a pilot on standby, whether or not the job has run', async () => {
    const [first, second] = [await givenPilot(service), await givenPilot(service)];
    const { mission } = await givenMissionIn(service, admin, 40, { aircraftSlots: vipers(1) });
    const hasFirst = (await inbox(first)).length > 0;
    const [waiting, holder] = hasFirst ? [first, second] : [second, first];
    await respond(waiting, await orderOf(waiting), 'standby');
    await giveUpTime(await orderOf(holder));
    const seat = await seatIn(admin, mission.id);
    const late = await givenPilot(service);
    expect(refusal(await take(late, seat))).toEqual([409, 'This seat has been taken by another pilot.']);
    await backfillMission(service.app.orm.em.fork(), mission.id, new Date());
    expect((await waiting.client.call('GET', '/pilot/inbox/accepted')).body).toMatchObject([{ missionId: mission.id }]);
  });

  test('that is kept for the pilot on standby who asks for it is theirs', async () => {
    const holder = await givenPilot(service);
    const { mission } = await givenMissionIn(service, admin, 60, { aircraftSlots: vipers(1) });
    const order = await orderOf(holder);
    const pilot = await givenPilot(service);
    const { body: waiting } = await joinStandby(pilot, mission.id);
    await giveUpTime(order);
    const { status, body } = await take(pilot, await seatIn(admin, mission.id));
    expect([status, body.id, body.rsvp]).toEqual([201, waiting.id, 'accepted']);
    expect(await holds(service, body)).toBe(true);
  });

  test.each([[['standby']], [['accepted', 'declined']]])(
    'becomes the seat of the order that was answered %j',
    async (answers) => {
      const pilot = await givenPilot(service);
      const { mission } = await givenMissionIn(service, admin, 12, { aircraftSlots: vipers(2) });
      const order = await orderOf(pilot);
      for (const said of answers) expect((await respond(pilot, order, said)).status).toBe(200);
      const { status, body } = await take(pilot, await seatIn(admin, mission.id, 1));
      expect(status).toBe(201);
      expect(body).toMatchObject({ id: order.id, rsvp: 'accepted', seatIndex: 1, standbyPosition: null });
      const orders = await rows(sql`select is_late from frag_order where mission_id = ${mission.id}`);
      expect(orders).toEqual([{ is_late: false }]);
    },
  );

  test('under a shared offer goes to the pilot who takes it; the others lose the offer and can stay on standby', async () => {
    const holder = await givenPilot(service);
    const waiter = await givenPilot(service);
    const { mission } = await givenMissionIn(service, admin, 1.5, { aircraftSlots: vipers(2) });
    const [ofHolder, ofWaiter] = [await orderOf(holder), await orderOf(waiter)];
    await respond(holder, ofHolder, 'accepted');
    const early = await givenPilot(service);
    await lookForFlight(early);
    await respond(waiter, ofWaiter, 'standby');
    await respond(early, await orderOf(early), 'accepted');
    const rival = await givenPilot(service);
    await lookForFlight(rival);
    await respond(holder, ofHolder, 'declined');
    const [ofRival, offered] = [await orderOf(rival), await orderOf(waiter)];
    // the seat is still free, so the asked pilot can also take it directly
    const { open } = await openingsOf(rival);
    const [seat] = open.find(({ missionId }: { missionId: string }) => missionId === mission.id).seats;
    const { status, body } = await take(rival, { missionId: mission.id, ...seat });
    expect([status, body.id, body.rsvp]).toEqual([201, ofRival.id, 'accepted']);
    expect(refusal(await respond(waiter, offered, 'accepted'))).toEqual([
      409,
      'This seat has been taken by another pilot.',
    ]);
    expect(await read(waiter, ofWaiter)).toMatchObject({ status: 'issued', rsvp: 'standby', standbyPosition: 1 });
  });

  test('taken by a pilot on standby leaves the queue one shorter', async () => {
    const [first, second] = [await givenPilot(service), await givenPilot(service)];
    const { mission } = await givenMissionIn(service, admin, 40, { aircraftSlots: vipers(2) });
    const orders = [await orderOf(first), await orderOf(second)] as const;
    // no pilot can be seated while both are away
    const away = (isAway: boolean) =>
      rows(sql`update availability_template set is_active = ${!isAway} where user_id in (${first.id}, ${second.id})`);
    await away(true);
    await respond(first, orders[0], 'standby');
    await respond(second, orders[1], 'standby');
    await away(false);
    expect((await read(second, orders[1])).standbyPosition).toBe(2);
    expect((await take(first, await seatIn(admin, mission.id))).body.id).toBe(orders[0].id);
    expect((await read(second, orders[1])).standbyPosition).toBe(1);
  });
});

describe('refused', () => {
  test('for a mission that is unknown, a draft, cancelled or begun', async () => {
    const pilot = await givenPilot(service);
    const unknown = { missionId: pilot.id, flightId: pilot.id, seatIndex: 0 };
    expect(refusal(await take(pilot, unknown))).toEqual([404, 'Mission not found']);
    expect(refusal(await take(pilot, await givenFree(40, 1, { publish: false })))).toEqual([404, 'Mission not found']);
    await retirePilots(service);
    const cancelled = await givenFree(50);
    await admin.client.call('POST', `/admin/missions/${cancelled.missionId}/cancel`);
    const begun = await givenFree(60);
    await rows(
      sql`update mission set starts_at = now(), ends_at = now() + interval '1 hour' where id = ${begun.missionId}`,
    );
    await rows(sql`update app_user set roles = '{user}' where id = ${pilot.id}`);
    expect(refusal(await take(pilot, cancelled))).toEqual([409, "This mission isn't accepting pilots."]);
    expect(refusal(await take(pilot, begun))).toEqual([409, 'This mission has already started.']);
  });

  test('for a flight of another mission, and for a seat beyond the flight', async () => {
    const [seat, other] = [await givenFree(40), await givenFree(50)];
    const pilot = await givenPilot(service);
    expect(refusal(await take(pilot, { ...seat, flightId: other.flightId }))).toEqual([
      404,
      'This flight is not part of the mission',
    ]);
    expect(refusal(await take(pilot, { ...seat, seatIndex: 1 }))).toEqual([404, 'This seat does not exist']);
    expect(refusal(await take(pilot, { ...seat, seatIndex: 4 }))).toEqual([400, 'This seat does not exist']);
  });

  test('for a held seat, and for a second seat in the mission, also while an order is pending', async () => {
    const holder = await givenPilot(service);
    const { mission } = await givenMissionIn(service, admin, 40, { aircraftSlots: vipers(2) });
    const order = await orderOf(holder);
    const own = await seatIn(admin, mission.id, (await read(holder, order)).seatIndex);
    const free = { ...own, seatIndex: 1 - own.seatIndex };
    const pilot = await givenPilot(service);
    expect(refusal(await take(pilot, own))).toEqual([409, 'This seat has been taken by another pilot.']);
    const held = [409, 'You already hold a seat in this mission.'];
    expect(refusal(await take(holder, free))).toEqual(held);
    await respond(holder, order, 'accepted');
    expect(refusal(await take(holder, free))).toEqual(held);
    expect(refusal(await take(holder, own))).toEqual(held);
  });

  test('for a seat at the time of another mission, which is named', async () => {
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 40, { name: 'Op North', aircraftSlots: vipers(1) });
    const seat = await givenFree(41);
    const order = await orderOf(pilot);
    await respond(pilot, order, 'accepted');
    expect(refusal(await take(pilot, seat))).toEqual([409, 'You already hold a seat in "Op North" at that time.']);
    await respond(pilot, order, 'declined');
    expect((await take(pilot, seat)).status).toBe(201);
  });

  test('for a pilot who does not fit, with the reason', async () => {
    const seat = await givenFree(20);
    const [{ name }] = (await rows<{ name: string }>(sql`select name from aircraft where id = 2`)) as [
      { name: string },
    ];
    const zulu = (iso: string) => `${iso.slice(11, 13)}${iso.slice(14, 16)}Z`;
    const { startUtc, endUtc } = (await admin.client.call('GET', `/admin/missions/${seat.missionId}`)).body;
    expect(refusal(await take(await givenPerson(service), seat))).toEqual([
      409,
      `You are not available from ${zulu(startUtc)} to ${zulu(endUtc)}.`,
    ]);
    expect(refusal(await take(await givenPilot(service, 3), seat))).toEqual([
      409,
      `You are not available in the ${name} for the whole mission.`,
    ]);
    const quiet = await givenPilot(service);
    await quiet.client.call('PUT', `/users/${quiet.id}/status`, { state: 'dnd' });
    expect(refusal(await take(quiet, seat))).toEqual([409, 'You are on Do Not Disturb.']);
  });

  test('for a suspended pilot', async () => {
    const seat = await givenFree(40);
    const pilot = await givenPilot(service);
    await retirePilots(service);
    expect(refusal(await take(pilot, seat))).toEqual([403, 'Your account is suspended. Please ask an admin.']);
    expect(await rows(sql`select 1 from frag_order where mission_id = ${seat.missionId}`)).toEqual([]);
  });
});
