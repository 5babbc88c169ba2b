/** Joining and leaving the standby queue of a mission without an order. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { backfillForPilot } from '#server/orders/pilot-backfill.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { editMission } from '#tests/harness/mission-edits.ts';
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
import { joinStandby, leaveStandby, openingsOf, refusal, take, vipers } from '#tests/harness/seats.ts';
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
  await rows(sql`delete from mission`);
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

/** A mission with one seat, which the holder has accepted. */
async function givenFull(hours: number, request = {}) {
  const holder = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, hours, { aircraftSlots: vipers(1), ...request });
  const order = await orderOf(holder);
  await respond(holder, order, 'accepted');
  return { missionId: mission.id, holder, order };
}

const positions = async (missionId: string) => {
  const { body } = await admin.client.call('GET', `/admin/missions/${missionId}/orders`);
  return Object.fromEntries(
    body.flatMap(({ userId, standbyPosition }: { userId: string; standbyPosition: number | null }) =>
      standbyPosition === null ? [] : [[userId, standbyPosition]],
    ),
  );
};
const closedFor = async (pilot: Person, missionId: string) =>
  (await openingsOf(pilot)).closed.find((mission: { missionId: string }) => mission.missionId === missionId);

describe('a mission whose fitting seats are taken', () => {
  test('offers its queue, takes the pilot in once, and shows admins who waits', async () => {
    const { missionId } = await givenFull(60);
    const pilot = await givenPilot(service);
    expect(await closedFor(pilot, missionId)).toMatchObject({ reason: 'OUTRANKED', standby: 'open' });
    const joined = await joinStandby(pilot, missionId);
    expect(joined.status).toBe(200);
    expect(joined.body).toMatchObject({
      missionId,
      status: 'issued',
      rsvp: 'standby',
      standbyPosition: 1,
      reasons: ['You joined the standby queue yourself.'],
    });
    expect(await holds(service, joined.body)).toBe(false);
    expect(await closedFor(pilot, missionId)).toMatchObject({ standby: 'joined' });
    const again = await Promise.all([joinStandby(pilot, missionId), joinStandby(pilot, missionId)]);
    expect(again.map(({ body }) => [body.id, body.standbyPosition])).toEqual([
      [joined.body.id, 1],
      [joined.body.id, 1],
    ]);
    expect(await positions(missionId)).toEqual({ [pilot.id]: 1 });
  });

  test('has one queue, of pilots with and without an order: the longest waiting is seated first', async () => {
    const { missionId, holder, order } = await givenFull(60, { aircraftSlots: vipers(2) });
    const [early, asked, late] = [await givenPilot(service), await givenPilot(service), await givenPilot(service)];
    // the second seat is free until somebody takes it
    const [seat] = (await openingsOf(early)).open.find(
      (one: { missionId: string }) => one.missionId === missionId,
    ).seats;
    const taken = await take(asked, { missionId, flightId: seat.flightId, seatIndex: seat.seatIndex });
    const first = await joinStandby(early, missionId);
    expect(first.body.standbyPosition).toBe(1);
    const last = await givenPilot(service);
    await joinStandby(late, missionId);
    // gives up the seat, which goes to the first in the queue
    await respond(asked, taken.body, 'standby');
    expect(await read(early, first.body)).toMatchObject({
      rsvp: 'accepted',
      reasons: expect.arrayContaining(['You were on standby for this mission.']),
    });
    expect((await joinStandby(last, missionId)).body.standbyPosition).toBe(3);
    expect(await positions(missionId)).toEqual({ [late.id]: 1, [asked.id]: 2, [last.id]: 3 });
    // and the next free seat to the second
    await respond(holder, order, 'declined');
    expect(await positions(missionId)).toEqual({ [asked.id]: 1, [last.id]: 2 });
  });

  test('asks the pilot first within a day of the start', async () => {
    const { missionId, holder, order } = await givenFull(20);
    const pilot = await givenPilot(service);
    await joinStandby(pilot, missionId);
    await respond(holder, order, 'declined');
    expect(await inbox(pilot)).toMatchObject([{ missionId, rsvp: 'pending' }]);
  });

  test('shows its frequencies, notes and links only to pilots with a seat where sides are secret', async () => {
    const { missionId, holder, order } = await givenFull(60);
    await editMission(admin, missionId, { secretSides: true });
    const pilot = await givenPilot(service);
    const { body } = await joinStandby(pilot, missionId);
    const links = [{ kind: 'chart', title: 'Akrotiri', url: 'https://charts.example/akrotiri.pdf' }];
    const edited = { notes: 'Password swordfish', links };
    expect((await admin.client.call('PUT', `/admin/missions/${missionId}`, edited)).status).toBe(200);
    const { missionTexts, ...shown } = await read(pilot, body);
    expect(shown).toMatchObject({ rsvp: 'standby', notes: null, links: [], changes: [] });
    expect(missionTexts).toEqual({ notes: null });
    expect((await read(holder, order)).missionTexts).toEqual({ notes: 'Password swordfish' });
    const radioOf = async (whose: Person) =>
      (await whose.client.call('GET', '/pilot/inbox/accepted')).body.map(
        ({ radioFreq }: { radioFreq: string }) => radioFreq,
      );
    const [frequency] = await radioOf(holder);
    expect(frequency).toMatch(/\d{3}\.\d/);
    expect(JSON.stringify(body)).not.toContain(frequency);
    expect(JSON.stringify(await read(pilot, body))).not.toContain(frequency);
    await editMission(admin, missionId, { secretSides: false });
    const open = await read(pilot, body);
    expect(open).toMatchObject({ radioFreq: frequency, links, missionTexts: { notes: 'Password swordfish' } });
    await respond(holder, order, 'declined');
    expect(await radioOf(pilot)).toEqual([frequency]);
  });
});

