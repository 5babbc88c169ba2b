/** Notifications, from the subscription of a browser to the message that it can open. */
import { createECDH } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { readSecret } from '#server/platform/secrets.ts';
import { givenAdmin, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import {
  callOffMissions,
  givenMissionIn,
  givenPilot,
  orderOf,
  read,
  respond,
  retirePilots,
} from '#tests/harness/orders.ts';
import {
  givenDevice,
  openMessage,
  readVapid,
  startPushService,
  type Device,
  type PushService,
} from '#tests/harness/push-service.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const UNKNOWN_SERVICE = 'This is not the address of a push service that Marshal knows';

let push: PushService;
let service: Service;
let admin: Person;
beforeAll(async () => {
  push = await startPushService();
  service = await startService({ withJobs: true, env: { PUSH_EXTRA_ORIGINS: push.origin } });
  admin = await givenAdmin(service);
});
afterAll(async () => {
  await service.stop();
  await push.stop();
});
beforeEach(() => {
  push.requests.length = 0;
  push.behave(201);
});
afterEach(async () => {
  await retirePilots(service);
  await callOffMissions(service);
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

const subscribe = ({ client }: Person, { subscription }: Pick<Device, 'subscription'>) =>
  client.call('POST', '/pilot/push/subscriptions', subscription);

const endpointsOf = async ({ client }: Person): Promise<string[]> =>
  (await client.call('GET', '/pilot/push/subscriptions')).body.map(({ endpoint }: { endpoint: string }) => endpoint);

/** A pilot whose device takes notifications. */
async function givenReachable(): Promise<{ pilot: Person; device: Device }> {
  const pilot = await givenPilot(service);
  const device = givenDevice(push);
  expect((await subscribe(pilot, device)).status).toBe(201);
  return { pilot, device };
}

const jobs = () =>
  rows<{ attempts: number }>(sql`select attempts from graphile_worker.jobs
  where task_identifier = 'send_push'`);

/** All notifications that are due have been sent, or have come to nothing. */
const settled = () => expect.poll(jobs, { timeout: 20_000, interval: 50 }).toEqual([]);

test("the tests' decryption opens the example of RFC 8291, and nothing that was tampered with", () => {
  const keys = createECDH('prime256v1');
  keys.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url');
  const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url');
  const body = Buffer.from(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    'base64url',
  );
  expect(openMessage(body, keys, auth).toString()).toBe('When I grow up, I want to be a watermelon');
  body[body.length - 1] = (body.at(-1) ?? 0) ^ 1;
  expect(() => openMessage(body, keys, auth)).toThrow();
});

describe('subscriptions', () => {
  test('one VAPID key pair signs for the whole installation, also when created concurrently', async () => {
    let made = 0;
    const make = () => {
      made += 1;
      return { value: String(made) };
    };
    const readIt = () => readSecret(service.app.orm.em.fork(), 'race', make);
    const all = await Promise.all(Array.from({ length: 8 }, readIt));
    expect(new Set(all.map(({ value }) => value)).size).toBe(1);
    expect(await readIt()).toEqual(all[0]);

    const [one, other] = [await givenPerson(service), await givenPerson(service)];
    const key = async ({ client }: Person) => (await client.call('GET', '/pilot/push/key')).body.publicKey;
    expect(await key(one)).toMatch(/^B[\w-]{86}$/);
    expect(await key(other)).toBe(await key(one));
  });

  test('a device belongs to the user who signed in there last, and other keys cannot take it over', async () => {
    const [first, second] = [await givenPerson(service), await givenPerson(service)];
    const device = givenDevice(push);
    expect((await subscribe(first, device)).status).toBe(201);
    expect((await subscribe(first, device)).status).toBe(201);
    expect(await endpointsOf(first)).toEqual([device.subscription.endpoint]);
    expect((await subscribe(second, device)).status).toBe(201);
    expect([await endpointsOf(first), await endpointsOf(second)]).toEqual([[], [device.subscription.endpoint]]);

    const forged = { ...givenDevice(push).subscription, endpoint: device.subscription.endpoint };
    expect(await subscribe(first, { subscription: forged })).toMatchObject({
      status: 409,
      body: { message: 'This subscription belongs to another browser' },
    });
    const away = (person: Person) =>
      person.client.call(
        'DELETE',
        `/pilot/push/subscriptions?endpoint=${encodeURIComponent(device.subscription.endpoint)}`,
      );
    expect((await away(first)).body).toEqual({ success: true });
    expect(await endpointsOf(second)).toEqual([device.subscription.endpoint]);
    expect((await away(second)).body).toEqual({ success: true });
    expect(await endpointsOf(second)).toEqual([]);
  });

  test.each([
    'http://127.0.0.1/',
    'http://localhost:3000/api/v1/auth/me',
    'https://169.254.169.254/latest/meta-data/',
    'https://fcm.googleapis.com@169.254.169.254/',
    'https://user:password@fcm.googleapis.com/fcm/send/x',
    'https://fcm.googleapis.com.evil.example/fcm/send/x',
    'https://fcm.googleapis.com:8443/fcm/send/x',
    'http://fcm.googleapis.com/fcm/send/x',
    'https://evil.example\\@fcm.googleapis.com/',
    ' https://fcm.googleapis.com/fcm/send/x',
    'https://fcm.google\tapis.com/fcm/send/x',
    'javascript:alert(1)',
  ])('%s is no push service', async (endpoint) => {
    const pilot = await givenPerson(service);
    const { keys } = givenDevice(push).subscription;
    expect(await pilot.client.call('POST', '/pilot/push/subscriptions', { endpoint, keys })).toMatchObject({
      status: 400,
      body: { message: UNKNOWN_SERVICE, issues: [{ path: 'endpoint' }] },
    });
    expect(await endpointsOf(pilot)).toEqual([]);
  });

  test.each([
    ['a point that is not on the curve', { p256dh: `B${'A'.repeat(86)}` }],
    ['a key that is too short', { p256dh: 'BAAA' }],
    ['a secret that is too long', { auth: 'A'.repeat(24) }],
    ['no key', { p256dh: undefined }],
  ])('%s is refused', async (_rule, wrong) => {
    const pilot = await givenPerson(service);
    const { endpoint, keys } = givenDevice(push).subscription;
    expect(
      await pilot.client.call('POST', '/pilot/push/subscriptions', { endpoint, keys: { ...keys, ...wrong } }),
    ).toMatchObject({ status: 400, body: { message: 'The keys of this subscription are not valid' } });
  });
});

describe('a new frag order', () => {
  test("reaches every device of its pilot, encrypted and signed, until it expires, and nobody else's", async () => {
    const { pilot, device } = await givenReachable();
    const tablet = givenDevice(push);
    await subscribe(pilot, tablet);
    const stranger = givenDevice(push);
    await subscribe(await givenPerson(service), stranger);
    await givenMissionIn(service, admin, 30, { name: 'Op Iron Hound' });
    await expect.poll(() => push.requests.length, { timeout: 10_000 }).toBe(2);
    await settled();
    const order = await orderOf(pilot);
    const full = await read(pilot, order);
    const zulu = (iso: string) => iso.slice(11, 16).replace(':', '');
    const message = {
      title: `${full.label}: Op Iron Hound`,
      body: expect.stringMatching(
        new RegExp(
          `^${full.flightCallsign}, F-16C Viper, seat 1\\. Launch \\w+ \\d+ ${zulu(full.launchUtc)}Z\\. Answer by \\w+ \\d+ ${zulu(full.expiresAt)}Z\\.$`,
        ),
      ),
      url: `/orders/${order.id}`,
      tag: `order-${order.id}`,
      orderId: order.id,
      changedAt: null,
    };
    expect([device.messages(), tablet.messages(), stranger.messages()]).toEqual([[message], [message], []]);

    const { body: key } = await pilot.client.call('GET', '/pilot/push/key');
    for (const request of push.requests) {
      expect(request.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'normal' });
      const left = (Date.parse(full.expiresAt) - Date.now()) / 1000;
      expect(Math.abs(Number(request.headers.ttl) - left)).toBeLessThan(30);
      const { claims, publicKey } = readVapid(request);
      expect(publicKey).toBe(key.publicKey);
      expect(claims).toMatchObject({ aud: push.origin, sub: expect.stringMatching(/^mailto:/) });
      expect(Number(claims['exp']) * 1000).toBeGreaterThan(Date.now());
      expect(Number(claims['exp']) * 1000).toBeLessThanOrEqual(Date.now() + 24 * 3_600_000);
    }
  });

  test('is not sent once its pilot has turned it off, or the device belongs to somebody else', async () => {
    const people = [await givenReachable(), await givenReachable(), await givenReachable(), await givenReachable()];
    const [muted, busy, suspended, lent] = people;
    if (!muted || !busy || !suspended || !lent) throw new Error('four pilots were expected');
    push.behave(503, 503, 503, 503, 201);
    await givenMissionIn(service, admin, 20, {
      aircraftSlots: [{ aircraftId: 2, slotCount: 4, side: 0, notes: 'CAP' }],
    });
    // All first tries have failed; this happens before the second.
    await expect.poll(() => push.requests.length, { timeout: 10_000 }).toBe(4);
    await rows(sql`update app_user set notify_orders = false where id = ${muted.pilot.id}`);
    expect((await busy.pilot.client.call('PUT', `/users/${busy.pilot.id}/status`, { state: 'dnd' })).status).toBe(200);
    await rows(sql`update app_user set roles = '{}' where id = ${suspended.pilot.id}`);
    expect((await subscribe(await givenPerson(service), lent.device)).status).toBe(201);
    await settled();
    expect(people.map(({ device }) => device.messages().length)).toEqual([1, 1, 1, 1]);
  });

  test('is sent to a pilot on Do Not Disturb for a mission in more than 24 hours', async () => {
    const { pilot, device } = await givenReachable();
    expect((await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'dnd' })).status).toBe(200);
    push.behave(201);
    await givenMissionIn(service, admin, 30);
    await settled();
    expect(device.messages()).toHaveLength(1);
  });

  test('leaves no job behind when its transaction fails', async () => {
    const { pilot } = await givenReachable();
    const past = await admin.client.call('POST', '/admin/missions', {
      name: 'Op Never',
      theater: 'Syria',
      startLocal: hoursFromNow(-5),
      endLocal: hoursFromNow(-2),
      timeZone: 'UTC',
      aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' }],
    });
    expect(past.status).toBe(400);
    expect(await orderOf(pilot)).toBeUndefined();
    expect(await jobs()).toEqual([]);
  });
});

