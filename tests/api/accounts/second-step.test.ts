/** Signing in with a second factor: no session before it, and each answer counts once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import {
  codeOf,
  finish,
  givenAuthenticator,
  givenFirstStep,
  isSignedIn,
  wrongCode,
} from '#tests/harness/second-factor.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const REQUIRED = {
  status: 401,
  body: { code: 'SECOND_FACTOR_REQUIRED', message: 'Please confirm that it is you with your second factor.' },
};
const WRONG = { status: 400, body: { code: 'CODE_WRONG', message: 'This code is not correct, or was already used' } };
const OVER = { status: 401, body: { code: 'SECOND_STEP_OVER' } };
const login = ({ email }: Person, client = createClient(service)) =>
  client.call('POST', '/auth/login', { email, password: PASSWORD });
const countSessions = async ({ id }: Person): Promise<number> => {
  const em = service.app.orm.em.fork();
  const [row] = await query<{ count: number }>(
    em,
    sql`select count(*)::int as count from session where user_id = ${id}`,
  );
  return row?.count ?? Number.NaN;
};
const steal = (client: ReturnType<typeof createClient>, name: string) =>
  new RegExp(`${name}=([^;]*)`).exec(client.cookie())?.[1] ?? '';

describe('an account with an authenticator app', () => {
  let pilot: Person;
  let key: string;
  let recoveryCodes: string[];
  beforeAll(async () => {
    pilot = await givenPerson(service);
    ({ key, recoveryCodes } = await givenAuthenticator(pilot));
  });

  test('gets no session for the password alone, by either transport', async () => {
    const client = createClient(service);
    const before = await countSessions(pilot);
    const answer = await login(pilot, client);
    expect(answer).toMatchObject(REQUIRED);
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect(cookie).toMatch(/^second-step=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(await isSignedIn(client)).toBe(false);
    expect((await client.call('GET', '/auth/viewer')).body).toBeNull();
    expect((await client.call('GET', '/auth/second-step')).body).toEqual({
      factors: ['authenticator', 'recovery_code'],
    });
    const byTrpc = await createClient(service)
      .trpc.auth.login.mutate({ email: pilot.email, password: PASSWORD })
      .catch((error: unknown) => Object(error));
    expect(byTrpc.data).toMatchObject({ refusal: 'SECOND_FACTOR_REQUIRED', httpStatus: 401 });
    expect(await countSessions(pilot)).toBe(before);
  });

  test('signs in with the present code, and the same code is refused afterwards', async () => {
    const client = await givenFirstStep(service, pilot);
    expect(await finish(client, { code: wrongCode(key) })).toMatchObject(WRONG);
    expect(await isSignedIn(client)).toBe(false);
    const code = codeOf(key);
    expect(await finish(client, { code })).toMatchObject({ status: 200, body: { id: pilot.id } });
    expect(await isSignedIn(client)).toBe(true);
    expect(client.cookie()).not.toContain('second-step');
    expect(await finish(client, { code: codeOf(key, 1) })).toMatchObject(OVER);

    const again = await givenFirstStep(service, pilot);
    expect(await finish(again, { code })).toMatchObject(WRONG);
    expect(await finish(again, { code: codeOf(key, 1) })).toMatchObject({ status: 200 });
  });

  test('signs in with a recovery code once', async () => {
    const [code = ''] = recoveryCodes;
    expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    const typed = code.toUpperCase().replaceAll('-', ' ');
    expect(await finish(await givenFirstStep(service, pilot), { recoveryCode: typed })).toMatchObject({ status: 200 });
    expect(await finish(await givenFirstStep(service, pilot), { recoveryCode: code })).toMatchObject({
      status: 400,
      body: { message: 'This recovery code is not correct, or was already used' },
    });
    expect((await pilot.client.call('GET', '/auth/second-factor')).body.recoveryCodesLeft).toBe(9);
  });
});

describe('races', () => {
  test('one code in twenty browsers at once makes one session', async () => {
    const pilot = await givenPerson(service);
    const { key } = await givenAuthenticator(pilot);
    const clients = await Promise.all(Array.from({ length: 20 }, () => givenFirstStep(service, pilot)));
    const before = await countSessions(pilot);
    const code = codeOf(key);
    const answers = await Promise.all(clients.map((client) => finish(client, { code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
    expect(await countSessions(pilot)).toBe(before + 1);
  });

  test('one waiting sign-in makes one session, whatever answers it at once', async () => {
    const pilot = await givenPerson(service);
    const { key, recoveryCodes } = await givenAuthenticator(pilot);
    const first = await givenFirstStep(service, pilot);
    const cookie = `second-step=${steal(first, 'second-step')}`;
    const before = await countSessions(pilot);
    const inputs = [...recoveryCodes.map((recoveryCode) => ({ recoveryCode })), { code: codeOf(key) }];
    const answers = await Promise.all(
      inputs.map((input) => createClient(service).call('POST', '/auth/second-step', input, { cookie })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([200, ...Array.from({ length: 10 }, () => 401)]);
    expect(await countSessions(pilot)).toBe(before + 1);
    // the codes that lost are not used up
    expect((await pilot.client.call('GET', '/auth/second-factor')).body.recoveryCodesLeft).toBeGreaterThanOrEqual(9);
  });
});

describe('a waiting sign-in', () => {
  const run = (statement: Parameters<typeof query>[1]) => query(service.app.orm.em.fork(), statement);
  async function change({ client }: Person): Promise<void> {
    const input = { currentPassword: PASSWORD, newPassword: 'another horse', confirmPassword: 'another horse' };
    expect((await client.call('POST', '/auth/password', input)).status).toBe(200);
  }
  async function reset({ id }: Person): Promise<void> {
    const admin = await givenAdmin(service);
    const input = { newPassword: 'another horse' };
    expect((await admin.client.call('POST', `/admin/users/${id}/reset-password`, input)).status).toBe(200);
  }
  const expire = ({ id }: Person) =>
    run(sql`update pending_sign_in set expires_at = now() - interval '1 second' where user_id = ${id}`);
  const rewrite = ({ id }: Person) =>
    run(sql`update app_user set password_hash = password_hash || 'x' where id = ${id}`);

  test.each([
    ['after the password changed', change],
    ['after an admin reset the password', reset],
    ['after five minutes', expire],
    ['after the password changed in the database', rewrite],
  ])('is over %s', async (_when, end) => {
    const pilot = await givenPerson(service);
    const { key } = await givenAuthenticator(pilot);
    const client = await givenFirstStep(service, pilot);
    await end(pilot);
    expect(await finish(client, { code: codeOf(key) })).toMatchObject(OVER);
    expect(await isSignedIn(client)).toBe(false);
  });

  test('does not wait without its cookie, and is of no use in another account', async () => {
    const [pilot, other] = [await givenPerson(service), await givenPerson(service)];
    const { key } = await givenAuthenticator(pilot);
    const { key: otherKey } = await givenAuthenticator(other);
    expect(await finish(createClient(service), { code: codeOf(key) })).toMatchObject(OVER);
    expect((await createClient(service).call('GET', '/auth/second-step')).body).toBeNull();
    const client = await givenFirstStep(service, pilot);
    expect(await finish(client, { code: codeOf(otherKey) })).toMatchObject(WRONG);
  });

  test('a second factor that is turned off meanwhile ends it', async () => {
    const pilot = await givenPerson(service);
    const { key } = await givenAuthenticator(pilot);
    const client = await givenFirstStep(service, pilot);
    const input = { currentPassword: PASSWORD };
    expect((await pilot.client.call('POST', '/auth/second-factor/authenticator/remove', input)).status).toBe(200);
    expect(await finish(client, { code: codeOf(key) })).toMatchObject(OVER);
    expect((await login(pilot)).status).toBe(200);
  });
});
