/** Personal access tokens: made once, listed, revoked, limited to their scopes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

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
  return { status: response.status, body: await response.json() };
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

  test('is refused what its scopes leave out, and the keys of the account', async () => {
    const pilot = await givenPerson(service);
    const { body } = await make(pilot);
    expect(await callBy(body.token, 'PUT', `/users/${pilot.id}/status`, { state: 'dnd' })).toEqual({
      status: 403,
      body: {
        code: 'SCOPE_REQUIRED',
        message: 'This access token lacks the scope pilot. Please use a token that has it.',
      },
    });
    expect(await callBy(body.token, 'GET', `/users/${pilot.id}/tokens`)).toEqual({
      status: 403,
      body: {
        code: 'SESSION_REQUIRED',
        message: 'An access token cannot do this. Please sign in to the site and do it there.',
      },
    });
  });

  test('works no longer once it is revoked', async () => {
    const pilot = await givenPerson(service);
    const { body } = await make(pilot);
    expect((await callBy(body.token, 'GET', '/auth/me')).status).toBe(200);
    expect((await pilot.client.call('DELETE', `/users/${pilot.id}/tokens/${body.id}`)).body).toEqual({ success: true });
    expect(await callBy(body.token, 'GET', '/auth/me')).toEqual({
      status: 401,
      body: {
        code: 'TOKEN_INVALID',
        message: 'This access token is unknown, expired or revoked. You can make a new one on your profile.',
      },
    });
    expect(await list(pilot)).toEqual([]);
  });
});
