/** Refusals before any procedure runs, and the form of every refusal: JSON with a code and a sentence. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import type { RefusalCode } from '#shared/refusals.ts';
import { takeDigest } from '#tests/harness/digest.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { ask, isRecord, TRANSPORTS } from '#tests/harness/transports.ts';
import { givenWorld, type World } from './operations.ts';

let service: Service;
let world: World;
let cookie: string;
beforeAll(async () => {
  service = await startService();
  world = await givenWorld(service);
  const { sessions } = service.app;
  cookie = `${sessions.cookieName}=${(await sessions.create(world.admin.id)).token}`;
});
afterAll(() => service.stop());

interface Raw {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: RequestInit['body'];
}

const JSON_TYPE = { 'content-type': 'application/json' };
const ours = () => ({ origin: service.url });

/** Sends a raw request with the admin's session. @returns the answer's status, code and sentence */
async function send({
  method = 'POST',
  path,
  headers = {},
  body,
}: Raw): Promise<[status: number, code: unknown, sentence: unknown]> {
  const response = await fetch(`${service.url}${path}`, { method, headers: { cookie, ...headers }, body });
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  const answer: unknown = await response.json();
  const first: unknown = Array.isArray(answer) ? answer[0] : answer;
  const refused = isRecord(first) && isRecord(first.error) ? first.error : first;
  if (!isRecord(refused)) return [response.status, undefined, undefined];
  // tRPC's own code is next to the sentence
  const code = isRecord(refused.data) ? refused.data.refusal : refused.code;
  return [response.status, code, refused.message];
}

const form = () => {
  const data = new FormData();
  data.set('name', 'Op');
  return data;
};
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** The same call by both transports: roles of the pilot, which only JSON from our own pages may change. */
const WRITES = {
  rest: () => ({ path: `/api/v1/admin/users/${world.self.id}/roles`, body: '{"role":"admin"}' }),
  trpc: () => ({ path: '/trpc/admin.addRole', body: JSON.stringify({ id: world.self.id, role: 'admin' }) }),
};

