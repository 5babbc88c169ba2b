/** Bearer tokens for scripts: of development, and never to be mixed up with the cookies of browsers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenPerson, type Person } from '#tests/harness/given.ts';
import { createClient, sessionOf, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let person: Person;
let token: string;
beforeAll(async () => {
  service = await startService({ env: { DEV_TOKENS: '1' } });
  person = await givenPerson(service);
  const { status, body } = await createClient(service).call('POST', '/users/dev-token', {
    userId: person.id,
    displayName: 'Scripted',
  });
  expect([status, body.user]).toEqual([200, expect.objectContaining({ id: person.id, displayName: 'Scripted' })]);
  token = body.token;
});
afterAll(() => service.stop());

const me = async (headers: Record<string, string>) =>
  (await fetch(`${service.url}/api/v1/auth/me`, { headers })).status;
const rename = (headers: Record<string, string>) =>
  fetch(`${service.url}/api/v1/users/${person.id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ displayName: 'Renamed', timeZone: 'UTC' }),
  });

describe('a bearer token', () => {
  test('acts for its account, and writes need no origin, since no browser sends it by itself', async () => {
    expect(await me({ authorization: `Bearer ${token}` })).toBe(200);
    expect((await rename({ authorization: `Bearer ${token}` })).status).toBe(200);
  });

  test('does not work as a cookie, nor a cookie as a bearer token', async () => {
    expect(await me({ cookie: `session=${token}` })).toBe(401);
    const session = sessionOf(person.client);
    expect(await me({ cookie: `session=${session}` })).toBe(200);
    expect(await me({ authorization: `Bearer ${session}` })).toBe(401);
  });

  test.each(['Bearer x', `Bearer ${'a'.repeat(40)}`])(
    'that is invalid (%s) does not let another site write with the cookie of a browser',
    async (authorization) => {
      const before = (await person.client.call('GET', '/auth/me')).body;
      const stolen = { authorization, cookie: person.client.cookie(), origin: 'https://evil.example' };
      expect((await rename(stolen)).status).toBe(401);
      expect((await rename({ ...stolen, 'sec-fetch-site': 'cross-site' })).status).toBe(401);
      expect((await person.client.call('GET', '/auth/me')).body).toEqual(before);
    },
  );

  test.each(['Basic x', 'Bearer', 'Bearer ', 'bearer\ttoken'])(
    '%j is no bearer token: the origin is checked',
    async (authorization) => {
      const response = await rename({ authorization, cookie: person.client.cookie(), origin: 'https://evil.example' });
      expect(response.status).toBe(403);
    },
  );
});

test('development tokens are 404 unless switched on, and always in production', async () => {
  const configurations: Record<string, string>[] = [{ DEV_TOKENS: '0' }, { DEV_TOKENS: '1', NODE_ENV: 'production' }];
  for (const env of configurations) {
    const other = await startService({ env });
    try {
      expect(await createClient(other).call('POST', '/users/dev-token', { displayName: 'Dev' })).toMatchObject({
        status: 404,
        body: { message: 'Not found' },
      });
    } finally {
      await other.stop();
    }
  }
});
