/** Notices of orders that are over, on the pilot's page, on devices and live, until they are closed. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { givenSeated } from '#tests/harness/mission-edits.ts';
import {
  callOffMissions,
  givenMissionIn,
  givenPilot,
  orderOf,
  read,
  respond,
  retirePilots,
} from '#tests/harness/orders.ts';
import { givenDevice, startPushService, type PushService } from '#tests/harness/push-service.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { openStream } from '#tests/harness/stream.ts';

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
});
afterEach(async () => {
  await callOffMissions(service);
  await retirePilots(service);
});

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** `Nov 21 1905Z` of an ISO instant in Zulu */
const zulu = (iso: string) =>
  `${MONTHS[Number(iso.slice(5, 7)) - 1]} ${Number(iso.slice(8, 10))} ${iso.slice(11, 16).replace(':', '')}Z`;

const run = (statement: Parameters<typeof query>[1]) => query(service.app.orm.em.fork(), statement);
const notices = async ({ client }: Person) => (await client.call('GET', '/pilot/notices')).body;
const close = ({ client }: Person, id: string) => client.call('DELETE', `/pilot/notices/${id}`);
const cancel = (id: string) => admin.client.call('POST', `/admin/missions/${id}/cancel`);

/** One pilot with an order for a mission 60 h ahead, and the path of its seat for admins. */
async function givenOne(name: string) {
  const { id, seats, mission } = await givenSeated(service, admin, 1, { name });
  const [one] = seats;
  if (!one) throw new Error('nobody was seated');
  const [flight] = mission.packages[0].flights;
  return { ...one, id, flight, startUtc: mission.startUtc, seat: `/admin/missions/${id}/seats/${flight.id}/0` };
}

/** Moves the mission to have ended this many hours ago, with its accepted seats. */
const endMission = (id: string, hoursAgo: number) =>
  run(sql`with m as (update mission set starts_at = now() - make_interval(hours => ${hoursAgo + 3}),
                                        ends_at = now() - make_interval(hours => ${hoursAgo})
                     where id = ${id} returning *)
          update seat s set starts_at = m.starts_at, ends_at = m.ends_at from m where s.mission_id = m.id`);

describe('a cancelled mission', () => {
  test('has a notice for pilots who held a seat, were asked or on standby, not for those who had declined', async () => {
    const { id, seats, mission } = await givenSeated(service, admin, 4, { name: 'Op Iron Hound' });
    const answers = ['accepted', null, 'standby', 'declined'];
    for (const [index, { pilot, order }] of seats.entries()) {
      const answer = answers[index];
      if (typeof answer === 'string') await respond(pilot, order, answer);
    }
    const before = Date.now();
    expect((await cancel(id)).status).toBe(200);
    const told = await Promise.all(seats.map(({ pilot }) => notices(pilot)));
    const notice = (index: number) => ({
      orderId: seats[index]?.order.id,
      kind: 'cancelled',
      at: expect.any(String),
      missionName: 'Op Iron Hound',
      startUtc: mission.startUtc,
      sentence: `“Op Iron Hound” on ${zulu(mission.startUtc)} was cancelled.`,
    });
    expect(told).toEqual([[notice(0)], [notice(1)], [notice(2)], []]);
    expect(Date.parse(told[0][0].at)).toBeGreaterThanOrEqual(before);
  });

  test('has its notice for a week', async () => {
    const { id, pilot, order } = await givenOne('Op Old News');
    await cancel(id);
    for (const [days, count] of [
      [6.9, 1],
      [7.1, 0],
    ] as const) {
      await run(sql`update frag_order set changed_at = now() - make_interval(hours => ${Math.round(days * 24)})
                    where id = ${order.id}`);
      expect(await notices(pilot)).toHaveLength(count);
    }
  });
});

describe('a seat that an admin takes away', () => {
  test('has a notice with its name until the pilot is asked again for the mission', async () => {
    const { pilot, order, flight, seat, startUtc } = await givenOne('Op Musical Chairs');
    await respond(pilot, order, 'accepted');
    expect((await admin.client.call('DELETE', seat)).status).toBe(200);
    expect(await notices(pilot)).toMatchObject([
      {
        orderId: order.id,
        kind: 'removed',
        sentence: `An admin removed you from ${flight.callsign}, seat 1 in “Op Musical Chairs” on ${zulu(startUtc)}.`,
      },
    ]);
    const { body } = await admin.client.call('PUT', seat, { userId: pilot.id });
    expect(await notices(pilot)).toEqual([]);
    await respond(pilot, { id: body.orderId }, 'declined');
    expect(await notices(pilot)).toEqual([]);
  });
});

