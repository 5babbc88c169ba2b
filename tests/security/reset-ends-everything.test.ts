/** Resetting or changing a password ends all other access to the account, and does not affect other accounts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueSignInLink } from '#server/accounts/sign-in-links.ts';
import { randomToken } from '#server/platform/tokens.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Client, type Service } from '#tests/harness/service.ts';
import { openStream } from '#tests/harness/stream.ts';

const NEW_PASSWORD = 'three blind mice 7';
/** Of the example in RFC 8291. */
const KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService({ env: { DEV_TOKENS: '1' } });
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

interface Ways {
  phone: Client;
  scriptToken: string;
  calendarUrl: string;
  own: string;
  other: string;
  linkToken: string;
}

/** A user with two sessions, an access token, a calendar feed, two push devices and an unused sign-in link. */
async function openWays(person: Person): Promise<Ways> {
  const phone = createClient(service);
  expect((await phone.call('POST', '/auth/login', { email: person.email, password: PASSWORD })).status).toBe(200);
  const script = await createClient(service).call('POST', '/users/dev-token', { userId: person.id });
  const { body: calendar } = await person.client.call('POST', '/pilot/calendar');
  const [own, other] = ['own', 'other'].map((name) => `https://fcm.googleapis.com/fcm/send/${name}-${person.id}`);
  for (const endpoint of [own, other]) {
    const { status } = await person.client.call('POST', '/pilot/push/subscriptions', { endpoint, keys: KEYS });
    expect(status).toBe(201);
  }
  const linkToken = randomToken();
  await issueSignInLink(service.app.orm.em.fork(), person.id, linkToken, new Date());
  return {
    phone,
    scriptToken: script.body.token,
    calendarUrl: calendar.url,
    own: own ?? '',
    other: other ?? '',
    linkToken,
  };
}

/** The status that each way gives from outside, and the devices that are left. Trying uses up the link. */
async function tryWays(person: Person, ways: Ways) {
  const byScript = { authorization: `Bearer ${ways.scriptToken}` };
  const visitor = createClient(service);
  const tried = {
    session: (await person.client.call('GET', '/auth/me')).status,
    phone: (await ways.phone.call('GET', '/auth/me')).status,
    script: (await fetch(`${service.url}/api/v1/auth/me`, { headers: byScript })).status,
    calendar: (await fetch(ways.calendarUrl)).status,
    link: (await visitor.call('POST', '/auth/sign-in-link', { token: ways.linkToken })).status,
  };
  const again = createClient(service);
  const password = [PASSWORD, NEW_PASSWORD];
  for (const one of password) await again.call('POST', '/auth/login', { email: person.email, password: one });
  const { body } = await again.call('GET', '/pilot/push/subscriptions');
  const endpoints = new Set(body.map(({ endpoint }: { endpoint: string }) => endpoint));
  return { ...tried, devices: [ways.own, ways.other].map((endpoint) => endpoints.has(endpoint)) };
}

const OPEN = { session: 200, phone: 200, script: 200, calendar: 200, link: 200, devices: [true, true] };
const CLOSED = { session: 401, phone: 401, script: 401, calendar: 404, link: 400, devices: [false, false] };

const change = (person: Person, more: Record<string, unknown> = {}) =>
  person.client.call('POST', '/auth/password', {
    currentPassword: PASSWORD,
    newPassword: NEW_PASSWORD,
    confirmPassword: NEW_PASSWORD,
    ...more,
  });
const reset = (caller: Person, { id }: Person, more: Record<string, unknown> = {}) =>
  caller.client.call('POST', `/admin/users/${id}/reset-password`, { newPassword: NEW_PASSWORD, ...more });

