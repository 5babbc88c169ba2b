/** Webhook events: when each one is sent, with which data, and that nothing is sent for what did not happen. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { WEBHOOK_EVENT_NAMES } from '#shared/webhook-events.ts';
import { givenAdmin, PASSWORD, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, orderOf, respond } from '#tests/harness/orders.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '#tests/harness/webhook-receiver.ts';
import { differences } from '#tests/api/http/answer-shapes.ts';
import { EVENT_SHAPES } from './event-shapes.ts';

let service: Service;
let receiver: WebhookReceiver;
let admin: Person;
beforeAll(async () => {
  [service, receiver] = await Promise.all([
    startService({ withJobs: true, env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } }),
    startWebhookReceiver(),
  ]);
  admin = await givenAdmin(service);
  const { body } = await admin.client.call('POST', '/admin/webhooks', {
    url: receiver.url,
    events: WEBHOOK_EVENT_NAMES,
  });
  receiver.secrets.push(body.secret);
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
  expect(receiver.forged).toEqual([]);
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const POLL = { timeout: 15_000, interval: 50 };
/** The events of a mission, or of anything else, once nothing is waiting. */
async function eventsOf(missionId: string) {
  await expect.poll(() => rows(sql`select 1 from delivery where state in ('queued', 'sending')`), POLL).toEqual([]);
  return receiver.taken().filter(({ data }) => data.mission?.id === missionId);
}
const typesOf = async (missionId: string) => (await eventsOf(missionId)).map(({ type }) => type);

beforeEach(async () => {
  await rows(sql`update app_user set roles = '{}' where not 'admin' = any(roles)`);
});

test('a registration is sent with the account', async () => {
  const visitor = createClient(service);
  const { body } = await visitor.call('POST', '/auth/register', {
    email: 'maverick@example.org',
    password: PASSWORD,
    confirmPassword: PASSWORD,
  });
  await expect.poll(() => receiver.taken().map(({ type }) => type), POLL).toEqual(['pilot.registered']);
  const [event] = receiver.taken();
  expect(event?.data).toEqual({ user: body });
});

test('a mission that is published, answered and filled is told in this order, as admins see it', async () => {
  const pilot = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 30);
  const order = await orderOf(pilot);
  await respond(pilot, order, 'accepted');
  const events = await eventsOf(mission.id);
  expect(events.map(({ type }) => type)).toEqual([
    'mission.published',
    'order.issued',
    'order.answered',
    'mission.filled',
  ]);
  const [shown, orders] = await Promise.all(
    [`/admin/missions/${mission.id}`, `/admin/missions/${mission.id}/orders`].map(
      async (path) => (await admin.client.call('GET', path)).body,
    ),
  );
  expect(events[3]?.data).toEqual({ mission: shown });
  expect(events[2]?.data).toMatchObject({ order: orders[0], mission: { id: mission.id, name: 'Op Iron Hound' } });
  expect(events[1]?.data.order).toMatchObject({ id: order.id, rsvp: 'pending', userId: pilot.id });
  expect(events[0]?.data.mission.packages[0].flights[0]).toMatchObject({ pendingCount: 1, openSlots: 0 });
});

test('a mission that was open in between is filled again', async () => {
  const pilot = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 40);
  const order = await orderOf(pilot);
  for (const answer of ['accepted', 'accepted', 'declined', 'accepted']) await respond(pilot, order, answer);
  // the maintenance of each minute may have come by while it was open
  const told = (await typesOf(mission.id)).filter((type) => type !== 'mission.short');
  expect(told.slice(2)).toEqual([
    'order.answered',
    'mission.filled',
    'order.answered',
    'order.answered',
    'mission.filled',
  ]);
});

