/** The notice on the home page for a pilot on standby who was seated without being asked, with or without notifications. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
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
import { openStream } from '#tests/harness/stream.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  await retirePilots(service);
  await callOffMissions(service);
});

const notices = async ({ client }: Person) => (await client.call('GET', '/pilot/notices')).body;
const close = ({ client }: Person, id: string) => client.call('DELETE', `/pilot/notices/${id}`);

/** One pilot is on standby for the only seat; the other is asked to fly it and declines. */
async function givenPromoted(name: string) {
  const pilot = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 60, { name });
  const order = await orderOf(pilot);
  const other = await givenPilot(service);
  await respond(pilot, order, 'standby');
  expect(await notices(pilot)).toEqual([]);
  expect((await respond(other, await orderOf(other), 'declined')).status).toBe(200);
  return { pilot, other, order, mission };
}

test('it appears with the seat, for that pilot alone, until the order is read', async () => {
  const { pilot, other, order } = await givenPromoted('Op Second Row');
  const [seated] = (await pilot.client.call('GET', '/pilot/inbox/accepted')).body;
  expect(seated).toMatchObject({
    id: order.id,
    reasons: expect.arrayContaining(['You were on standby for this mission.']),
  });
  expect(await notices(pilot)).toMatchObject([
    {
      orderId: order.id,
      kind: 'seated',
      missionName: 'Op Second Row',
      startUtc: seated.startUtc,
      sentence: expect.stringContaining(
        `You're in: ${seated.flightCallsign}, seat ${seated.seatIndex + 1} in “Op Second Row” on `,
      ),
    },
  ]);
  expect(await notices(other)).toEqual([]);
  const page = await openStream(service, pilot.client.cookie());
  await page.next('all');
  await read(pilot, order);
  expect(await notices(pilot)).toEqual([]);
  await page.next('orders');
  page.close();
});

test('closing it is repeatable and leaves later notices', async () => {
  const { pilot, order, mission } = await givenPromoted('Op Third Row');
  expect(await notices(pilot)).toHaveLength(1);
  expect((await close(pilot, order.id)).status).toBe(200);
  expect((await close(pilot, order.id)).status).toBe(200);
  expect(await notices(pilot)).toEqual([]);
  expect((await admin.client.call('POST', `/admin/missions/${mission.id}/cancel`)).status).toBe(200);
  expect(await notices(pilot)).toMatchObject([{ orderId: order.id, kind: 'cancelled' }]);
});

test('there is none for a pilot who gives the seat back and takes it again themselves', async () => {
  const { pilot, order } = await givenPromoted('Op Own Hand');
  for (const answer of ['declined', 'accepted']) expect((await respond(pilot, order, answer)).status).toBe(200);
  expect((await read(pilot, order)).rsvp).toBe('accepted');
  expect(await notices(pilot)).toEqual([]);
});