describe('a pilot who waits on standby', () => {
  async function freeSeatForStandby(change?: (waiting: Person) => Promise<unknown>) {
    const { pilot, device } = await givenReachable();
    await givenMissionIn(service, admin, 30, { name: 'Op Standby' });
    const order = await orderOf(pilot);
    const holder = await givenPilot(service);
    await respond(pilot, order, 'standby');
    await settled();
    push.requests.length = 0;
    await change?.(pilot);
    await respond(holder, await orderOf(holder), 'declined');
    expect((await read(pilot, order)).rsvp).toBe('accepted');
    await settled();
    return device.messages();
  }

  test('is notified of the seat that became free', async () => {
    expect(await freeSeatForStandby()).toMatchObject([
      { body: expect.stringMatching(/^You're in: seat 1, .+\. Launch /), orderId: null },
    ]);
  });

  test('is not notified after turning that off', async () => {
    const off = ({ id }: Person) => rows(sql`update app_user set notify_changes = false where id = ${id}`);
    expect(await freeSeatForStandby(off)).toEqual([]);
  });
});

describe('what an admin changes', () => {
  const zulu = (local: string) => `\\w+ \\d+ ${local.slice(11).replace(':', '')}Z`;

  async function givenHolder() {
    const { pilot, device } = await givenReachable();
    const { mission } = await givenMissionIn(service, admin, 40, { name: 'Op Change' });
    const order = await orderOf(pilot);
    await respond(pilot, order, 'accepted');
    await settled();
    push.requests.length = 0;
    const { body } = await admin.client.call('GET', `/admin/missions/${mission.id}`);
    const [flight] = body.packages[0].flights;
    const path = `/admin/missions/${mission.id}`;
    /** The one message that the work brings about. */
    const tell = async (work: () => Promise<{ status: number }>) => {
      push.requests.length = 0;
      expect((await work()).status).toBe(200);
      await settled();
      return device.messages();
    };
    return { pilot, order, mission, flight, path, tell };
  }

  test('to the time asks again, with both times and the time limit; to the radio only informs', async () => {
    const { pilot, order, mission, flight, path, tell } = await givenHolder();
    const at = { startLocal: hoursFromNow(45), endLocal: hoursFromNow(48) };
    const [asked, ...more] = await tell(() => admin.client.call('PUT', path, at));
    expect(more).toEqual([]);
    expect(asked).toMatchObject({ title: expect.stringMatching(/^FRAG-\d+: Op Change$/), orderId: order.id });
    expect(asked?.body).toMatch(
      new RegExp(
        `^Changed: Start ${zulu(mission.startLocal)} to ${zulu(at.startLocal)}\\. End ${zulu(mission.endLocal)} to ${zulu(at.endLocal)}\\. Answer by \\w+ \\d+ \\d{4}Z\\.$`,
      ),
    );
    await respond(pilot, order, 'accepted');
    const flights = [{ id: flight.id, radioFreq: '251.000' }];
    expect(await tell(() => admin.client.call('PUT', path, { flights }))).toMatchObject([
      { body: `Changed: Radio ${flight.radioFreq} to 251.000 AM.`, orderId: null, url: `/orders/${order.id}` },
    ]);
  });

  test('to withdraw a seat or cancel the mission is notified', async () => {
    const { path, flight, mission, pilot, tell } = await givenHolder();
    const seat = `${path}/seats/${flight.id}/0`;
    expect(await tell(() => admin.client.call('DELETE', seat))).toMatchObject([
      { body: `Changed: You lost ${flight.callsign}, seat 1.`, orderId: null },
    ]);
    expect((await admin.client.call('PUT', seat, { userId: pilot.id })).status).toBe(200);
    await settled();
    const cancelled = await tell(() => admin.client.call('POST', `${path}/cancel`));
    expect(cancelled).toMatchObject([{ orderId: null }]);
    expect(cancelled[0]?.body).toMatch(
      new RegExp(`^The mission on ${zulu(mission.startLocal)} has been cancelled\\.$`),
    );
  });

  test('is not notified to pilots who turned that off', async () => {
    const { pilot, path, tell } = await givenHolder();
    await rows(sql`update app_user set notify_changes = false where id = ${pilot.id}`);
    expect(await tell(() => admin.client.call('POST', `${path}/cancel`))).toEqual([]);
  });
});

describe('a push service that', () => {
  test.each([404, 410])('answers %i makes Marshal remove the device', async (status) => {
    const { pilot } = await givenReachable();
    push.behave(status);
    await givenMissionIn(service, admin, 30);
    await expect.poll(() => endpointsOf(pilot)).toEqual([]);
    await settled();
    expect(push.requests).toHaveLength(1);
  });

  test('is busy, broken or drops the connection is retried once', async () => {
    const people = [await givenReachable(), await givenReachable(), await givenReachable()];
    push.behave(429, 500, 'cut', 201);
    await givenMissionIn(service, admin, 30, {
      aircraftSlots: [{ aircraftId: 2, slotCount: 3, side: 0, notes: 'CAP' }],
    });
    await settled();
    expect(people.map(({ device }) => device.messages().length)).toEqual([2, 2, 2]);
    for (const { pilot } of people) expect(await endpointsOf(pilot)).toHaveLength(1);
  });

  test('answers 400 is not tried again, and the device stays', async () => {
    const { pilot } = await givenReachable();
    push.behave(400);
    await givenMissionIn(service, admin, 30);
    await expect.poll(() => push.requests.length).toBe(1);
    await settled();
    expect([push.requests.length, (await endpointsOf(pilot)).length]).toEqual([1, 1]);
  });

  test('is down for minutes gets what is still true, and the attempts are on record', async () => {
    const { pilot, device } = await givenReachable();
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
      await rows(sql`select graphile_worker.add_job('send_push', json_build_object('deliveryId', id), job_key => 'push:' || id)
                     from delivery where channel = 'push' and user_id = ${pilot.id}`);
    }
    await expect
      .poll(deliveries, { timeout: 10_000 })
      .toEqual([{ kind: 'order', state: 'sent', attempts: 8, status: null, error: null }]);
    expect(device.messages()).toHaveLength(8);
  });

  test('refuses for good, and a browser that is gone, are on record with the reason', async () => {
    const [refused, gone] = [await givenReachable(), await givenReachable()];
    push.behave(400);
    await givenMissionIn(service, admin, 30);
    await settled();
    push.behave(410);
    await givenMissionIn(service, admin, 40);
    await settled();
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
    const { pilot, device } = await givenReachable();
    await givenMissionIn(service, admin, 30);
    await settled();
    expect(device.messages()).toHaveLength(1);
    // as a process leaves it that dies during the request: claimed, the lease is over, and no job
    await rows(sql`update delivery set state = 'sending', next_attempt_at = now() - interval '31 seconds', sent_at = null
                   where channel = 'push' and user_id = ${pilot.id}`);
    await rows(sql`select graphile_worker.add_job('maintenance', job_key => 'maintenance')`);
    await expect.poll(() => device.messages().length, { timeout: 20_000 }).toBe(2);
  });

  test('redirects is not followed', async () => {
    const { pilot } = await givenReachable();
    const inside = await startPushService();
    push.behave({ redirectTo: `${inside.origin}/secret` });
    expect((await pilot.client.call('POST', '/pilot/push/test')).body).toEqual({ sent: 0, gone: 0, failed: 1 });
    expect([push.requests.length, inside.requests.length]).toEqual([1, 0]);
    await inside.stop();
  });

  test('does not answer is abandoned after five seconds', async () => {
    const { pilot } = await givenReachable();
    push.behave('hang');
    const began = performance.now();
    expect((await pilot.client.call('POST', '/pilot/push/test')).body).toEqual({ sent: 0, gone: 0, failed: 1 });
    expect(performance.now() - began).toBeLessThan(9_000);
  });
});

test('the test message reaches all devices of the user, and says how many accepted it', async () => {
  const { pilot, device } = await givenReachable();
  const gone = givenDevice(push);
  await subscribe(pilot, gone);
  push.behave(201, 410);
  expect((await pilot.client.call('POST', '/pilot/push/test')).body).toEqual({ sent: 1, gone: 1, failed: 0 });
  const messages = [...device.messages(), ...gone.messages()];
  expect(messages.map(({ body }) => body)).toEqual(Array(2).fill('Notifications work on this device.'));
  expect(await endpointsOf(pilot)).toHaveLength(1);
});
