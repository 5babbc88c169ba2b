/** Races of admins and pilots: the result is consistent, with no seat held twice or lost and no order stuck. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { givenMissionIn, inbox, read, respond } from '#tests/harness/orders.ts';
import { startService, type Answer, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
let pilots: Person[];
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  pilots = await Promise.all(Array.from({ length: 4 }, () => givenPerson(service)));
});
afterAll(() => service.stop());
afterEach(async () => {
  expect(await findBreaches(service)).toEqual([]);
});

const ROUNDS = 3;
const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const tally = (answers: readonly Answer[]): Record<number, number> =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]));

let missions = 0;
/** Four seats in one flight at a separate time; no pilot is free, so only admins assign them, and edits keep them. */
async function givenFlight() {
  missions += 1;
  const { mission } = await givenMissionIn(service, admin, 40 + 5 * missions, {
    name: `Race ${missions}`,
    aircraftSlots: [{ aircraftId: 2, slotCount: 4, side: 0, notes: 'CAP' }],
  });
  const { body } = await admin.client.call('GET', `/admin/missions/${mission.id}`);
  const { id: flightId } = body.packages[0].flights[0];
  const base = `/admin/missions/${mission.id}`;
  const at = 40 + 5 * missions;
  return {
    id: mission.id,
    flightId,
    version: body.version,
    hours: at,
    edit: (changes: object) => admin.client.call('PUT', base, { ...changes, keepPilotIds: pilots.map(({ id }) => id) }),
    cancel: () => admin.client.call('POST', `${base}/cancel`),
    assign: (seatIndex: number, { id: userId }: Person, replace = false) =>
      admin.client.call('PUT', `${base}/seats/${flightId}/${seatIndex}`, { userId, replace }),
    remove: (seatIndex: number) => admin.client.call('DELETE', `${base}/seats/${flightId}/${seatIndex}`),
  };
}

function pilotAt(index: number): Person {
  const pilot = pilots[index];
  if (!pilot) throw new Error('there is no such pilot');
  return pilot;
}

/** Every pilot of the mission assigned; their orders in the order of the pilots. */
async function givenAssigned(flight: Awaited<ReturnType<typeof givenFlight>>, count = 4) {
  const orders: { id: string }[] = [];
  for (let seat = 0; seat < count; seat += 1) {
    const { body } = await flight.assign(seat, pilotAt(seat));
    orders.push({ id: body.orderId });
  }
  return orders;
}

test('an edit of the times races four accepts: each pilot accepted the old times and is asked again, or the new ones', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const flight = await givenFlight();
    const orders = await givenAssigned(flight);
    const at = { startLocal: hoursFromNow(flight.hours + 1), endLocal: hoursFromNow(flight.hours + 4) };
    const [edited, ...answers] = await Promise.all([
      flight.edit(at),
      ...orders.map((order, index) => respond(pilotAt(index), order, 'accepted')),
    ]);
    expect([edited.status, edited.body.askedAgain, tally(answers)]).toEqual([200, 4, { 200: 4 }]);
    for (const [index, order] of orders.entries()) {
      const now = await read(pilotAt(index), order);
      expect(now.startUtc).toBe(`${at.startLocal}:00.000Z`);
      // pilots who answered before the edit have changes to read, those who answered after have none
      expect([now.rsvp, now.changes.length]).toEqual(now.rsvp === 'pending' ? ['pending', 2] : ['accepted', 0]);
    }
    expect(await findBreaches(service)).toEqual([]);
    expect((await flight.cancel()).status).toBe(200);
  }
});