describe('an order without an answer', () => {
  const runOut = (id: string, isSharedOffer = false) =>
    run(sql`update frag_order set is_shared_offer = ${isSharedOffer}, expires_at = now() - interval '1 minute'
            where id = ${id}`);

  test('has a notice of its expiry before and after the job has run, while its mission is ahead', async () => {
    const { pilot, order, id, startUtc } = await givenOne('Op Silence');
    const { label } = await read(pilot, order);
    await runOut(order.id);
    const expected = {
      orderId: order.id,
      kind: 'expired',
      sentence: `${label} for “Op Silence” on ${zulu(startUtc)} expired without your answer. The seat is offered to the next pilot.`,
    };
    expect(await notices(pilot)).toMatchObject([expected]);
    expect((await respond(pilot, order, 'accepted')).status).toBe(410);
    expect(await read(pilot, order)).toMatchObject({ status: 'cancelled', statusReason: 'expired' });
    expect(await notices(pilot)).toMatchObject([expected]);
    await endMission(id, 1);
    expect(await notices(pilot)).toEqual([]);
  });

  test('has no notice when it was a shared offer', async () => {
    const { pilot, order } = await givenOne('Op Many Asked');
    await runOut(order.id, true);
    expect(await notices(pilot)).toEqual([]);
  });
});

describe('attendance', () => {
  const mark = (id: string, orderId: string, attendance: string | null) =>
    admin.client.call('PUT', `/admin/missions/${id}/attendance`, { attendance: [{ orderId, attendance }] });
  const WORDS = {
    attended: ['as attended for', ''],
    no_show: ['as a no-show for', " If that isn't right, please tell an admin."],
    excused: ['as excused for', ''],
  } as const;

  test('has a notice when marked, again when the mark changes, and none when it is undone', async () => {
    const { pilot, order, id } = await givenOne('Op Roll Call');
    await respond(pilot, order, 'accepted');
    await endMission(id, 2);
    const { startUtc, endUtc } = await read(pilot, order);
    expect(await notices(pilot)).toEqual([]);
    for (const [attendance, [marked, rest]] of Object.entries(WORDS)) {
      expect((await mark(id, order.id, attendance)).status).toBe(200);
      expect(await notices(pilot)).toEqual([
        {
          orderId: order.id,
          kind: 'attendance',
          at: endUtc,
          missionName: 'Op Roll Call',
          startUtc,
          sentence: `An admin marked you ${marked} “Op Roll Call” on ${zulu(startUtc)}.${rest}`,
        },
      ]);
      expect((await close(pilot, order.id)).status).toBe(200);
      // the same mark once more is no news
      await mark(id, order.id, attendance);
      expect(await notices(pilot)).toEqual([]);
    }
    await mark(id, order.id, null);
    expect(await notices(pilot)).toEqual([]);
  });

  test('has its notice for a week after the end of the mission', async () => {
    const { pilot, order, id } = await givenOne('Op Last Month');
    await respond(pilot, order, 'accepted');
    await endMission(id, 7 * 24 + 1);
    await mark(id, order.id, 'attended');
    expect(await notices(pilot)).toEqual([]);
    await endMission(id, 7 * 24 - 1);
    expect(await notices(pilot)).toMatchObject([{ orderId: order.id, kind: 'attendance' }]);
  });

  test('reaches the devices and the open pages of the pilots whose mark is new, and nobody else', async () => {
    const { id, seats } = await givenSeated(service, admin, 2, { name: 'Op Headcount' });
    const devices = [givenDevice(push), givenDevice(push)];
    for (const [index, { pilot, order }] of seats.entries()) {
      await pilot.client.call('POST', '/pilot/push/subscriptions', devices[index]?.subscription);
      await respond(pilot, order, 'accepted');
    }
    await endMission(id, 2);
    const [first, second] = seats;
    if (!first || !second) throw new Error('two pilots were to be seated');
    await mark(id, first.order.id, 'excused');
    await expect.poll(() => devices[0]?.messages().length).toBe(1);
    push.requests.length = 0;

    const streams = await Promise.all(seats.map(({ pilot }) => openStream(service, pilot.client.cookie())));
    for (const stream of streams) await stream.next('all');
    await admin.client.call('PUT', `/admin/missions/${id}/attendance`, {
      attendance: [
        { orderId: first.order.id, attendance: 'excused' },
        { orderId: second.order.id, attendance: 'no_show' },
      ],
    });
    await streams[1]?.next('orders');
    await expect.poll(() => devices[1]?.messages().length).toBe(1);
    const [notice] = await notices(second.pilot);
    expect(devices.map((device) => device.messages())).toMatchObject([
      [],
      [{ body: notice.sentence, url: '/home', orderId: null }],
    ]);
    for (const stream of streams) stream.close();
  });
});

