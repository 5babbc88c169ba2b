/** The standby queue: the first pilot who fits gets the seat, whatever they answered before. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, inbox, orderOf, read, respond } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

test('a pilot who declined and then joined the queue is seated when the holder gives the seat back', async () => {
  const pilots = [await givenPilot(service), await givenPilot(service)];
  await givenMissionIn(service, admin, 60);
  const asked = await Promise.all(pilots.map(async (pilot) => (await inbox(pilot)).length));
  const [first, second] = asked[0] === 1 ? pilots : pilots.toReversed();
  if (!first || !second) throw new Error('nobody was asked');
  const order = await orderOf(first);
  await respond(first, order, 'declined');
  expect((await respond(first, order, 'standby')).body.rsvp).toBe('standby');
  expect((await respond(second, await orderOf(second), 'declined')).status).toBe(200);
  expect((await read(first, order)).rsvp).toBe('accepted');
});
