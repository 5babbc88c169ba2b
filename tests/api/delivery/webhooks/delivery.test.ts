/** Deliveries of webhooks: signatures, rotation, retries and their order, the log, replay, what disables a webhook, caps. */
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { givenMissionIn } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '#tests/harness/webhook-receiver.ts';

let service: Service;
let receiver: WebhookReceiver;
let admin: Person;
/** the path of the webhook */
let path: string;
let secret: string;
beforeAll(async () => {
  service = await startService({ withJobs: true, env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } });
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  receiver = await startWebhookReceiver();
  const { body } = await admin.client.call('POST', '/admin/webhooks', { url: receiver.url, events: EVENTS });
  path = `/admin/webhooks/${body.id}`;
  ({ secret } = body);
  receiver.secrets.push(secret);
});
afterEach(async () => {
  await admin.client.call('DELETE', path);
  await receiver.stop();
  expect(receiver.forged).toEqual([]);
});

const EVENTS = ['mission.published', 'mission.changed', 'mission.cancelled'];
const POLL = { timeout: 15_000, interval: 50 };
const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const call = async (method: string, rest = '', body?: unknown) => admin.client.call(method, `${path}${rest}`, body);
const log = async () => (await call('GET', '/deliveries')).body.deliveries;
const states = async () => (await log()).map(({ state }: { state: string }) => state);
const webhook = async () =>
  (await admin.client.call('GET', '/admin/webhooks')).body.find(({ id }: { id: string }) => path.endsWith(id));
