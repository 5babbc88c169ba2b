/** Results of reminders sent as notifications, as admins read them: sent when one device got it, else failed with the reason. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '#server/schema/query.ts';
import { givenMissionIn, orderOf, respond } from '#tests/harness/orders.ts';
import { givenDevice } from '#tests/harness/push-service.ts';
import { startPushWorld, subscribe, type PushWorld } from '#tests/harness/push-world.ts';
import { passTime } from '#tests/harness/reminders.ts';

let world: PushWorld;
beforeAll(async () => {
  world = await startPushWorld();
});
afterAll(() => world.stop());
beforeEach(() => world.forget());
afterEach(() => world.clear());

const REFUSED = 'The push service refused the notification.';

test.each([
  ['both devices get it', [201, 201], { state: 'sent', reason: null }],
  ['one device is refused', [400, 201], { state: 'sent', reason: null }],
  ['the other one is refused', [201, 400], { state: 'sent', reason: null }],
  ['both are refused', [400, 400], { state: 'failed', reason: REFUSED }],
  ['one is refused, and one is tried again', [400, 503, 503], { state: 'waiting', reason: expect.any(String) }],
])('%s', async (_what, answers, expected) => {
  const { push, service, admin } = world;
  const { pilot } = await world.givenReachable();
  expect((await subscribe(pilot, givenDevice(push))).status).toBe(201);
  const { mission } = await givenMissionIn(service, admin, 25);
  expect((await respond(pilot, await orderOf(pilot), 'accepted')).status).toBe(200);
  await world.settled();
  await passTime(service, 61);
  const before = push.requests.length;
  push.behave(...answers);
  await world.rows(sql`select graphile_worker.add_job('send_reminders', job_key => 'send_reminders')`);
  await expect.poll(() => push.requests.length).toBe(before + answers.length);
  const deliveries = async () =>
    (await admin.client.call('GET', `/admin/missions/${mission.id}/orders`)).body[0].reminders[0].deliveries;
  await expect.poll(deliveries).toEqual([{ channel: 'push', ...expected }]);
});
