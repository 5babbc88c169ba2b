/** Personal access tokens: made once, listed, revoked, and what reading with one leaves alone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { LIVE_PATH } from '#shared/live.ts';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { openStream } from '#tests/harness/stream.ts';
import { ask, TRANSPORTS } from '#tests/harness/transports.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const INVALID = {
  status: 401,
  body: {
    code: 'TOKEN_INVALID',
    message: 'This access token is unknown, expired or revoked. You can make a new one on your profile.',
  },
};

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

const make = (person: Person, more: Record<string, unknown> = {}) =>
  person.client.call('POST', `/users/${person.id}/tokens`, {
    name: 'Roster',
    scopes: ['read'],
    expiresAt: inDays(90),
    ...more,
  });
const list = async (caller: Person, { id } = caller) => (await caller.client.call('GET', `/users/${id}/tokens`)).body;
const revoke = (caller: Person, { id }: Person, tokenId: string) =>
  caller.client.call('DELETE', `/users/${id}/tokens/${tokenId}`);

/** A call as a script makes it: no cookie, no Origin. */
async function callBy(token: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

describe('a new token', () => {
  test('is answered once, and listed without its secret', async () => {
    const pilot = await givenPerson(service);
    const expiresAt = inDays(30);
    const { status, body } = await make(pilot, { scopes: ['pilot', 'read', 'read'], expiresAt });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'Roster',
        scopes: ['read', 'pilot'],
        createdAt: expect.any(String),
        expiresAt,
        lastUsedAt: null,
        token: expect.stringMatching(/^mrsh_[\w-]{43}[0-9a-f]{8}$/),
      },
    ]);
    const { token, ...listed } = body;
    expect(await list(pilot)).toEqual([listed]);
    expect(await list(admin, pilot)).toEqual([listed]);
    expect((await callBy(token, 'GET', '/auth/me')).body).toMatchObject({ id: pilot.id });
    const [{ lastUsedAt }] = await list(pilot);
    expect(Date.now() - Date.parse(lastUsedAt)).toBeLessThan(60_000);
  });

  test('is in the audit log, and so is its end, without the secret', async () => {
    const pilot = await givenPerson(service);
    const { body } = await make(pilot, {
      scopes: ['read', 'pilot'],
      expiresAt: `${inDays(90).slice(0, 10)}T19:00:00Z`,
    });
    await revoke(admin, pilot, body.id);
    const log = await admin.client.call('GET', `/admin/audit?subjectId=${pilot.id}`);
    expect(log.body.entries.map(({ summary }: { summary: string }) => summary)).toEqual([
      'Revoked an access token: “Roster”',
      expect.stringMatching(/^Made an access token: “Roster” \(read, pilot\), until \w{3} \d+ 1900Z$/),
      expect.stringMatching(/^Signed in/),
    ]);
    expect(JSON.stringify(log.body)).not.toContain(body.token.slice(0, 20));
  });

  test.each([
    ['in the past', () => inDays(-0.01)],
    ['in 367 days', () => inDays(367)],
  ])('does not expire %s', async (_when, expiresAt) => {
    const pilot = await givenPerson(service);
    const message = 'A token must expire in the future, within 366 days';
    expect(await make(pilot, { expiresAt: expiresAt() })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION', message, issues: [{ path: 'expiresAt', message }] },
    });
    expect(await list(pilot)).toEqual([]);
  });

  test('has the scope admin only for admins', async () => {
    const pilot = await givenPerson(service);
    expect(await make(pilot, { scopes: ['read', 'admin'] })).toMatchObject({
      status: 403,
      body: { code: 'ADMINS_ONLY', message: 'Only admins can make a token with the scope admin or server' },
    });
    expect(await list(pilot)).toEqual([]);
    const { body } = await make(admin, { scopes: ['admin'] });
    expect((await callBy(body.token, 'GET', '/admin/users')).status).toBe(200);
    await revoke(admin, admin, body.id);
  });

  test('finds room again when an old one expires', async () => {
    const pilot = await givenPerson(service);
    for (let index = 0; index < 10; index += 1) expect((await make(pilot)).status).toBe(201);
    expect(await make(pilot)).toMatchObject({
      status: 409,
      body: {
        code: 'LIMIT_REACHED',
        message: 'An account can have at most 10 access tokens. Please revoke one first.',
      },
    });
    const [{ id }] = await list(pilot);
    await expire(id);
    expect((await make(pilot)).status).toBe(201);
    expect(await list(pilot)).toHaveLength(10);
  });
});

