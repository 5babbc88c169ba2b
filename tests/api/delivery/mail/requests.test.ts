/** Email to admins about visitors' requests: whom it goes to, what it names, and at most one an hour. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { startMailServer, type MailServer } from '#tests/harness/mail-server.ts';
import { linkIn, sendMail } from '#tests/harness/mail-service.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let server: MailServer;
let admin: Person;
let other: Person;
let quiet: Person;
beforeAll(async () => {
  server = await startMailServer();
  // without jobs: the tests send what is due themselves
  service = await startService({ env: { SMTP_URL: server.url, MAIL_FROM: 'marshal@example.org' } });
  [admin, other, quiet] = [await givenAdmin(service), await givenAdmin(service), await givenAdmin(service)];
  await givenPerson(service);
  await admin.client.call('PUT', '/admin/community', { name: 'Lantern Wing', registration: 'open' });
  const choices = { notifyOrders: true, notifyChanges: true, wantsGlobalEvents: false, emailRequests: false };
  expect((await quiet.client.call('PUT', `/users/${quiet.id}/notifications`, choices)).status).toBe(200);
});
afterAll(async () => {
  await service.stop();
  await server.stop();
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const ask = async (handle: string, values: object = {}) => {
  const request = { handle, email: `${handle}@example.org`, module: 'F-16C', level: 'proficient', slot: 'Flexible' };
  const { status } = await createClient(service).call('POST', '/slot-requests', {
    ...request,
    notes: 'Call me at home',
    ...values,
  });
  expect(status).toBe(200);
};
/** What waits to be sent, with the minutes until it is due. */
const queued = () =>
  rows<{ id: string; to: string; minutes: number }>(
    sql`select m.id, u.email as to, round(extract(epoch from m.next_attempt_at - now()) / 60)::int as minutes
        from delivery m join app_user u on u.id = m.user_id
        where m.kind = 'request' and m.state = 'queued' order by u.created_at`,
  );
const sendDue = async () => {
  for (const { id } of await queued()) await sendMail(service.app, id);
};
const subjects = ({ email }: Person) => server.to(email).map(({ parsed }) => parsed.subject);
/** @param age of the requests when the hour begins: older than an email takes to be sent */
async function letOneHourPass(age = '1 hour 5 minutes'): Promise<void> {
  await rows(sql`update slot_request set created_at = created_at - ${age}::interval`);
  await rows(
    sql`update delivery set next_attempt_at = next_attempt_at - interval '1 hour', sent_at = sent_at - interval '1 hour'
        where kind = 'request'`,
  );
}

test('every admin who wants it gets one email an hour, which names what has come since', async () => {
  await ask('Viper');
  expect((await queued()).map(({ to, minutes }) => [to, minutes])).toEqual([
    [admin.email, 0],
    [other.email, 0],
  ]);
  await sendDue();
  expect([subjects(admin), subjects(other), subjects(quiet)]).toEqual([
    ['Viper asks for a slot at Lantern Wing'],
    ['Viper asks for a slot at Lantern Wing'],
    [],
  ]);
  const [{ parsed } = { parsed: null }] = server.to(admin.email);
  expect(parsed?.text).toContain('F-16C: Viper, proficient, Flexible');
  expect(parsed?.text).toContain(`${service.url}/admin/invites`);
  // addresses and notes are read on the site
  expect(parsed?.text).not.toContain('Viper@example.org');
  expect(parsed?.text).not.toContain('Call me');

  // within the hour: one email waits, for all of them
  await rows(sql`update slot_request set created_at = created_at - interval '5 minutes'`);
  for (const handle of ['Goose', 'Merlin', 'Jester']) await ask(handle);
  expect((await queued()).map(({ minutes }) => minutes)).toEqual([60, 60]);
  await sendDue();
  expect(subjects(admin)).toHaveLength(1);
  await letOneHourPass('1 hour');
  await sendDue();
  expect(subjects(admin)).toEqual([
    'Viper asks for a slot at Lantern Wing',
    '3 visitors ask for a slot at Lantern Wing',
  ]);
  const text = server.to(admin.email)[1]?.parsed.text ?? '';
  expect(['Goose', 'Merlin', 'Jester', 'Viper'].filter((handle) => text.includes(handle))).toEqual([
    'Goose',
    'Merlin',
    'Jester',
  ]);
  expect(await queued()).toEqual([]);
});

test('an email of which everything has been answered is not sent', async () => {
  await letOneHourPass();
  await ask('Hollywood');
  const { body } = await admin.client.call('GET', '/admin/slot-requests');
  const { id } = body.requests.find(({ handle }: { handle: string }) => handle === 'Hollywood');
  expect((await admin.client.call('DELETE', `/admin/slot-requests/${id}`)).status).toBe(200);
  const before = server.taken.length;
  await sendDue();
  expect([server.taken.length, await queued()]).toEqual([before, []]);
  // and does not use up the hour
  await ask('Wolfman');
  expect((await queued()).map(({ minutes }) => minutes)).toEqual([0, 0]);
  await sendDue();
  expect(subjects(other).at(-1)).toBe('Wolfman asks for a slot at Lantern Wing');
});

test('one click ends it for one admin; who is no admin any more gets none', async () => {
  await letOneHourPass();
  const last = server.to(admin.email).at(-1);
  if (!last) throw new Error('the admin got no email');
  expect((await fetch(linkIn(last, '/email/unsubscribe/'), { method: 'POST' })).status).toBe(200);
  const { body } = await admin.client.call('GET', `/users/${admin.id}/notifications`);
  expect(body).toMatchObject({ emailRequests: false, emailOrders: true, emailChanges: true });
  await ask('Sundown');
  expect((await queued()).map(({ to }) => to)).toEqual([other.email]);
  await rows(sql`update app_user set roles = '{user}' where id = ${other.id}`);
  const before = server.taken.length;
  await sendDue();
  expect([server.taken.length, await queued()]).toEqual([before, []]);
});

test('a request that arrives while an email is being sent is named in the next one', async () => {
  await rows(sql`update app_user set email_requests = true where id = ${admin.id}`);
  await letOneHourPass();
  await ask('Cougar');
  await sendDue();
  // as if it had been stored just before the result of the sending
  await ask('Slider');
  await rows(
    sql`update slot_request set created_at = (select max(sent_at) from delivery where kind = 'request') - interval '1 second'
        where handle = 'Slider'`,
  );
  await letOneHourPass('1 hour');
  await sendDue();
  expect(server.to(admin.email).at(-1)?.parsed.text).toContain('Slider');
});