describe('every way in', () => {
  test('works before; a reset ends all of them, and none of another pilot', async () => {
    const [pilot, bystander] = [await givenPerson(service), await givenPerson(service)];
    const [ways, theirs] = [await openWays(pilot), await openWays(bystander)];
    const stream = await openStream(service, ways.phone.cookie());
    expect(stream.status).toBe(200);
    expect(await reset(admin, pilot)).toMatchObject({ status: 200, body: { success: true } });
    await stream.ended;
    expect(await tryWays(pilot, ways)).toEqual(CLOSED);
    // the checks find every way in while it is open
    expect(await tryWays(bystander, theirs)).toEqual(OPEN);
  });

  test('a change ends them too, but for this session and the device it comes from', async () => {
    const pilot = await givenPerson(service);
    const ways = await openWays(pilot);
    const stream = await openStream(service, { token: ways.scriptToken });
    await stream.next('all');
    expect(await change(pilot, { pushEndpoint: ways.own })).toMatchObject({ status: 200, body: { success: true } });
    await stream.ended;
    expect(await tryWays(pilot, ways)).toEqual({ ...CLOSED, session: 200, devices: [true, false] });
  });

  test('a change that names no device of its own ends all of them', async () => {
    const [pilot, other] = [await givenPerson(service), await givenPerson(service)];
    const [ways, theirs] = [await openWays(pilot), await openWays(other)];
    expect((await change(pilot, { pushEndpoint: theirs.own })).status).toBe(200);
    expect(await tryWays(pilot, ways)).toEqual({ ...CLOSED, session: 200 });
    expect(await tryWays(other, theirs)).toEqual(OPEN);
  });

  test('a change that is refused ends none', async () => {
    const pilot = await givenPerson(service);
    const ways = await openWays(pilot);
    expect((await change(pilot, { currentPassword: 'not this one' })).status).toBe(400);
    expect(await tryWays(pilot, ways)).toEqual(OPEN);
  });
});

describe("an admin's own password", () => {
  test.each([
    ['without the current one', {}, 'Please enter your current password to reset your own.'],
    ['with a wrong one', { currentPassword: 'not this one' }, 'The current password is not correct'],
  ])('is not reset %s', async (_how, more, message) => {
    const boss = await givenAdmin(service);
    const refused = await reset(boss, boss, more);
    expect(refused).toMatchObject({
      status: 400,
      body: { message, issues: [{ path: 'currentPassword', message }] },
    });
    const { data } = await boss.client.trpc.admin.resetPassword
      .mutate({ id: boss.id, newPassword: NEW_PASSWORD, ...more })
      .then(
        () => ({ data: null }),
        (error: unknown) => Object(error),
      );
    expect(data).toMatchObject({ httpStatus: 400 });
    const login = { email: boss.email, password: PASSWORD };
    expect((await createClient(service).call('POST', '/auth/login', login)).status).toBe(200);
  });

  test('can be reset with the current one, and ends everything, this session too', async () => {
    const boss = await givenAdmin(service);
    const ways = await openWays(boss);
    expect((await reset(boss, boss, { currentPassword: PASSWORD })).status).toBe(200);
    expect(await tryWays(boss, ways)).toEqual(CLOSED);
  });

  test("is not needed to reset somebody else's", async () => {
    const boss = await givenAdmin(service);
    expect((await reset(admin, boss)).status).toBe(200);
  });
});

test('the session evicted by the twenty-first ends its stream at once, and the others continue', async () => {
  const pilot = await givenPerson(service);
  const second = createClient(service);
  const login = { email: pilot.email, password: PASSWORD };
  await second.call('POST', '/auth/login', login);
  const [oldest, next] = [await openStream(service, pilot.client.cookie()), await openStream(service, second.cookie())];
  for (let device = 3; device <= 20; device += 1) await createClient(service).call('POST', '/auth/login', login);
  expect((await pilot.client.call('GET', '/auth/me')).status).toBe(200);
  await createClient(service).call('POST', '/auth/login', login);
  // well before the next heartbeat, which would find it as well
  let isLate = false;
  const late = setTimeout(() => (isLate = true), 10_000);
  await oldest.ended;
  clearTimeout(late);
  expect(isLate).toBe(false);
  let isNextOver = false;
  void next.ended.then(() => (isNextOver = true));
  expect((await second.call('GET', '/auth/me')).status).toBe(200);
  expect(isNextOver).toBe(false);
  next.close();
});