test('an edit of the times races four accepts from pages with the old ones: nobody accepts times they have not seen', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const flight = await givenFlight();
    const orders = await givenAssigned(flight);
    const at = { startLocal: hoursFromNow(flight.hours + 1), endLocal: hoursFromNow(flight.hours + 4) };
    const [edited, ...answers] = await Promise.all([
      flight.edit(at),
      ...orders.map((order, index) => respond(pilotAt(index), order, 'accepted', null)),
    ]);
    expect(edited.body.askedAgain).toBe(4);
    for (const [index, order] of orders.entries()) {
      const pilot = pilotAt(index);
      const { status, body } = answers[index] ?? {};
      if (status !== 200) {
        expect([status, body.message]).toEqual([409, 'This order has changed in the meantime. Please check it again.']);
      }
      const { rsvp, changes, changedAt } = await read(pilot, order);
      expect([rsvp, changes.length]).toEqual(['pending', 2]);
      expect((await respond(pilot, order, 'accepted', null)).status).toBe(409);
      // a pilot who has read the change accepts it, and can accept again without reading it again
      for (const seen of [changedAt, changedAt, null]) {
        expect(await respond(pilot, order, 'accepted', seen)).toMatchObject({
          status: 200,
          body: { rsvp: 'accepted', changes: [], changedAt },
        });
      }
    }
    expect((await flight.cancel()).status).toBe(200);
  }
});

test('a page that shows an older change can decline but not accept, neither after two edits nor after they cancelled out', async () => {
  const flight = await givenFlight();
  const [one, two] = await givenAssigned(flight, 2);
  const [first, second] = [pilotAt(0), pilotAt(1)];
  if (!one || !two) throw new Error('two pilots have no orders');
  const seats = (radioFreq: string) => ({ flights: [{ id: flight.flightId, radioFreq }] });
  const { radioFreq } = await read(first, one);
  await respond(first, one, 'accepted');
  await flight.edit(seats('271.500'));
  const { changedAt } = await read(first, one);
  await flight.edit(seats(radioFreq.split(' ')[0]));
  const now = await read(first, one);
  expect([now.rsvp, now.changes, now.changedAt > changedAt]).toEqual(['accepted', [], true]);
  expect((await respond(first, one, 'accepted', changedAt)).status).toBe(409);
  expect(await respond(first, one, 'accepted', now.changedAt)).toMatchObject({
    status: 200,
    body: { rsvp: 'accepted' },
  });
  expect(await respond(second, two, 'declined', changedAt)).toMatchObject({ status: 200, body: { rsvp: 'declined' } });
  expect((await respond(first, one, 'accepted', 'yesterday')).status).toBe(400);
  await flight.cancel();
});

test('a pilot who took the seat after the admin loaded it is neither replaced nor removed', async () => {
  const flight = await givenFlight();
  await givenAssigned(flight, 1);
  const [seen, now, next] = [pilotAt(0), pilotAt(1), pilotAt(2)];
  expect((await flight.assign(0, now, true)).status).toBe(200);
  const seat = `/admin/missions/${flight.id}/seats/${flight.flightId}/0`;
  const replace = (holderId: string) => admin.client.call('PUT', seat, { userId: next.id, replace: true, holderId });
  const remove = (holderId: string) => admin.client.call('DELETE', `${seat}?holderId=${holderId}`);
  const { body } = await admin.client.call('GET', `/admin/missions/${flight.id}/orders`);
  const held = `${body.find(({ holdsSeat }: { holdsSeat: boolean }) => holdsSeat).userDisplayName} holds this seat.`;
  for (const refused of [await replace(seen.id), await remove(seen.id)]) {
    expect([refused.status, refused.body.message]).toEqual([409, held]);
  }
  expect(await rows(sql`select 1 from seat where mission_id = ${flight.id} and pilot_id = ${now.id}`)).toHaveLength(1);
  expect((await replace(now.id)).status).toBe(200);
  expect((await remove(next.id)).status).toBe(200);
  await flight.cancel();
});

test('a cancellation races four accepts: nobody holds a seat, and no order is left', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const flight = await givenFlight();
    const orders = await givenAssigned(flight);
    const [cancelled, ...answers] = await Promise.all([
      flight.cancel(),
      ...orders.map((order, index) => respond(pilotAt(index), order, 'accepted')),
    ]);
    expect(cancelled.status).toBe(200);
    expect(answers.filter(({ status }) => status !== 200 && status !== 410)).toEqual([]);
    expect(await rows(sql`select 1 from frag_order where mission_id = ${flight.id} and status = 'issued'`)).toEqual([]);
    expect(await rows(sql`select 1 from seat where mission_id = ${flight.id}`)).toEqual([]);
  }
});

