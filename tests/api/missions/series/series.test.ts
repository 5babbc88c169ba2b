/** Series of missions: made and published by the job, once each, and what stops them. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { runAllSeries } from '#server/missions/series/occurrences.ts';
import { givenAdmin, givenMission, type Person } from '#tests/harness/given.ts';
import { givenPilot, orderOf } from '#tests/harness/orders.ts';
import { EVERY_DAY, inDays, missionsOf, occurrenceOn, readSeries, runSeries } from '#tests/harness/series.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  await query(service.app.orm.em.fork(), sql`update mission_series set ended_at = now() where ended_at is null`);
});

const run = (statement: Parameters<typeof query>[1]) => query(service.app.orm.em.fork(), statement);
let count = 0;

/** A series of every day at noon, from a mission in three days, which is its first one. */
async function givenSeries(rule: Record<string, unknown> = {}) {
  count += 1;
  const { mission } = await givenMission(service, admin, {
    name: `Op Daily ${count}`,
    startLocal: `${inDays(3)}T12:00`,
    endLocal: `${inDays(3)}T14:00`,
    publish: false,
    notes: 'Brief on channel 3',
  });
  const input = { missionId: mission.id, weekdays: EVERY_DAY, horizonWeeks: 1, ...rule };
  const { status, body } = await admin.client.call('POST', '/admin/series', input);
  expect([status, body.message]).toEqual([201, undefined]);
  return { id: body.id as string, mission };
}

test('a mission becomes the first of its series, and the job makes the others as drafts, as far as the horizon', async () => {
  const { id, mission } = await givenSeries();
  expect((await readSeries(admin, id)).occurrences.map(({ state }) => state)).toEqual([
    'draft',
    ...Array.from({ length: 4 }, () => 'planned'),
  ]);
  await runSeries(service);
  const made = await missionsOf(service, id);
  expect(made.map(({ date, status, name, start }) => [date, status, name, start])).toEqual(
    [3, 4, 5, 6, 7].map((days) => [inDays(days), 'draft', mission.name, '12:00']),
  );
  expect(made[0]?.id).toBe(mission.id);
  const second = await admin.client.call('GET', `/admin/missions/${made[1]?.id}`);
  expect(second.body).toMatchObject({ notes: 'Brief on channel 3', createdByName: 'Ops', timeZone: 'UTC' });
  await runSeries(service);
  expect(await missionsOf(service, id)).toEqual(made);
});

test('runs at the same time, on connections of their own, make one mission for each date', async () => {
  const { id } = await givenSeries({ horizonWeeks: 2 });
  await Promise.all(Array.from({ length: 4 }, () => runSeries(service)));
  const made = await missionsOf(service, id);
  expect(made).toHaveLength(12);
  expect(await run(sql`select count(*)::int as count from mission where name = ${made[0]?.name ?? ''}`)).toEqual([
    { count: 12 },
  ]);
});

test('the key keeps a date from getting two missions, and a mission from belonging to two dates', async () => {
  const { id, mission } = await givenSeries();
  const insert = (date: string, missionId: string | null) =>
    run(
      sql`insert into series_occurrence (series_id, date_local, mission_id, revision) values (${id}, ${date}, ${missionId}, 1)`,
    );
  await expect(insert(inDays(3), null)).rejects.toThrow(/series_occurrence_pkey/);
  await expect(insert(inDays(9), mission.id)).rejects.toThrow(/series_occurrence_mission_id_unique/);
  const again = await admin.client.call('POST', '/admin/series', { missionId: mission.id });
  expect([again.status, again.body.code]).toEqual([409, 'SERIES_ALREADY']);
});

test('after downtime it makes what is still to come, and nothing in the past', async () => {
  const { id } = await givenSeries();
  await runSeries(service, 24 * 5.5);
  const [linked, ...made] = (await missionsOf(service, id)).map(({ date }) => date);
  const then = new Date(Date.now() + 24 * 5.5 * 3_600_000).toISOString();
  expect(linked).toBe(inDays(3));
  expect(made.filter((date) => `${date}T12:00` < then)).toEqual([]);
  expect(made).toContain(inDays(7));
});

test('publishes by itself so many days ahead, and its orders go out', async () => {
  const pilot = await givenPilot(service);
  const { id, mission } = await givenSeries({ publishDays: 2 });
  await runSeries(service);
  expect((await missionsOf(service, id)).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'draft'));
  const { publishAt } = await occurrenceOn(admin, id, inDays(3));
  expect(publishAt).toBe(`${inDays(1)}T08:00:00.000Z`);
  await runSeries(service, (Date.parse(`${inDays(1)}T08:00Z`) - Date.now()) / 3_600_000 + 0.1);
  expect((await missionsOf(service, id)).slice(0, 2).map(({ status }) => status)).toEqual(['scheduled', 'draft']);
  expect((await orderOf(pilot)).missionId).toBe(mission.id);
  expect(await occurrenceOn(admin, id, inDays(3))).toMatchObject({ state: 'published', publishAt: null });
});

