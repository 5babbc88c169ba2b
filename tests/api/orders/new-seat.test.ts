/** What a pilot's new seat says: nothing of an earlier acceptance, and no changes of a flight that the pilot is not in. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { say } from '#tests/harness/cast.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { editMission, flightsOf, loadMission } from '#tests/harness/mission-edits.ts';
import {
  callOffMissions,
  givenMissionIn,
  givenPilot,
  orderOf,
  read,
  respond,
  retirePilots,
} from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  const found = await findBreaches(service);
  await retirePilots(service);
  await callOffMissions(service);
  expect(found).toEqual([]);
});

const PAIR = [
  { aircraftId: 2, slotCount: 1, side: 0 as const, notes: 'CAP' as const },
  { aircraftId: 2, slotCount: 1, side: 0 as const, notes: 'SEAD' as const },
];

/** Gives an answer, which has to count. */
const heard = async (pilot: Person, order: { id: string }, response: string) => {
  expect((await respond(pilot, order, response)).status).toBe(200);
};

/** A mission of two flights of one seat, 60 h ahead, whose two pilots have accepted. */
async function givenPair() {
  const pilots = [await givenPilot(service, 2), await givenPilot(service, 2)];
  const { mission } = await givenMissionIn(service, admin, 60, { aircraftSlots: PAIR });
  const seated = await Promise.all(
    pilots.map(async (pilot) => {
      const order = await orderOf(pilot);
      await heard(pilot, order, 'accepted');
      return { pilot, order, callsign: (await read(pilot, order)).flightCallsign as string };
    }),
  );
  const [one, two] = seated;
  if (!one || !two) throw new Error('two pilots were expected');
  const flights = flightsOf(await loadMission(admin, mission.id));
  const flightOf = (callsign: string) => flights.find((flight) => flight.callsign === callsign);
  return { id: mission.id, one, two, flightOf };
}

type Pair = Awaited<ReturnType<typeof givenPair>>;

/** The first pilot stands down, and another one takes the seat. */
async function standDown({ one }: Pair): Promise<Person> {
  const other = await givenPilot(service, 2);
  await heard(one.pilot, one.order, 'standby');
  await heard(other, await orderOf(other), 'accepted');
  return other;
}

const rename = async (id: string, flightId: string, callsign: string, more: object = {}) => {
  const { status } = await editMission(admin, id, { flights: [{ id: flightId, callsign }], ...more });
  expect(status).toBe(200);
};

const adminsView = async (id: string, orderId: string) =>
  (await admin.client.call('GET', `/admin/missions/${id}/orders`)).body.find(
    (order: { id: string }) => order.id === orderId,
  );

test('a pilot who confirmed, stood down and is seated from standby has not confirmed', async () => {
  const pair = await givenPair();
  const { one } = pair;
  await heard(one.pilot, one.order, 'accepted');
  expect((await read(one.pilot, one.order)).confirmedAt).not.toBeNull();
  const other = await standDown(pair);
  expect(await read(one.pilot, one.order)).toMatchObject({ rsvp: 'standby', confirmedAt: null });
  await heard(other, await orderOfSeat(other), 'declined');
  expect(await read(one.pilot, one.order)).toMatchObject({ rsvp: 'accepted', confirmedAt: null });
  expect(await adminsView(pair.id, one.order.id)).toMatchObject({ rsvp: 'accepted', confirmedAt: null });
  await heard(one.pilot, one.order, 'accepted');
  expect((await adminsView(pair.id, one.order.id)).confirmedAt).not.toBeNull();
});

const orderOfSeat = async ({ client }: Person) => (await client.call('GET', '/pilot/inbox/accepted')).body[0];

test('a seat from standby in another flight drops the changes of the old one and keeps those of the mission', async () => {
  const pair = await givenPair();
  const { id, one, two, flightOf } = pair;
  await standDown(pair);
  await rename(id, flightOf(one.callsign).id, 'Dodge 7', { notes: 'Bring a torch' });
  const fields = async () =>
    (await read(one.pilot, one.order)).changes.map(({ field }: { field: string }) => field).toSorted();
  expect(await fields()).toEqual(['callsign', 'notes']);
  await heard(two.pilot, two.order, 'declined');
  const order = await read(one.pilot, one.order);
  expect([order.rsvp, order.flightCallsign]).toEqual(['accepted', two.callsign]);
  expect(order.changes).toEqual([{ field: 'notes', from: null, to: 'Bring a torch' }]);
});

test('a seat from standby in the same flight keeps its changes', async () => {
  const pair = await givenPair();
  const { id, one, flightOf } = pair;
  const other = await standDown(pair);
  await rename(id, flightOf(one.callsign).id, 'Dodge 7');
  await heard(other, await orderOfSeat(other), 'declined');
  expect(await read(one.pilot, one.order)).toMatchObject({
    rsvp: 'accepted',
    changes: [{ field: 'callsign', from: one.callsign, to: 'Dodge 7' }],
  });
});

test("a pilot whom an admin moves reads of the seats, not of the old flight's new callsign", async () => {
  const { id, one, two, flightOf } = await givenPair();
  await rename(id, flightOf(one.callsign).id, 'Dodge 7', { notes: 'Bring a torch' });
  const move = (to: { id: string }) =>
    admin.client.call('PUT', `/admin/missions/${id}/seats/${to.id}/0`, { userId: one.pilot.id, replace: true });
  expect((await move(flightOf(two.callsign))).status).toBe(200);
  const changed = async () =>
    Object.fromEntries(
      (await read(one.pilot, one.order)).changes.map(({ field, from, to }: Record<string, string>) => [
        field,
        [from, to],
      ]),
    );
  const notes = [null, 'Bring a torch'];
  expect(await changed()).toMatchObject({
    seat: [`${one.callsign}, seat 1`, `${two.callsign}, seat 1`],
    notes,
  });
  expect(await changed()).not.toHaveProperty('callsign');
  // and back: the seat is the one that the pilot knows, under its new name
  expect((await move(flightOf(one.callsign))).status).toBe(200);
  expect(await changed()).toEqual({ seat: [`${one.callsign}, seat 1`, 'Dodge 7, seat 1'], notes });
});

test('the order of a pilot on standby whose flight is removed drops its changes', async () => {
  const pair = await givenPair();
  const { id, one, two, flightOf } = pair;
  await standDown(pair);
  const { id: flightId } = flightOf(one.callsign);
  await rename(id, flightId, 'Dodge 7', { notes: 'Bring a torch' });
  expect((await editMission(admin, id, { removeFlightIds: [flightId] })).status).toBe(200);
  expect(await read(one.pilot, one.order)).toMatchObject({
    rsvp: 'standby',
    flightCallsign: two.callsign,
    changes: [{ field: 'notes', from: null, to: 'Bring a torch' }],
  });
});

test('an acceptance that reaches the lock before an earlier tap counts as confirmed by it, not before it', async () => {
  const pilot = await givenPilot(service);
  await givenMissionIn(service, admin, 60);
  const order = await orderOf(pilot);
  const at = Date.now();
  await say(service, pilot, order.id, 'accepted', new Date(at));
  const confirmed = await say(service, pilot, order.id, 'accepted', new Date(at - 50));
  expect(confirmed).toMatchObject({ rsvp: 'accepted', confirmedAt: new Date(at).toISOString() });
});
