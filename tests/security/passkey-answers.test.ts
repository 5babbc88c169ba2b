/**
 * Answers of passkeys that no browser gives: for other sites, sessions and accounts, repeated, at the same moment, and while
 * the account or the key goes away. `tests/ui/passkeys.test.ts` tests what a real browser does.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { codeOf, finish, givenAuthenticator, givenFirstStep, isSignedIn } from '#tests/harness/second-factor.ts';
import { createClient, startService, type Client, type Service } from '#tests/harness/service.ts';
import { SoftwarePasskey, type Changes } from './passkey-answers.ts';

let service: Service;
let admin: Person;
const SITE = 'https://marshal.example';
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

const OWN = '/auth/second-factor';
const REFUSED = { status: 400, body: { code: 'PASSKEY_REFUSED' } };
const OVER = { status: 401, body: { code: 'SECOND_STEP_OVER' } };

async function beginIn({ client }: Person): Promise<string> {
  const { status, body } = await client.call('POST', `${OWN}/passkeys/challenge`, { currentPassword: PASSWORD });
  expect(status).toBe(200);
  return body.challenge;
}

const add = ({ client }: Person, passkey: unknown) =>
  client.call('POST', `${OWN}/passkeys`, { name: 'Software', passkey });

async function givenKey(pilot: Person): Promise<SoftwarePasskey> {
  const key = new SoftwarePasskey(service.url);
  expect(await add(pilot, key.create({ challenge: await beginIn(pilot) }))).toMatchObject({ status: 201 });
  return key;
}

async function givenPilot(): Promise<{ pilot: Person; key: SoftwarePasskey }> {
  const pilot = await givenPerson(service);
  return { pilot, key: await givenKey(pilot) };
}

async function ask(client: Client): Promise<string> {
  const { status, body } = await client.call('POST', '/auth/second-step/challenge');
  expect(status).toBe(200);
  return body.challenge;
}

const passkeyIds = async ({ id }: Person) =>
  (await query<{ id: string }>(service.app.orm.em.fork(), sql`select id from passkey where user_id = ${id}`)).map(
    (row) => row.id,
  );

test('the right answer signs in', async () => {
  const { pilot, key } = await givenPilot();
  const client = await givenFirstStep(service, pilot);
  expect(await finish(client, { passkey: key.answer({ challenge: await ask(client) }) })).toMatchObject({
    status: 200,
  });
  expect(await isSignedIn(client)).toBe(true);
});

describe('an answer is refused', () => {
  test.each<[string, Changes]>([
    ['for another origin', { origin: SITE }],
    ['for a name below this one', { origin: 'http://evil.localhost' }],
    ['for another site', { rpId: 'marshal.example' }],
    ['of a registration', { type: 'webauthn.create' }],
    ['without a person at the device', { flags: 0 }],
    ['to a question of its own', { challenge: Buffer.alloc(32, 'c').toString('base64url') }],
    ['to no question', { challenge: '' }],
    ['with a counter that stands still', { counter: 0 }],
    ['of a key that claims a new key', { flags: 69 }],
  ])('%s', async (_what, changes) => {
    const { pilot, key } = await givenPilot();
    const before = await givenFirstStep(service, pilot);
    const first = key.answer({ challenge: await ask(before) });
    expect((await finish(before, { passkey: first })).status).toBe(200);
    const client = await givenFirstStep(service, pilot);
    const challenge = await ask(client);
    expect(await finish(client, { passkey: key.answer({ challenge, ...changes }) })).toMatchObject(REFUSED);
    expect(await isSignedIn(client)).toBe(false);
  });

  test('of another key with the same name, and of another account', async () => {
    const { pilot, key } = await givenPilot();
    const { key: theirs } = await givenPilot();
    const client = await givenFirstStep(service, pilot);
    for (const forger of [new SoftwarePasskey(service.url, key.id), theirs]) {
      const challenge = await ask(client);
      expect(await finish(client, { passkey: forger.answer({ challenge, counter: 9 }) })).toMatchObject(REFUSED);
    }
    expect(await isSignedIn(client)).toBe(false);
  });

  test('a second time, also at the same moment', async () => {
    const { pilot, key } = await givenPilot();
    const client = await givenFirstStep(service, pilot);
    const passkey = key.answer({ challenge: await ask(client) });
    const answers = await Promise.all(Array.from({ length: 8 }, () => finish(client, { passkey })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(
      statuses.every((status) => [200, 400, 401].includes(status)),
      String(statuses),
    ).toBe(true);
    const { body: sessions } = await pilot.client.call('GET', '/auth/sessions');
    expect(sessions).toHaveLength(2);
  });

  test('to the question of another waiting sign-in, or of a session that adds a key', async () => {
    const { pilot, key } = await givenPilot();
    const [first, second] = [await givenFirstStep(service, pilot), await givenFirstStep(service, pilot)];
    const [theirs] = [await ask(first), await ask(second)];
    expect(await finish(second, { passkey: key.answer({ challenge: theirs }) })).toMatchObject(REFUSED);
    const adding = await beginIn(pilot);
    await ask(second);
    expect(await finish(second, { passkey: key.answer({ challenge: adding }) })).toMatchObject(REFUSED);
  });
});

describe('while a passkey signs in', () => {
  test('its removal ends it', async () => {
    const { pilot, key } = await givenPilot();
    const client = await givenFirstStep(service, pilot);
    const passkey = key.answer({ challenge: await ask(client) });
    const [passkeyId] = await passkeyIds(pilot);
    const removed = await pilot.client.call('POST', `${OWN}/passkeys/${passkeyId}/remove`, {
      currentPassword: PASSWORD,
    });
    expect(removed.status).toBe(200);
    expect(await finish(client, { passkey })).toMatchObject(OVER);
    expect(await isSignedIn(client)).toBe(false);
  });

  test('its removal beside another factor refuses the answer, and the other one still signs in', async () => {
    const { pilot, key } = await givenPilot();
    const { key: appKey } = await givenAuthenticator(pilot);
    const client = await givenFirstStep(service, pilot);
    const passkey = key.answer({ challenge: await ask(client) });
    const [passkeyId] = await passkeyIds(pilot);
    await pilot.client.call('POST', `${OWN}/passkeys/${passkeyId}/remove`, { currentPassword: PASSWORD });
    expect(await finish(client, { passkey })).toMatchObject(REFUSED);
    expect(await finish(client, { code: codeOf(appKey) })).toMatchObject({ status: 200 });
  });

  test('its removal at the same moment lets in or refuses, and never fails', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { pilot, key } = await givenPilot();
      const client = await givenFirstStep(service, pilot);
      const passkey = key.answer({ challenge: await ask(client) });
      const [passkeyId] = await passkeyIds(pilot);
      const [answer, removed] = await Promise.all([
        finish(client, { passkey }),
        pilot.client.call('POST', `${OWN}/passkeys/${passkeyId}/remove`, { currentPassword: PASSWORD }),
      ]);
      expect([200, 400, 401]).toContain(answer.status);
      expect(removed.status).toBe(200);
      expect(await isSignedIn(client)).toBe(answer.status === 200);
      expect(await passkeyIds(pilot)).toEqual([]);
    }
  });

  test('a ban and the request to delete the account end it', async () => {
    for (const end of [
      ({ id }: Person) => admin.client.call('POST', `/admin/users/${id}/ban`, { reason: 'Abuse' }),
      ({ client }: Person) => client.call('POST', '/auth/deletion', { currentPassword: PASSWORD }),
    ]) {
      const { pilot, key } = await givenPilot();
      const client = await givenFirstStep(service, pilot);
      const passkey = key.answer({ challenge: await ask(client) });
      expect((await end(pilot)).status).toBeLessThan(300);
      expect(await finish(client, { passkey })).toMatchObject(OVER);
      expect(await isSignedIn(client)).toBe(false);
    }
  });
});

describe('a new passkey is refused', () => {
  test.each<[string, Changes]>([
    ['for another origin', { origin: SITE }],
    ['for another site', { rpId: 'marshal.example' }],
    ['of a sign-in', { type: 'webauthn.get' }],
    ['without a person at the device', { flags: 64 }],
  ])('%s', async (_what, changes) => {
    const pilot = await givenPerson(service);
    const challenge = await beginIn(pilot);
    const key = new SoftwarePasskey(service.url);
    expect(await add(pilot, key.create({ challenge, ...changes }))).toMatchObject(REFUSED);
    expect(await passkeyIds(pilot)).toEqual([]);
  });

  test('with the name of another account’s, which goes on signing its owner in', async () => {
    const { pilot, key } = await givenPilot();
    const thief = await givenPerson(service);
    const copy = new SoftwarePasskey(service.url, key.id);
    expect(await add(thief, copy.create({ challenge: await beginIn(thief) }))).toMatchObject(REFUSED);
    const client = await givenFirstStep(service, pilot);
    expect((await finish(client, { passkey: key.answer({ challenge: await ask(client) }) })).status).toBe(200);
  });

  test('for the question of another account or session, and for one that was answered', async () => {
    const [pilot, other] = [await givenPerson(service), await givenPerson(service)];
    const challenge = await beginIn(pilot);
    await beginIn(other);
    const key = new SoftwarePasskey(service.url);
    expect(await add(other, key.create({ challenge }))).toMatchObject(REFUSED);
    const elsewhere = { ...pilot, client: createClient(service) };
    await elsewhere.client.call('POST', '/auth/login', { email: pilot.email, password: PASSWORD });
    expect(await add(elsewhere, key.create({ challenge }))).toMatchObject(REFUSED);
    expect(await add(pilot, key.create({ challenge }))).toMatchObject({ status: 201 });
    expect(await add(pilot, new SoftwarePasskey(service.url).create({ challenge }))).toMatchObject(REFUSED);
  });

  test.each([
    ['empty', Buffer.from([0xa0])],
    ['no CBOR', Buffer.from([0xff])],
    ['endless', Buffer.concat([Buffer.alloc(20_000, 0x81), Buffer.from([0])])],
    ['of a length that is not there', Buffer.from([0xbb, 0, 0, 0, 1, 0, 0, 0, 0])],
  ])('with a key that is %s', async (_what, publicKey) => {
    const pilot = await givenPerson(service);
    const key = new SoftwarePasskey(service.url);
    const began = performance.now();
    expect(await add(pilot, key.create({ challenge: await beginIn(pilot) }, publicKey))).toMatchObject(REFUSED);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

test('the highest counter is stored, and nothing comes after it', async () => {
  const { pilot, key } = await givenPilot();
  const last = 2 ** 32 - 1;
  for (const expected of [200, 400]) {
    const client = await givenFirstStep(service, pilot);
    const passkey = key.answer({ challenge: await ask(client), counter: last });
    expect((await finish(client, { passkey })).status).toBe(expected);
  }
});

test('wrong answers use up the limit of the account, also those to no question', async () => {
  const strict = await startService({ env: { AUTH_ATTEMPTS_PER_MINUTE: '10' } });
  try {
    const pilot = await givenPerson(strict);
    const key = new SoftwarePasskey(strict.url);
    expect(await add(pilot, key.create({ challenge: await beginIn(pilot) }))).toMatchObject({ status: 201 });
    const client = await givenFirstStep(strict, pilot);
    const passkey = key.answer({ challenge: '' });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) statuses.push((await finish(client, { passkey })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
    expect((await finish(client, { passkey: key.answer({ challenge: await ask(client) }) })).status).toBe(429);
    expect(await isSignedIn(client)).toBe(false);
  } finally {
    await strict.stop();
  }
});
