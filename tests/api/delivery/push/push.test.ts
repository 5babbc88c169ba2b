/** Notifications, from the subscription of a browser to the message that it can open. */
import { createECDH } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#server/schema/query.ts';
import { readSecret } from '#server/platform/secrets.ts';
import { givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, orderOf, read, respond } from '#tests/harness/orders.ts';
import { givenDevice, openMessage, readVapid } from '#tests/harness/push-service.ts';
import { endpointsOf, startPushWorld, subscribe, type PushWorld } from '#tests/harness/push-world.ts';

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

const UNKNOWN_SERVICE = 'This is not the address of a push service that Marshal knows';

const rows: PushWorld['rows'] = (statement) => world.rows(statement);

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
    const { pilot, device } = await world.givenReachable();
    const tablet = givenDevice(push);
    await subscribe(pilot, tablet);
    const stranger = givenDevice(push);
    await subscribe(await givenPerson(service), stranger);
    await givenMissionIn(service, admin, 30, { name: 'Op Iron Hound' });
    await expect.poll(() => push.requests.length, { timeout: 10_000 }).toBe(2);
    await world.settled();
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
    const people = [
      await world.givenReachable(),
      await world.givenReachable(),
      await world.givenReachable(),
      await world.givenReachable(),
    ];
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
    await world.settled();
    expect(people.map(({ device }) => device.messages().length)).toEqual([1, 1, 1, 1]);
  });

  test('is sent to a pilot on Do Not Disturb for a mission in more than 24 hours', async () => {
    const { pilot, device } = await world.givenReachable();
    expect((await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'dnd' })).status).toBe(200);
    push.behave(201);
    await givenMissionIn(service, admin, 30);
    await world.settled();
    expect(device.messages()).toHaveLength(1);
  });

  test('leaves no job behind when its transaction fails', async () => {
    const { pilot } = await world.givenReachable();
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
    expect(await world.jobs()).toEqual([]);
  });
});

describe('a pilot who waits on standby', () => {
  async function freeSeatForStandby(change?: (waiting: Person) => Promise<unknown>) {
    const { pilot, device } = await world.givenReachable();
    await givenMissionIn(service, admin, 30, { name: 'Op Standby' });
    const order = await orderOf(pilot);
    const holder = await givenPilot(service);
    await respond(pilot, order, 'standby');
    await world.settled();
    push.requests.length = 0;
    await change?.(pilot);
    await respond(holder, await orderOf(holder), 'declined');
    expect((await read(pilot, order)).rsvp).toBe('accepted');
    await world.settled();
    return device.messages();
  }

  test('is notified of the seat that became free', async () => {
    expect(await freeSeatForStandby()).toMatchObject([
      { body: expect.stringMatching(/^You're in: .+, seat 1 \(.+\)\. Launch /), orderId: null },
    ]);
  });

  test('is not notified after turning off new frag orders', async () => {
    const off = ({ id }: Person) => rows(sql`update app_user set notify_orders = false where id = ${id}`);
    expect(await freeSeatForStandby(off)).toEqual([]);
  });

  test('is notified after turning off changes to seats, as by email', async () => {
    const off = ({ id }: Person) => rows(sql`update app_user set notify_changes = false where id = ${id}`);
    expect(await freeSeatForStandby(off)).toHaveLength(1);
  });
});

describe('what an admin changes', () => {
  const zulu = (local: string) => `\\w+ \\d+ ${local.slice(11).replace(':', '')}Z`;

  async function givenHolder() {
    const { pilot, device } = await world.givenReachable();
    const { mission } = await givenMissionIn(service, admin, 40, { name: 'Op Change' });
    const order = await orderOf(pilot);
    await respond(pilot, order, 'accepted');
    await world.settled();
    push.requests.length = 0;
    const { body } = await admin.client.call('GET', `/admin/missions/${mission.id}`);
    const [flight] = body.packages[0].flights;
    const path = `/admin/missions/${mission.id}`;
    /** The one message that the work brings about. */
    const tell = async (work: () => Promise<{ status: number }>) => {
      push.requests.length = 0;
      expect((await work()).status).toBe(200);
      await world.settled();
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
    await world.settled();
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

test('the test message reaches all devices of the user, and says how many accepted it', async () => {
  const { pilot, device } = await world.givenReachable();
  const gone = givenDevice(push);
  await subscribe(pilot, gone);
  push.behave(201, 410);
  expect((await pilot.client.call('POST', '/pilot/push/test')).body).toEqual({ sent: 1, gone: 1, failed: 0 });
  const messages = [...device.messages(), ...gone.messages()];
  expect(messages.map(({ body }) => body)).toEqual(Array(2).fill('Notifications work on this device.'));
  expect(await endpointsOf(pilot)).toHaveLength(1);
});
