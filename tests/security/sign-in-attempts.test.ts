/** Limits on password guessing: refused attempts, their cost, and no lockout of the owner. */
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { createLog } from '#server/platform/log.ts';
import { SIGN_IN_ATTEMPTS } from '#shared/limits.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Client, type Service } from '#tests/harness/service.ts';

const TOO_MANY = 'Too many attempts. Please wait a minute and try again.';
const TOO_MANY_FOR_ACCOUNT =
  'Too many attempts for this account. Please wait 15 minutes, or use a browser that you have signed in with before.';
const WRONG = 'not this one either';

let service: Service;
let admin: Person;
const lines: string[] = [];
const logged = () => lines.map((line): Record<string, unknown> => JSON.parse(line));

beforeAll(async () => {
  service = await startService({ env: { AUTH_ATTEMPTS_PER_MINUTE: '10', TRUST_PROXY: '1' } });
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(...chunk.toString().trim().split('\n'));
      done();
    },
  });
  service.app.log = createLog('info', stream);
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

// limits count by minutes of the clock: no test starts in the last third of one
beforeEach(async () => {
  await expect.poll(() => new Date().getUTCSeconds(), { timeout: 25_000, interval: 200 }).toBeLessThan(40);
  await rows(sql`truncate attempt`);
  lines.length = 0;
});

async function signIn(email: string, password: string, address: string, client: Client = createClient(service)) {
  const { status, body, headers } = await client.call(
    'POST',
    '/auth/login',
    { email, password },
    { 'x-forwarded-for': address },
  );
  return { status, message: body.message, wait: Number(headers.get('retry-after') ?? 0) };
}

async function guess(email: string, addresses: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const address of addresses) statuses.push((await signIn(email, WRONG, address)).status);
  return statuses;
}

const times = (count: number, address = '198.51.100.7') => Array.from({ length: count }, () => address);
const apart = (count: number, net = '203.0.113') => Array.from({ length: count }, (_, n) => `${net}.${n + 1}`);
const all = (count: number, status: number) => Array.from({ length: count }, () => status);

/** Counts calls of the password hasher while `work` runs. */
async function countHashes(work: () => Promise<unknown>): Promise<number> {
  const real = service.app.passwords;
  let asked = 0;
  service.app.passwords = {
    ...real,
    verify(password, stored) {
      asked += 1;
      return real.verify(password, stored);
    },
  };
  try {
    await work();
  } finally {
    service.app.passwords = real;
  }
  return asked;
}

/** Every row of every table that a sign-in could write, with the moment it was written. */
const readEverything = () =>
  rows(sql`select 'attempt' as name, xmin::text, t::text as row from attempt t
           union all select 'audit', xmin::text, t::text from audit_entry t
           union all select 'session', xmin::text, t::text from session t
           union all select 'user', xmin::text, t::text from app_user t
           union all select 'secret', xmin::text, t::text from server_secret t order by 1, 2, 3`);

describe('an account and an address', () => {
  test('share ten attempts a minute, and the owner can sign in from elsewhere', async () => {
    const owner = await givenPerson(service);
    await rows(sql`truncate attempt`);
    expect(await guess(owner.email, times(11))).toEqual([...all(10, 401), 429]);
    const refused = await signIn(owner.email, PASSWORD, '198.51.100.7');
    expect(refused).toMatchObject({ status: 429, message: TOO_MANY });
    expect(refused.wait).toBeGreaterThan(0);
    expect(refused.wait).toBeLessThanOrEqual(60);
    expect((await signIn(owner.email, PASSWORD, '192.0.2.9')).status).toBe(200);
    // nor are other users behind that address
    const other = await givenPerson(service);
    expect((await signIn(other.email, PASSWORD, '198.51.100.7')).status).toBe(200);
  });

  test('refused attempts write and hash nothing, one by one or all at once', async () => {
    const owner = await givenPerson(service);
    await rows(sql`truncate attempt`);
    const flood = () => Promise.all(times(60).map((address) => signIn(owner.email, WRONG, address)));
    let answers: { status: number }[] = [];
    const hashed = await countHashes(async () => {
      answers = await flood();
    });
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(50);
    expect(hashed).toBe(10);

    const before = await readEverything();
    expect(await countHashes(flood)).toBe(0);
    expect(await readEverything()).toEqual(before);
    // the harness sees an attempt that is let through
    expect(await countHashes(() => signIn(owner.email, WRONG, '192.0.2.10'))).toBe(1);
    expect(await readEverything()).not.toEqual(before);
  });
});

