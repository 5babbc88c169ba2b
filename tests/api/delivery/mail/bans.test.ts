/** Bans and email: nothing is sent to an account or an address that is banned, also when the ban is made while an email waits. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { sendMail } from '#tests/harness/mail-service.ts';
import { givenAdmin, givenAlwaysFree, givenPerson, type Person } from '#tests/harness/given.ts';
import { startMailServer, type MailServer } from '#tests/harness/mail-server.ts';
import { givenMissionIn } from '#tests/harness/orders.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let server: MailServer;
let admin: Person;
beforeAll(async () => {
  server = await startMailServer();
  // without jobs: the tests make each attempt themselves
  service = await startService({ env: { SMTP_URL: server.url, MAIL_FROM: 'marshal@example.org' } });
  admin = await givenAdmin(service);
});
afterAll(async () => {
  await service.stop();
  await server.stop();
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const waiting = async (kind: string, of: string): Promise<string[]> =>
  (
    await rows<{ id: string }>(
      sql`select m.id from delivery m left join app_user u on u.id = m.user_id
          where m.kind = ${kind} and m.state = 'queued' and ${of} in (m.address, u.email)`,
    )
  ).map(({ id }) => id);
const stateOf = async (id: string) =>
  (await rows<{ state: string; address: string | null }>(sql`select state, address from delivery where id = ${id}`))[0];
const ban = async ({ id }: Person) => {
  expect((await admin.client.call('POST', `/admin/users/${id}/ban`, { reason: 'Abuse' })).status).toBe(201);
};
const banAddress = async (email: string) => {
  const values = { email, label: 'Somebody', reason: 'Abuse' };
  expect((await admin.client.call('POST', '/admin/bans', values)).status).toBe(201);
};

/** Calls that queue an email of each kind to a pilot. */
const CAUSES: Record<string, (pilot: Person) => Promise<unknown>> = {
  password: ({ email }) => createClient(service).call('POST', '/auth/password-request', { email }),
  verification: ({ client }) => client.call('POST', '/mail/verification'),
  welcome: ({ id }) => admin.client.call('POST', '/admin/users/password-links/send', { ids: [id] }),
  // missions at the same time: the first pilot gets a seat of the first, and cannot have one of the second
  order: async ({ id }) => {
    await givenAlwaysFree(service, id);
    await givenMissionIn(service, admin, 40);
  },
};

test.each(Object.entries(CAUSES))('an email that waits is not sent after a ban: %s', async (kind, cause) => {
  const [banned, other] = [await givenPerson(service), await givenPerson(service)];
  for (const pilot of [banned, other]) await cause(pilot);
  const [theirs, others] = [await waiting(kind, banned.email), await waiting(kind, other.email)];
  expect([theirs.length, others.length]).toEqual([1, 1]);
  await ban(banned);
  for (const id of [...theirs, ...others]) await sendMail(service.app, id);
  expect(await stateOf(theirs[0] ?? '')).toEqual({ state: 'dropped', address: null });
  expect(await stateOf(others[0] ?? '')).toEqual({ state: 'sent', address: null });
  expect([server.to(banned.email).length, server.to(other.email).length]).toEqual([0, 1]);
});

test('a banned account gets no link to choose a new password, and the answer is as for everybody', async () => {
  const person = await givenPerson(service);
  await ban(person);
  const ask = (email: string) => createClient(service).call('POST', '/auth/password-request', { email });
  const answers = [await ask(person.email.toUpperCase()), await ask('nobody@example.org')];
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [200, { success: true }],
    [200, { success: true }],
  ]);
  const [id = ''] = await waiting('password', person.email.toUpperCase());
  await sendMail(service.app, id);
  expect(await stateOf(id)).toEqual({ state: 'dropped', address: null });
  expect(server.to(person.email)).toEqual([]);
});

test('an invite is not sent to a banned address, whether it is banned before or afterwards', async () => {
  const invite = await admin.client.call('POST', '/admin/invites', { name: 'Autumn' });
  const send = (addresses: string[]) =>
    admin.client.call('POST', `/admin/invites/${invite.body.id}/send`, { addresses });
  await banAddress('before@example.org');
  expect((await send(['BEFORE@example.org', 'after@example.org', 'welcome@example.org'])).body).toEqual({
    queued: 2,
    leftOut: [{ address: 'BEFORE@example.org', reason: 'banned' }],
  });
  await banAddress('After@example.org');
  const [late = ''] = await waiting('invite', 'after@example.org');
  const [welcome = ''] = await waiting('invite', 'welcome@example.org');
  for (const id of [late, welcome]) await sendMail(service.app, id);
  expect([(await stateOf(late))?.state, (await stateOf(welcome))?.state]).toEqual(['dropped', 'sent']);
  expect([server.to('after@example.org').length, server.to('welcome@example.org').length]).toEqual([0, 1]);
});
