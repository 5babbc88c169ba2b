/** Calls from pages of other sites: for nobody by default; for configured sites with an access token, never with cookies. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const SITE = 'https://roster.example';
const LOCAL = 'http://localhost:5555';

let closed: Service;
let open: Service;
let pilot: Person;
let token: string;
beforeAll(async () => {
  closed = await startService();
  open = await startService({ env: { CORS_ORIGINS: `${SITE}, ${LOCAL}` } });
  pilot = await givenPerson(open);
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const made = await pilot.client.call('POST', `/users/${pilot.id}/tokens`, {
    name: 'Page',
    scopes: ['pilot'],
    expiresAt,
  });
  token = made.body.token;
});
afterAll(async () => {
  await open.stop();
  await closed.stop();
});

const corsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
const preflight = (
  { url }: Service,
  origin: string,
  headers = 'authorization,content-type',
  path = '/api/v1/auth/me',
) =>
  fetch(`${url}${path}`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': headers },
  });

describe('a configured site', () => {
  test.each([SITE, LOCAL])('%s may ask with an access token', async (origin) => {
    for (const path of ['/api/v1/auth/me', '/trpc/auth.me', '/api/v1/users/x/status']) {
      const response = await preflight(open, origin, 'authorization,content-type', path);
      expect([path, response.status, response.headers.get('access-control-allow-origin')]).toEqual([path, 204, origin]);
      expect(response.headers.get('access-control-allow-headers')).toContain('Authorization');
      expect(response.headers.get('access-control-allow-methods')).toContain('PUT');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      expect(response.headers.get('vary')).toContain('Origin');
    }
  });

  test('reads and writes with a token, and sees the headers it needs', async () => {
    const headers = { origin: SITE, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const read = await fetch(`${open.url}/api/v1/auth/me`, { headers });
    expect([read.status, Object(await read.json()).id]).toEqual([200, pilot.id]);
    const write = await fetch(`${open.url}/api/v1/users/${pilot.id}/status`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ state: 'dnd' }),
    });
    expect(write.status).toBe(200);
    for (const response of [read, write]) {
      expect(corsOf(response.headers)).toEqual({
        'access-control-allow-origin': SITE,
        'access-control-expose-headers': expect.stringContaining('Retry-After'),
      });
    }
  });

  test('gets nothing with a session cookie', async () => {
    const headers = { origin: SITE, cookie: pilot.client.cookie(), 'content-type': 'application/json' };
    expect(corsOf((await fetch(`${open.url}/api/v1/auth/me`, { headers })).headers)).toEqual({});
    expect(corsOf((await preflight(open, SITE, 'content-type')).headers)).toEqual({});
    const write = await fetch(`${open.url}/api/v1/users/${pilot.id}/status`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ state: 'available' }),
    });
    expect([write.status, Object(await write.json()).code]).toEqual([403, 'CROSS_ORIGIN']);
  });
});

describe('any other site', () => {
  test.each([
    ['https://evil.example'],
    ['https://roster.example.evil.example'],
    ['http://roster.example'],
    ['https://roster.example:8443'],
    ['null'],
  ])('%s gets no headers', async (origin) => {
    expect(corsOf((await preflight(open, origin)).headers)).toEqual({});
    const headers = { origin, authorization: `Bearer ${token}` };
    expect(corsOf((await fetch(`${open.url}/api/v1/auth/me`, { headers })).headers)).toEqual({});
  });

  test('without the setting nobody does', async () => {
    for (const origin of [SITE, LOCAL, closed.url])
      expect(corsOf((await preflight(closed, origin)).headers)).toEqual({});
  });
});