describe('an account', () => {
  test('has twenty attempts in a quarter of an hour over all addresses; a browser it knows is not locked out', async () => {
    const owner = await givenPerson(service);
    const other = await givenPerson(service);
    await rows(sql`truncate attempt`);
    expect(await guess(owner.email, apart(22))).toEqual([...all(20, 401), 429, 429]);
    const stranger = await signIn(owner.email, PASSWORD, '192.0.2.20');
    expect(stranger).toMatchObject({ status: 429, message: TOO_MANY_FOR_ACCOUNT });
    expect(stranger.wait).toBeGreaterThan(13 * 60);
    expect(stranger.wait).toBeLessThanOrEqual(15 * 60);
    expect((await signIn(owner.email, PASSWORD, '192.0.2.20', owner.client)).status).toBe(200);
    expect((await signIn(owner.email, PASSWORD, '192.0.2.20', other.client)).status).toBe(429);

    // by minutes: fourteen later they still count, fifteen later they do not
    const age = () => rows(sql`update attempt set minute = minute - interval '14 minutes'`);
    await age();
    expect((await signIn(owner.email, PASSWORD, '192.0.2.21')).status).toBe(429);
    await rows(sql`update attempt set minute = minute - interval '1 minute'`);
    expect((await signIn(owner.email, PASSWORD, '192.0.2.22')).status).toBe(200);
  });

  test('a device cookie that is forged, of another account, or too old does not help', async () => {
    const owner = await givenPerson(service);
    const other = await givenPerson(service);
    const { knownDevice } = service.app;
    const cookieOf = (client: Client) =>
      client
        .cookie()
        .split('; ')
        .find((pair) => pair.startsWith('device='))
        ?.slice('device='.length) ?? '';
    const good = cookieOf(owner.client);
    const [, until = '', signature = ''] = good.split('.');
    const longAgo = new Date(Date.now() - 91 * 86_400_000);
    const oldCookie = knownDevice.remember(null, owner.id, longAgo).split(';')[0]?.slice('device='.length) ?? '';
    await rows(sql`truncate attempt`);
    await guess(owner.email, apart(20));
    const withCookie = async (device: string) => {
      const response = await fetch(`${service.url}/api/v1/auth/login`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          origin: service.url,
          cookie: `device=${device}`,
          'x-forwarded-for': '192.0.2.30',
        },
        body: JSON.stringify({ email: owner.email, password: PASSWORD }),
      });
      return response.status;
    };
    const forged = [
      '',
      cookieOf(other.client),
      oldCookie,
      `${owner.id}.${until}.`,
      `${owner.id}.${until}.${'A'.repeat(43)}`,
      `${owner.id}.${Number(until) + 1}.${signature}`,
      `${other.id}.${until}.${signature}`,
      `${owner.id}.${Date.now() + 1e9}`,
      '~~~~',
      '%zz',
    ];
    for (const device of forged) expect(await withCookie(device), device).toBe(429);
    // none of several users of one browser is forgotten
    expect(await withCookie(`${cookieOf(other.client)}~${good}`)).toBe(200);
  });

  test('a known browser has its own limit of the same size, so that its cookie is no licence to guess', async () => {
    const owner = await givenPerson(service);
    await rows(sql`truncate attempt`);
    const statuses: number[] = [];
    for (const address of apart(SIGN_IN_ATTEMPTS.perAccount + 1)) {
      statuses.push((await signIn(owner.email, WRONG, address, owner.client)).status);
    }
    expect(statuses).toEqual([...all(20, 401), 429]);
    expect((await signIn(owner.email, PASSWORD, '192.0.2.40')).status).toBe(200);
  });

  test('the device cookie lasts ninety days, is hidden from scripts, and survives a sign-out', async () => {
    const owner = await givenPerson(service);
    const client = createClient(service);
    const { headers } = await client.call('POST', '/auth/login', { email: owner.email, password: PASSWORD });
    const [session, device] = headers.getSetCookie();
    expect(headers.getSetCookie()).toHaveLength(2);
    expect(session).toMatch(/^session=[a-z2-7]{40};/);
    expect(device).toMatch(/^device=[\w.~-]+; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/);
    const out = await client.call('POST', '/auth/logout');
    expect(out.headers.getSetCookie().filter((cookie) => cookie.startsWith('device='))).toEqual([]);
    expect(out.headers.get('clear-site-data') ?? '').not.toMatch(/cookies|\*/);
    expect(client.cookie()).toMatch(/^device=[^;]+$/);
  });
});

test('an address has sixty attempts a minute, and one IPv6 /64 is one address', async () => {
  const people: Person[] = [];
  for (let count = 0; count < 7; count += 1) people.push(await givenPerson(service));
  await rows(sql`truncate attempt`);
  const statuses: number[] = [];
  for (const [index, { email }] of people.entries()) {
    const from = Array.from({ length: index === 6 ? 1 : 10 }, (_, host) => `2001:db8:1:2::${host + 1}`);
    statuses.push(...(await guess(email, from)));
  }
  expect(statuses).toEqual([...all(60, 401), 429]);
  const last = people.at(-1)?.email ?? '';
  expect(await guess(last, ['2001:db8:1:2:ffff::1', '2001:db8:1:3::1'])).toEqual([429, 401]);
});

test('when attempts cannot be counted, sign-ins are refused and everything else works', async () => {
  const pilot = await givenPerson(service);
  await rows(sql`alter table attempt rename to attempt_away`);
  try {
    const answer = await signIn(pilot.email, PASSWORD, '192.0.2.50');
    expect(answer).toMatchObject({
      status: 503,
      message: 'The database is not available right now. Please try again in a moment.',
    });
    expect(answer.wait).toBeGreaterThan(0);
    expect((await pilot.client.call('GET', '/auth/me')).status).toBe(200);
  } finally {
    await rows(sql`alter table attempt_away rename to attempt`);
  }
  expect((await signIn(pilot.email, PASSWORD, '192.0.2.50')).status).toBe(200);
});

