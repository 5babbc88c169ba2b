/** Delivery of email through a real SMTP server: refusals for now and for good, TLS, sign-in, retries, and what is kept. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purgeDeliveries } from '#server/signals/outbox.ts';
import { query, sql } from '#server/schema/query.ts';
import { sendMail } from '#tests/harness/mail-service.ts';
import { givenPerson } from '#tests/harness/given.ts';
import { startMailServer, type MailReaction, type MailServer } from '#tests/harness/mail-server.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

const MAIL_FROM = 'Ops Desk <ops@wing.example.org>';

let service: Service;
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
  // without jobs: the tests make each attempt themselves
  service = await startService({ env: { SMTP_URL: server.url, MAIL_FROM } });
});
afterAll(async () => {
  await service.stop();
  await server.stop();
});

interface Row {
  id: string;
  state: string;
  attempts: number;
  address: string | null;
  response_status: number | null;
  error_message: string | null;
  /** seconds until the next attempt; null for none */
  pause: number | null;
}
const rows = <Found>(statement: Parameters<typeof query<Found>>[1], of = service) =>
  query<Found>(of.app.orm.em.fork(), statement);
const readRow = async (id: string, of = service): Promise<Row> => {
  const [row] = await rows<Row>(
    sql`select id, state, attempts, address, response_status, error_message,
               extract(epoch from next_attempt_at - now())::float8 as pause
        from delivery where id = ${id}`,
    of,
  );
  return row as Row;
};
/** An email that waits to be sent. */
async function givenMail(of = service): Promise<{ id: string; to: string }> {
  const { email } = await givenPerson(of);
  expect((await createClient(of).call('POST', '/auth/password-request', { email })).status).toBe(200);
  const [row] = await rows<{ id: string }>(sql`select id from delivery where address = ${email}`, of);
  return { id: row?.id ?? '', to: email };
}
const makeDue = (id: string) => rows(sql`update delivery set next_attempt_at = now() where id = ${id}`);
async function attempt(id: string, reaction: MailReaction): Promise<Row> {
  server.react(reaction);
  await makeDue(id);
  await sendMail(service.app, id);
  return readRow(id);
}

describe('a refusal', () => {
  test.each<[string, MailReaction, number]>([
    ['of the recipient', { atRecipient: 451 }, 451],
    ['of the message', { atEnd: 452 }, 452],
  ])('for now, %s, leads to another attempt', async (_where, reaction, status) => {
    const { id, to } = await givenMail();
    const first = await attempt(id, reaction);
    expect(first).toMatchObject({ state: 'queued', attempts: 1, address: to, response_status: status });
    expect(first.error_message).toMatch(/^The mail server answered: 45\d try again later$/);
    expect(first.pause).toBeGreaterThan(3);
    expect(first.pause).toBeLessThan(7);
    // not before it is due
    await sendMail(service.app, id);
    expect((await readRow(id)).attempts).toBe(1);
    expect((await attempt(id, reaction)).pause).toBeGreaterThan(25);
    expect(await attempt(id, 'take')).toMatchObject({ state: 'sent', attempts: 3, address: null, error_message: null });
    expect(server.to(to)).toHaveLength(1);
  });

  test.each<[string, MailReaction, number]>([
    ['of the recipient', { atRecipient: 550 }, 550],
    ['of the message', { atEnd: 554 }, 554],
  ])('for good, %s, ends the attempts', async (_where, reaction, status) => {
    const { id, to } = await givenMail();
    expect(await attempt(id, reaction)).toMatchObject({
      state: 'failed',
      attempts: 1,
      response_status: status,
      error_message: `The mail server answered: ${status} no such mailbox`,
      pause: null,
    });
    await makeDue(id);
    await sendMail(service.app, id);
    expect((await readRow(id)).attempts).toBe(1);
    expect(server.to(to)).toEqual([]);
  });
});

test('a server that is down is tried again, and gets one email when it is back', async () => {
  const { id, to } = await givenMail();
  await server.goDown();
  const down = await attempt(id, 'take');
  expect(down).toMatchObject({ state: 'queued', response_status: null });
  expect(down.error_message).toBe('The mail server refused the connection.');
  await server.comeUp();
  expect(await attempt(id, 'take')).toMatchObject({ state: 'sent', attempts: 2 });
  expect(server.to(to)).toHaveLength(1);
});

test('an answer that is lost leads to a repetition with the same Message-ID', async () => {
  const { id, to } = await givenMail();
  expect(await attempt(id, 'cut')).toMatchObject({ state: 'queued', attempts: 1 });
  expect(await attempt(id, 'take')).toMatchObject({ state: 'sent', attempts: 2 });
  expect(server.to(to).map(({ parsed }) => parsed.messageId)).toEqual(
    Array.from({ length: 2 }, () => `<${id}@wing.example.org>`),
  );
});

