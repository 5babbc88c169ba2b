/** Email about the safety of an account, and the sign-in history that it leads to. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { startMailService, type MailService } from '#tests/harness/mail-service.ts';
import { codeOf, finish, givenAuthenticator, givenFirstStep, wrongCode } from '#tests/harness/second-factor.ts';
import { createClient, type Client } from '#tests/harness/service.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';

let mail: MailService;
beforeAll(async () => {
  mail = await startMailService({ env: { TRUST_PROXY: '1' } });
});
afterAll(() => mail.stop());

const login = (client: Client, { email }: Person, headers: Record<string, string> = {}) =>
  client.call('POST', '/auth/login', { email, password: PASSWORD }, { 'user-agent': FIREFOX, ...headers });
const historyOf = async ({ client }: Person) => (await client.call('GET', '/auth/sign-in-history')).body;

test('a sign-in from a new device is told by email, once for each device, and never the first one', async () => {
  const pilot = await givenPerson(mail.service);
  expect((await historyOf(pilot)).map(({ isNewDevice }: { isNewDevice: boolean }) => isNewDevice)).toEqual([false]);
  const phone = createClient(mail.service);
  expect((await login(phone, pilot)).status).toBe(200);
  const { parsed } = await mail.mailTo(pilot.email);
  expect(parsed.subject).toBe('New sign-in to your account at Marshal');
  expect(parsed.text).toContain('Firefox on Windows');
  expect(parsed.text).toContain(`${mail.service.url}/profile/security#sign-ins`);
  expect(parsed.headers.has('list')).toBe(false);
  // known now, and so is the first browser
  expect((await login(phone, pilot)).status).toBe(200);
  expect((await login(pilot.client, pilot)).status).toBe(200);
  await mail.settle();
  expect(mail.server.to(pilot.email)).toHaveLength(1);
  expect((await historyOf(pilot)).map(({ isNewDevice }: { isNewDevice: boolean }) => isNewDevice)).toEqual([
    false,
    false,
    true,
    false,
  ]);
});

test('a registration, and the first use of a personal link, are no news', async () => {
  const admin = await givenAdmin(mail.service);
  const client = createClient(mail.service);
  const form = { email: 'fresh@example.org', password: PASSWORD, confirmPassword: PASSWORD };
  const { body } = await client.call('POST', '/auth/register', form);
  await mail.settle();
  const subjects = mail.server.to('fresh@example.org').map(({ parsed }) => parsed.subject);
  expect(subjects).toEqual(['Confirm your address for Marshal']);
  expect((await admin.client.call('GET', `/admin/audit?subjectId=${body.id}`)).status).toBe(200);
});

test('turning two-step sign-in off, and its reset by an admin, are told', async () => {
  const [admin, pilot] = [await givenAdmin(mail.service), await givenPerson(mail.service)];
  await givenAuthenticator(pilot);
  const input = { currentPassword: PASSWORD };
  await pilot.client.call('POST', '/auth/second-factor/authenticator/remove', input);
  expect((await mail.mailTo(pilot.email)).parsed.subject).toBe('Two-step sign-in is off at Marshal');
  await givenAuthenticator(pilot);
  await admin.client.call('POST', `/admin/users/${pilot.id}/reset-second-factor`);
  const { parsed } = await mail.mailTo(pilot.email, 2);
  expect(parsed.subject).toBe('Your second factor was removed at Marshal');
  expect(parsed.text).toContain('tell your admins');
});

test('the history has what was refused, with shortened addresses, for 90 days, and is one’s own', async () => {
  const pilot = await givenPerson(mail.service);
  const { key } = await givenAuthenticator(pilot);
  const wrong = { email: pilot.email, password: 'not the password' };
  const from = { 'x-forwarded-for': '2001:db8:1:2:3:4:5:6', 'user-agent': FIREFOX };
  await createClient(mail.service).call('POST', '/auth/login', wrong, from);
  const client = await givenFirstStep(mail.service, pilot);
  await finish(client, { code: wrongCode(key) });
  await finish(client, { code: codeOf(key) });
  const history = await historyOf(pilot);
  const texts = history.map(({ text }: { text: string }) => text);
  expect(texts).toContain('Tried a wrong password from 2001:db8:1:2::/64 (Firefox on Windows)');
  expect(texts).toContain('Tried a wrong code after the first step from 127.0.0.1 (Node.js)');
  expect(texts).toContain('Signed in with a password and a code, from 127.0.0.1 (Node.js)');
  expect(texts.at(-1)).toBe('Signed in with a password from 127.0.0.1 (Node.js)');
  const stranger = await givenPerson(mail.service);
  expect(await historyOf(stranger)).toHaveLength(1);
  await query(
    mail.service.app.orm.em.fork(),
    sql`update audit_entry set occurred_at = now() - interval '91 days' where subject_id = ${pilot.id}`,
  );
  expect(await historyOf(pilot)).toEqual([]);
});
