/** Accounts with more rows than today's caps allow: lists are cut, changes work, and other requests do not wait. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { longest, probe } from './probe.ts';

const TEMPLATES = 1_500;

let service: Service;
let old: Person;
let usual: Person;
let admin: Person;

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

/** Rows per statement, few enough for the time limit of statements. */
const PART = 50;

/** Weeks of 28 slots; the last of them is the active one. */
async function givenTemplates({ id }: Person, size: number): Promise<void> {
  for (let from = 1; from <= size; from += PART) {
    await rows(
      sql`with week as (
            insert into availability_template (id, user_id, name, is_active, created_at, updated_at)
            select gen_random_uuid(), ${id}, 'Week ' || n, n = ${sql.lit(size)}, now() + n * interval '1 ms', now()
            from generate_series(${sql.lit(from)}, ${sql.lit(Math.min(size, from + PART - 1))}) as n returning id, name)
          insert into availability_slot (id, template_id, weekday, start_local, end_local)
          select gen_random_uuid(), id, n % 7, lpad((n / 7 * 4)::text, 2, '0') || ':00', lpad((n / 7 * 4 + 2)::text, 2, '0') || ':00'
          from week, generate_series(0, 27) as n`,
    );
  }
}

beforeAll(async () => {
  service = await startService();
  [old, usual, admin] = [await givenPerson(service), await givenPerson(service), await givenAdmin(service)];
  await givenTemplates(old, TEMPLATES);
  await givenTemplates(usual, 20);
  await rows(sql`analyze availability_template, availability_slot`);
});
afterAll(() => service.stop());

describe('1,500 templates', () => {
  const pathOf = ({ id }: Person) => `/users/${id}/availability/templates`;

  test('are listed in part, the active one first', async () => {
    const { body } = await old.client.call('GET', pathOf(old));
    expect(body.map(({ name, isActive }: { name: string; isActive: boolean }) => [name, isActive])).toEqual([
      ['Week 1500', true],
      ...Array.from({ length: 19 }, (_, index) => [`Week ${index + 1}`, false]),
    ]);
    expect(body.map(({ slots }: { slots: unknown[] }) => slots.length)).toEqual(Array.from({ length: 20 }, () => 28));
  });

  test('delay /healthz no longer than 20 do', async () => {
    const measure = (person: Person) =>
      probe(service, person, {
        calls: Array.from({ length: 4 }, () => ({ method: 'GET', path: `/api/v1${pathOf(person)}` })),
      });
    // the best of several rounds, because of other load
    const ratios: number[] = [];
    while (ratios.length < 5 && Math.min(Infinity, ...ratios) > 3) {
      const baseline = await measure(usual);
      const report = await measure(old);
      expect(report.answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      ratios.push(longest(report) / Math.max(20, longest(baseline)));
    }
    expect(Math.min(...ratios)).toBeLessThan(3);
  });

  test('can still be changed one by one, and none can be added', async () => {
    const [hidden] = await rows<{ id: string }>(
      sql`select id from availability_template where user_id = ${old.id} and name = 'Week 777'`,
    );
    const slots = [{ weekday: 1, startLocal: '18:00', endLocal: '20:00', aircraftCodeId: 0, notes: null }];
    const week = { name: 'The one', slots };
    const path = `${pathOf(old)}/${hidden?.id}`;
    expect((await old.client.call('PUT', path, { ...week, isActive: true })).status).toBe(200);
    expect((await old.client.call('GET', pathOf(old))).body[0]).toMatchObject({ name: 'The one', isActive: true });
    expect((await old.client.call('PUT', path, { ...week, isActive: false })).status).toBe(200);
    expect((await old.client.call('POST', pathOf(old), { ...week, isActive: true })).status).toBe(409);
  });
});

describe('limited lists', () => {
  test('a day with very many missions shows the first 200 and counts all', async () => {
    await rows(
      sql`insert into mission (id, name, theater, status, starts_at, ends_at, time_zone, created_by_id, created_at, updated_at)
          select gen_random_uuid(), 'Op ' || n, 'Syria', 'scheduled', timestamptz '2090-05-01T00:00Z' + n * interval '1 minute',
                 timestamptz '2090-05-01T03:00Z' + n * interval '1 minute', 'UTC', ${admin.id}, now(), now()
          from generate_series(1, 250) as n`,
    );
    const { body } = await admin.client.call('GET', '/admin/missions/by-date?date=2090-05-01&tz=UTC');
    expect([body.totalMissions, body.missions.length]).toEqual([250, 200]);
    expect(body.missions[0].name).toBe('Op 1');
  });

  test('very many exceptions list the next 400', async () => {
    await rows(
      sql`insert into availability_override (id, user_id, date_local, kind, start_local, end_local, created_at)
          select gen_random_uuid(), ${old.id}, current_date + n, 'unavailable', '00:00', '00:00', now()
          from generate_series(2, 600) as n`,
    );
    const { body } = await old.client.call('GET', `/users/${old.id}/availability/overrides`);
    expect(body).toHaveLength(400);
  });

  test('very many servers list the first 500', async () => {
    await rows(
      sql`insert into guild (id, name, status, member_count, installed_at, accepted_at, last_seen_at)
          select (300200300400500000 + n)::text, 'Guild ' || lpad(n::text, 4, '0'), 'active', 1, now(), now(), now()
          from generate_series(1, 600) as n`,
    );
    expect((await admin.client.call('GET', '/discord/guilds')).body).toHaveLength(500);
  });
});
