/** Lists from a replica: never older than the primary's answer, whatever the replica does. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { appRouter } from '#server/http/routers/app.ts';
import { migrate } from '#server/schema/migrate.ts';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { startOwnPostgres, type OwnPostgres } from '#tests/harness/own-postgres.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { ask } from '#tests/harness/transports.ts';
import { OPERATIONS, type Subject } from './operations.ts';

let postgres: OwnPostgres;
let standby: Client;
let service: Service;
/** a second process that reads from the replica */
let beside: Service;
/** a process without a replica, whose answers are right */
let plain: Service;
let admin: Person;
let subject: Subject;

const replicated = Object.entries<unknown>(appRouter._def.procedures)
  .filter(([, procedure]) => Reflect.get(Object(Reflect.get(Object(procedure), '_def')).meta ?? {}, 'isReplicated'))
  .map(([name]) => name);

beforeAll(async () => {
  postgres = await startOwnPostgres({ isFollowed: true });
  await migrate(postgres.url);
  const database = { url: postgres.url, drop: () => Promise.resolve() };
  const env = { DATABASE_REPLICA_URL: postgres.standby };
  service = await startService({ database, env });
  beside = await startService({ database, env });
  plain = await startService({ database });
  admin = await givenAdmin(service);
  const pilot = await givenPerson(service);
  await givenAlwaysFree(service, pilot.id);
  const { mission } = await givenMission(service, admin);
  subject = { ...pilot, orderId: '', missionId: mission.id, flightId: '', templateId: '' };
  standby = new Client({ connectionString: postgres.standby });
  standby.on('error', () => undefined);
  await standby.connect();
}, 120_000);
afterAll(async () => {
  await Promise.all([service, beside, plain].map((one) => one.stop()));
  await standby.end().catch(() => undefined);
  await postgres.remove();
});

/** Reads that may go to the replica, by who answered them. */
async function countReads({ app }: Service): Promise<{ replica: number; primary: number }> {
  const { values } = await app.metrics.replicaReads.get();
  const of = (from: string) => values.find(({ labels }) => labels.from === from)?.value ?? 0;
  return { replica: of('replica'), primary: of('primary') };
}

async function listUsers(from: Service): Promise<string[]> {
  const { body } = await ask(from, 'rest', 'admin.users', { pageSize: 100 }, admin.client.cookie());
  return (body as { users: { id: string }[] }).users.map(({ id }) => id);
}

test.each(replicated)('%s can be read there, with the answer of the primary', async (name) => {
  const input = OPERATIONS[name]?.input(subject);
  // a replica on a busy machine can fall behind, and rests for two seconds then
  const answer = await vi.waitUntil(
    async () => {
      const before = await countReads(service);
      const one = await ask(service, 'rest', name, input, admin.client.cookie());
      expect(one.status).toBe(200);
      const { replica, primary } = await countReads(service);
      expect(replica + primary).toBe(before.replica + before.primary + 1);
      return replica > before.replica && one;
    },
    { timeout: 20_000, interval: 250 },
  );
  expect(answer.body).toEqual((await ask(plain, 'rest', name, input, admin.client.cookie())).body);
});

test('what was written a moment ago by any process is in the next answer of every process', async () => {
  for (let round = 0; round < 30; round += 1) {
    const { id } = await givenPerson(round % 2 === 0 ? service : beside);
    const lists = await Promise.all([service, beside].map(listUsers));
    for (const list of lists) expect(list).toContain(id);
  }
  const { replica, primary } = await countReads(service);
  expect(replica).toBeGreaterThan(primary);
});

test('while the replica stands still, answers come from the primary; afterwards from the replica again', async () => {
  await standby.query('select pg_wal_replay_pause()');
  const { id } = await givenPerson(service);
  // the check of this test: an answer from the replica would lack the account
  const { rows } = await standby.query('select 1 from app_user where id = $1', [id]);
  expect(rows).toEqual([]);
  const before = await countReads(service);
  expect(await listUsers(service)).toContain(id);
  expect(await countReads(service)).toEqual({ ...before, primary: before.primary + 1 });
  const metrics = await fetch(`${service.url}/metrics`);
  expect(Number(/^marshal_replica_lag_bytes (\d+)$/m.exec(await metrics.text())?.[1])).toBeGreaterThan(0);

  await standby.query('select pg_wal_replay_resume()');
  await expect
    .poll(
      async () => {
        await listUsers(service);
        return (await countReads(service)).replica;
      },
      { timeout: 20_000, interval: 250 },
    )
    .toBeGreaterThan(before.replica);
});

test('without its replica a process answers from the primary', async () => {
  postgres.killStandby();
  const { id } = await givenPerson(service);
  const before = await countReads(service);
  expect(await listUsers(service)).toContain(id);
  expect(await countReads(service)).toEqual({ ...before, primary: before.primary + 1 });
});

test('a server that is no replica is not read from', async () => {
  const wrong = await startService({
    database: { url: postgres.url, drop: () => Promise.resolve() },
    env: { DATABASE_REPLICA_URL: postgres.url },
  });
  expect(await listUsers(wrong)).toContain(subject.id);
  expect(await countReads(wrong)).toEqual({ replica: 0, primary: 1 });
  await wrong.stop();
});