describe.each(TRANSPORTS)('a write by %s', (transport) => {
  const NOT_JSON = [400, 'BAD_REQUEST', 'The request body is not valid JSON'] as const;
  const TOO_LARGE = [413, 'BODY_TOO_LARGE', 'The request is too large'] as const;
  const ONLY_JSON = [415, 'NOT_JSON', 'Please send JSON (Content-Type: application/json)'] as const;
  const FOREIGN = [403, 'CROSS_ORIGIN', 'This request did not come from this site'] as const;

  test.each<[rule: string, raw: Omit<Raw, 'path'>, expected: readonly [number, RefusalCode, string]]>([
    ['with half a body', { body: '{"role":' }, NOT_JSON],
    ['with an empty text', { body: '"' }, NOT_JSON],
    ['with a body over 64 kB', { body: JSON.stringify({ role: 'x'.repeat(65 * 1024) }) }, TOO_LARGE],
    ['with a body nested without end', { body: deep(40_000) }, TOO_LARGE],
    ['as a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'role=admin' }, ONLY_JSON],
    ['as text', { headers: { 'content-type': 'text/plain' }, body: '{"role":"admin"}' }, ONLY_JSON],
    ['as bytes', { headers: { 'content-type': 'application/octet-stream' }, body: 'abc' }, ONLY_JSON],
    [
      'as a form with files',
      { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x--' },
      ONLY_JSON,
    ],
    ['from nowhere', { headers: { ...JSON_TYPE, origin: '' } }, FOREIGN],
    ['from another site', { headers: { ...JSON_TYPE, origin: 'https://evil.example' } }, FOREIGN],
    ['from another port of this machine', { headers: { ...JSON_TYPE, origin: 'http://localhost:1' } }, FOREIGN],
    ['from a sandboxed frame', { headers: { ...JSON_TYPE, origin: 'null' } }, FOREIGN],
    ['that the browser calls cross-site', { headers: { ...JSON_TYPE, 'sec-fetch-site': 'cross-site' } }, FOREIGN],
    ['that the browser calls same-site only', { headers: { ...JSON_TYPE, 'sec-fetch-site': 'same-site' } }, FOREIGN],
  ])('%s is refused and changes nothing', async (_rule, raw, expected) => {
    const write = WRITES[transport]();
    const before = await takeDigest(service);
    expect(await send({ ...write, ...raw, headers: { ...ours(), ...JSON_TYPE, ...raw.headers } })).toEqual(expected);
    expect(await takeDigest(service)).toEqual(before);
  });

  test('of an HTML form is refused', async () => {
    const { path } = WRITES[transport]();
    expect(await send({ path, headers: ours(), body: form() })).toEqual(ONLY_JSON);
  });

  test('as JSON from our own page is done', async () => {
    const write = WRITES[transport]();
    const sameOrigin = { 'sec-fetch-site': 'same-origin', ...JSON_TYPE };
    expect((await send({ ...write, headers: { ...ours(), ...JSON_TYPE } }))[0]).toBe(200);
    expect((await send({ ...write, headers: sameOrigin }))[0]).toBe(200);
    await query(service.app.orm.em.fork(), sql`update app_user set roles = '{user}' where id = ${world.self.id}`);
  });

  test('with a body of deep lists under the limit is refused with a sentence', async () => {
    const write = WRITES[transport]();
    expect(await send({ ...write, body: deep(20_000), headers: { ...ours(), ...JSON_TYPE } })).toEqual([
      400,
      'BAD_REQUEST',
      'The request body is nested too deeply',
    ]);
  });
});

test.each([
  ['/api/v1/nothing', 'GET'],
  ['/api/v1/nothing', 'POST'],
  ['/api/v2/stats', 'GET'],
  ['/trpc/nothing.here', 'GET'],
  ['/trpc/', 'GET'],
  ['/api/v1/users/%zz/status', 'GET'],
  ['/nothing', 'GET'],
])('%s by %s is not there, in JSON', async (path, method) => {
  const isReadable = !path.includes('%zz');
  expect(await send({ path, method, headers: { ...ours(), ...JSON_TYPE } })).toEqual(
    isReadable ? [404, 'NOT_FOUND', 'Not found'] : [400, 'BAD_REQUEST', 'The request could not be read'],
  );
});

test('a query sent as a write, and a write sent as a query, are not available', async () => {
  const refused = [405, 'METHOD_NOT_ALLOWED', 'This method is not available here'];
  const asWrite = { path: '/trpc/pilot.stats', headers: { ...ours(), ...JSON_TYPE }, body: '{}' };
  expect(await send(asWrite)).toEqual(refused);
  expect(await send({ path: '/trpc/auth.logout', method: 'GET' })).toEqual(refused);
});

test('a batch holds at most ten calls', async () => {
  const batch = (size: number) =>
    send({
      path: `/trpc/${Array.from({ length: size }, () => 'pilot.stats').join(',')}?batch=1&input={}`,
      method: 'GET',
    });
  expect((await batch(10))[0]).toBe(200);
  expect(await batch(11)).toEqual([400, 'BAD_REQUEST', 'A batch can hold at most 10 calls']);
});

test.each([
  ['is not decodable', '%zz'],
  ['is empty', ''],
  ['is far too long', 'a'.repeat(4_000)],
  ['has the right length and was never given', 'a'.repeat(40)],
  ['is quoted', '"abc"'],
  ['tries SQL', "' or 1=1 --"],
])('a session cookie that %s is nobody', async (_rule, value) => {
  for (const path of ['/api/v1/auth/me', '/trpc/auth.me']) {
    const headers = { cookie: `${service.app.sessions.cookieName}=${value}` };
    expect(await send({ path, method: 'GET', headers })).toEqual([401, 'NOT_AUTHENTICATED', 'User not authenticated']);
  }
});

describe('every refusal has the same status by both transports', () => {
  const STRANGER = '0192c0de-0000-7000-8000-000000000000';
  const cookieOf = async (id: string) => {
    const { sessions } = service.app;
    return `${sessions.cookieName}=${(await sessions.create(id)).token}`;
  };

  test.each<[number, RefusalCode, string, () => string | undefined, string, () => Record<string, unknown>]>([
    [400, 'VALIDATION', 'Invalid email address', () => undefined, 'auth.login', () => ({ email: 'x', password: 'x' })],
    [401, 'NOT_AUTHENTICATED', 'User not authenticated', () => undefined, 'pilot.inbox', () => ({})],
    [
      401,
      'LOGIN_FAILED',
      'Invalid email or password',
      () => undefined,
      'auth.login',
      () => ({ email: 'x@y.zz', password: 'x' }),
    ],
    [403, 'ADMINS_ONLY', 'Only admins can do this', () => world.other.id, 'admin.users', () => ({})],
    [404, 'ORDER_NOT_FOUND', 'Frag order not found', () => world.other.id, 'pilot.order', () => ({ id: STRANGER })],
    [404, 'USER_NOT_FOUND', 'User not found', () => world.admin.id, 'admin.roles', () => ({ id: STRANGER })],
    [404, 'USER_NOT_FOUND', 'User not found', () => world.admin.id, 'pilot.status', () => ({ id: STRANGER })],
    [
      409,
      'EMAIL_TAKEN',
      'An account with this email already exists',
      () => undefined,
      'auth.register',
      () => ({
        email: world.self.email.toUpperCase(),
        password: 'three blind mice 7',
        confirmPassword: 'three blind mice 7',
      }),
    ],
    [
      409,
      'OWN_ADMIN_ROLE',
      'You cannot remove your own admin role',
      () => world.admin.id,
      'admin.removeRole',
      () => ({ id: world.admin.id, role: 'admin' }),
    ],
    [
      410,
      'ORDER_EXPIRED',
      'This frag order has expired.',
      () => world.self.id,
      'pilot.rsvp',
      () => ({ id: world.subject.orderId, response: 'accepted' }),
    ],
  ])('%i %s %s', async (status, code, message, personId, procedure, input) => {
    await query(
      service.app.orm.em.fork(),
      sql`update frag_order set expires_at = now() - interval '1 minute' where id = ${world.subject.orderId}`,
    );
    const id = personId();
    for (const transport of TRANSPORTS) {
      const as = id === undefined ? '' : await cookieOf(id);
      expect(await ask(service, transport, procedure, input(), as)).toMatchObject({ status, code, message });
    }
  });
});
