/** Missions by date range for admins: the dates, the zone, the bounds. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenMission, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  // 23:30 UTC on the 10th is 08:30 of the 11th in Tokyo
  for (const [name, startLocal, endLocal] of [
    ['Late', '2090-01-10T23:30', '2090-01-11T01:00'],
    ['Early', '2090-01-08T00:00', '2090-01-08T02:00'],
    ['After', '2090-01-12T00:00', '2090-01-12T02:00'],
  ] as const) {
    await givenMission(service, admin, { name, startLocal, endLocal, publish: false });
  }
});
afterAll(() => service.stop());

const list = (search: string) => admin.client.call('GET', `/admin/missions?${search}`);
const names = async (search: string): Promise<string[]> =>
  (await list(search)).body.map(({ name }: { name: string }) => name);

test('both dates are included, by start', async () => {
  expect(await names('from=2090-01-08&to=2090-01-12')).toEqual(['Early', 'Late', 'After']);
  expect(await names('from=2090-01-08&to=2090-01-10')).toEqual(['Early', 'Late']);
  expect(await names('from=2090-01-09&to=2090-01-09')).toEqual([]);
});

test('the dates and the local times are those of tz', async () => {
  expect(await names('from=2090-01-10&to=2090-01-10&tz=Asia/Tokyo')).toEqual([]);
  expect((await list('from=2090-01-11&to=2090-01-11&tz=Asia/Tokyo')).body).toMatchObject([
    { name: 'Late', timeZone: 'Asia/Tokyo', startLocal: '2090-01-11T08:30', startUtc: '2090-01-10T23:30:00.000Z' },
  ]);
});

test('a mission is answered as by-date answers it', async () => {
  const [ranged] = (await list('from=2090-01-08&to=2090-01-08')).body;
  const day = await admin.client.call('GET', '/admin/missions/by-date?date=2090-01-08');
  expect(ranged).toEqual(day.body.missions[0]);
});

test.each([
  ['from=2090-01-08&to=2090-01-07', 'The last date must not be before the first'],
  ['from=2090-01-01&to=2090-04-03', 'A range can cover at most 92 days'],
])('%s is refused', async (search, message) => {
  const { status, body } = await list(search);
  expect([status, body]).toEqual([400, { code: 'VALIDATION', message, issues: [{ path: 'to', message }] }]);
});

test('92 days are not too many', async () => {
  expect(await names('from=2090-01-01&to=2090-04-02')).toHaveLength(3);
});

test('a range with more missions than one answer lists is refused, not cut', async () => {
  await query(
    service.app.orm.em.fork(),
    sql`insert into mission (id, name, theater, status, starts_at, ends_at, time_zone, created_by_id, created_at, updated_at)
        select gen_random_uuid(), 'Op ' || n, 'Syria', 'draft', '2091-01-01'::timestamptz + n * interval '1 minute',
               '2091-01-02', 'UTC', ${admin.id}, now(), now()
        from generate_series(1, 201) as n`,
  );
  expect((await list('from=2091-01-01&to=2091-01-02')).body).toMatchObject({
    code: 'VALIDATION',
    message: 'These dates have too many missions for one answer. Please ask for fewer days.',
  });
  await query(service.app.orm.em.fork(), sql`delete from mission where name = 'Op 201'`);
  expect(await names('from=2091-01-01&to=2091-01-02')).toHaveLength(200);
});
