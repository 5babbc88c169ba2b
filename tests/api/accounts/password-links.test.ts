/** Personal links to set a password: one use, 14 days, for the account they were made for, and what they end. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

const NEW_PASSWORD = 'three blind mice 7';
const GONE = {
  status: 400,
  body: {
    code: 'LINK_INVALID',
    message: 'This link has expired or was already used. Ask an admin for a new one.',
  },
};
const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

/** An account as an import leaves it: an email and no password. */
async function givenImported(displayName: string | null): Promise<Person> {
  const person = await givenPerson(service, { displayName: displayName ?? 'Nameless' });
  await rows(sql`update app_user set password_hash = null, display_name = ${displayName} where id = ${person.id}`);
  await rows(sql`delete from session where user_id = ${person.id}`);
  return person;
}

const makeLinks = (ids: readonly string[], by = admin) =>
  by.client.call('POST', '/admin/users/password-links', { ids });
async function givenToken(id: string): Promise<string> {
  const { status, body } = await makeLinks([id]);
  expect(status).toBe(201);
  return body[0].url.replace(`${service.url}/set-password/`, '');
}
const holderOf = (token: string) => createClient(service).call('POST', '/auth/password-link', { token });
const setPassword = (token: string, client = createClient(service), password = NEW_PASSWORD) =>
  client.call('POST', '/auth/set-password', { token, password, confirmPassword: password });
const signIn = (email: string, password: string) =>
  createClient(service).call('POST', '/auth/login', { email, password });

test('a link says whom it is for, sets the password once, and signs in', async () => {
  const pilot = await givenImported('Viper');
  const token = await givenToken(pilot.id);
  for (let look = 0; look < 2; look += 1) {
    expect(await holderOf(token)).toMatchObject({ status: 200, body: { email: pilot.email, displayName: 'Viper' } });
  }
  const client = createClient(service);
  expect(await setPassword(token, client)).toMatchObject({ status: 200, body: { id: pilot.id, displayName: 'Viper' } });
  expect((await client.call('GET', '/auth/me')).body.id).toBe(pilot.id);
  expect((await signIn(pilot.email, NEW_PASSWORD)).status).toBe(200);
  expect(await holderOf(token)).toMatchObject(GONE);
  expect(await setPassword(token)).toMatchObject(GONE);
  const { body } = await admin.client.call('GET', `/admin/audit?subjectId=${pilot.id}`);
  expect(body.entries.map(({ summary }: { summary: string }) => summary)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Set a password with a personal link and signed in/),
      'Made a link to set a password',
    ]),
  );
});

test('only the hash of a link is stored, and it lasts 14 days', async () => {
  const pilot = await givenImported('Hash');
  const { body } = await makeLinks([pilot.id]);
  const token = body[0].url.split('/').at(-1);
  const stored = await rows<{ row: string; days: number }>(
    sql`select l::text as row, extract(epoch from expires_at - created_at) / 86400 as days
        from sign_in_link l where user_id = ${pilot.id}`,
  );
  expect(stored).toHaveLength(1);
  expect(stored[0]?.row).not.toContain(token);
  expect(Number(stored[0]?.days)).toBe(14);
  expect(Date.parse(body[0].expiresAt)).toBeGreaterThan(Date.now() + 13.9 * 86_400_000);
  await rows(sql`update sign_in_link set expires_at = now() - interval '1 second' where user_id = ${pilot.id}`);
  expect(await holderOf(token)).toMatchObject(GONE);
  expect(await setPassword(token)).toMatchObject(GONE);
});

test('a new link replaces the earlier one, and a used one ends sessions, tokens and the old password', async () => {
  const pilot = await givenPerson(service, { displayName: 'Lost' });
  const { body: script } = await pilot.client.call('POST', `/users/${pilot.id}/tokens`, {
    name: 'Script',
    scopes: ['read'],
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const first = await givenToken(pilot.id);
  const second = await givenToken(pilot.id);
  expect(await holderOf(first)).toMatchObject(GONE);
  expect((await signIn(pilot.email, PASSWORD)).status, 'until the link is used').toBe(200);
  expect((await setPassword(second)).status).toBe(200);
  expect((await signIn(pilot.email, PASSWORD)).status).toBe(401);
  expect((await pilot.client.call('GET', '/auth/me')).status).toBe(401);
  const byToken = await createClient(service).call('GET', '/auth/me', undefined, {
    authorization: `Bearer ${script.token}`,
  });
  expect(byToken.status).toBe(401);
});

test('of two at once one sets the password', async () => {
  const pilot = await givenImported('Race');
  const token = await givenToken(pilot.id);
  const answers = await Promise.all([setPassword(token), setPassword(token, createClient(service), 'green ladder 55')]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
});

test('a link for signing in sets no password, and a link for a password does not just sign in', async () => {
  const pilot = await givenImported('Mixed');
  const token = await givenToken(pilot.id);
  expect(await createClient(service).call('POST', '/auth/sign-in-link', { token })).toMatchObject({
    status: 400,
    body: { code: 'LINK_INVALID' },
  });
  await rows(sql`update sign_in_link set purpose = 'sign_in' where user_id = ${pilot.id}`);
  expect(await holderOf(token)).toMatchObject(GONE);
  expect(await setPassword(token)).toMatchObject(GONE);
});

test('a common password is refused, and the link still works', async () => {
  const pilot = await givenImported('Common');
  const token = await givenToken(pilot.id);
  expect(await setPassword(token, createClient(service), 'password123')).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'password' }] },
  });
  expect((await setPassword(token)).status).toBe(200);
});

test('many links at once: in the order of the ids, one entry of the log; all or none', async () => {
  const pilots = [await givenImported('One'), await givenImported(null)];
  const ids = pilots.map(({ id }) => id).toReversed();
  const { body } = await makeLinks(ids);
  expect(body.map(({ id, displayName }: Record<string, unknown>) => [id, displayName])).toEqual([
    [ids[0], null],
    [ids[1], 'One'],
  ]);
  const log = await admin.client.call('GET', `/admin/audit?action=password_links_made&subjectId=${admin.id}`);
  expect(log.body.entries.map(({ summary }: { summary: string }) => summary)).toEqual([
    `Made links to set a password for 2 pilots (${pilots[1]?.email}; One)`,
  ]);
  const before = await rows(sql`select token_hash from sign_in_link order by 1`);
  const noEmail = await givenImported('Discord only');
  await rows(
    sql`update app_user set email = id || '@discord.invalid', email_key = id || '@discord.invalid' where id = ${noEmail.id}`,
  );
  expect(await makeLinks([...ids, noEmail.id])).toMatchObject({ status: 409, body: { code: 'EMAIL_REQUIRED' } });
  expect(await makeLinks([...ids, '0192c0de-0000-7000-8000-000000000000'])).toMatchObject({ status: 404 });
  expect(await makeLinks([...ids, admin.id])).toMatchObject({
    status: 403,
    body: { message: 'You can change your own password on your profile.' },
  });
  expect(await rows(sql`select token_hash from sign_in_link order by 1`)).toEqual(before);
});
