/** Remembered devices: one step for 30 days, for one account in one browser, until they are forgotten. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { codeOf, finish, givenAuthenticator, givenFirstStep } from '#tests/harness/second-factor.ts';
import { createClient, startService, type Client, type Service } from '#tests/harness/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const run = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const login = (client: Client, { email }: Person, password = PASSWORD) =>
  client.call('POST', '/auth/login', { email, password });
const statusOf = async (client: Client, person: Person, password = PASSWORD) =>
  (await login(client, person, password)).status;

/** A browser that an account with an app had remembered. */
async function givenRemembered(): Promise<{ pilot: Person; browser: Client; key: string; recoveryCodes: string[] }> {
  const pilot = await givenPerson(service);
  const { key, recoveryCodes } = await givenAuthenticator(pilot);
  const browser = await givenFirstStep(service, pilot);
  const answer = await finish(browser, { code: codeOf(key), isRemembered: true });
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('remembered='));
  expect(cookie).toMatch(/^remembered=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  return { pilot, browser, key, recoveryCodes };
}
const change = ({ client }: Person) =>
  client.call('POST', '/auth/password', {
    currentPassword: PASSWORD,
    newPassword: 'another horse',
    confirmPassword: 'another horse',
  });

test('a remembered browser signs in in one step, and its entry says so', async () => {
  const { pilot, browser } = await givenRemembered();
  expect(await statusOf(browser, pilot)).toBe(200);
  expect(await statusOf(createClient(service), pilot)).toBe(401);
  const { body } = await browser.call('GET', '/auth/sign-in-history');
  expect(body[0].text).toMatch(/^Signed in with a password on a remembered device, from /);
  const { devices } = (await browser.call('GET', '/auth/second-factor')).body;
  expect(devices).toEqual([expect.objectContaining({ device: 'Node.js', isCurrent: true })]);
  expect((await pilot.client.call('GET', '/auth/second-factor')).body.devices[0].isCurrent).toBe(false);
});

test('without the wish it is not remembered', async () => {
  const pilot = await givenPerson(service);
  const { key } = await givenAuthenticator(pilot);
  const browser = await givenFirstStep(service, pilot);
  expect((await finish(browser, { code: codeOf(key) })).status).toBe(200);
  expect(browser.cookie()).not.toContain('remembered');
});

describe('it ends', () => {
  const forget = async ({ client }: Person) => {
    const { devices } = (await client.call('GET', '/auth/second-factor')).body;
    expect((await client.call('DELETE', `/auth/second-factor/devices/${devices[0].id}`)).status).toBe(200);
  };
  const expire = async ({ id }: Person) =>
    void (await run(sql`update remembered_device set expires_at = now() where user_id = ${id}`));
  const changePassword = async (pilot: Person) => expect((await change(pilot)).status).toBe(200);
  const reset = async ({ id }: Person) => {
    const admin = await givenAdmin(service);
    const input = { newPassword: 'another horse' };
    expect((await admin.client.call('POST', `/admin/users/${id}/reset-password`, input)).status).toBe(200);
  };
  test.each([
    ['when it is forgotten', forget, PASSWORD],
    ['after 30 days', expire, PASSWORD],
    ['with a new password', changePassword, 'another horse'],
    ['with a password reset by an admin', reset, 'another horse'],
  ])('%s', async (_when, end, password) => {
    const { pilot, browser } = await givenRemembered();
    await end(pilot);
    expect(await login(browser, pilot, password)).toMatchObject({
      status: 401,
      body: { code: 'SECOND_FACTOR_REQUIRED' },
    });
  });

  test('when two-step sign-in is turned off, also for the next time', async () => {
    const { pilot, browser } = await givenRemembered();
    const input = { currentPassword: PASSWORD };
    expect((await pilot.client.call('POST', '/auth/second-factor/authenticator/remove', input)).status).toBe(200);
    await givenAuthenticator(pilot);
    expect(await statusOf(browser, pilot)).toBe(401);
  });
});

test('it counts for its own account, and several accounts share a browser', async () => {
  const { pilot, browser } = await givenRemembered();
  const other = await givenPerson(service);
  const { key } = await givenAuthenticator(other);
  expect(await statusOf(browser, other)).toBe(401);
  expect((await finish(browser, { code: codeOf(key), isRemembered: true })).status).toBe(200);
  expect(await statusOf(browser, pilot)).toBe(200);
  expect(await statusOf(browser, other)).toBe(200);
});

test("another pilot's device cannot be forgotten", async () => {
  const { pilot, browser } = await givenRemembered();
  const { devices } = (await browser.call('GET', '/auth/second-factor')).body;
  const stranger = await givenPerson(service);
  const path = `/auth/second-factor/devices/${devices[0].id}`;
  expect(await stranger.client.call('DELETE', path)).toMatchObject({ status: 404, body: { code: 'DEVICE_NOT_FOUND' } });
  expect(await statusOf(browser, pilot)).toBe(200);
});

test('at most 20 of an account are remembered, and at most 20 of its sign-ins wait', async () => {
  const { pilot, browser, recoveryCodes } = await givenRemembered();
  await run(
    sql`insert into remembered_device (id, user_id, token_hash, created_at, expires_at)
        select gen_random_uuid(), ${pilot.id}, gen_random_uuid()::text, now() + n * interval '1 second', now() + interval '1 day'
        from generate_series(1, 19) as n`,
  );
  expect(await statusOf(browser, pilot)).toBe(200);
  const next = await givenFirstStep(service, pilot);
  await run(
    sql`update remembered_device set created_at = created_at - interval '1 minute' where user_id = ${pilot.id}`,
  );
  const input = { recoveryCode: recoveryCodes[0] ?? '', isRemembered: true };
  expect((await finish(next, input)).status).toBe(200);
  const { devices } = (await pilot.client.call('GET', '/auth/second-factor')).body;
  expect(devices).toHaveLength(20);
  expect(await statusOf(browser, pilot)).toBe(401);
  await Promise.all(Array.from({ length: 25 }, () => givenFirstStep(service, pilot)));
  const [row] = await run<{ count: number }>(
    sql`select count(*)::int as count from pending_sign_in where user_id = ${pilot.id}`,
  );
  expect(row?.count).toBe(20);
});
