/**
 * Email by two processes of which one is killed again and again, through a server that is slow, cuts connections or refuses
 * for now: every email arrives; without a kill exactly once; and a repetition has the Message-ID of the first.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { givenPerson } from '#tests/harness/given.ts';
import { startMailServer, type MailReaction, type MailServer } from '#tests/harness/mail-server.ts';
import { seeded } from '#tests/harness/seeded.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { createSender, type Sender } from './senders.ts';

const MAIL_FROM = 'marshal@example.org';
const MAILS = inDrill(400, 40);
const KILLS = inDrill(20, 2);

let server: MailServer;
let service: Service;
let senders: [Sender, Sender];
beforeEach(async () => {
  server = await startMailServer();
  const env = { SMTP_URL: server.url, MAIL_FROM };
  service = await startService({ env });
  const settings = { DATABASE_URL: service.databaseUrl, ...env };
  senders = [createSender(settings), createSender(settings)];
}, 60_000);
afterEach(async () => {
  await Promise.all(senders.map((sender) => sender.kill()));
  await service.stop();
  await server.stop();
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

/** @returns the ids of as many emails, each to its own account */
async function givenMails(count: number): Promise<string[]> {
  const accounts = await Promise.all(Array.from({ length: count }, () => givenPerson(service)));
  for (const { client } of accounts) expect((await client.call('POST', '/mail/verification')).status).toBe(200);
  return (await rows<{ id: string }>(sql`select id from delivery`)).map(({ id }) => id);
}
const messageIds = () => server.taken.map(({ parsed }) => parsed.messageId ?? '');
/** As if the time had passed that retries, leases and the locks of a killed process last. */
async function passTime(): Promise<void> {
  await rows(sql`update delivery set next_attempt_at = now() - interval '1 minute' where next_attempt_at > now()`);
  await rows(
    sql`update graphile_worker._private_jobs set locked_at = now() - interval '1 hour' where locked_at is not null`,
  );
  await rows(sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`);
  await rows(sql`select graphile_worker.add_job('maintenance')`);
}
const settle = () =>
  vi.waitFor(
    async () => {
      const waiting = await rows(sql`select id from delivery where state in ('queued', 'sending')`);
      if (waiting.length > 0) await passTime();
      expect(waiting).toEqual([]);
    },
    { timeout: 240_000, interval: 2_000 },
  );

test('two processes send each email once', async () => {
  const ids = await givenMails(MAILS);
  await Promise.all(senders.map((sender) => sender.start()));
  await vi.waitFor(async () => expect(await rows(sql`select id from delivery where state <> 'sent'`)).toEqual([]), {
    timeout: 120_000,
    interval: 250,
  });
  expect(messageIds().toSorted()).toEqual(ids.map((id) => `<${id}@example.org>`).toSorted());
}, 300_000);

test(`${KILLS} kills: each email arrives, and none again that was recorded as sent`, async () => {
  const random = seeded(20_261_123);
  const ids = await givenMails(MAILS);
  const [steady, victim] = senders;
  /** how often each email had arrived when it was recorded as sent: it must not arrive again */
  const recorded = new Map<string, number>();
  const countOf = (messageId: string) => messageIds().filter((id) => id === messageId).length;
  const noteSent = async () => {
    for (const { id } of await rows<{ id: string }>(sql`select id from delivery where state = 'sent'`)) {
      const messageId = `<${id}@example.org>`;
      if (!recorded.has(messageId)) recorded.set(messageId, countOf(messageId));
    }
  };
  const moods: readonly [MailReaction, ...MailReaction[]] = [
    'take',
    'take',
    'cut',
    { atRecipient: 451 },
    { atEnd: 452 },
  ];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = server.taken.length;
    // the first kill is certain to hit an email that was taken
    server.reactTo(() => (kill === 0 ? 'hang' : random.pick(moods)));
    await victim.start();
    const wanted = before + (kill === 0 ? 1 : random.between(4, 9));
    await vi.waitUntil(() => server.taken.length >= wanted, { timeout: 30_000, interval: 20 });
    await victim.kill();
    await noteSent();
    await passTime();
  }
  server.react('take');
  await steady.start();
  await settle();
  const arrived = messageIds();
  expect(new Set(arrived)).toEqual(new Set(ids.map((id) => `<${id}@example.org>`)));
  const repeated = arrived.filter((id, place) => arrived.indexOf(id) !== place);
  expect(repeated.length).toBeGreaterThan(0);
  expect([...recorded].filter(([id, count]) => countOf(id) !== count)).toEqual([]);
  expect(recorded.size).toBeGreaterThan(0);
  expect(await rows(sql`select id from delivery where state <> 'sent'`)).toEqual([]);
}, 1_200_000);

test('a sender that records before it sends is found', async () => {
  await rows(
    sql`create function plant() returns trigger language plpgsql as
        $$ begin if new.state = 'sending' then new.state := 'sent'; end if; return new; end $$`,
  );
  await rows(sql`create trigger plant before update on delivery for each row execute function plant()`);
  const ids = await givenMails(5);
  const [sender] = senders;
  server.react({ atRecipient: 451 });
  await sender.start();
  await vi.waitFor(async () => expect(await rows(sql`select id from delivery where state <> 'sent'`)).toEqual([]), {
    timeout: 60_000,
    interval: 250,
  });
  server.react('take');
  await settle();
  expect(messageIds().length).toBeLessThan(ids.length);
}, 300_000);