test('an edit, an expiry and the cancellation are told', async () => {
  const pilot = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 50);
  const order = await orderOf(pilot);
  await admin.client.call('PUT', `/admin/missions/${mission.id}`, { notes: 'Lights on' });
  await rows(sql`update frag_order set expires_at = now() - interval '1 second' where id = ${order.id}`);
  await rows(
    sql`select graphile_worker.add_job('backfill_mission', ${JSON.stringify({ missionId: mission.id })}::json)`,
  );
  await expect
    .poll(() => rows(sql`select 1 from frag_order where id = ${order.id} and status = 'issued'`), POLL)
    .toEqual([]);
  await admin.client.call('POST', `/admin/missions/${mission.id}/cancel`);
  const events = await eventsOf(mission.id);
  expect(events.slice(2).map(({ type }) => type)).toEqual(['mission.changed', 'order.expired', 'mission.cancelled']);
  expect(events[2]?.data).toMatchObject({
    mission: { notes: 'Lights on' },
    changes: [{ field: 'notes', from: null, to: 'Lights on' }],
  });
  expect(events[3]?.data.order).toMatchObject({ id: order.id, status: 'cancelled', statusReason: 'expired' });
  expect(events[4]?.data.mission).toMatchObject({ status: 'cancelled' });
});

test('pilots who are moved and removed are told as changes of the mission', async () => {
  const pilot = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 60, {
    aircraftSlots: [{ aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' }],
  });
  const { body } = await admin.client.call('GET', `/admin/missions/${mission.id}`);
  const seat = (index: number) => `/admin/missions/${mission.id}/seats/${body.packages[0].flights[0].id}/${index}`;
  await admin.client.call('PUT', seat(1), { userId: pilot.id });
  await admin.client.call('DELETE', seat(1));
  expect((await typesOf(mission.id)).slice(2)).toEqual(['mission.changed', 'mission.changed']);
});

test('comments are told, with their text only where everybody may read it', async () => {
  const pilot = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 65, {
    aircraftSlots: [0, 1].map((side) => ({ aircraftId: 2, slotCount: 1, side: side as 0 | 1, notes: 'CAP' as const })),
  });
  await respond(pilot, await orderOf(pilot), 'accepted');
  const thread = `/missions/${mission.id}/thread`;
  await admin.client.call('POST', thread, { text: 'Welcome', side: null });
  const { body } = await pilot.client.call('POST', thread, { text: 'We go low' });
  await pilot.client.call('PUT', `${thread}/${body.id}`, { text: 'We go high' });
  await admin.client.call('DELETE', `${thread}/${body.id}`);
  await pilot.client.call('DELETE', `${thread}/${body.id}`);
  const told = (await eventsOf(mission.id)).filter(({ type }) => type === 'mission.comment');
  const ofPilot = { userId: pilot.id, userDisplayName: pilot.displayName, side: body.side, text: null };
  expect(told.map(({ data }) => data.comment)).toMatchObject([
    { action: 'written', userDisplayName: 'Ops', side: null, text: 'Welcome' },
    { action: 'written', ...ofPilot },
    { action: 'edited', ...ofPilot },
    { action: 'removed', ...ofPilot },
    { action: 'removed', id: body.id, userId: null, text: null },
  ]);
});

test('a draft is nobody’s business until it is published', async () => {
  const { mission } = await givenMissionIn(service, admin, 70, { publish: false });
  await admin.client.call('PUT', `/admin/missions/${mission.id}`, { notes: 'Perhaps' });
  const { mission: dropped } = await givenMissionIn(service, admin, 75, { publish: false });
  await admin.client.call('POST', `/admin/missions/${dropped.id}/cancel`);
  await admin.client.call('POST', `/admin/missions/${mission.id}/publish`);
  expect(await typesOf(mission.id)).toEqual(['mission.published']);
  expect(await typesOf(dropped.id)).toEqual([]);
});