test('a skipped date never comes back, and its mission is cancelled', async () => {
  const { id } = await givenSeries();
  await runSeries(service);
  for (const date of [inDays(3), inDays(5)]) {
    expect((await admin.client.call('POST', `/admin/series/${id}/skip`, { date })).status).toBe(200);
  }
  await runSeries(service);
  const states = (await readSeries(admin, id)).occurrences.map(({ state }) => state);
  expect(states).toEqual(['skipped', 'draft', 'skipped', 'draft', 'draft']);
  expect((await missionsOf(service, id)).map(({ status }) => status)).toEqual([
    'cancelled',
    'draft',
    'cancelled',
    'draft',
    'draft',
  ]);
  const past = await admin.client.call('POST', `/admin/series/${id}/skip`, { date: inDays(-1) });
  expect([past.status, past.body.code]).toEqual([400, 'SERIES_DATE']);
});

test.each([
  [false, { removedDrafts: 4, cancelled: 0, kept: 1 }, 'scheduled'],
  [true, { removedDrafts: 4, cancelled: 1, kept: 0 }, 'cancelled'],
])('ends: drafts go, published missions stay or are cancelled (%s)', async (cancelPublished, counts, status) => {
  const { id, mission } = await givenSeries();
  await runSeries(service);
  await admin.client.call('POST', `/admin/missions/${mission.id}/publish`);
  const ended = await admin.client.call('POST', `/admin/series/${id}/end`, { cancelPublished });
  expect([ended.status, ended.body]).toEqual([200, counts]);
  await runSeries(service);
  const states = (await missionsOf(service, id)).map((one) => one.status);
  expect(states).toEqual([status, ...Array.from({ length: 4 }, () => 'cancelled')]);
  const again = await admin.client.call('POST', `/admin/series/${id}/end`, { cancelPublished });
  expect([again.status, again.body.code]).toEqual([409, 'SERIES_ENDED']);
});

test('a failure is shown with its sentence, and tried again', async () => {
  const { id } = await givenSeries();
  const offer = (active: boolean) => admin.client.call('PUT', '/admin/aircraft/offered', { ids: [2], active });
  await offer(false);
  await runSeries(service);
  const { problem, state } = await occurrenceOn(admin, id, inDays(4));
  expect([state, problem]).toEqual(['planned', expect.stringContaining('F-16C Viper')]);
  await offer(true);
  await runSeries(service, 1);
  expect(await occurrenceOn(admin, id, inDays(4))).toMatchObject({ state: 'draft', problem: null });
});

test('pauses while its creator is no admin, and goes on when another one takes it over', async () => {
  const { id } = await givenSeries();
  await run(sql`update app_user set roles = '{user}' where id = ${admin.id}`);
  await runSeries(service);
  await run(sql`update app_user set roles = '{admin,user}' where id = ${admin.id}`);
  expect(await missionsOf(service, id)).toHaveLength(1);
  expect((await readSeries(admin, id)).pausedReason).toMatch(/^Paused: /);
  const other = await givenAdmin(service);
  expect((await other.client.call('POST', `/admin/series/${id}/take-over`)).status).toBe(200);
  await runSeries(service);
  expect(await missionsOf(service, id)).toHaveLength(5);
  expect((await readSeries(admin, id)).pausedReason).toBeNull();
  const { body } = await admin.client.call('GET', `/admin/audit?subjectId=${id}`);
  expect(body.entries.map(({ summary }: { summary: string }) => summary)).toEqual([
    'Took the series over',
    'Paused by Marshal, because its creator is no longer an admin',
    'Made a series: every day at 1200L (UTC)',
  ]);
});

test('an installation holds 100 series that go on, also under parallel calls', async () => {
  await run(
    sql`insert into mission_series (id, content, weekdays, every_weeks, first_date, last_date, horizon_weeks, revision, created_by_id, created_at, updated_at)
        select gen_random_uuid(), '{}', '{1}', 1, '2098-01-01', null, 4, 1, ${admin.id}, now(), now() from generate_series(1, 98)`,
  );
  const calls = Array.from({ length: 5 }, () =>
    admin.client.call('POST', '/admin/series', { templateId: 'starter-flag' }),
  );
  const answers = await Promise.all(calls);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409, 409]);
});

test('one run makes 20 missions, and the next ones the rest', async () => {
  const { id } = await givenSeries({ horizonWeeks: 4 });
  await runAllSeries(service.app.orm.em.fork(), new Date());
  expect(await missionsOf(service, id)).toHaveLength(21);
  await runSeries(service);
  expect(await missionsOf(service, id)).toHaveLength(26);
});