describe('the record', () => {
  const notesOf = async ({ id }: Person) => {
    const { body } = await admin.client.call('GET', `/admin/audit?subjectId=${id}`);
    return body.entries.map(({ actor, summary }: { actor: { id: string } | null; summary: string }) => [
      actor?.id ?? null,
      summary,
    ]);
  };

  test('has a sentence for good, bad and limited sign-ins, and three entries for a flood of them', async () => {
    const owner = await givenPerson(service);
    await rows(sql`truncate attempt`);
    await guess(owner.email, times(40, '192.0.2.60'));
    await guess(owner.email, apart(15));
    expect(await notesOf(owner)).toEqual([
      [null, 'Further sign-ins were refused after 20 attempts in 15 minutes, the last one from 203.0.113.10'],
      [null, 'Further sign-ins were refused after 10 attempts in a minute, the last one from 192.0.2.60'],
      [null, 'Tried a wrong password from 192.0.2.60 (Node.js)'],
      [owner.id, 'Signed in with a password from 127.0.0.1 (Node.js)'],
    ]);
  });

  test('is in the log as well, and neither contains a password or the typed email', async () => {
    const owner = await givenPerson(service);
    const typed = 'hunter2-my-bank@example.org';
    await signIn(owner.email, WRONG, '192.0.2.70');
    await signIn(typed, WRONG, '192.0.2.71');
    await guess(owner.email, times(12, '192.0.2.72'));
    const messages = logged().map(({ userId, address, msg }) => [userId, address, msg]);
    expect(messages).toContainEqual([owner.id, '127.0.0.1', 'signed in']);
    expect(messages).toContainEqual([owner.id, '192.0.2.70', 'sign-in refused: wrong email or password']);
    expect(messages).toContainEqual([null, '192.0.2.71', 'sign-in refused: wrong email or password']);
    const limited = messages.filter(([, , msg]) => String(msg).startsWith('sign-in limit'));
    expect(limited).toEqual([[owner.id, '192.0.2.72', 'sign-in limit reached, further attempts refused']]);
    const [written] = await rows<{ text: string }>(
      sql`select concat((select json_agg(a) from audit_entry a), (select json_agg(t) from attempt t)) as text`,
    );
    const everything = `${lines.join('\n')}${written?.text}`;
    expect(everything).toContain(owner.id);
    for (const secret of [WRONG, PASSWORD, typed, 'hunter2', owner.email]) expect(everything).not.toContain(secret);
  });
});

describe('a proxy that nobody trusts', () => {
  test('is reported once in the log, and to admins whose requests it forwards', async () => {
    const bare = await startService({ beside: service });
    try {
      const said: string[] = [];
      const stream = new Writable({
        write(chunk: Buffer, _encoding, done) {
          said.push(chunk.toString());
          done();
        },
      });
      bare.app.log = createLog('warn', stream);
      const boss = await givenAdmin(bare);
      const warnings = async (headers: Record<string, string> = {}) =>
        (await boss.client.call('GET', '/admin/warnings', undefined, headers)).body.warnings;
      expect(await warnings()).toEqual([]);
      expect(said).toEqual([]);
      for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip']) {
        expect(await warnings({ [name]: '203.0.113.9' }), name).toEqual([
          expect.stringMatching(/TRUST_PROXY is off.*Set TRUST_PROXY to the number of proxies/),
        ]);
      }
      expect(said.filter((line) => line.includes('TRUST_PROXY is off'))).toHaveLength(1);
      expect(await warnings()).toEqual([]);
    } finally {
      await bare.stop();
    }
    const trusting = await admin.client.call('GET', '/admin/warnings', undefined, { 'x-forwarded-for': '203.0.113.9' });
    expect(trusting.body).toEqual({ warnings: [] });
  });
});

test('a flood of sign-ins for other accounts from other addresses is refused before it takes connections', async () => {
  await rows(sql`truncate attempt`);
  const real = service.app.passwords;
  const letGo = Promise.withResolvers<void>();
  service.app.passwords = { ...real, verify: () => letGo.promise.then(() => false) };
  const flood = apart(120).map((address, n) => signIn(`stranger-${n}@example.org`, WRONG, address));
  const early = Promise.all(flood.slice(40));
  try {
    // these answer while all others wait, and so does a read of somebody who is signed in
    expect((await early).map(({ status }) => status)).toEqual(all(80, 429));
    expect((await admin.client.call('GET', '/auth/me')).status).toBe(200);
    const [counted] = await rows<{ emails: number }>(
      sql`select count(*)::int as emails from attempt where bucket ~ '^sign-in:[^:]+$'`,
    );
    expect(counted?.emails).toBeLessThanOrEqual(4);
  } finally {
    letGo.resolve();
    await Promise.all(flood);
    service.app.passwords = real;
  }
});