test('what a failed transaction would have changed is not sent', async () => {
  const pilot = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 80);
  await rows(
    sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$`,
  );
  await rows(sql`create constraint trigger refuse after update on frag_order deferrable initially deferred
                 for each row execute function refuse()`);
  const order = await orderOf(pilot);
  expect((await respond(pilot, order, 'accepted')).status).toBe(500);
  await rows(sql`drop trigger refuse on frag_order`);
  await rows(sql`drop function refuse`);
  expect(await typesOf(mission.id)).toEqual(['mission.published', 'order.issued']);
});

const maintain = () => rows(sql`select graphile_worker.add_job('maintenance', job_key => 'maintenance')`);

test('too few pilots are told once per stage, the end once', async () => {
  const { mission } = await givenMissionIn(service, admin, 60);
  const shifted = async (hours: number): Promise<string[]> => {
    await rows(
      sql`update mission set starts_at = now() + make_interval(hours => ${sql.lit(hours)}),
            ends_at = now() + make_interval(hours => ${sql.lit(hours + 1)}) where id = ${mission.id}`,
    );
    for (let run = 0; run < 2; run += 1) {
      await maintain();
      await expect
        .poll(() => rows(sql`select 1 from graphile_worker.jobs where key = 'maintenance'`), POLL)
        .toEqual([]);
    }
    return typesOf(mission.id);
  };
  expect(await shifted(60)).toEqual(['mission.published', 'mission.short']);
  expect(await shifted(30)).toHaveLength(3);
  expect(await shifted(20)).toHaveLength(4);
  // it ended a moment ago, after the webhook was created
  await rows(sql`update webhook set listens_since = now() - interval '1 hour'`);
  const told = await shifted(-1);
  expect(told.slice(1)).toEqual(['mission.short', 'mission.short', 'mission.short', 'mission.completed']);
  expect((await eventsOf(mission.id)).slice(1, 4).map(({ data }) => data.turnout.stage)).toEqual([
    '7 days',
    '48 hours',
    '24 hours',
  ]);
}, 60_000);

test('a webhook only gets the events that it wants, and none from before it was created', async () => {
  const second = await startWebhookReceiver();
  const { mission: before } = await givenMissionIn(service, admin, 90);
  await rows(sql`update mission set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 minute'
                 where id = ${before.id}`);
  const { body } = await admin.client.call('POST', '/admin/webhooks', {
    url: second.url,
    events: ['mission.cancelled', 'mission.completed'],
  });
  second.secrets.push(body.secret);
  await maintain();
  const { mission } = await givenMissionIn(service, admin, 95);
  await admin.client.call('POST', `/admin/missions/${mission.id}/cancel`);
  expect(await typesOf(mission.id)).toEqual(['mission.published', 'mission.cancelled']);
  await expect.poll(() => rows(sql`select 1 from graphile_worker.jobs where key = 'maintenance'`), POLL).toEqual([]);
  expect((await eventsOf(before.id)).map(({ type }) => type)).toEqual(['mission.published', 'mission.completed']);
  expect(second.taken().map(({ type, data }) => [type, data.mission.id])).toEqual([['mission.cancelled', mission.id]]);
  await admin.client.call('DELETE', `/admin/webhooks/${body.id}`);
  await second.stop();
});

test('the data of each event have the fields that are listed, and no others', () => {
  const sent = receiver.taken();
  for (const name of WEBHOOK_EVENT_NAMES) {
    const events = sent.filter(({ type }) => type === name);
    expect(events, name).not.toEqual([]);
    for (const { data } of events) expect(differences(EVENT_SHAPES[name], data), name).toEqual([]);
  }
});

test('without a webhook that wants it, nothing is written', async () => {
  await rows(sql`update webhook set is_enabled = false`);
  const count = async () =>
    (await rows<{ count: number }>(sql`select count(*)::int as count from webhook_event`))[0]?.count;
  const before = await count();
  await givenPilot(service);
  await givenMissionIn(service, admin, 100);
  expect(await count()).toBe(before);
  await rows(sql`update webhook set is_enabled = true`);
});