test('one that was asked for again during an attempt that failed is sent once', async () => {
  let during = (): Promise<unknown> => Promise.resolve();
  const slow = await startMailServer({
    async onMailFrom(_address, _session, callback) {
      await during();
      callback();
    },
  });
  const of = await startService({ env: { SMTP_URL: slow.url, MAIL_FROM } });
  const { id, to } = await givenMail(of);
  during = () => createClient(of).call('POST', '/auth/password-request', { email: to });
  slow.react({ atEnd: 451 });
  await sendMail(of.app, id);
  const all = await rows<Row>(
    sql`select id, state, attempts, response_status, extract(epoch from next_attempt_at - now())::float8 as pause
        from delivery where address = ${to} or id = ${id} order by seq`,
    of,
  );
  expect(all).toMatchObject([{ state: 'dropped' }, { state: 'queued', attempts: 1, response_status: 451 }]);
  const next = all[1];
  expect(next?.pause).toBeGreaterThan(3);

  during = () => Promise.resolve();
  slow.react('take');
  await rows(sql`update delivery set next_attempt_at = now() where state = 'queued'`, of);
  await sendMail(of.app, next?.id ?? '');
  expect(slow.to(to)).toHaveLength(1);
  await of.stop();
  await slow.stop();
});

test('is given up when it is of no use any more, and then shown as failed', async () => {
  const { id } = await givenMail();
  await attempt(id, { atRecipient: 450 });
  await rows(sql`update delivery set deadline_at = now() + interval '10 seconds' where id = ${id}`);
  // the next attempt would be after the deadline
  expect(await attempt(id, { atRecipient: 450 })).toMatchObject({ state: 'failed', response_status: 450, pause: null });
  const other = await givenMail();
  await rows(sql`update delivery set deadline_at = now() where id = ${other.id}`);
  expect(await attempt(other.id, 'take')).toMatchObject({ state: 'dropped', attempts: 1, address: null });
  expect(server.to(other.to)).toEqual([]);
});

test('of many senders at the same time one sends', async () => {
  const { id, to } = await givenMail();
  server.react('take');
  await Promise.all(Array.from({ length: 8 }, () => sendMail(service.app, id)));
  expect(server.to(to)).toHaveLength(1);
  expect(await readRow(id)).toMatchObject({ state: 'sent', attempts: 1 });
});

test('rows are kept for a week, failed ones for a month', async () => {
  const [sent, failed, old, waiting] = [await givenMail(), await givenMail(), await givenMail(), await givenMail()];
  await attempt(sent.id, 'take');
  await attempt(failed.id, { atRecipient: 550 });
  await attempt(old.id, { atRecipient: 550 });
  const age = (ids: string[], days: number) =>
    rows(sql`update delivery set created_at = now() - make_interval(days => ${days}) where id = any(${ids}::uuid[])`);
  await age([sent.id, failed.id, waiting.id], 8);
  await age([old.id], 31);
  await purgeDeliveries(service.app.orm.em.fork());
  const left = await rows<{ id: string }>(
    sql`select id from delivery where id = any(${[sent.id, failed.id, old.id, waiting.id]}::uuid[])`,
  );
  expect(left.map(({ id }) => id).toSorted()).toEqual([failed.id, waiting.id].toSorted());
});

describe('a server with a password', () => {
  const UNSAFE_TLS = '?tls.rejectUnauthorized=false';

  async function sendBy(url: string): Promise<Row & { to: string }> {
    const other = await startService({ env: { SMTP_URL: url, MAIL_FROM } });
    try {
      const { id, to } = await givenMail(other);
      await sendMail(other.app, id);
      return { ...(await readRow(id, other)), to };
    } finally {
      await other.stop();
    }
  }

  test.each([
    ['STARTTLS', {}],
    ['TLS from the start', { secure: true }],
  ])('gets it over %s', async (_way, options) => {
    const strict = await startMailServer({ withPassword: true, disabledCommands: [], ...options });
    try {
      const sent = await sendBy(`${strict.url}/${UNSAFE_TLS}`);
      expect(sent).toMatchObject({ state: 'sent' });
      expect(strict.to(sent.to)).toMatchObject([{ isSecure: true, user: 'marshal' }]);
      // a certificate that nobody vouches for is not trusted unless the address says so
      expect(await sendBy(strict.url)).toMatchObject({
        state: 'queued',
        error_message: "The mail server's certificate is not trusted.",
      });
    } finally {
      await strict.stop();
    }
  });

  test('that refuses it, is tried again: an admin can mend the settings', async () => {
    const strict = await startMailServer({ withPassword: true });
    try {
      const wrong = strict.url.replace('marshal:', 'nobody:');
      expect(await sendBy(wrong)).toMatchObject({
        state: 'queued',
        response_status: 535,
        error_message: 'The mail server answered to user and password: 535 wrong user or password',
      });
      expect(strict.taken).toEqual([]);
    } finally {
      await strict.stop();
    }
  });
});
