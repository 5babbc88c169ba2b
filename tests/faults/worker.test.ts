/** kill -9 of a process in the middle of a job: another replica on the same database does it, soon. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from 'pg';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { callOffMissions, givenMissionIn, givenPilot, orderOf, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { createMarshal, type Marshal } from './process.ts';

/** The database of all, and pages without a worker. */
let service: Service;
let admin: Person;
let marshal: Marshal;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  marshal = await createMarshal({ DATABASE_URL: service.databaseUrl });
}, 120_000);
afterAll(async () => {
  await marshal.kill('server');
  marshal.remove();
  await service.stop();
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const lockedBy = (key: string) =>
  rows(sql`select locked_by from graphile_worker.jobs where key = ${key} and locked_by is not null`);
const holdersOf = (missionId: string) =>
  rows<{ pilot_id: string }>(sql`select pilot_id from seat where mission_id = ${missionId}`);

/** Let a process begin with this job, which is due, and kill it in the middle: it waits there for the mission's lock. */
async function killWithin(key: string, missionId: string): Promise<void> {
  const holder = new Client({ connectionString: service.databaseUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select 1 from mission where id = $1 for update', [missionId]);
  // only the mission's own job, which the maintenance relies on, could also fill the seat
  await rows(sql`delete from graphile_worker._private_jobs where key <> ${key} and key ~ '^backfill_(mission|pilot):'`);
  await marshal.start();
  await expect.poll(() => lockedBy(key), { timeout: 30_000, interval: 10 }).toHaveLength(1);
  await marshal.kill('server');
  await holder.query('rollback');
  await holder.end();
  // no live worker has it, and the library would not release it for four hours
  expect(await lockedBy(key)).toHaveLength(1);
}

/** As if the minute had passed that a job may take, which is no time to sit out. */
const passMinute = (key: string) =>
  rows(sql`update graphile_worker._private_jobs set locked_at = locked_at - interval '1 minute' where key = ${key}`);

/** Another process on the same database, until the work is done. */
async function withReplica(work: () => Promise<void>): Promise<void> {
  const replica = await startService({ beside: service, withJobs: true });
  try {
    await work();
  } finally {
    await replica.stop();
  }
}

const POLL = { timeout: 30_000, interval: 100 };

test('an order that expires while the worker is dead gives its seat to the next pilot', async () => {
  const silent = await givenPilot(service);
  const { mission } = await givenMissionIn(service, admin, 30);
  const order = await orderOf(silent);
  const next = await givenPilot(service);
  const key = `backfill_mission_at:${mission.id}`;
  await rows(sql`update frag_order set expires_at = now() - interval '1 second' where id = ${order.id}`);
  await rows(sql`update graphile_worker._private_jobs set run_at = now() where key = ${key}`);
  await killWithin(key, mission.id);
  expect(await holdersOf(mission.id)).toEqual([{ pilot_id: silent.id }]);
  await passMinute(key);
  await withReplica(async () => {
    await expect.poll(() => holdersOf(mission.id), POLL).toEqual([{ pilot_id: next.id }]);
    await expect.poll(() => lockedBy(key), POLL).toEqual([]);
  });
  await retirePilots(service);
  await callOffMissions(service);
}, 180_000);

test("a pilot's change that a killed worker was processing is processed by the next one, and by nothing else", async () => {
  const { mission } = await givenMissionIn(service, admin, 30);
  const pilot = await givenPilot(service);
  const key = `backfill_pilot:${pilot.id}`;
  await killWithin(key, mission.id);
  await withReplica(async () => {
    // a worker that may still be alive keeps its locks
    await expect.poll(() => rows(sql`select 1 from graphile_worker.jobs where key = 'maintenance'`), POLL).toEqual([]);
    expect(await lockedBy(key)).toHaveLength(1);
  });
  expect(await holdersOf(mission.id)).toEqual([]);
  await passMinute(key);
  await withReplica(async () => {
    await expect.poll(() => holdersOf(mission.id), POLL).toEqual([{ pilot_id: pilot.id }]);
    await expect.poll(() => lockedBy(key), POLL).toEqual([]);
  });
  expect(await findBreaches(service)).toEqual([]);
}, 180_000);

test('a worker that loses the database when completing a job restarts and repeats the job', async () => {
  await retirePilots(service);
  await callOffMissions(service);
  await rows(sql`delete from graphile_worker._private_jobs`);
  await withReplica(async () => {
    await rows(
      sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$`,
    );
    await rows(
      sql`create trigger refuse before delete on graphile_worker._private_jobs
            for each row when (old.key like 'backfill_pilot:%') execute function refuse()`,
    );
    const pilot = await givenPilot(service);
    const key = `backfill_pilot:${pilot.id}`;
    const { mission } = await givenMissionIn(service, admin, 30);
    // in either order the mission has its pilot; the job cannot be marked as done
    await expect.poll(() => holdersOf(mission.id), POLL).toEqual([{ pilot_id: pilot.id }]);
    await expect.poll(() => lockedBy(key), POLL).toHaveLength(1);
    await rows(sql`drop trigger refuse on graphile_worker._private_jobs`);
    await rows(sql`drop function refuse`);
    await expect.poll(() => rows(sql`select 1 from graphile_worker.jobs where key = ${key}`), POLL).toEqual([]);
  });
  expect(await findBreaches(service)).toEqual([]);
}, 180_000);

test('a stop in the middle of a restart ends the worker and nothing else', async () => {
  await rows(sql`delete from graphile_worker._private_jobs`);
  const replica = await startService({ beside: service, withJobs: true });
  const holder = new Client({ connectionString: service.databaseUrl });
  await holder.connect();
  // no run of maintenance is under way, and the next one can be queued only when this transaction has ended
  await expect.poll(() => rows(sql`select 1 from graphile_worker.jobs where key = 'maintenance'`), POLL).toEqual([]);
  await holder.query('begin');
  await holder.query(`select graphile_worker.add_job('maintenance', job_key => 'maintenance')`);
  await rows(sql`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%'`);
  const waiting = () =>
    rows(sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%graphile_worker%add_job%'`);
  await expect.poll(waiting, POLL).toHaveLength(1);
  const stopped = replica.stop();
  await holder.query('rollback');
  await holder.end();
  await expect(stopped).resolves.toBeUndefined();
}, 180_000);