async function expire(id: string): Promise<void> {
  await query(service.app.orm.em.fork(), sql`update personal_access_token set expires_at = now() where id = ${id}`);
}

describe('the end of a token', () => {
  test('comes at once, on both surfaces, for its event stream too, and not for the others', async () => {
    const pilot = await givenPerson(service);
    const [{ body: lost }, { body: kept }] = [await make(pilot), await make(pilot)];
    const [ending, going] = [await openStream(service, lost), await openStream(service, kept)];
    expect([ending.status, going.status]).toEqual([200, 200]);
    await Promise.all([ending.next('all'), going.next('all')]);
    expect((await revoke(pilot, pilot, lost.id)).body).toEqual({ success: true });
    await ending.ended;
    expect(await callBy(lost.token, 'GET', '/auth/me')).toEqual(INVALID);
    for (const transport of TRANSPORTS) {
      for (const name of ['auth.me', 'auth.viewer', 'pilot.stats']) {
        expect(await ask(service, transport, name, undefined, lost)).toMatchObject({
          status: 401,
          ...INVALID.body,
          body: expect.anything(),
        });
      }
    }
    expect(
      (await fetch(`${service.url}${LIVE_PATH}`, { headers: { authorization: `Bearer ${lost.token}` } })).status,
    ).toBe(401);
    // the stream of the other token hears of a change that comes after
    await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'dnd' });
    await going.next('status');
    going.close();
    expect(await revoke(pilot, pilot, lost.id)).toMatchObject({
      status: 404,
      body: { message: 'Access token not found' },
    });
  });

  test('comes with its expiry', async () => {
    const pilot = await givenPerson(service);
    const { body } = await make(pilot);
    const stream = await openStream(service, body);
    await expire(body.id);
    expect(await callBy(body.token, 'GET', '/auth/me')).toEqual(INVALID);
    await service.app.live.check();
    await stream.ended;
  });

  test("is not another pilot's to decide", async () => {
    const [pilot, other] = [await givenPerson(service), await givenPerson(service)];
    const { body } = await make(pilot);
    expect((await revoke(other, pilot, body.id)).status).toBe(403);
    expect((await revoke(other, other, body.id)).status).toBe(404);
    expect((await callBy(body.token, 'GET', '/auth/me')).status).toBe(200);
  });
});

test.each([
  ['of another kind', 'a'.repeat(40)],
  ['without its checksum', `mrsh_${'a'.repeat(43)}`],
  ['with a wrong checksum', `mrsh_${'a'.repeat(43)}00000000`],
])('a token %s is refused, whatever cookie is sent beside it', async (_kind, token) => {
  const pilot = await givenPerson(service);
  const headers = { authorization: `Bearer ${token}`, cookie: pilot.client.cookie() };
  const response = await fetch(`${service.url}/api/v1/auth/me`, { headers });
  expect({ status: response.status, body: await response.json() }).toEqual(INVALID);
});

test('a suspended pilot keeps the token, which is refused like the session', async () => {
  const pilot = await givenPerson(service);
  const { body } = await make(pilot);
  await admin.client.call('DELETE', `/admin/users/${pilot.id}/roles/user`);
  expect(await callBy(body.token, 'GET', '/pilot/inbox')).toMatchObject({ status: 403, body: { code: 'SUSPENDED' } });
  expect((await callBy(body.token, 'GET', '/auth/me')).status).toBe(200);
});

