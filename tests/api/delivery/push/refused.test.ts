/** Failed notifications: retries, recorded reasons, removal of devices, and a push service that hangs. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#server/schema/query.ts';
import type { Person } from '#tests/harness/given.ts';
import { givenMissionIn } from '#tests/harness/orders.ts';
import { startPushService } from '#tests/harness/push-service.ts';
import { endpointsOf, startPushWorld, type PushWorld } from '#tests/harness/push-world.ts';

let world: PushWorld;
let push: PushWorld['push'];
let service: PushWorld['service'];
let admin: Person;
beforeAll(async () => {
  world = await startPushWorld();
  ({ push, service, admin } = world);
});
afterAll(() => world.stop());
beforeEach(() => world.forget());
afterEach(() => world.clear());

const rows: PushWorld['rows'] = (statement) => world.rows(statement);

describe('a push service that', () => {
  test.each([404, 410])('answers %i makes Marshal remove the device', async (status) => {
    const { pilot } = await world.givenReachable();
    push.behave(status);
    await givenMissionIn(service, admin, 30);
    await expect.poll(() => endpointsOf(pilot)).toEqual([]);
    await world.settled();
    expect(push.requests).toHaveLength(1);
  });

  test('is busy, broken or drops the connection is retried once', async () => {
    const people = [await world.givenReachable(), await world.givenReachable(), await world.givenReachable()];
    push.behave(429, 500, 'cut', 201);
    await givenMissionIn(service, admin, 30, {
      aircraftSlots: [{ aircraftId: 2, slotCount: 3, side: 0, notes: 'CAP' }],
    });
    await world.settled();
    expect(people.map(({ device }) => device.messages().length)).toEqual([2, 2, 2]);
    for (const { pilot } of people) expect(await endpointsOf(pilot)).toHaveLength(1);
  });

  test('does not answer delays no other job', async () => {
    for (const _ of [1, 2, 3]) await world.givenReachable();
    push.behave('hang');
    await givenMissionIn(service, admin, 30, {
      aircraftSlots: [{ aircraftId: 2, slotCount: 3, side: 0, notes: 'CAP' }],
    });
    await expect.poll(() => push.requests.length, { timeout: 4_000 }).toBe(3);
    await rows(sql`select graphile_worker.add_job('maintenance')`);
    const waiting = () =>
      rows<{ task: string }>(
        sql`select distinct task_identifier as task from graphile_worker.jobs where task_identifier in ('maintenance', 'send_push')`,
      );
    await expect.poll(waiting, { timeout: 4_000 }).toEqual([{ task: 'send_push' }]);
    push.behave(201);
    await world.settled();
  });

  test('answers 400 is not tried again, and the device stays', async () => {
    const { pilot } = await world.givenReachable();
    push.behave(400);
    await givenMissionIn(service, admin, 30);
    await expect.poll(() => push.requests.length).toBe(1);
    await world.settled();
    expect([push.requests.length, (await endpointsOf(pilot)).length]).toEqual([1, 1]);
  });

  test('is down for minutes gets what is still true, and the attempts are on record', async () => {
    const { pilot, device } = await world.givenReachable();
    const deliveries = () =>
      rows<{ kind: string; state: string; attempts: number; status: number | null; error: string | null }>(
        sql`select kind, state, attempts, response_status as status, error_message as error
            from delivery where channel = 'push' and user_id = ${pilot.id}`,
      );
    push.behave(503, 503, 503, 503, 503, 503, 503, 201);
    await givenMissionIn(service, admin, 30);
    // more attempts than the job of a notification once had
    for (let attempts = 1; attempts < 8; attempts += 1) {
      await expect
        .poll(deliveries, { timeout: 10_000 })
        .toEqual([
          { kind: 'order', state: 'queued', attempts, status: 503, error: 'The push service did not answer.' },
        ]);
      await rows(sql`update delivery set next_attempt_at = now() where channel = 'push' and user_id = ${pilot.id}`);
      await rows(sql`select graphile_worker.add_job('send_push', json_build_object('deliveryId', id), job_key => 'send_push:' || id)
                     from delivery where channel = 'push' and user_id = ${pilot.id}`);
    }
    await expect
      .poll(deliveries, { timeout: 10_000 })
      .toEqual([{ kind: 'order', state: 'sent', attempts: 8, status: null, error: null }]);
    expect(device.messages()).toHaveLength(8);
  });

  test('refuses for good, and a browser that is gone, are on record with the reason', async () => {
    const [refused, gone] = [await world.givenReachable(), await world.givenReachable()];
    push.behave(400);
    await givenMissionIn(service, admin, 30);
    await world.settled();
    push.behave(410);
    await givenMissionIn(service, admin, 40);
    await world.settled();
    const failures = await rows<{ status: number; error: string; hasDevice: boolean }>(
      sql`select response_status as status, error_message as error, device_id is not null as "hasDevice" from delivery
          where channel = 'push' and state = 'failed' and user_id in (${refused.pilot.id}, ${gone.pilot.id})
          order by created_at`,
    );
    expect(failures.length).toBeGreaterThan(1);
    expect(new Set(failures.map((failure) => JSON.stringify(failure)))).toEqual(
      new Set([
        JSON.stringify({ status: 400, error: 'The push service refused the notification.', hasDevice: true }),
        JSON.stringify({ status: 410, error: 'The browser no longer takes notifications.', hasDevice: false }),
      ]),
    );
  });

  test('is not lost when its sender was killed', async () => {
    const { pilot, device } = await world.givenReachable();
    await givenMissionIn(service, admin, 30);
    await world.settled();
    expect(device.messages()).toHaveLength(1);
    // as a process leaves it that dies during the request: claimed, the lease is over, and no job
    await rows(sql`update delivery set state = 'sending', next_attempt_at = now() - interval '31 seconds', sent_at = null
                   where channel = 'push' and user_id = ${pilot.id}`);
    await rows(sql`select graphile_worker.add_job('maintenance', job_key => 'maintenance')`);
    await expect.poll(() => device.messages().length, { timeout: 20_000 }).toBe(2);
  });

  test('redirects is not followed', async () => {
    const { pilot } = await world.givenReachable();
    const inside = await startPushService();
    push.behave({ redirectTo: `${inside.origin}/secret` });
    expect((await pilot.client.call('POST', '/pilot/push/test')).body).toEqual({ sent: 0, gone: 0, failed: 1 });
    expect([push.requests.length, inside.requests.length]).toEqual([1, 0]);
    await inside.stop();
  });

  test('does not answer is abandoned after five seconds', async () => {
    const { pilot } = await world.givenReachable();
    push.behave('hang');
    const began = performance.now();
    expect((await pilot.client.call('POST', '/pilot/push/test')).body).toEqual({ sent: 0, gone: 0, failed: 1 });
    expect(performance.now() - began).toBeLessThan(9_000);
  });
});
