/**
 * Series while the processes that make their missions are killed again and again, two at a time: each date has exactly one
 * mission at the end. The same check finds dates that are not written down.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { seeded } from '#tests/harness/seeded.ts';
import { EVERY_DAY } from '#tests/harness/series.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { createSender, type Sender } from './senders.ts';

const KILLS = inDrill(50, 4);
const SEED = 20_261_126;
const WEEKS = 12;

let service: Service;
let admin: Person;
let makers: readonly Sender[];
beforeEach(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  makers = [1, 2].map(() => createSender({ DATABASE_URL: service.databaseUrl }));
}, 60_000);
afterEach(async () => {
  await Promise.all(makers.map((maker) => maker.kill()));
  await service.stop();
});

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
async function count(of: Parameters<typeof query>[1]): Promise<number> {
  const [row] = await rows<{ count: number }>(sql`select count(*)::int as count from ${of}`);
  return row?.count ?? Number.NaN;
}
const missions = () => count(sql`mission`);

/** A new run, beside one whose process was killed in the middle. */
const runNow = () => rows(sql`select graphile_worker.add_job('make_occurrences', job_key => 'make_occurrences')`);

async function givenSeries(templateId: string): Promise<void> {
  const rule = { weekdays: EVERY_DAY, horizonWeeks: WEEKS, startLocal: '23:59', minutes: 60 };
  const { status } = await admin.client.call('POST', '/admin/series', { templateId, ...rule });
  expect(status).toBe(201);
}

/** Dates without exactly one mission, and missions that belong to no date. */
async function judge() {
  const dates = await count(sql`series_occurrence where mission_id is not null`);
  const linked = await count(sql`mission m where exists (select 1 from series_occurrence o where o.mission_id = m.id)`);
  const twice = await count(
    sql`(select name, starts_at from mission group by name, starts_at having count(*) > 1) as again`,
  );
  return { withoutMission: dates - linked, withoutDate: (await missions()) - linked, twice };
}

test(`each date has one mission after ${KILLS} kills of two processes`, async () => {
  await givenSeries('starter-training');
  await givenSeries('starter-flag');
  const random = seeded(SEED);
  await Promise.all(makers.map((maker) => maker.start()));
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = await missions();
    await runNow();
    const more = random.between(1, 2);
    await vi.waitUntil(async () => (await missions()) >= before + more, { timeout: 30_000, interval: 3 });
    // whichever of them is at work
    await Promise.all(makers.map((maker) => maker.kill()));
    await Promise.all(makers.map((maker) => maker.start()));
  }
  const expected = 2 * (WEEKS * 7 + 1);
  const next = async () => {
    await runNow();
    return missions();
  };
  await expect.poll(next, { timeout: 300_000, interval: 1_000 }).toBeGreaterThanOrEqual(expected);
  expect(await judge()).toEqual({ withoutMission: 0, withoutDate: 0, twice: 0 });
  expect(await missions()).toBe(expected);
}, 1_200_000);

test('dates that are not written down are found', async () => {
  await rows(sql`create function forget() returns trigger language plpgsql as $$ begin return null; end $$`);
  await rows(sql`create trigger forget before insert on series_occurrence for each row execute function forget()`);
  await givenSeries('starter-training');
  const [maker] = makers;
  await maker?.start();
  for (const wanted of [20, 40]) {
    await runNow();
    await vi.waitUntil(async () => (await missions()) >= wanted, { timeout: 30_000, interval: 50 });
  }
  expect((await judge()).twice).toBeGreaterThan(0);
}, 120_000);