describe('leaving the queue', () => {
  test('frees the place, twice is once, and the pilot may join again at the end', async () => {
    const { missionId, holder, order } = await givenFull(60);
    const [leaver, other] = [await givenPilot(service), await givenPilot(service)];
    const { body } = await joinStandby(leaver, missionId);
    await joinStandby(other, missionId);
    expect(await leaveStandby(leaver, missionId)).toMatchObject({ status: 200, body: { success: true } });
    expect((await leaveStandby(leaver, missionId)).status).toBe(200);
    expect(await positions(missionId)).toEqual({ [other.id]: 1 });
    expect(await closedFor(leaver, missionId)).toMatchObject({ standby: 'open' });
    const again = await joinStandby(leaver, missionId);
    expect([again.body.id, again.body.standbyPosition]).toEqual([body.id, 2]);
    await leaveStandby(leaver, missionId);
    await leaveStandby(other, missionId);
    await respond(holder, order, 'declined');
    expect(await positions(missionId)).toEqual({});
    const held = await rows(sql`select 1 from seat where mission_id = ${missionId}`);
    expect(held).toEqual([]);
  });

  test('also ends an offer to all who wait, so that its pilot does not come back into the queue', async () => {
    const { missionId, holder, order } = await givenFull(1.5);
    const [leaver, quicker] = [await givenPilot(service), await givenPilot(service)];
    await joinStandby(leaver, missionId);
    await joinStandby(quicker, missionId);
    await respond(holder, order, 'declined');
    const offer = await orderOf(quicker);
    expect(await inbox(leaver)).toHaveLength(1);
    await leaveStandby(leaver, missionId);
    expect((await respond(quicker, offer, 'accepted')).status).toBe(200);
    expect(await positions(missionId)).toEqual({});
  });

  test('is no call for a holder: the seat stays', async () => {
    const { missionId, holder, order } = await givenFull(60);
    expect((await leaveStandby(holder, missionId)).status).toBe(200);
    expect(await holds(service, order)).toBe(true);
  });
});

test('a pilot who gets a seat elsewhere at that time drops out of the queue, and is back without it', async () => {
  const { missionId, holder, order } = await givenFull(60);
  const [pilot, other] = [await givenPilot(service), await givenPilot(service)];
  const { body } = await joinStandby(pilot, missionId);
  await joinStandby(other, missionId);
  await rows(sql`update availability_template set is_active = false where user_id = ${other.id}`);
  const elsewhere = await givenMissionIn(service, admin, 61, { aircraftSlots: vipers(1) });
  const seat = await orderOf(pilot);
  expect(seat.missionId).toBe(elsewhere.mission.id);
  await respond(pilot, seat, 'accepted');
  expect(await positions(missionId)).toEqual({ [other.id]: 1 });
  expect((await read(pilot, body)).standbyPosition).toBeNull();
  await respond(holder, order, 'declined');
  expect(await holds(service, body)).toBe(false);
  await respond(pilot, seat, 'declined');
  await backfillForPilot(service.app.orm.em.fork(), pilot.id, new Date());
  expect(await holds(service, body)).toBe(true);
});

