/** Headers of every kind of answer, the session cookie from sign-in to its end, and limits on guessing. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { createHttp } from '#server/http/http.ts';
import { givenAdmin, givenPerson, PASSWORD } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const NONCE = /'nonce-([A-Za-z0-9+/=]{24})'/;
/** The policy, written out: a script of ours or none, styles by nonce, nothing framed, nothing else loaded. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'nonce'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: https://cdn.discordapp.com",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join(';');

function expectSafe(headers: Headers): void {
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy.replace(NONCE, "'nonce'")).toBe(POLICY);
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(headers.has('x-powered-by')).toBe(false);
  expect(headers.has('access-control-allow-origin')).toBe(false);
}

describe('headers', () => {
  let dist: string;
  let server: Server;
  let https: Server;
  let site: string;
  let secureSite: string;

  const listen = (one: Server) =>
    new Promise<string>((resolve) =>
      one.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(one.address() as AddressInfo).port}`)),
    );
  beforeAll(async () => {
    dist = mkdtempSync(join(tmpdir(), 'marshal-dist-'));
    mkdirSync(join(dist, 'assets'));
    writeFileSync(join(dist, 'index.html'), '<!doctype html><style nonce="__CSP_NONCE__"></style>');
    writeFileSync(join(dist, 'assets', 'app-1a2b3c4d.js'), 'export {};');
    writeFileSync(join(dist, 'assets', 'app-1a2b3c4d.js.br'), brotliCompressSync('export {}; // compressed'));
    writeFileSync(join(dist, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const options = { clientDist: dist, isReady: () => true };
    server = createServer(createHttp(service.app, { ...options, publicUrl: service.url }));
    https = createServer(createHttp(service.app, { ...options, publicUrl: 'https://marshal.example' }));
    [site, secureSite] = await Promise.all([listen(server), listen(https)]);
  });
  afterAll(async () => {
    for (const one of [server, https]) {
      one.closeAllConnections();
      await new Promise((resolve) => one.close(resolve));
    }
    rmSync(dist, { recursive: true, force: true });
  });

  const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
  test.each<[what: string, path: string, init: RequestInit, status: number, caching: RegExp]>([
    ['the page', '/', {}, 200, /^no-store$/],
    ['a page by its route', '/admin/missions', { headers: { accept: 'text/html' } }, 200, /^no-store$/],
    ['an asset', '/assets/app-1a2b3c4d.js', {}, 200, /immutable/],
    ['an asset that is gone', '/assets/app-0.js', {}, 404, /^no-store$/],
    ['an icon', '/icon.svg', {}, 200, /max-age=3600/],
    [
      'the page in place of a file outside',
      '/..%2f..%2fetc%2fpasswd',
      { headers: { accept: '*/*' } },
      200,
      /^no-store$/,
    ],
    ['health', '/healthz', {}, 200, /^no-store$/],
    ['readiness', '/readyz', {}, 200, /^no-store$/],
    ['an answer', '/api/v1/stats', {}, 200, /^no-store$/],
    ['a refusal', '/api/v1/auth/me', {}, 401, /^no-store$/],
    ['an unknown call', '/api/v1/nothing', {}, 404, /^no-store$/],
    ['a foreign write', '/api/v1/auth/logout', { ...post, body: '{}' }, 403, /^no-store$/],
    ['an answer by tRPC', '/trpc/pilot.stats', {}, 200, /^no-store$/],
    ['a refusal by tRPC', '/trpc/auth.me', {}, 401, /^no-store$/],
    ['the description', '/api/v1/openapi.json', {}, 200, /^public, no-cache$/],
    ['the API reference', '/api/v1/docs', {}, 200, /^no-store$/],
  ])('%s is sent with the whole set', async (_what, path, init, status, caching) => {
    const response = await fetch(`${site}${path}`, init);
    const text = await response.text();
    expect([response.status, text.length > 0]).toEqual([status, true]);
    expect(text).not.toMatch(/root:/);
    expectSafe(response.headers);
    expect(response.headers.has('strict-transport-security')).toBe(false);
    expect(response.headers.get('cache-control')).toMatch(caching);
  });

  test.each([
    ['a browser that reads Brotli gets the compressed file', 'gzip, deflate, br', 'br', 'export {}; // compressed'],
    ['any other gets the file itself', 'identity', null, 'export {};'],
    ['one that refuses Brotli, too', 'br;q=0', null, 'export {};'],
  ])('%s', async (_what, accepted, encoding, text) => {
    const response = await fetch(`${site}/assets/app-1a2b3c4d.js`, { headers: { 'accept-encoding': accepted } });
    expect(await response.text()).toBe(text);
    const { headers } = response;
    expect(headers.get('content-encoding')).toBe(encoding);
    expect(headers.get('vary')).toMatch(/accept-encoding/i);
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(headers.get('cache-control')).toMatch(/immutable/);
    expectSafe(headers);
  });

  test('styles get a nonce of their own with every page', async () => {
    const nonces: string[] = [];
    for (let visit = 0; visit < 3; visit += 1) {
      const response = await fetch(site);
      const nonce = NONCE.exec(response.headers.get('content-security-policy') ?? '')?.[1] ?? '';
      expect(await response.text()).toContain(`nonce="${nonce}"`);
      nonces.push(nonce);
    }
    expect(new Set(nonces).size).toBe(3);
  });

  test('an https site sends HSTS with every kind of answer', async () => {
    for (const path of ['/', '/api/v1/stats', '/api/v1/auth/me', '/trpc/auth.me', '/assets/none.js', '/healthz']) {
      const { headers } = await fetch(`${secureSite}${path}`);
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
      expectSafe(headers);
    }
  });

  test('no answer lets another site read it, whatever its request', async () => {
    const response = await fetch(`${site}/api/v1/stats`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'PUT' },
    });
    expectSafe(response.headers);
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
  });
});