describe("an admin's token", () => {
  test('without the scope admin hears and does only what a pilot may', async () => {
    const boss = await givenAdmin(service);
    const { body } = await make(boss, { scopes: ['pilot'] });
    const aircraft = `/users/${boss.id}/proficiencies/2`;
    const em = service.app.orm.em.fork();
    await boss.client.call('PUT', aircraft, { level: 'basic' });
    await query(em, sql`update proficiency set set_by_admin = true where user_id = ${boss.id}`);
    expect(await callBy(body.token, 'PUT', aircraft, { level: 'expert' })).toMatchObject({
      status: 409,
      body: { code: 'LEVEL_SET_BY_ADMIN' },
    });
    expect((await boss.client.call('PUT', aircraft, { level: 'expert' })).status).toBe(200);

    const [script, page] = [await openStream(service, body), await openStream(service, boss.client.cookie())];
    await Promise.all([script.next('all'), page.next('all')]);
    await givenMission(service, boss);
    await page.next('missions');
    // the heartbeat looks the roles up again
    await service.app.live.check();
    await givenMission(service, boss);
    await page.next('missions');
    // comes after the changes that only admins hear
    await boss.client.call('PUT', `/users/${boss.id}/status`, { state: 'dnd' });
    await script.next('status');
    expect(script.events.filter(({ topic }) => topic === 'missions')).toEqual([]);
    for (const stream of [script, page]) stream.close();
  });

  test('with only the scope admin changes the data of others, not its owner’s', async () => {
    const [boss, pilot] = [await givenAdmin(service), await givenPerson(service)];
    const { body } = await make(boss, { scopes: ['admin'] });
    expect((await callBy(body.token, 'PUT', `/users/${pilot.id}/status`, { state: 'dnd' })).status).toBe(200);
    expect(await callBy(body.token, 'PUT', `/users/${boss.id}/status`, { state: 'dnd' })).toMatchObject({
      status: 403,
      body: { code: 'SCOPE_REQUIRED' },
    });
    expect((await callBy(body.token, 'GET', `/users/${boss.id}/status`)).body).toMatchObject({ state: 'available' });
  });
});

test('files are reads, too', async () => {
  const pilot = await givenPerson(service);
  await givenAlwaysFree(service, pilot.id);
  await givenMission(service, admin);
  const { body } = await make(pilot, { scopes: ['read'] });
  const [{ id }] = (await pilot.client.call('GET', '/pilot/inbox')).body;
  expect(await callBy(body.token, 'GET', `/pilot/inbox/${id}/calendar.ics`)).toMatchObject({ status: 200 });
  await expire(body.id);
  expect(await callBy(body.token, 'GET', `/pilot/inbox/${id}/calendar.ics`)).toEqual(INVALID);
  expect(await callBy(body.token, 'GET', `/pilot/inbox/${id}/kneeboard.png`)).toEqual(INVALID);
});

describe('reading with a token', () => {
  test('marks nothing as read, and a session does', async () => {
    const pilot = await givenPerson(service);
    await givenAlwaysFree(service, pilot.id);
    await givenMission(service, admin);
    const { body } = await make(pilot);
    const status = async () => (await pilot.client.call('GET', '/pilot/inbox/status')).body;
    const isRead = async (id: string) =>
      (
        await query<{ isRead: boolean }>(
          service.app.orm.em.fork(),
          sql`select read_at is not null as "isRead" from frag_order where id = ${id}`,
        )
      )[0]?.isRead;
    expect(await status()).toEqual({ hasNewOrders: true, pendingCount: 1 });
    let id = '';
    for (const transport of TRANSPORTS) {
      const inbox = await ask(service, transport, 'pilot.inbox', { includeCompleted: true }, body);
      id = Object(inbox.body)[0].id;
      expect((await ask(service, transport, 'pilot.order', { id }, body)).status).toBe(200);
    }
    expect([await status(), await isRead(id)]).toEqual([{ hasNewOrders: true, pendingCount: 1 }, false]);
    await pilot.client.call('GET', `/pilot/inbox/${id}`);
    await pilot.client.call('GET', '/pilot/inbox');
    expect([await status(), await isRead(id)]).toEqual([{ hasNewOrders: false, pendingCount: 1 }, true]);
  });

  test('notes its use, but not again within five minutes', async () => {
    const pilot = await givenPerson(service);
    const { body } = await make(pilot);
    const used = async (): Promise<string> => (await list(pilot))[0].lastUsedAt;
    const setBack = (minutes: number) =>
      query(
        service.app.orm.em.fork(),
        sql`update personal_access_token set last_used_at = now() - make_interval(mins => ${sql.lit(minutes)}) where id = ${body.id}`,
      );
    await setBack(4);
    const before = await used();
    await callBy(body.token, 'GET', '/pilot/inbox');
    expect(await used()).toBe(before);
    await setBack(6);
    await callBy(body.token, 'GET', '/pilot/inbox');
    expect(Date.now() - Date.parse(await used())).toBeLessThan(60_000);
  });
});
