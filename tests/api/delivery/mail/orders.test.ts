/** Frag orders by email: what is sent when, the choices and Do Not Disturb, and unsubscribing with one click. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { linkIn, startMailService, type MailService } from '#tests/harness/mail-service.ts';
import { callOffMissions, givenMissionIn, givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { createClient } from '#tests/harness/service.ts';

let mail: MailService;
let admin: Person;
beforeAll(async () => {
  mail = await startMailService();
  admin = await givenAdmin(mail.service);
});
afterAll(() => mail.stop());
beforeEach(async () => {
  await callOffMissions(mail.service);
  await retirePilots(mail.service);
  await mail.settle();
});

const F16 = 2;
const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) =>
  query<Row>(mail.service.app.orm.em.fork(), statement);
const given = (hours: number, name: string, slotCount = 1) =>
  givenMissionIn(mail.service, admin, hours, {
    name,
    aircraftSlots: [{ aircraftId: F16, slotCount, side: 0, notes: 'CAP' }],
  });
const subjectsTo = ({ email }: Person) => mail.server.to(email).map(({ parsed }) => parsed.subject);
const choose = (pilot: Person, choices: object) =>
  pilot.client.call('PUT', `/users/${pilot.id}/notifications`, {
    notifyOrders: true,
    notifyChanges: true,
    wantsGlobalEvents: false,
    ...choices,
  });

test('a new order is sent with seat, times in Zulu and in the zone of its pilot, and a link to answer', async () => {
  const pilot = await givenPilot(mail.service, F16);
  await rows(sql`update app_user set time_zone = 'Asia/Tokyo', display_name = 'Viper' where id = ${pilot.id}`);
  const { mission } = await given(40, 'Op <Night> & "Day"');
  const order = await orderOf(pilot);
  const { parsed } = await mail.mailTo(pilot.email);
  const [{ seq }] = (await pilot.client.call('GET', '/pilot/inbox')).body;
  expect(parsed.subject).toBe(
    `A seat for you, please answer: Op <Night> & "Day" (FRAG-${String(seq).padStart(3, '0')})`,
  );
  expect(parsed.text).toContain('Hello Viper,');
  // the oracle is Intl, by another route than the code's
  const start = new Date(`${mission.startLocal}Z`);
  const zulu = `${start.toISOString().slice(11, 16).replace(':', '')}Z`;
  const local = start.toLocaleTimeString('en-GB', { timeZone: 'Asia/Tokyo', hour: '2-digit', minute: '2-digit' });
  expect(parsed.text).toMatch(new RegExp(`Start: +\\w{3} \\d\\d \\w{3} ${zulu} \\([\\w ]*${local} in Asia/Tokyo\\)`));
  expect(parsed.text).toMatch(/Answer by: +\w{3} \d\d \w{3} \d{4}Z/);
  expect(parsed.text).toContain(`${mail.service.url}/orders/${order.id}`);
  expect(parsed.html).toContain('Op &#60;Night&#62; &#38; &#34;Day&#34;');
  expect(String(parsed.html)).not.toMatch(/<img|<script|src=/);
});

test('a change that asks again, a removal and a cancellation are told, and an answer is not', async () => {
  const pilot = await givenPilot(mail.service, F16);
  const { mission } = await given(50, 'Op Shift');
  const order = await orderOf(pilot);
  await mail.mailTo(pilot.email);
  await respond(pilot, order, 'accepted');
  const later = (local: string) => new Date(Date.parse(`${local}Z`) + 3_600_000).toISOString().slice(0, 16);
  const moved = await admin.client.call('PUT', `/admin/missions/${mission.id}`, {
    startLocal: later(mission.startLocal),
    endLocal: later(mission.endLocal),
    timeZone: 'UTC',
  });
  expect(moved.status).toBe(200);
  const changed = await mail.mailTo(pilot.email, 2);
  expect(changed.parsed.subject).toMatch(/^Changed, please answer again: Op Shift/);
  expect(changed.parsed.text).toMatch(/Changed: .*Answer by/s);
  expect((await admin.client.call('POST', `/admin/missions/${mission.id}/cancel`, {})).status).toBe(200);
  const cancelled = await mail.mailTo(pilot.email, 3);
  expect(cancelled.parsed.subject).toMatch(/^Cancelled: Op Shift/);
  await mail.settle();
  expect(subjectsTo(pilot)).toHaveLength(3);
});

test('a standby pilot who gets a seat, and a pilot whom an admin removes, are told', async () => {
  const [first, second] = [await givenPilot(mail.service, F16), await givenPilot(mail.service, F16)];
  const { mission } = await given(60, 'Op Bench');
  const holders = [first, second];
  const inboxes = await Promise.all(holders.map(({ client }) => client.call('GET', '/pilot/inbox')));
  const place = inboxes.findIndex(({ body }) => body.length > 0);
  const [holder, other] = place === 0 ? [first, second] : [second, first];
  // an order that is answered first needs no email
  await mail.mailTo(holder.email);
  await respond(holder, await orderOf(holder), 'standby');
  // the next pilot is asked, declines, and the seat goes to the pilot on standby
  await mail.mailTo(other.email);
  // a seat from standby obeys the choice of new orders, as on the other channels
  expect((await choose(holder, { emailChanges: false })).status).toBe(200);
  await respond(other, await orderOf(other), 'declined');
  const seated = await mail.mailTo(holder.email, 2);
  expect(seated.parsed.subject).toMatch(/^You're in: Op Bench/);
  expect((await choose(holder, { emailChanges: true })).status).toBe(200);
  const { body } = await admin.client.call('GET', `/admin/missions/${mission.id}`);
  const flightId = body.packages[0].flights[0].id;
  await admin.client.call('DELETE', `/admin/missions/${mission.id}/seats/${flightId}/0`);
  const removed = await mail.mailTo(holder.email, 3);
  expect(removed.parsed.subject).toMatch(/^You no longer have a seat: Op Bench/);
});

test('nothing is sent to pilots who chose otherwise, are in Do Not Disturb, or have answered before it is their turn', async () => {
  const quiet = await givenPilot(mail.service, F16);
  expect((await choose(quiet, { emailOrders: false })).body).toMatchObject({ emailOrders: false, emailChanges: true });
  await given(70, 'Op Quiet');
  await orderOf(quiet);
  await mail.settle();
  expect(subjectsTo(quiet)).toEqual([]);

  // else the next pilot would be asked for the seat of the one who retires
  await callOffMissions(mail.service);
  await retirePilots(mail.service);
  const busy = await givenPilot(mail.service, F16);
  // within 24 hours, which Do Not Disturb is about
  await given(10, 'Op Busy');
  const order = await orderOf(busy);
  await mail.mailTo(busy.email);
  await busy.client.call('PUT', `/users/${busy.id}/status`, { state: 'dnd' });
  await rows(
    sql`insert into delivery (id, channel, kind, user_id, subject_id, topic, next_attempt_at, deadline_at, created_at)
        values (gen_random_uuid(), 'mail', 'order', ${busy.id}, ${order.id}, 'order', now() - interval '1 hour',
                now() + interval '1 day', now())`,
  );
  // the maintenance job finds it without a job
  await rows(sql`select graphile_worker.add_job('maintenance')`);
  await mail.settle();
  const [row] = await rows<{ state: string }>(
    sql`select state from delivery where subject_id = ${order.id} order by created_at desc limit 1`,
  );
  expect(row?.state).toBe('dropped');
  expect(subjectsTo(busy)).toEqual([expect.stringMatching(/^A seat for you/)]);
});

test('one click in the mail program unsubscribes from one kind, without signing in, and can be undone', async () => {
  const pilot = await givenPilot(mail.service, F16);
  await given(90, 'Op Click');
  await orderOf(pilot);
  const taken = await mail.mailTo(pilot.email);
  const { parsed } = taken;
  const headers = new Map(parsed.headerLines.map(({ key, line }) => [key, line.replaceAll(/\r?\n\s+/g, ' ')]));
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const [, url = ''] = /^List-Unsubscribe: <([^>]+)>$/.exec(headers.get('list-unsubscribe') ?? '') ?? [];
  expect(url).toBe(linkIn(taken, '/email/unsubscribe/'));
  const choices = async () => (await pilot.client.call('GET', `/users/${pilot.id}/notifications`)).body;

  const wrong = await fetch(`${url}x`, { method: 'POST', body: new URLSearchParams() });
  expect(wrong.status).toBe(400);
  expect(await choices()).toMatchObject({ emailOrders: true });
  // as RFC 8058 has it: a form, no cookies, no origin; and again, because programs retry
  for (let click = 0; click < 2; click += 1) {
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(url, { method: 'POST', body, redirect: 'error' })).status).toBe(200);
  }
  expect(await choices()).toMatchObject({ emailOrders: false, emailChanges: true });
  const undone = await createClient(mail.service).call('POST', '/mail/subscription', {
    token: url.split('/').at(-1),
    isWanted: true,
  });
  expect(undone).toMatchObject({ status: 200, body: { choice: 'orders', isWanted: true } });
  expect(await choices()).toMatchObject({ emailOrders: true });
});

test('a practice mission sends nothing', async () => {
  const { status } = await admin.client.call('POST', '/admin/practice-missions');
  expect(status).toBe(201);
  await mail.settle();
  const [row] = await rows<{ count: number }>(
    sql`select count(*)::int from delivery as m join frag_order as o on o.id::text = m.subject_id
        join mission as n on n.id = o.mission_id where n.is_practice`,
  );
  expect(row?.count).toBe(0);
});