describe('the session', () => {
  const rows = (userId: string) =>
    query<{ id: string }>(service.app.orm.em.fork(), sql`select id from session where user_id = ${userId}`);
  const signIn = (email: string, cookie?: string, password = PASSWORD) =>
    fetch(`${service.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url, ...(cookie ? { cookie } : {}) },
      body: JSON.stringify({ email, password }),
    });
  const me = async (cookie: string) => (await fetch(`${service.url}/api/v1/auth/me`, { headers: { cookie } })).status;
  const cookieOf = (response: Response) => response.headers.getSetCookie()[0] ?? '';
  const pairOf = (response: Response) => cookieOf(response).split(';')[0] ?? '';

  test('is a cookie that scripts and other sites do not get', async () => {
    const person = await givenPerson(service);
    const [value, ...flags] = cookieOf(await signIn(person.email)).split('; ');
    expect(value).toMatch(/^session=[a-z2-7]{40}$/);
    expect(flags.toSorted()).toEqual(['HttpOnly', 'Max-Age=1209600', 'Path=/', 'SameSite=Lax']);
  });

  test('on https is bound to the host and never sent in the clear', async () => {
    const secure = await startService({ env: { PUBLIC_URL: 'https://marshal.example' } });
    try {
      const person = await service.app.passwords.hash(PASSWORD);
      await query(
        secure.app.orm.em.fork(),
        sql`insert into app_user (id, email, email_key, time_zone, roles, password_hash, created_at, updated_at)
            values (gen_random_uuid(), 'a@b.co', 'a@b.co', 'UTC', '{user}', ${person}, now(), now())`,
      );
      const response = await fetch(`${secure.url}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: secure.url },
        body: JSON.stringify({ email: 'a@b.co', password: PASSWORD }),
      });
      const [value, ...flags] = cookieOf(response).split('; ');
      expect(value).toMatch(/^__Host-session=[a-z2-7]{40}$/);
      expect(flags.toSorted()).toEqual(['HttpOnly', 'Max-Age=1209600', 'Path=/', 'SameSite=Lax', 'Secure']);
      const renamed = pairOf(response).replace('__Host-', '');
      expect((await fetch(`${secure.url}/api/v1/auth/me`, { headers: { cookie: renamed } })).status).toBe(401);
    } finally {
      await secure.stop();
    }
  });

  test('is stored as a hash, which does not sign in', async () => {
    const person = await givenPerson(service);
    const token = pairOf(await signIn(person.email)).split('=')[1] ?? '';
    const ids = (await rows(person.id)).map(({ id }) => id);
    expect(ids).toContain(createHash('sha256').update(token).digest('hex'));
    expect(ids).not.toContain(token);
    for (const id of ids) expect(await me(`session=${id}`)).toBe(401);
    expect(await me(`session=${token}`)).toBe(200);
  });

  test('is new with every sign-in: a planted one does not work', async () => {
    const person = await givenPerson(service);
    const planted = `session=${'a'.repeat(40)}`;
    const response = await signIn(person.email, planted);
    expect(pairOf(response)).not.toBe(planted);
    expect(await me(planted)).toBe(401);
    expect(await me(pairOf(response))).toBe(200);
  });

  test('of another account in the same browser ends with the next sign-in', async () => {
    const [attacker, victim] = [await givenPerson(service), await givenPerson(service)];
    const planted = pairOf(await signIn(attacker.email));
    const mine = pairOf(await signIn(victim.email, planted));
    expect([await me(planted), await me(mine)]).toEqual([401, 200]);
  });

  test('a failed sign-in leaves the present session alone and sets no cookie', async () => {
    const person = await givenPerson(service);
    const cookie = pairOf(await signIn(person.email));
    const failed = await signIn(person.email, cookie, 'not this one');
    expect([failed.status, failed.headers.getSetCookie()]).toEqual([401, []]);
    expect(await me(cookie)).toBe(200);
  });

  test('ends at sign-out, in the browser and in the database', async () => {
    const person = await givenPerson(service);
    const stolen = person.client.cookie();
    expect((await rows(person.id)).length).toBe(1);
    const out = await person.client.call('POST', '/auth/logout');
    expect(out.body).toEqual({ success: true });
    expect(out.headers.getSetCookie()[0]).toMatch(/^session=; HttpOnly; Max-Age=0; Path=\/; SameSite=Lax$/);
    // kept cards and calendars; neither cookies, by which a browser is known again, nor the app's own files
    expect(out.headers.get('clear-site-data')).toBe('"cache"');
    expect([person.client.cookie(), await me(stolen), (await rows(person.id)).length]).toEqual([
      expect.not.stringContaining('session='),
      401,
      0,
    ]);
    expect((await person.client.call('POST', '/auth/logout')).body).toEqual({ success: true });
  });

  test('ends on every device when an admin resets the password', async () => {
    const admin = await givenAdmin(service);
    const person = await givenPerson(service);
    const phone = pairOf(await signIn(person.email));
    const reset = await admin.client.call('POST', `/admin/users/${person.id}/reset-password`, {
      newPassword: 'a brand new secret',
    });
    expect(reset.body).toEqual({ success: true });
    expect([await me(phone), await me(person.client.cookie()), (await rows(person.id)).length]).toEqual([401, 401, 0]);
    expect((await signIn(person.email)).status).toBe(401);
    expect((await signIn(person.email, undefined, 'a brand new secret')).status).toBe(200);
  });

  test('of this browser survives a change of the password, the others do not', async () => {
    const person = await givenPerson(service);
    const phone = pairOf(await signIn(person.email));
    const changed = await person.client.call('POST', '/auth/password', {
      currentPassword: PASSWORD,
      newPassword: 'a brand new secret',
      confirmPassword: 'a brand new secret',
    });
    expect(changed.body).toEqual({ success: true });
    expect([await me(person.client.cookie()), await me(phone)]).toEqual([200, 401]);
  });

  test('expires by the clock of the database, and is renewed by use', async () => {
    const person = await givenPerson(service);
    const em = service.app.orm.em.fork();
    const age = (left: string, old: string) =>
      query(
        em,
        sql`update session set expires_at = now() + ${left}::interval, created_at = now() - ${old}::interval
            where user_id = ${person.id}`,
      );
    await age('3 days', '11 days');
    const renewed = await person.client.call('GET', '/auth/me');
    expect(renewed.headers.getSetCookie()[0]).toMatch(/Max-Age=1209600/);
    const daysLeft = async () =>
      (
        await query<{ days: number }>(
          em,
          sql`select round(extract(epoch from expires_at - now()) / 86400)::int as days from session where user_id = ${person.id}`,
        )
      )[0]?.days;
    expect(await daysLeft()).toBe(14);
    await age('3 days', '26 days');
    await person.client.call('GET', '/auth/me');
    expect(await daysLeft()).toBe(4);
    await age('-1 second', '14 days');
    expect((await person.client.call('GET', '/auth/me')).status).toBe(401);
  });

  test('an account has at most twenty; the oldest end', async () => {
    const person = await givenPerson(service);
    const cookies: string[] = [];
    for (let device = 0; device < 21; device += 1) {
      cookies.push(`session=${(await service.app.sessions.create(person.id)).token}`);
    }
    expect((await rows(person.id)).length).toBe(20);
    expect([await me(cookies.at(-1) ?? ''), await me(person.client.cookie())]).toEqual([200, 401]);
  });
});