describe('a pilot who could not take a seat', () => {
  test('hears why', async () => {
    const { missionId, holder } = await givenFull(60);
    const stranger = await givenPerson(service);
    const wrong = await givenPilot(service, 3);
    expect(refusal(await joinStandby(holder, missionId))).toEqual([409, 'You already hold a seat in this mission.']);
    expect(refusal(await joinStandby(stranger, missionId))).toEqual([
      409,
      expect.stringMatching(/^You are not available from /),
    ]);
    expect(refusal(await joinStandby(wrong, missionId))).toEqual([
      409,
      'You are not available in the F-16C Viper for the whole mission.',
    ]);
    expect(await positions(missionId)).toEqual({});
  });

  test('is sent to the free seat instead', async () => {
    const { mission } = await givenMissionIn(service, admin, 60, { aircraftSlots: vipers(1) });
    const pilot = await givenPilot(service);
    expect(refusal(await joinStandby(pilot, mission.id))).toEqual([
      409,
      'A seat that fits you is free. Take it instead of standing by.',
    ]);
  });

  test('does not wait for a seat at the time of another mission, or on Do Not Disturb within a day', async () => {
    const busy = await givenPilot(service);
    const other = await givenMissionIn(service, admin, 21, { name: 'Other', aircraftSlots: vipers(1) });
    await respond(busy, await orderOf(busy), 'accepted');
    const { missionId } = await givenFull(20);
    expect(other.issued.orders).toBe(1);
    expect(refusal(await joinStandby(busy, missionId))).toEqual([409, expect.stringContaining('Other')]);
    const quiet = await givenPilot(service);
    await quiet.client.call('PUT', `/users/${quiet.id}/status`, { state: 'dnd' });
    expect(refusal(await joinStandby(quiet, missionId))).toEqual([409, 'You are on Do Not Disturb.']);
  });

  test('is refused by a mission that is cancelled, has begun or is a draft', async () => {
    const { missionId } = await givenFull(60);
    const pilot = await givenPilot(service);
    const move = (by: string) =>
      rows(sql`update mission set starts_at = starts_at + ${by}::interval, ends_at = ends_at + ${by}::interval
               where id = ${missionId}`);
    await move('-60.1 hours');
    expect(refusal(await joinStandby(pilot, missionId))).toEqual([409, 'This mission has already started.']);
    await move('60.1 hours');
    await admin.client.call('POST', `/admin/missions/${missionId}/cancel`);
    expect(refusal(await joinStandby(pilot, missionId))).toEqual([409, "This mission isn't accepting pilots."]);
    const draft = await givenMissionIn(service, admin, 70, { aircraftSlots: vipers(1), publish: false });
    expect((await joinStandby(pilot, draft.mission.id)).status).toBe(404);
  });
});

test('a pilot in the queue who asks again just when a seat comes free has that seat', async () => {
  const holder = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 60, { aircraftSlots: vipers(1) });
  const order = await orderOf(holder);
  const pilot = await givenPilot(service);
  expect((await joinStandby(pilot, mission.id)).body.rsvp).toBe('standby');
  // no job has looked at it yet
  await rows(sql`update frag_order set expires_at = now() - interval '1 second' where id = ${order.id}`);
  const { status, body } = await joinStandby(pilot, mission.id);
  expect([status, body.rsvp]).toEqual([200, 'accepted']);
  expect(await holds(service, body)).toBe(true);
});

test('a pending order is answered with standby', async () => {
  const pilot = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 60, { aircraftSlots: vipers(1) });
  const order = await orderOf(pilot);
  expect((await joinStandby(pilot, mission.id)).body).toMatchObject({ id: order.id, rsvp: 'standby' });
  expect(await holds(service, order)).toBe(false);
});

test('of 12 pilots who join and leave while the seat changes hands, the queue keeps its order', async () => {
  const { missionId, holder, order } = await givenFull(60);
  const crowd: Person[] = [];
  for (let count = 0; count < 12; count += 1) crowd.push(await givenPilot(service));
  const answers = await Promise.all(crowd.map((pilot) => joinStandby(pilot, missionId)));
  expect(answers.map(({ status }) => status)).toEqual(crowd.map(() => 200));
  const places = await positions(missionId);
  expect(Object.values(places).toSorted((a, b) => Number(a) - Number(b))).toEqual(crowd.map((_, index) => index + 1));
  const inOrder = crowd.toSorted((a, b) => places[a.id] - places[b.id]);
  await Promise.all([
    respond(holder, order, 'declined'),
    ...inOrder.slice(6).map((pilot) => leaveStandby(pilot, missionId)),
  ]);
  expect(await positions(missionId)).toEqual(
    Object.fromEntries(inOrder.slice(1, 6).map(({ id }, index) => [id, index + 1])),
  );
});