describe('closing a notice', () => {
  test('is permanent and repeatable, and updates the other pages of the pilot', async () => {
    const { pilot, order, id } = await givenOne('Op Got It');
    const { id: next } = await givenMissionIn(service, admin, 80, { name: 'Op Still Here' }).then(
      ({ mission }) => mission,
    );
    const later = await orderOf(pilot);
    await cancel(id);
    await cancel(next);
    expect((await notices(pilot)).map(({ missionName }: { missionName: string }) => missionName)).toEqual([
      'Op Still Here',
      'Op Got It',
    ]);
    const stream = await openStream(service, pilot.client.cookie());
    await stream.next('all');
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await close(pilot, order.id)).toMatchObject({ status: 200, body: { success: true } });
      expect(await notices(pilot)).toMatchObject([{ orderId: later.id }]);
    }
    await stream.next('orders');
    stream.close();
  });

  test("is 404 for another pilot's, for a live order, and for an unknown one", async () => {
    const { pilot, order, id } = await givenOne('Op Not Yours');
    const notFound = { status: 404, body: { message: 'This notice was not found' } };
    expect(await close(pilot, order.id)).toMatchObject(notFound);
    await cancel(id);
    expect(await close(await givenPilot(service), order.id)).toMatchObject(notFound);
    expect(await close(admin, order.id)).toMatchObject(notFound);
    expect(await close(pilot, '0192c0de-0000-7000-8000-000000000000')).toMatchObject(notFound);
    expect(await notices(pilot)).toHaveLength(1);
  });
});

describe('recipients of', () => {
  /** Three pilots of one mission: accepted, pending, and on standby; each with a device. */
  async function givenThree() {
    const { id, seats } = await givenSeated(service, admin, 3, { name: 'Op Everybody' });
    const [accepted, , standby] = seats;
    if (!accepted || !standby) throw new Error('three pilots were to be seated');
    await respond(accepted.pilot, accepted.order, 'accepted');
    // the freed seat goes to somebody else, so that the pilot who gave it up stays on standby
    await givenPilot(service);
    await respond(standby.pilot, standby.order, 'standby');
    const devices = seats.map(() => givenDevice(push));
    for (const [index, { pilot }] of seats.entries()) {
      await pilot.client.call('POST', '/pilot/push/subscriptions', devices[index]?.subscription);
    }
    const streams = await Promise.all(seats.map(({ pilot }) => openStream(service, pilot.client.cookie())));
    for (const stream of streams) await stream.next('all');
    return { id, seats, devices, streams };
  }

  test('a mission at another time: all three, on their devices, live, and in the order itself', async () => {
    const { id, seats, devices, streams } = await givenThree();
    const at = { startLocal: hoursFromNow(65), endLocal: hoursFromNow(68) };
    expect((await admin.client.call('PUT', `/admin/missions/${id}`, at)).status).toBe(200);
    for (const stream of streams) await stream.next('orders');
    await expect.poll(() => devices.map((device) => device.messages().length)).toEqual([1, 1, 1]);
    for (const device of devices) {
      expect(device.messages()[0]?.body).toMatch(
        new RegExp(`^Changed: Start .* to ${zulu(`${at.startLocal}:00Z`)}\\.`),
      );
    }
    const orders = await Promise.all(seats.map(({ pilot, order }) => read(pilot, order)));
    expect(orders.map(({ rsvp }) => rsvp)).toEqual(['pending', 'pending', 'standby']);
    for (const { changes } of orders) {
      expect(changes).toContainEqual({ field: 'start', from: expect.any(String), to: zulu(`${at.startLocal}:00Z`) });
    }
    for (const stream of streams) stream.close();
  });

  test('a cancelled mission: all three, on their devices and live', async () => {
    const { id, devices, streams } = await givenThree();
    await cancel(id);
    for (const stream of streams) await stream.next('orders');
    await expect.poll(() => devices.map((device) => device.messages().length)).toEqual([1, 1, 1]);
    for (const device of devices)
      expect(device.messages()[0]?.body).toMatch(/^The mission on .* has been cancelled\.$/);
    for (const stream of streams) stream.close();
  });
});
