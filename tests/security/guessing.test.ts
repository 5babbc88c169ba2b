/**
 * Guessing at every entrance: one password for many accounts, links, codes, tokens and invites, from one address and behind
 * made-up ones. The limits hold, and somebody else still gets in.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { OWNED_MAX, SECOND_FACTOR_ATTEMPTS, SIGN_IN_ATTEMPTS } from '#shared/limits.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { givenAuthenticator } from '#tests/harness/second-factor.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService({ env: { AUTH_ATTEMPTS_PER_MINUTE: '10', TRUST_PROXY: '1' } });
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

// limits count by minutes of the clock: no test starts in the last third of one
beforeEach(async () => {
  await expect.poll(() => new Date().getUTCSeconds(), { timeout: 25_000, interval: 200 }).toBeLessThan(40);
  await query(service.app.orm.em.fork(), sql`truncate attempt`);
});

const post = (path: string, body: object, from: string, { url } = service) =>
  createClient({ url }).call('POST', path, body, { 'x-forwarded-for': from });
const countOf = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;

async function repeat(times: number, call: (turn: number) => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let turn = 0; turn < times; turn += 1) statuses.push((await call(turn)).status);
  return statuses;
}

test('one password for many accounts: an address has sixty tries a minute, and others sign in meanwhile', async () => {
  const owner = await givenPerson(service);
  await query(service.app.orm.em.fork(), sql`truncate attempt`);
  const spray = (turn: number) =>
    post('/auth/login', { email: `target-${turn}@example.org`, password: 'Summer2026!' }, '198.51.100.7');
  const statuses = await repeat(SIGN_IN_ATTEMPTS.perAddressPerMinute + 15, spray);
  expect([countOf(statuses, 401), countOf(statuses, 429)]).toEqual([SIGN_IN_ATTEMPTS.perAddressPerMinute, 15]);
  expect((await post('/auth/login', { email: owner.email, password: PASSWORD }, '192.0.2.9')).status).toBe(200);
});

test('made-up addresses in X-Forwarded-For count as one where no proxy is trusted', async () => {
  const direct = await startService({ env: { AUTH_ATTEMPTS_PER_MINUTE: '10' } });
  const statuses = await repeat(12, (turn) =>
    post('/auth/login', { email: 'target@example.org', password: 'Summer2026!' }, `203.0.113.${turn}`, direct),
  );
  expect([countOf(statuses, 401), countOf(statuses, 429)]).toEqual([10, 2]);
  await direct.stop();
});

test.each([
  ['links that sign in', '/auth/sign-in-link', (turn: number) => ({ token: `guess-${turn}` })],
  [
    'links to choose a password',
    '/auth/set-password',
    (turn: number) => ({ token: `guess-${turn}`, password: PASSWORD, confirmPassword: PASSWORD }),
  ],
])('%s: ten tries a minute from one address, and others go on', async (_what, path, bodyOf) => {
  const statuses = await repeat(14, (turn) => post(path, bodyOf(turn), '198.51.100.8'));
  expect(countOf(statuses, 429)).toBe(4);
  expect((await post(path, bodyOf(99), '192.0.2.10')).status).not.toBe(429);
});

test('codes of an authenticator app: ten in a quarter of an hour from all addresses', async () => {
  const person = await givenPerson(service);
  await givenAuthenticator(person);
  const statuses = await repeat(SECOND_FACTOR_ATTEMPTS.perAccount + 5, async (turn) => {
    const from = `203.0.113.${turn}`;
    const client = createClient(service);
    const headers = { 'x-forwarded-for': from };
    await client.call('POST', '/auth/login', { email: person.email, password: PASSWORD }, headers);
    return client.call('POST', '/auth/second-step', { code: String(100_000 + turn) }, headers);
  });
  expect(statuses.slice(SECOND_FACTOR_ATTEMPTS.perAccount)).toEqual(Array.from({ length: 5 }, () => 429));
});

/** Bits of a random text in base64url, base32 or hexadecimal digits. */
const bitsOf = (secret: string): number =>
  secret.length * (/^[0-9a-f]+$/.test(secret) ? 4 : /^[a-z2-7]+$/.test(secret) ? 5 : 6);

test('secrets without a limit on tries have at least 128 random bits', async () => {
  const pilot = await givenPerson(service);
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const scopes = ['read'];
  const token = await admin.client.call('POST', `/users/${admin.id}/tokens`, { name: 'Script', scopes, expiresAt });
  const calendar = await admin.client.call('POST', '/pilot/calendar');
  const [link] = (await admin.client.call('POST', '/admin/users/password-links', { ids: [pilot.id] })).body;
  const secretOf = (url: string) =>
    String(
      url
        .replace(/\.ics$/, '')
        .split(/[/.]/)
        .at(-1),
    );
  const secrets = [String(token.body.token), secretOf(calendar.body.url), secretOf(link.url)];
  for (const secret of secrets) {
    expect(secret).toMatch(/^[\w-]+$/);
    expect(bitsOf(secret), secret).toBeGreaterThanOrEqual(128);
  }
  expect(bitsOf('0123456789abcdef')).toBe(64);
});

test('the code of an invite is short enough to be read aloud, and too long to be tried', async () => {
  const { body } = await admin.client.call('POST', '/admin/invites', { name: 'Recruits' });
  const [, code = ''] = /\/join\/(.*)$/.exec(body.url) ?? [];
  // one of 32 characters in each place
  const codes = 32 ** code.length;
  const guessesPerYear = 1_000 * 60 * 60 * 24 * 365;
  expect(code.length).toBeLessThanOrEqual(12);
  expect(codes / OWNED_MAX.invites / guessesPerYear).toBeGreaterThan(100_000);
});
