/** One frag order through the API: all that is needed to fly it, in every state, to its own pilot alone. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/db/query.ts';
import { givenAdmin, hoursFromNow, type Person } from '#tests/given.ts';
import { givenMissionIn, givenPilot, orderOf, read, respond, retirePilots } from '#tests/orders.ts';
import { startService, type Service } from '#tests/service.ts';

const F16 = 2;

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(() => retirePilots(service));

const set = (statement: Parameters<typeof query>[1]) => query(service.app.orm.em.fork(), statement);

/** The missions as an admin sees them on their date: written by other code than the one under test. */
async function boardOf(missionId: string, hours: number) {
  const date = hoursFromNow(hours).slice(0, 10);
  const { body } = await admin.client.call('GET', `/admin/missions/by-date?date=${date}&tz=UTC`);
  return body.missions.find(({ id }: { id: string }) => id === missionId);
}

test('a pending order already shows radio, time on target, package, level and notes', async () => {
  const pilot = await givenPilot(service, F16);
  await set(
    sql`insert into proficiency (user_id, aircraft_id, level, updated_at) values (${pilot.id}, ${F16}, 'expert', now())`,
  );
  const { mission } = await givenMissionIn(service, admin, 30, {
    aircraftSlots: [
      { aircraftId: F16, slotCount: 2, side: 0, notes: 'SEAD', additionalNotes: 'Two HARMs each' },
      { aircraftId: 3, slotCount: 1, side: 0, notes: 'Strike' },
    ],
  });
  const order = await orderOf(pilot);
  const { packages } = await boardOf(mission.id, 30);
  const [strike] = packages;
  const own = strike.flights.find(({ aircraftId }: { aircraftId: number }) => aircraftId === F16);

  expect(await read(pilot, order)).toMatchObject({
    id: order.id,
    rsvp: 'pending',
    launchUtc: own.launchUtc,
    totUtc: own.totUtc,
    radioFreq: own.radioFreq,
    level: 'expert',
    notes: 'Two HARMs each',
    package: {
      callsign: strike.callsign,
      objective: strike.objective,
      composition: strike.flights.map((flight: { callsign: string; aircraftName: string; sizeCap: number }) => ({
        callsign: flight.callsign,
        aircraftName: flight.aircraftName,
        seats: flight.sizeCap,
      })),
    },
  });
});

test('an accepted order reads the same alone as among the accepted missions', async () => {
  const pilot = await givenPilot(service, F16);
  await givenMissionIn(service, admin, 30);
  const order = await orderOf(pilot);
  await respond(pilot, order, 'accepted');
  const accepted = await pilot.client.call('GET', '/pilot/inbox/accepted');
  expect(accepted.body).toEqual([await read(pilot, order)]);
});

test.each([
  [
    'declined',
    'issued',
    null,
    (_id: string, pilot: Person, order: { id: string }) => respond(pilot, order, 'declined'),
  ],
  [
    'pending',
    'cancelled',
    'expired',
    (id: string) => set(sql`update frag_order set expires_at = now() - interval '1 minute' where id = ${id}`),
  ],
  [
    'pending',
    'cancelled',
    'mission cancelled',
    (id: string) =>
      set(sql`update frag_order set status = 'cancelled', status_reason = 'mission cancelled' where id = ${id}`),
  ],
] as const)('%s, %s because of %s, can still be read', async (rsvp, status, statusReason, bring) => {
  const pilot = await givenPilot(service, F16);
  await givenMissionIn(service, admin, 30);
  const order = await orderOf(pilot);
  await bring(order.id, pilot, order);
  expect(await read(pilot, order)).toMatchObject({ rsvp, status, statusReason, package: { callsign: 'ALPHA' } });
});

test('the order of another pilot is not found, by an admin neither', async () => {
  const pilot = await givenPilot(service, F16);
  await givenMissionIn(service, admin, 30);
  const order = await orderOf(pilot);
  const stranger = await givenPilot(service);
  for (const { client } of [stranger, admin]) {
    expect(await client.call('GET', `/pilot/inbox/${order.id}`)).toMatchObject({
      status: 404,
      body: { message: 'Frag order not found' },
    });
  }
});

test('the OpenAPI document describes one order as it describes an accepted mission', async () => {
  const { body } = await admin.client.call('GET', '/openapi.json');
  const answerOf = (path: string) => body.paths[path].get.responses[200].content['application/json'].schema;
  expect(answerOf('/pilot/inbox/{id}')).toEqual(answerOf('/pilot/inbox/accepted').items);
  expect(answerOf('/pilot/inbox/{id}').required).toContain('package');
});
