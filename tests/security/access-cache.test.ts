/**
 * What a process remembers of sessions and access tokens: used for repeated reads, never by the process that has ended them
 * itself, and by no other for 100 ms, whoever ends them.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCESS_CHANNEL } from '#server/schema/user.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const SERVER = join(import.meta.dirname, '..', 'bench', 'http-hot-server.ts');
const REFUSED_WITHIN_MS = 100;
/** A whole Marshal loads beside other tests. */
const START_MS = 240_000;

let here: Service;
let child: ChildProcess;
/** the address of a second process on the same database */
let there: string;
/** outside of both processes' pools, like psql */
let psql: Client;

beforeAll(async () => {
  here = await startService();
  child = fork(SERVER, ['marshal', here.databaseUrl], { execArgv: [] });
  const [answer] = await once(child, 'message');
  there = (answer as { url: string }).url;
  psql = new Client({ connectionString: here.databaseUrl });
  await psql.connect();
}, START_MS);
afterAll(async () => {
  child.kill();
  await psql.end();
  await here.stop();
});

type Headers = Record<string, string>;
const cookieOf = ({ client }: Person): Headers => ({ cookie: client.cookie() });
const read = async (url: string, { id }: Person, headers: Headers): Promise<number> =>
  (await fetch(`${url}/api/v1/users/${id}/status`, { headers })).status;

/** Waits until the process answers without looking the caller up, which a lock on the tables makes impossible. */
async function remembered(url: string, person: Person, headers: Headers): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    // the first of them is also noted as a visit, which is a write
    for (let visit = 0; visit < 4; visit += 1) expect(await read(url, person, headers)).toBe(200);
    await psql.query('begin; lock table session, personal_access_token in access exclusive mode');
    const status = await read(url, person, headers);
    await psql.query('commit');
    if (status === 200) return;
  }
  expect.unreachable('the process looks the caller up every time');
}

/** Milliseconds after the end of access at which a request was last accepted, by its beginning; 0 for none. */
async function acceptedFor(url: string, person: Person, headers: Headers): Promise<number> {
  const endedAt = performance.now();
  let accepted = 0;
  for (;;) {
    const begun = performance.now() - endedAt;
    if ((await read(url, person, headers)) !== 200) return accepted;
    accepted = begun;
    if (accepted > 8_000) return accepted;
  }
}

async function givenToken({ client, id }: Person): Promise<{ headers: Headers; tokenId: string }> {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const { body } = await client.call('POST', `/users/${id}/tokens`, { name: 'Script', scopes: ['pilot'], expiresAt });
  return { headers: { authorization: `Bearer ${body.token}` }, tokenId: body.id };
}

describe('another process', () => {
  test.each<[what: string, end: (pilot: Person, admin: Person) => Promise<unknown>]>([
    ['a sign-out', ({ client }) => client.call('POST', '/auth/logout', {})],
    ['a suspension', ({ id }, admin) => admin.client.call('DELETE', `/admin/users/${id}/roles/user`)],
    ['roles taken by SQL', ({ id }) => psql.query(`update app_user set roles = '{}' where id = $1`, [id])],
    ['a session deleted by SQL', ({ id }) => psql.query('delete from session where user_id = $1', [id])],
    [
      'a session expired by SQL',
      ({ id }) => psql.query('update session set expires_at = now() where user_id = $1', [id]),
    ],
    ['an account deleted by SQL', ({ id }) => psql.query('delete from app_user where id = $1', [id])],
  ])('refuses after %s', async (_what, end) => {
    const [pilot, admin] = [await givenPerson(here), await givenAdmin(here)];
    const headers = cookieOf(pilot);
    await remembered(there, pilot, headers);
    await end(pilot, admin);
    expect(await acceptedFor(there, pilot, headers)).toBeLessThan(REFUSED_WITHIN_MS);
  });

  test('refuses a token that was revoked', async () => {
    const pilot = await givenPerson(here);
    const { headers, tokenId } = await givenToken(pilot);
    await remembered(there, pilot, headers);
    await pilot.client.call('DELETE', `/users/${pilot.id}/tokens/${tokenId}`);
    expect(await acceptedFor(there, pilot, headers)).toBeLessThan(REFUSED_WITHIN_MS);
  });

  test('remembers nobody while it cannot hear', async () => {
    const pilot = await givenPerson(here);
    const headers = cookieOf(pilot);
    await remembered(there, pilot, headers);
    await psql.query('begin');
    await psql.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      ACCESS_CHANNEL,
    ]);
    await psql.query('delete from session where user_id = $1', [pilot.id]);
    await psql.query('commit');
    expect(await acceptedFor(there, pilot, headers)).toBeLessThan(REFUSED_WITHIN_MS);
  });
});

describe('the process that ends access', () => {
  test('refuses the next request', async () => {
    for (let round = 0; round < 10; round += 1) {
      const pilot = await givenPerson(here);
      const headers = cookieOf(pilot);
      await remembered(here.url, pilot, headers);
      await pilot.client.call('POST', '/auth/logout', {});
      expect(await read(here.url, pilot, headers)).toBe(401);
    }
  });

  test('refuses a pilot whom it has suspended', async () => {
    const [pilot, admin] = [await givenPerson(here), await givenAdmin(here)];
    const headers = cookieOf(pilot);
    await remembered(here.url, pilot, headers);
    await admin.client.call('DELETE', `/admin/users/${pilot.id}/roles/user`);
    expect(await read(here.url, pilot, headers)).toBe(403);
  });
});

test('a write is never made for somebody who is only remembered', async () => {
  const pilot = await givenPerson(here);
  const headers = { ...cookieOf(pilot), origin: there, 'content-type': 'application/json' };
  await remembered(there, pilot, headers);
  await psql.query('begin; lock table session in access exclusive mode');
  const write = fetch(`${there}/api/v1/users/${pilot.id}/status`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ state: 'dnd' }),
  });
  // the lock of the session that is waited for
  for (;;) {
    const { rows } = await psql.query<{ waits: boolean }>(
      `select exists (select from pg_locks where relation = 'session'::regclass and not granted) as waits`,
    );
    if (rows[0]?.waits) break;
    await pause(5);
  }
  await psql.query('delete from session where user_id = $1', [pilot.id]);
  await psql.query('commit');
  expect((await write).status).toBe(401);
});
