/** A forgotten password: one link by email, the same answer for everybody, and what the link ends. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenPerson } from '#tests/harness/given.ts';
import { startMailServer, type MailServer, type TakenMail } from '#tests/harness/mail-server.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
  service = await startService({
    env: { SMTP_URL: server.url, MAIL_FROM: 'Marshal <marshal@example.org>' },
    withJobs: true,
  });
});
afterAll(async () => {
  await service.stop();
  await server.stop();
});
beforeEach(() => server.react('take'));

const NEW_PASSWORD = 'three blind mice 7';
const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const ask = (email: string) => createClient(service).call('POST', '/auth/password-request', { email });
const mailTo = (email: string, count = 1): Promise<TakenMail> =>
  vi.waitFor(
    () => {
      const mails = server.to(email);
      expect(mails).toHaveLength(count);
      return mails[count - 1] as TakenMail;
    },
    { timeout: 15_000, interval: 25 },
  );
const linkOf = ({ parsed }: TakenMail): string => /http\S+\/set-password\/\S+/.exec(parsed.text ?? '')?.[0] ?? '';
const tokenOf = (mail: TakenMail): string => linkOf(mail).split('/').at(-1) ?? '';
const setPassword = (token: string) =>
  createClient(service).call('POST', '/auth/set-password', {
    token,
    password: NEW_PASSWORD,
    confirmPassword: NEW_PASSWORD,
  });

test('a forgotten password is replaced by the link of an email, once', async () => {
  const pilot = await givenPerson(service, { displayName: 'Zoë “Ace” <Müller>' });
  await rows(
    sql`insert into personal_access_token (id, user_id, name, token_hash, scopes, created_at, expires_at)
        values (gen_random_uuid(), ${pilot.id}, 'script', 'hash', '{read}', now(), now() + interval '1 day')`,
  );
  expect(await ask(pilot.email.toUpperCase())).toMatchObject({ status: 200, body: { success: true } });
  const mail = await mailTo(pilot.email);
  const { parsed } = mail;
  expect(parsed.subject).toBe('Choose a new password for Marshal');
  expect(parsed.from?.value).toEqual([{ name: 'Marshal', address: 'marshal@example.org' }]);
  expect(parsed.messageId).toMatch(/^<[\da-f-]{36}@example\.org>$/);
  expect(parsed.headers.get('auto-submitted')).toBe('auto-generated');
  expect(parsed.headers.has('list-unsubscribe')).toBe(false);
  expect(parsed.headers.has('list')).toBe(false);
  expect(parsed.text).toContain('Hello Zoë “Ace” <Müller>,');
  expect(parsed.html).toContain('Hello Zoë “Ace” &#60;Müller&#62;,');
  expect(parsed.html).toContain(`href="${linkOf(mail)}"`);
  expect(parsed.attachments).toEqual([]);

  expect((await setPassword(tokenOf(mail))).status).toBe(200);
  expect((await pilot.client.call('GET', '/auth/me')).status).toBe(401);
  expect(await rows(sql`select 1 from personal_access_token where user_id = ${pilot.id}`)).toEqual([]);
  expect((await setPassword(tokenOf(mail))).body.code).toBe('LINK_INVALID');
  const login = await createClient(service).call('POST', '/auth/login', { email: pilot.email, password: NEW_PASSWORD });
  expect(login.status).toBe(200);
});

test('a link works for 30 minutes, replaces the one before, and is stored as a hash only', async () => {
  const pilot = await givenPerson(service);
  await ask(pilot.email);
  const first = await mailTo(pilot.email);
  await ask(pilot.email);
  const second = await mailTo(pilot.email, 2);
  expect(second.parsed.messageId).not.toBe(first.parsed.messageId);
  expect((await setPassword(tokenOf(first))).body.code).toBe('LINK_INVALID');
  const links = await rows<{ row: string; minutes: number }>(
    sql`select l::text as row, extract(epoch from expires_at - created_at) / 60 as minutes
        from sign_in_link l where user_id = ${pilot.id}`,
  );
  expect(links).toHaveLength(1);
  expect(Number(links[0]?.minutes)).toBe(30);
  const [dump] = await rows<{ text: string }>(
    sql`select coalesce(string_agg(m::text, ' '), '') as text from delivery m`,
  );
  for (const text of [links[0]?.row, dump?.text]) expect(text).not.toContain(tokenOf(second));
  await rows(sql`update sign_in_link set expires_at = now() where user_id = ${pilot.id}`);
  expect((await setPassword(tokenOf(second))).body.code).toBe('LINK_INVALID');
});

test('an unknown address gets the same answer and no email, and is not kept', async () => {
  const known = await givenPerson(service);
  const stranger = 'nobody.here@example.org';
  const [first, second] = [await ask(stranger), await ask(known.email)];
  expect(first.status).toBe(200);
  expect(first.body).toEqual(second.body);
  await mailTo(known.email);
  await vi.waitFor(async () =>
    expect(await rows(sql`select state from delivery where address is not null and state <> 'failed'`)).toEqual([]),
  );
  expect(server.to(stranger)).toEqual([]);
});

test('the answer takes the same time for known and unknown addresses', async () => {
  const known = await givenPerson(service);
  const took: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  const measure = async (which: 'known' | 'unknown', email: string) => {
    const began = performance.now();
    await ask(email);
    took[which].push(performance.now() - began);
  };
  for (let round = 0; round < 40; round += 1) {
    const both = [() => measure('known', known.email), () => measure('unknown', `stranger${round}@example.org`)];
    // the email of one that is known is sent while the next is measured: each is as often the second
    for (const one of round % 2 === 0 ? both : both.toReversed()) await one();
  }
  const median = (times: number[]) => times.toSorted((one, other) => one - other)[times.length / 2] ?? Number.NaN;
  // nobody can tell them apart by less than what a network adds, or what a busy machine does
  const noise = Math.max(5, median(took.unknown) / 4);
  expect(Math.abs(median(took.known) - median(took.unknown))).toBeLessThan(noise);
});

test('accounts that have no address, or were erased, get nothing', async () => {
  const erased = await givenPerson(service);
  await rows(sql`update app_user set erased_at = now(), roles = '{}', password_hash = null where id = ${erased.id}`);
  await ask(erased.email);
  await vi.waitFor(async () => {
    const [row] = await rows<{ count: number }>(
      sql`select count(*)::int from delivery where state in ('queued', 'sending')`,
    );
    expect(row?.count).toBe(0);
  });
  expect(server.to(erased.email)).toEqual([]);
});

test('requests are limited for each address and each client, whether the address is known or not', async () => {
  const strict = await startService({
    env: { SMTP_URL: server.url, MAIL_FROM: 'marshal@example.org', AUTH_ATTEMPTS_PER_MINUTE: '10' },
  });
  try {
    const known = await givenPerson(strict);
    const call = (email: string) => createClient(strict).call('POST', '/auth/password-request', { email });
    for (const email of [known.email, 'unknown@example.org']) {
      const answers = [];
      for (let count = 0; count < 4; count += 1) answers.push((await call(email)).status);
      expect(answers).toEqual([200, 200, 200, 429]);
    }
    const answers = [];
    for (let count = 0; count < 5; count += 1) answers.push((await call(`other${count}@example.org`)).status);
    expect(answers).toEqual([200, 200, 200, 200, 429]);
  } finally {
    await strict.stop();
  }
});

test('without an SMTP server nothing is offered, and nothing is written', async () => {
  const plain = await startService();
  try {
    const client = createClient(plain);
    expect((await client.call('GET', '/auth/ways')).body).toEqual({ discord: false, mail: false });
    expect(await client.call('POST', '/auth/password-request', { email: 'a@example.org' })).toMatchObject({
      status: 409,
      body: { code: 'MAIL_OFF' },
    });
    expect(await query(plain.app.orm.em.fork(), sql`select 1 from delivery`)).toEqual([]);
  } finally {
    await plain.stop();
  }
  expect((await createClient(service).call('GET', '/auth/ways')).body).toEqual({ discord: false, mail: true });
});