test('two admins edit the same version: one succeeds, the other is told to load it again', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { version, edit } = await givenFlight();
    const answers = await Promise.all(['First', 'Second'].map((name) => edit({ version, name: `${name} ${round}` })));
    expect(tally(answers)).toEqual({ 200: 1, 409: 1 });
    expect(answers.find(({ status }) => status === 409)?.body.message).toBe(
      'Someone else has changed this mission. Please load it again.',
    );
  }
});

test('four pilots are assigned to one seat at once: one has it, and the other calls name the holder', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const flight = await givenFlight();
    const answers = await Promise.all(pilots.map((pilot) => flight.assign(0, pilot)));
    expect(tally(answers)).toEqual({ 200: 1, 409: 3 });
    const winner = pilots[answers.findIndex(({ status }) => status === 200)]?.displayName;
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect(body.message).toBe(`${winner} holds this seat.`);
    }
    const replaced = await Promise.all(pilots.map((pilot) => flight.assign(0, pilot, true)));
    expect(tally(replaced)).toEqual({ 200: 4 });
    expect(await rows(sql`select 1 from seat where mission_id = ${flight.id}`)).toHaveLength(1);
    await flight.cancel();
  }
});

test('one pilot is assigned in two overlapping missions at once: one of them has the pilot', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, other] = [await givenFlight(), await givenFlight()];
    const { startLocal, endLocal } = (await admin.client.call('GET', `/admin/missions/${one.id}`)).body;
    await other.edit({ startLocal, endLocal });
    const answers = await Promise.all([one.assign(0, pilotAt(0)), other.assign(0, pilotAt(0))]);
    expect(tally(answers)).toEqual({ 200: 1, 409: 1 });
    await Promise.all([one.cancel(), other.cancel()]);
  }
});

test('assign, move, remove and accept all at once leave every order with its seat, or without one', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const flight = await givenFlight();
    const orders = await givenAssigned(flight, 2);
    const first = orders[0] ?? { id: '' };
    const answers = await Promise.all([
      flight.assign(2, pilotAt(0)),
      flight.assign(3, pilotAt(1), true),
      respond(pilotAt(0), first, 'accepted'),
      flight.remove(1),
      flight.assign(0, pilotAt(2), true),
      flight.edit({ flights: [{ id: flight.flightId, sizeCap: 3 }] }),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await findBreaches(service)).toEqual([]);
    await flight.cancel();
  }
});

test('an order that expires while its pilot is assigned again is one live order', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const flight = await givenFlight();
    const [order = { id: '' }] = await givenAssigned(flight, 1);
    await rows(sql`update frag_order set expires_at = now() - interval '1 second' where id = ${order.id}`);
    const answers = await Promise.all([
      flight.assign(0, pilotAt(0)),
      flight.assign(1, pilotAt(0)),
      respond(pilotAt(0), order, 'accepted'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 410]);
    const live = (await inbox(pilotAt(0))).filter(({ missionId }: { missionId: string }) => missionId === flight.id);
    expect(live).toHaveLength(1);
    await flight.cancel();
  }
});

test('two missions that move to the same time at once share neither callsign nor frequency', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const pair = [await givenFlight(), await givenFlight()];
    const at = { startLocal: hoursFromNow(900 + 4 * round), endLocal: hoursFromNow(903 + 4 * round) };
    const answers = await Promise.all(pair.map(({ edit }) => edit(at)));
    expect(tally(answers)).toEqual({ 200: 2 });
    const flights = answers.map(({ body }) => body.mission.packages[0].flights[0]);
    expect(new Set(flights.map(({ callsign }: { callsign: string }) => callsign)).size).toBe(2);
    expect(new Set(flights.map(({ radioFreq }: { radioFreq: string }) => radioFreq)).size).toBe(2);
  }
});