let hours = 40;
const publish = async (): Promise<string> => {
  hours += 4;
  return (await givenMissionIn(service, admin, hours)).mission.id;
};
/** Make every retry due, as if its pause had passed. */
const passPauses = async () => {
  await rows(sql`update delivery set next_attempt_at = now() - interval '1 minute' where state = 'queued'`);
  await rows(
    sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now())
        from graphile_worker.jobs where task_identifier = 'send_webhook' and locked_at is null having count(*) > 0`,
  );
};

test('a request carries the headers of Standard Webhooks, and its signature is the HMAC of id, time and body', async () => {
  const missionId = await publish();
  await expect.poll(() => receiver.requests.length, POLL).toBe(1);
  const [request] = receiver.requests;
  if (!request) throw new Error('No request arrived');
  const { headers, text, event } = request;
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = headers;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  expect(key.length).toBeGreaterThanOrEqual(24);
  expect(signature).toBe(`v1,${createHmac('sha256', key).update([id, time, text].join('.')).digest('base64')}`);
  expect(Math.abs(Date.now() / 1000 - Number(time))).toBeLessThan(60);
  expect(headers['content-type']).toBe('application/json');
  expect(event).toMatchObject({ id, type: 'mission.published', data: { mission: { id: missionId } } });
});

test('for a day after a rotation both secrets sign, then only the new one', async () => {
  const { body: rotated } = await call('POST', '/rotate-secret');
  expect(Date.parse(rotated.previousSecretUntil) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
  // a receiver that still has the former secret, and one that has the new one
  await publish();
  await expect.poll(() => receiver.requests.length, POLL).toBe(1);
  receiver.secrets.splice(0, 1, rotated.secret);
  await publish();
  await expect.poll(() => receiver.requests.length, POLL).toBe(2);
  const signatures = () =>
    receiver.requests.map(({ headers }) => String(headers['webhook-signature']).split(' ').length);
  expect(signatures()).toEqual([2, 2]);
  expect((await webhook()).previousSecretUntil).toBe(rotated.previousSecretUntil);
  await rows(sql`update webhook set previous_secret_until = now() - interval '1 second'`);
  await publish();
  await expect.poll(() => receiver.requests.length, POLL).toBe(3);
  expect(signatures()).toEqual([2, 2, 1]);
  expect((await webhook()).previousSecretUntil).toBeNull();
});

test('a later event of a mission waits while an earlier one is retried; other missions do not', async () => {
  receiver.reactTo(({ type }) => (type === 'mission.published' ? 500 : 204));
  const missionId = await publish();
  await expect.poll(() => receiver.requests.length, POLL).toBe(1);
  await admin.client.call('PUT', `/admin/missions/${missionId}`, { notes: 'Later' });
  await expect.poll(async () => (await webhook()).failingSince, POLL).not.toBeNull();
  expect((await webhook()).waiting).toBe(2);
  receiver.react(204);
  const other = await publish();
  await expect.poll(() => receiver.taken().map(({ data }) => data.mission.id), POLL).toEqual([other]);
  const [, waiting, failed] = await log();
  expect(waiting).toMatchObject({ type: 'mission.changed', state: 'waiting', attempts: 0, missionId });
  expect(failed).toMatchObject({
    state: 'waiting',
    attempts: 1,
    responseStatus: 500,
    error: 'The receiver answered 500.',
  });
  const pause = Date.parse(failed.nextAttemptAt) - Date.now();
  expect([pause > 0, pause < 6_100]).toEqual([true, true]);
  await passPauses();
  await expect
    .poll(() => receiver.taken().map(({ type }) => type), POLL)
    .toEqual(['mission.published', 'mission.published', 'mission.changed']);
  expect((await webhook()).failingSince).toBeNull();
  // the repeated request has the same id and body, so that a receiver can recognize it
  const [first, , again] = receiver.requests;
  expect([again?.event.id, again?.text]).toEqual([first?.event.id, first?.text]);
});

test('after an outage what waits is sent within seconds, one request after the other', async () => {
  await receiver.goDown();
  const missionId = await publish();
  await expect.poll(async () => (await log())[0]?.attempts, POLL).toBe(1);
  const notes = Array.from({ length: 30 }, (_, index) => `${index}`);
  for (const note of notes) await admin.client.call('PUT', `/admin/missions/${missionId}`, { notes: note });
  expect((await webhook()).waiting).toBe(31);
  await receiver.comeUp();
  await passPauses();
  await expect.poll(() => receiver.taken().length, POLL).toBe(31);
  expect(
    receiver.taken().flatMap(({ type, data }) => (type === 'mission.changed' ? [data.mission.notes] : [])),
  ).toEqual(notes);
  expect(receiver.openMax()).toBe(1);
});

test.each([
  ['a cut connection', 'cut', 'The connection was cut.', null],
  ['a redirect', { redirectTo: 'http://127.0.0.1:1/' }, 'The receiver answered 307: redirects are not followed.', 307],
  ['an error', 400, 'The receiver answered 400.', 400],
] as const)('%s is a failure, with a sentence in the log', async (_what, reaction, sentence, status) => {
  receiver.react(reaction);
  await publish();
  await expect.poll(async () => (await log())[0]?.error, POLL).toBe(sentence);
  expect((await log())[0]).toMatchObject({ state: 'waiting', attempts: 1, responseStatus: status, deliveredAt: null });
  expect(receiver.requests).toHaveLength(1);
});

test('a receiver that is down, and an answer that does not end', async () => {
  await receiver.goDown();
  const missionId = await publish();
  await expect.poll(async () => (await log())[0]?.error, POLL).toBe('The connection was refused.');
  await receiver.comeUp();
  receiver.react({ endlessly: 200 });
  await passPauses();
  await expect.poll(states, POLL).toEqual(['delivered']);
  expect((await log())[0]).toMatchObject({
    missionId,
    attempts: 2,
    responseStatus: 200,
    error: null,
    nextAttemptAt: null,
  });
});

test.each([
  ['in seconds', () => '3600'],
  ['as a date', () => new Date(Date.now() + 3_600_000).toUTCString()],
])('a receiver that is overloaded chooses the pause, %s', async (_form, retryAfter) => {
  receiver.react({ status: 503, retryAfter: retryAfter() }, 204);
  await publish();
  await expect.poll(async () => (await log())[0]?.responseStatus, POLL).toBe(503);
  const pause = Date.parse((await log())[0].nextAttemptAt) - Date.now();
  // and at most a fifth more, as every pause
  expect(pause / 3_600_000).toBeGreaterThan(0.99);
  expect(pause / 3_600_000).toBeLessThan(1.21);
});

test('after a day of failures a delivery has failed, and can be sent again with its id', async () => {
  receiver.react(500);
  await publish();
  await expect.poll(async () => (await log())[0]?.error, POLL).toBe('The receiver answered 500.');
  await rows(sql`update delivery set created_at = now() - interval '24 hours'`);
  await passPauses();
  await expect.poll(states, POLL).toEqual(['failed']);
  const [failed] = await log();
  expect(failed).toMatchObject({ attempts: 2, nextAttemptAt: null, isReplay: false });
  receiver.react(204);
  const { status, body } = await call('POST', `/deliveries/${failed.id}/replay`);
  expect([status, body.eventId, body.isReplay, body.state]).toEqual([201, failed.eventId, true, 'waiting']);
  await expect.poll(states, POLL).toEqual(['delivered', 'failed']);
  expect(receiver.taken().map(({ id }) => id)).toEqual([failed.eventId]);
});

test('a delivery that is waiting, unknown, or of a paused webhook cannot be sent again', async () => {
  receiver.react(500);
  await publish();
  await expect.poll(() => receiver.requests.length, POLL).toBe(1);
  const [{ id }] = await log();
  expect((await call('POST', `/deliveries/${id}/replay`)).body.code).toBe('DELIVERY_WAITING');
  expect((await call('POST', `/deliveries/${admin.id}/replay`)).body.code).toBe('DELIVERY_NOT_FOUND');
  await call('PUT', '', { url: receiver.url, events: EVENTS, enabled: false });
  for (const rest of [`/deliveries/${id}/replay`, '/test']) {
    expect((await call('POST', rest)).body.code).toBe('WEBHOOK_PAUSED');
  }
});

test('a paused webhook gets nothing; once it is enabled, what was waiting and what happens then', async () => {
  receiver.react(500);
  const before = await publish();
  await expect.poll(() => receiver.requests.length, POLL).toBe(1);
  await call('PUT', '', { url: receiver.url, events: EVENTS, enabled: false });
  receiver.react(204);
  await publish();
  await call('PUT', '', { url: receiver.url, events: EVENTS, enabled: true });
  const after = await publish();
  await expect.poll(() => receiver.taken().map(({ data }) => data.mission.id), POLL).toEqual([before, after]);
});

test('a test event reaches the receiver, whatever its events are', async () => {
  const { status, body } = await call('POST', '/test');
  expect([status, body.type, body.missionId]).toEqual([201, 'webhook.test', null]);
  await expect.poll(() => receiver.taken().map(({ type }) => type), POLL).toEqual(['webhook.test']);
});

test('410 disables the webhook, five days of failures do, and the reason is told', async () => {
  receiver.react(410);
  await publish();
  await expect.poll(async () => (await webhook()).enabled, POLL).toBe(false);
  expect((await webhook()).disabledReason).toBe('The receiver answered 410 (Gone): it wants no more events.');
  expect(await states()).toEqual(['failed']);
  await call('PUT', '', { url: receiver.url, events: EVENTS, enabled: true });
  expect((await webhook()).disabledReason).toBeNull();

  receiver.react(500);
  await publish();
  await expect.poll(async () => (await log())[0]?.error, POLL).toBe('The receiver answered 500.');
  await rows(sql`update delivery set created_at = now() - interval '25 hours' where state = 'queued'`);
  await rows(sql`update webhook set failing_since = now() - interval '5 days'`);
  await passPauses();
  await expect.poll(async () => (await webhook()).disabledReason, POLL).toBe('Every delivery has failed for 5 days.');
  const { body } = await admin.client.call('GET', '/admin/audit?action=webhook_disabled');
  expect(
    body.entries.map(({ summary, actor, subjectName }: Record<string, unknown>) => [summary, actor, subjectName]),
  ).toEqual([
    ['Disabled by Marshal: Every delivery has failed for 5 days.', null, new URL(receiver.url).host],
    [
      'Disabled by Marshal: The receiver answered 410 (Gone): it wants no more events.',
      null,
      new URL(receiver.url).host,
    ],
  ]);
});

test('the audit log tells who created, changed, rotated and deleted a webhook', async () => {
  await call('PUT', '', { url: receiver.url, events: ['mission.filled'], enabled: false });
  await call('POST', '/rotate-secret');
  await call('DELETE');
  const { body } = await admin.client.call('GET', `/admin/audit?subjectId=${path.split('/').at(-1)}`);
  expect(body.entries.map(({ summary }: { summary: string }) => summary)).toEqual([
    'Deleted the webhook',
    'Rotated the signing secret',
    'Paused; events: mission.filled',
    'Created the webhook',
  ]);
  expect(JSON.stringify(body)).not.toContain('whsec_');
});

test('secrets are shown once, and no list or log contains them', async () => {
  await publish();
  await expect.poll(states, POLL).toEqual(['delivered']);
  const shown = [
    await webhook(),
    await log(),
    (await call('PUT', '', { url: receiver.url, events: EVENTS, enabled: true })).body,
  ];
  expect(JSON.stringify(shown)).not.toContain('whsec_');
});

test('an installation has at most 20 webhooks', async () => {
  const create = () => admin.client.call('POST', '/admin/webhooks', { url: receiver.url, events: EVENTS });
  const answers = await Promise.all(Array.from({ length: 25 }, create));
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(19);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
  for (const { body } of made) await admin.client.call('DELETE', `/admin/webhooks/${body.id}`);
});

test('one request at a time, and the old log is deleted', async () => {
  receiver.react({ status: 204, afterMs: 100 });
  await Promise.all([publish(), publish(), publish()]);
  await expect.poll(states, POLL).toEqual(['delivered', 'delivered', 'delivered']);
  expect(receiver.openMax()).toBe(1);
  await rows(sql`update delivery set created_at = now() - interval '31 days'`);
  await rows(sql`update webhook_event set created_at = now() - interval '31 days'`);
  await rows(sql`select graphile_worker.add_job('purge', job_key => 'purge')`);
  await expect.poll(states, POLL).toEqual([]);
  expect(await rows(sql`select 1 from webhook_event`)).toEqual([]);
});
