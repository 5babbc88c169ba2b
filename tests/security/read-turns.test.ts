/** Heavy reads of one account: a few at a time, some that wait, and a refusal beyond, without effect on anybody else. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Client } from 'pg';
import { appRouter, metaOf } from '#server/http/routers/app.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Answer, type Service } from '#tests/harness/service.ts';
import { ask } from '#tests/harness/transports.ts';

const IN_FLIGHT = 4;
const WAITING = 20;
const PATIENCE = { timeout: 20_000 };
const REFUSED = [429, 'RATE_LIMITED', 'You are loading too much at once. Please wait a moment and try again.', '2'];

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Runs the work while every read of missions waits in the database. */
async function withMissionsLocked<Result>(work: (count: () => Promise<number>) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('lock table mission in access exclusive mode');
    // on another connection: a transaction keeps what it has seen of the others
    const em = service.app.orm.em.fork();
    return await work(async () => {
      const waiting = await query<{ pid: number }>(
        em,
        sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length;
    });
  } finally {
    await client.end();
  }
}

const listMissions = ({ client }: Person) => client.call('GET', '/missions');
/** Ten calls in one request. */
const tenOpenings = ({ client }: Person) =>
  fetch(`${service.url}/trpc/${Array.from({ length: 10 }, () => 'pilot.seats.openings').join(',')}?batch=1&input={}`, {
    headers: { cookie: client.cookie() },
  });

test('four run, twenty wait by either way, and more are refused with Retry-After', async () => {
  const [pilot, other] = [await givenPerson(service), await givenPerson(service)];
  const rest = 20;
  const answers: Answer[] = [];
  const begun = await withMissionsLocked(async (countLocked) => {
    const batch = tenOpenings(pilot);
    await vi.waitUntil(async () => (await countLocked()) === IN_FLIGHT, PATIENCE);
    const lists = Array.from({ length: rest }, () => listMissions(pilot).then((answer) => void answers.push(answer)));
    await vi.waitUntil(() => answers.length === 10 + rest - IN_FLIGHT - WAITING, PATIENCE);
    const byTrpc = await ask(service, 'trpc', 'pilot.missions.list', {}, pilot.client.cookie());
    expect([byTrpc.status, byTrpc.code, byTrpc.message, byTrpc.headers.get('retry-after')]).toEqual(REFUSED);
    expect(await countLocked()).toBe(IN_FLIGHT);
    // neither the account's own poll nor another pilot's waits
    const polls = [pilot, other].map(({ id, client }) => client.call('GET', `/users/${id}/status`));
    expect((await Promise.all(polls)).map(({ status }) => status)).toEqual([200, 200]);
    // and another pilot's list is as far as those that run
    const others = listMissions(other);
    await vi.waitUntil(async () => (await countLocked()) === IN_FLIGHT + 1, PATIENCE);
    return { batch, lists, others, refused: [...answers] };
  });
  for (const { status, body, headers } of begun.refused) {
    expect([status, body.code, body.message, headers.get('retry-after')]).toEqual(REFUSED);
  }
  await Promise.all(begun.lists);
  const served = answers.slice(begun.refused.length);
  expect(served.map(({ status }) => status)).toEqual(served.map(() => 200));
  expect([(await begun.batch).status, (await begun.others).status]).toEqual([200, 200]);
  // nothing is left behind
  expect((await listMissions(pilot)).status).toBe(200);
});

const resolverOf = (name: string): string => {
  const procedure: unknown = Reflect.get(appRouter._def.procedures, name);
  return String(Reflect.get(Object(Reflect.get(Object(procedure), '_def')), 'resolver'));
};

test('every call that asks about all pilots in a thread, or may read from a replica, is a heavy read', () => {
  const names = Object.keys(appRouter._def.procedures);
  const inThread = names.filter((name) => /heavyReads|weekSolver/.test(resolverOf(name)));
  expect(inThread.length).toBeGreaterThan(8);
  const unmarked = names.filter(
    (name) => (inThread.includes(name) || metaOf(name)?.isReplicated === true) && metaOf(name)?.isHeavy !== true,
  );
  expect(unmarked).toEqual([]);
});
