/** Retention of the audit log: entries about sign-ins stay for 90 days, the others for good or as the setting says. */
import { afterEach, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
afterEach(() => service.stop());

/** Entries of these ages in days, of a change and of a sign-in each; `many` more of the oldest change. */
async function givenEntries(ages: readonly number[], many = 0): Promise<void> {
  await query(
    service.app.orm.em.fork(),
    sql`insert into audit_entry (id, action, subject_type, subject_id, detail, occurred_at)
        select gen_random_uuid(), action, 'user', 'x', '{}'::jsonb, now() - age * interval '1 day'
        from unnest(array['role_added', 'signed_in']) as action, unnest(${[...ages]}::int[]) as age
        union all
        select gen_random_uuid(), 'role_added', 'user', 'x', '{}'::jsonb, now() - interval '2000 days'
        from generate_series(1, ${many}::int)`,
  );
}

/** Purges as the hourly job does. @returns ages in days of what is left, by action */
async function purge(): Promise<Record<string, number[]>> {
  const em = service.app.orm.em.fork();
  await query(em, sql`select graphile_worker.add_job('purge', job_key => 'purge')`);
  const waiting = () => query(em, sql`select from graphile_worker.jobs where key = 'purge'`);
  await expect.poll(waiting, { timeout: 20_000 }).toEqual([]);
  const rows = await query<{ action: string; days: number }>(
    em,
    sql`select action, extract(day from now() - occurred_at)::int as days from audit_entry order by occurred_at desc`,
  );
  return Object.fromEntries(
    ['role_added', 'signed_in'].map((action) => [
      action,
      rows.filter((row) => row.action === action).map(({ days }) => days),
    ]),
  );
}

const AGES = [1, 89, 91, 364, 366, 1_500];

test('without a setting entries about changes stay, and those about sign-ins go after 90 days', async () => {
  service = await startService({ withJobs: true });
  await givenEntries(AGES);
  expect(await purge()).toEqual({ role_added: AGES, signed_in: [1, 89] });
});

test('with AUDIT_KEEP_DAYS all older entries go, however many there are', async () => {
  service = await startService({ withJobs: true, env: { AUDIT_KEEP_DAYS: '365' } });
  await givenEntries(AGES, 12_000);
  expect(await purge()).toEqual({ role_added: [1, 89, 91, 364], signed_in: [1, 89] });
});

test('a shorter time counts for sign-ins, too', async () => {
  service = await startService({ withJobs: true, env: { AUDIT_KEEP_DAYS: '30' } });
  await givenEntries(AGES);
  expect(await purge()).toEqual({ role_added: [1], signed_in: [1] });
});