describe('guessing', () => {
  test('is limited for registrations per address, with the time to wait', async () => {
    const limited = await startService({ env: { AUTH_ATTEMPTS_PER_MINUTE: '3', TRUST_PROXY: '1' } });
    try {
      const client = createClient(limited);
      const register = (email: string, password: string) =>
        client.call(
          'POST',
          '/auth/register',
          { email, password, confirmPassword: password },
          { 'x-forwarded-for': '10.9.9.9' },
        );
      // the limit counts by minutes of the clock: do not start at the end of one
      await expect.poll(() => new Date().getUTCSeconds(), { timeout: 20_000 }).toBeLessThan(50);
      const answers = [];
      for (let turn = 0; turn < 4; turn += 1) answers.push(await register(`new-${turn}@example.org`, PASSWORD));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 429]);
      const refused = answers[3];
      expect(refused?.body.message).toBe('Too many attempts. Please wait a minute and try again.');
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect((await client.call('GET', '/stats', undefined, { 'x-forwarded-for': '10.9.9.9' })).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });

  test('learns nothing from response times: known and unknown accounts take equally long', async () => {
    // one that registered: the accounts of tests have a hash that costs nothing
    const email = `known-${randomUUID()}@example.org`;
    const account = { email, password: PASSWORD, confirmPassword: PASSWORD };
    expect((await createClient(service).call('POST', '/auth/register', account)).status).toBe(201);
    const client = createClient(service);
    const timed = async (address: string) => {
      const began = performance.now();
      const sent = { email: address, password: 'not this one' };
      const { status, body } = await client.call('POST', '/auth/login', sent);
      expect([status, body.message]).toEqual([401, 'Invalid email or password']);
      return performance.now() - began;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    // the fastest, because other programs only make an answer slower; on a busy machine it takes longer to meet a quiet moment
    const ratioOf = () => Math.min(...known) / Math.min(...unknown);
    const isEqual = () => ratioOf() > 0.5 && ratioOf() < 2;
    for (let turn = 0; turn < 10 || (turn < 60 && !isEqual()); turn += 1) {
      known.push(await timed(email));
      unknown.push(await timed(`nobody-${turn}@example.org`));
    }
    const ratio = ratioOf();
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  test('a flood of sign-ins is refused with the time to wait, and reads go on', async () => {
    const client = createClient(service);
    const flood = Array.from({ length: 60 }, (_, turn) =>
      client.call('POST', '/auth/login', { email: `flood-${turn}@example.org`, password: 'not this one' }),
    );
    const began = performance.now();
    expect((await createClient(service).call('GET', '/stats')).status).toBe(200);
    const readTook = performance.now() - began;
    const answers = await Promise.all(flood);
    const floodTook = performance.now() - began;
    const busy = answers.filter(({ status }) => status === 429);
    expect(answers.every(({ status }) => status === 401 || status === 429)).toBe(true);
    expect(busy.length).toBeGreaterThan(0);
    for (const { headers, body } of busy) {
      expect([headers.get('retry-after'), body.message]).toEqual([
        '1',
        'The server is busy. Please try again in a moment.',
      ]);
    }
    expect(readTook).toBeLessThan(floodTook);
  });
});
