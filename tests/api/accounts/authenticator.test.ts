/** Setting up an authenticator app: who may, what is stored, what is refused, and the limit of guessing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { codeOf, finish, givenAuthenticator, givenFirstStep, wrongCode } from '#tests/harness/second-factor.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const OWN = '/auth/second-factor';
const PROOF = { currentPassword: PASSWORD };
const run = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const begin = ({ client }: Person, proof: object = PROOF) => client.call('POST', `${OWN}/authenticator`, proof);
const confirm = ({ client }: Person, code: string) => client.call('POST', `${OWN}/authenticator/confirm`, { code });
const stateOf = async ({ client }: Person) => (await client.call('GET', OWN)).body;

describe('the set-up', () => {
  test.each([
    ['without a password', {}],
    ['with a wrong one', { currentPassword: 'not this one' }],
  ])('is refused %s, and leaves nothing', async (_how, proof) => {
    const pilot = await givenPerson(service);
    expect(await begin(pilot, proof)).toMatchObject({ status: 400, body: { code: 'WRONG_PASSWORD' } });
    expect(await run(sql`select from authenticator where user_id = ${pilot.id}`)).toEqual([]);
  });

  test('counts only once a code has confirmed it', async () => {
    const pilot = await givenPerson(service);
    const { body } = await begin(pilot);
    const uri = new URL(body.uri);
    expect([uri.protocol, uri.searchParams.get('secret'), uri.searchParams.get('issuer')]).toEqual([
      'otpauth:',
      body.key,
      'Marshal',
    ]);
    expect(decodeURIComponent(uri.pathname)).toContain(pilot.email);
    expect(await stateOf(pilot)).toMatchObject({ isOn: false, authenticatorSince: null, recoveryCodesLeft: 0 });
    const login = { email: pilot.email, password: PASSWORD };
    expect((await createClient(service).call('POST', '/auth/login', login)).status).toBe(200);
    expect(await confirm(pilot, wrongCode(body.key))).toMatchObject({ status: 400, body: { code: 'CODE_WRONG' } });
    const first = codeOf(body.key);
    const confirmed = await confirm(pilot, first);
    expect(confirmed.body.recoveryCodes).toHaveLength(10);
    expect(new Set(confirmed.body.recoveryCodes).size).toBe(10);
    expect(await stateOf(pilot)).toMatchObject({ isOn: true, recoveryCodesLeft: 10 });
    // the first code is used up too
    expect((await finish(await givenFirstStep(service, pilot), { code: first })).status).toBe(400);
  });

  test('can be begun again with another key, but not once an app is confirmed', async () => {
    const pilot = await givenPerson(service);
    const [first, second] = [(await begin(pilot)).body.key, (await begin(pilot)).body.key];
    expect(first).not.toBe(second);
    expect((await confirm(pilot, codeOf(first))).status).toBe(400);
    expect((await confirm(pilot, codeOf(second))).status).toBe(200);
    expect(await begin(pilot)).toMatchObject({ status: 409, body: { code: 'AUTHENTICATOR_EXISTS' } });
    expect((await confirm(pilot, codeOf(second, 1))).status).toBe(404);
  });

  test('is over after half an hour', async () => {
    const pilot = await givenPerson(service);
    const { body } = await begin(pilot);
    await run(sql`update authenticator set created_at = now() - interval '31 minutes' where user_id = ${pilot.id}`);
    expect(await confirm(pilot, codeOf(body.key))).toMatchObject({ status: 404 });
  });

  test('two confirmations at once turn it on once, with one set of recovery codes', async () => {
    const pilot = await givenPerson(service);
    const { body } = await begin(pilot);
    const answers = await Promise.all(Array.from({ length: 8 }, () => confirm(pilot, codeOf(body.key))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const on = await run(sql`select from audit_entry where subject_id = ${pilot.id} and action = 'second_factor_on'`);
    expect(on).toHaveLength(1);
    expect((await stateOf(pilot)).recoveryCodesLeft).toBe(10);
  });

  test('an account without a password needs a sign-in of the last ten minutes', async () => {
    const pilot = await givenPerson(service);
    await run(sql`update app_user set password_hash = null where id = ${pilot.id}`);
    expect((await begin(pilot, {})).status).toBe(200);
    await run(sql`update session set created_at = now() - interval '11 minutes' where user_id = ${pilot.id}`);
    expect(await begin(pilot, {})).toMatchObject({ status: 403, body: { code: 'FRESH_SIGN_IN_REQUIRED' } });
    expect((await stateOf(pilot)).hasPassword).toBe(false);
  });
});

test('the tables hold neither key nor codes in a readable form', async () => {
  const pilot = await givenPerson(service);
  const { key, recoveryCodes } = await givenAuthenticator(pilot);
  const [row] = await run<{ text: string }>(
    sql`select (select jsonb_agg(to_jsonb(a)) from authenticator as a)::text
          || (select jsonb_agg(to_jsonb(r)) from recovery_code as r)::text as text`,
  );
  const secrets = [key, ...recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')])];
  expect(secrets.filter((secret) => row?.text.includes(secret))).toEqual([]);
  // a key that was copied to another account's row does not open
  const thief = await givenPerson(service);
  const { key: own } = await givenAuthenticator(thief);
  await run(sql`update authenticator set sealed_key = (select sealed_key from authenticator where user_id = ${thief.id})
                where user_id = ${pilot.id}`);
  expect((await finish(await givenFirstStep(service, pilot), { code: codeOf(own) })).status).toBe(500);
});

describe('removing', () => {
  test('needs the password, and takes codes and waiting sign-ins along', async () => {
    const pilot = await givenPerson(service);
    await givenAuthenticator(pilot);
    await givenFirstStep(service, pilot);
    const remove = (proof: object) => pilot.client.call('POST', `${OWN}/authenticator/remove`, proof);
    expect((await remove({})).status).toBe(400);
    expect((await remove(PROOF)).status).toBe(200);
    expect((await remove(PROOF)).status).toBe(404);
    expect(await stateOf(pilot)).toMatchObject({ isOn: false, recoveryCodesLeft: 0, devices: [] });
    const left = await run<{ count: number }>(
      sql`select (select count(*) from recovery_code where user_id = ${pilot.id})::int
            + (select count(*) from pending_sign_in where user_id = ${pilot.id})::int as count`,
    );
    expect(left).toEqual([{ count: 0 }]);
    const renewed = await pilot.client.call('POST', `${OWN}/recovery-codes`, PROOF);
    expect(renewed).toMatchObject({ status: 409, body: { code: 'SECOND_FACTOR_MISSING' } });
  });

  test('new recovery codes end the old ones', async () => {
    const pilot = await givenPerson(service);
    const { recoveryCodes } = await givenAuthenticator(pilot);
    const { body } = await pilot.client.call('POST', `${OWN}/recovery-codes`, PROOF);
    const client = await givenFirstStep(service, pilot);
    expect((await finish(client, { recoveryCode: recoveryCodes[0] ?? '' })).status).toBe(400);
    expect((await finish(client, { recoveryCode: body.recoveryCodes[0] })).status).toBe(200);
  });
});

describe('guessing', () => {
  let limited: Service;
  beforeAll(async () => {
    limited = await startService({ beside: service, env: { AUTH_ATTEMPTS_PER_MINUTE: '1000' } });
  });
  afterAll(() => limited.stop());

  test('stops after ten codes in a quarter of an hour, over all waiting sign-ins, also for the right one', async () => {
    const pilot = await givenPerson(limited);
    const { key } = await givenAuthenticator(pilot);
    const clients = await Promise.all(Array.from({ length: 5 }, () => givenFirstStep(limited, pilot)));
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        finish(clients[index % 5] ?? createClient(limited), { code: wrongCode(key) }),
      ),
    );
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(10);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(10);
    const [client] = clients;
    expect(client && (await finish(client, { code: codeOf(key) }))).toMatchObject({
      status: 429,
      body: {
        message:
          'Too many attempts for this account. Please wait 15 minutes, or use a browser that you have signed in with before.',
      },
    });
    const limits = await run(
      sql`select detail ->> 'attempts' as attempts from audit_entry
          where subject_id = ${pilot.id} and action = 'sign_in_limited'`,
    );
    expect(limits).toEqual([{ attempts: '10' }]);
    // another account is not affected
    const other = await givenPerson(limited);
    const { key: otherKey } = await givenAuthenticator(other);
    expect((await finish(await givenFirstStep(limited, other), { code: codeOf(otherKey) })).status).toBe(200);
  });

  test('does not keep the owner out of a browser that has signed in before', async () => {
    const pilot = await givenPerson(limited);
    const { key, recoveryCodes } = await givenAuthenticator(pilot);
    const known = await givenFirstStep(limited, pilot);
    expect((await finish(known, { recoveryCode: recoveryCodes[0] ?? '' })).status).toBe(200);
    const stranger = await givenFirstStep(limited, pilot);
    for (let guess = 0; guess < 11; guess += 1) await finish(stranger, { code: wrongCode(key) });
    expect((await finish(stranger, { recoveryCode: recoveryCodes[1] ?? '' })).status).toBe(429);
    await known.call('POST', '/auth/login', { email: pilot.email, password: PASSWORD });
    expect((await finish(known, { code: codeOf(key) })).status).toBe(200);
  });

  test('right answers use up nothing, however many there are', async () => {
    const pilot = await givenPerson(limited);
    const { key, recoveryCodes } = await givenAuthenticator(pilot);
    const answers = [...recoveryCodes.map((recoveryCode) => ({ recoveryCode })), { code: codeOf(key) }];
    for (const answer of answers) {
      expect((await finish(await givenFirstStep(limited, pilot), answer)).status).toBe(200);
    }
    expect(answers).toHaveLength(11);
    const left = await run(
      sql`select sum(count)::int as count from attempt where bucket like ${`second-factor%${pilot.id}`}`,
    );
    expect(left).toEqual([{ count: 0 }]);
  });

  test('set-up, removal, recovery codes and sign-in each have their own count of failures', async () => {
    const pilot = await givenPerson(limited);
    const own = '/auth/second-factor';
    const call = (method: string, path: string, body: object) => pilot.client.call(method, `${own}${path}`, body);
    const wrong = { currentPassword: 'not the password' };
    const right = { currentPassword: PASSWORD };
    /** @returns the status of each of eleven */
    const elevenTimes = async (make: () => Promise<{ status: number }>) => {
      const statuses: number[] = [];
      for (let turn = 0; turn < 11; turn += 1) statuses.push((await make()).status);
      return statuses;
    };
    const tenThenLimited = [...Array.from({ length: 10 }, () => 400), 429];
    const { key } = await givenAuthenticator(pilot);
    expect(await elevenTimes(() => call('POST', '/recovery-codes', wrong))).toEqual(tenThenLimited);
    const stranger = await givenFirstStep(limited, pilot);
    expect(await elevenTimes(() => finish(stranger, { code: wrongCode(key) }))).toEqual(tenThenLimited);
    expect(await elevenTimes(() => call('POST', '/passkeys/challenge', wrong))).toEqual(tenThenLimited);
    // what somebody else has used up does not keep the owner from removing the app with the password
    expect((await call('POST', '/authenticator/remove', right)).status).toBe(200);
    expect((await call('POST', '/recovery-codes', right)).status).toBe(429);
    expect((await call('POST', '/authenticator', right)).status).toBe(429);
  });
});
