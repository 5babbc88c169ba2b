/** Reminders by email and push, through a real SMTP server and a real push service, with the worker's own schedule. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { linkIn, startMailService, type MailService } from '#tests/harness/mail-service.ts';
import { callOffMissions, respond, retirePilots } from '#tests/harness/orders.ts';
import { givenDevice, startPushService, type PushService } from '#tests/harness/push-service.ts';
import { runReminderJob } from '#tests/harness/reminder-job.ts';
import { choose, givenSeat, passTime, remindersOf } from '#tests/harness/reminders.ts';
import { createClient } from '#tests/harness/service.ts';

let push: PushService;
let mail: MailService;
let admin: Person;
beforeAll(async () => {
  push = await startPushService();
  mail = await startMailService({ env: { PUSH_EXTRA_ORIGINS: push.origin } });
  admin = await givenAdmin(mail.service);
});
afterAll(async () => {
  await mail.stop();
  await push.stop();
});
beforeEach(async () => {
  await callOffMissions(mail.service);
  await retirePilots(mail.service);
  await mail.settle();
});

const runJob = (times = 1) => runReminderJob(mail, times);
const remindersTo = ({ email }: Person) =>
  mail.server.to(email).filter(({ parsed }) => !/please answer/.test(parsed.subject ?? ''));

test('a pilot is reminded 24 h before, with a question, and 1 h before, each once', async () => {
  const { pilot, order } = await givenSeat(mail.service, admin, 26, { name: 'Op Recall' });
  await runJob(3);
  expect(remindersTo(pilot)).toEqual([]);
  await passTime(mail.service, 2 * 60);
  await runJob(4);
  expect(remindersTo(pilot)).toHaveLength(1);
  const [asked] = remindersTo(pilot);
  expect(asked?.parsed.subject).toMatch(/^Still flying\? Op Recall starts in 24 hours \(FRAG-\d+\)$/);
  expect(asked?.parsed.text).toContain(`${mail.service.url}/orders/${order.id}`);
  await passTime(mail.service, 23 * 60);
  await runJob(4);
  expect(remindersTo(pilot).map(({ parsed }) => parsed.subject)).toEqual([
    asked?.parsed.subject,
    expect.stringMatching(/^Op Recall starts in 1 hour \(FRAG-\d+\)$/),
  ]);
  expect(await remindersOf(mail.service, pilot)).toMatchObject([
    { lead: 1440, asks: true, channels: ['email'] },
    { lead: 60, asks: false, channels: ['email'] },
  ]);
  await passTime(mail.service, 61);
  await runJob(2);
  expect(remindersTo(pilot)).toHaveLength(2);
});

test('one click ends reminders by email alone, and can be undone', async () => {
  const { pilot } = await givenSeat(mail.service, admin, 25);
  await passTime(mail.service, 60);
  await runJob();
  const [taken] = remindersTo(pilot);
  const url = taken ? linkIn(taken, '/email/unsubscribe/') : '';
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(url, { method: 'POST', body, redirect: 'error' })).status).toBe(200);
  const choices = async () => (await pilot.client.call('GET', `/users/${pilot.id}/notifications`)).body;
  expect(await choices()).toMatchObject({ remindByEmail: false, emailOrders: true, emailChanges: true });
  await passTime(mail.service, 23 * 60);
  await runJob();
  expect(remindersTo(pilot)).toHaveLength(1);
  // nobody was told: the admins see that
  expect(await remindersOf(mail.service, pilot)).toMatchObject([{ channels: ['email'] }, { channels: [] }]);
  const token = url.split('/').at(-1);
  const undone = await createClient(mail.service).call('POST', '/mail/subscription', { token, isWanted: true });
  expect(undone).toMatchObject({ status: 200, body: { choice: 'reminders', isWanted: true } });
  expect(await choices()).toMatchObject({ remindByEmail: true });
});

test('Do Not Disturb holds no reminder back; turning email off after it was queued does', async () => {
  const { pilot } = await givenSeat(mail.service, admin, 25);
  await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'dnd' });
  await passTime(mail.service, 60);
  await runJob();
  expect(remindersTo(pilot)).toHaveLength(1);
  expect((await choose(pilot, { remindByEmail: false })).status).toBe(200);
  const em = mail.service.app.orm.em.fork();
  await query(
    em,
    sql`update delivery set state = 'queued', next_attempt_at = now() where kind = 'reminder' and user_id = ${pilot.id}`,
  );
  await query(em, sql`select graphile_worker.add_job('maintenance')`);
  await query(
    em,
    sql`select graphile_worker.add_job('send_mail', json_build_object('deliveryId', id)) from delivery
        where kind = 'reminder' and user_id = ${pilot.id}`,
  );
  await mail.settle();
  expect(remindersTo(pilot)).toHaveLength(1);
});

test("a reminder reaches each of the pilot's devices once, and none after the seat is given back", async () => {
  const { pilot, order } = await givenSeat(mail.service, admin, 26, { name: 'Op Beacon' });
  const devices = [givenDevice(push), givenDevice(push)];
  for (const { subscription } of devices) {
    expect((await pilot.client.call('POST', '/pilot/push/subscriptions', subscription)).status).toBe(201);
  }
  await passTime(mail.service, 2 * 60);
  await runJob(4);
  const reminder = {
    title: expect.stringMatching(/^FRAG-\d+: Op Beacon$/),
    body: expect.stringMatching(/^Still flying\? Starts in 24 hours\. /),
    url: `/orders/${order.id}`,
    asks: 'confirmation',
  };
  for (const device of devices) expect(device.messages()).toMatchObject([reminder]);
  expect((await respond(pilot, order, 'declined')).status).toBe(200);
  await passTime(mail.service, 23 * 60);
  await runJob(4);
  for (const device of devices) expect(device.messages()).toHaveLength(1);
});
