/** News of seats taken and swapped: open pages, devices, calendars. */
import ICAL from 'ical.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { LIVE_CHANNEL } from '#server/signals/live-signals.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
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
import { givenDevice, startPushService, type Device, type PushService } from '#tests/harness/push-service.ts';
import { answerSwap, propose, seatIn, take, vipers } from '#tests/harness/seats.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { openStream, type Stream } from '#tests/harness/stream.ts';

let push: PushService;
let service: Service;
let admin: Person;
const streams: Stream[] = [];
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
  for (const stream of streams.splice(0)) stream.close();
  await callOffMissions(service);
  await retirePilots(service);
  expect(await findBreaches(service)).toEqual([]);
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

/** All notifications that are due have been sent, or have come to nothing. */
const settled = () =>
  expect
    .poll(() => rows(sql`select 1 from graphile_worker.jobs where task_identifier = 'send_push'`), { timeout: 20_000 })
    .toEqual([]);

/** Waits until all earlier events have arrived, by sending one after them. @returns the topics since the last mark */
async function heard(pilot: Person, stream: Stream): Promise<string[]> {
  const [mark] = await rows<{ version: number }>(
    sql`with said as (select pg_current_xact_id()::text::bigint as version)
        select version::int, pg_notify(${LIVE_CHANNEL},
          json_build_object('topic', 'stats', 'version', version, 'to', json_build_array(${pilot.id}::text))::text)
        from said`,
  );
  const events = await stream.before(mark?.version ?? 0);
  return events.map(({ topic }) => topic).filter((topic) => topic !== 'stats');
}

async function listen(pilot: Person): Promise<Stream> {
  const stream = await openStream(service, pilot.client.cookie());
  streams.push(stream);
  await stream.next('all');
  await heard(pilot, stream);
  return stream;
}

/** Two pilots of one mission who have accepted, each with a device. */
async function givenPair() {
  const { seats } = await givenSeated(service, admin, 2);
  const [a, b] = await Promise.all(
    seats.map(async ({ pilot, order }) => {
      await respond(pilot, order, 'accepted');
      const device: Device = givenDevice(push);
      await pilot.client.call('POST', '/pilot/push/subscriptions', device.subscription);
      return { pilot, order, device };
    }),
  );
  if (!a || !b) throw new Error('two pilots were expected');
  return { a, b };
}

describe('a swap', () => {
  test.each(['agreed', 'declined'])('that is %s reaches the two pilots and nobody else', async (response) => {
    const { a, b } = await givenPair();
    const bystander = await givenPilot(service);
    const [ofA, ofB, ofBystander] = [await listen(a.pilot), await listen(b.pilot), await listen(bystander)];
    const all = async () => [await heard(a.pilot, ofA), await heard(b.pilot, ofB), await heard(bystander, ofBystander)];
    const { body: swap } = await propose(a.pilot, a.order.id, b.order.id);
    expect(await all()).toEqual([['orders'], ['orders'], []]);
    await answerSwap(b.pilot, swap.id, response);
    expect(await all()).toEqual([['orders'], ['orders'], []]);
  });

  test.each([
    ['agreed', 'agreed to swap seats. You have '],
    ['declined', 'declined to swap seats. You keep '],
  ])('reaches the device of who is asked, and the answer (%s) that of who asked', async (response, said) => {
    const { a, b } = await givenPair();
    const [ofA, ofB] = [await read(a.pilot, a.order), await read(b.pilot, b.order)];
    const words = (order: { flightCallsign: string; seatIndex: number }) =>
      `${order.flightCallsign}, F-16C Viper, seat ${order.seatIndex + 1}`;
    const { body: swap } = await propose(a.pilot, a.order.id, b.order.id);
    await settled();
    expect([a.device.messages(), b.device.messages()]).toEqual([
      [],
      [
        expect.objectContaining({
          title: expect.stringContaining(ofB.missionName),
          body: expect.stringContaining(
            `${a.pilot.displayName} asks to swap seats: your ${words(ofB)} for ${words(ofA)}. Answer by `,
          ),
          url: `/orders/${b.order.id}`,
          orderId: null,
        }),
      ],
    ]);
    push.requests.length = 0;
    await answerSwap(b.pilot, swap.id, response);
    await settled();
    const kept = response === 'agreed' ? ofB : ofA;
    expect(a.device.messages()).toMatchObject([{ body: `${b.pilot.displayName} ${said}${words(kept)}.` }]);
    expect(b.device.messages()).toEqual([]);
  });

  test('that is withdrawn before its notification is delivered sends none', async () => {
    const { a, b } = await givenPair();
    push.behave(503, 201);
    const { body: swap } = await propose(a.pilot, a.order.id, b.order.id);
    await expect.poll(() => push.requests.length, { timeout: 10_000 }).toBe(1);
    await a.pilot.client.call('DELETE', `/pilot/swaps/${swap.id}`);
    await settled();
    expect(push.requests).toHaveLength(1);
  });

  test('updates the same event in calendars with the new seat', async () => {
    const { a, b } = await givenPair();
    const event = async () => {
      const path = `${service.url}/api/v1/pilot/inbox/${a.order.id}/calendar.ics`;
      const text = await (await fetch(path, { headers: { cookie: a.pilot.client.cookie() } })).text();
      const [found] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
      if (!found) throw new Error('no date');
      return new ICAL.Event(found);
    };
    // so that later changes are at least a second later for the calendar, too
    await rows(sql`update frag_order set issued_at = issued_at - interval '1 hour', answered_at = answered_at - interval '1 hour',
                     accepted_at = accepted_at - interval '1 hour' where id = ${a.order.id}`);
    await rows(sql`update mission set updated_at = updated_at - interval '1 hour'`);
    const before = await event();
    const place = (await read(b.pilot, b.order)).seatIndex + 1;
    expect(before.description).not.toContain(`seat ${place}`);
    await answerSwap(b.pilot, (await propose(a.pilot, a.order.id, b.order.id)).body.id, 'agreed');
    const after = await event();
    expect(after.uid).toBe(before.uid);
    expect(after.sequence).toBeGreaterThan(before.sequence);
    expect(after.description).toContain(`seat ${place}`);
  });
});

test("taking an open seat updates the pilot's other pages, and sends no notification that asks for an answer", async () => {
  // a pilot who has declined is not asked again, so the seat stays open
  const pilot = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 40, { aircraftSlots: vipers(1) });
  await respond(pilot, await orderOf(pilot), 'declined');
  const device = givenDevice(push);
  await pilot.client.call('POST', '/pilot/push/subscriptions', device.subscription);
  const stream = await listen(pilot);
  expect((await take(pilot, await seatIn(admin, mission.id))).status).toBe(201);
  expect(new Set(await heard(pilot, stream))).toEqual(new Set(['orders']));
  await settled();
  expect(device.messages()).toEqual([]);
});
