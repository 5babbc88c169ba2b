/** A backup of a whole community, restored: the same rows, the same schema, the same queue. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createPasswordHasher } from '#server/accounts/password-hashing.ts';
import { ensureFirstAdmin } from '#server/accounts/first-admin.ts';
import { ensureSampleCommunity } from '#server/cli/sample/sample-community.ts';
import { readArchive } from '#server/backup/archive.ts';
import { restore } from '#server/backup/restore.ts';
import { MIGRATION_LOCK } from '#server/schema/migrate.ts';
import { runMarshal } from '#tests/harness/command-line.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#tests/harness/database.ts';
import { describeSchema, digestRows, tablesOf, withSql } from '#tests/harness/database-digest.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { startService, type Service } from '#tests/harness/service.ts';

/** Ways in, and what belongs to running processes. */
const LEFT_OUT = [
  'passkey_challenge',
  'pending_sign_in',
  'remembered_device',
  'roster_change',
  'session',
  'sign_in_link',
];
const PATIENCE = { timeout: 120_000 } as const;

const folder = mkdtempSync(join(tmpdir(), 'marshal-backup-'));
const file = () => join(folder, readdirSync(folder).find((name) => name.endsWith('.backup')) ?? '');
const backups = { DATA_DIR: folder, BACKUP_DIR: folder };
const restored: TestDatabase[] = [];
let service: Service;

beforeAll(async () => {
  service = await startService();
  const { app } = service;
  const admin = await ensureFirstAdmin(app.orm.em.fork(), createPasswordHasher(), null);
  await ensureSampleCommunity(app, admin, new Date());
  await withSql(service.databaseUrl, async (ask) => {
    // values that a text format must escape
    await ask(
      `update app_user set display_name = E'Tab\\tLine\\nBack\\\\slash \\\\. "Zoë" 🛩' where id = (select id from app_user limit 1)`,
    );
    await ask(
      `select graphile_worker.add_job('purge', '{"a": "\\\\n"}', 'a queue', now() + interval '1 day', 7, 'a key', 3)`,
    );
    await ask(
      `select graphile_worker.reschedule_jobs(array_agg(id), attempts => 2::smallint) from graphile_worker.jobs where key = 'a key'`,
    );
    await ask(
      `insert into sign_in_link (token_hash, user_id, created_at, expires_at) select 'hash', id, now(), now() from app_user limit 1`,
    );
  });
}, 120_000);

afterAll(async () => {
  await service.stop();
  for (const database of restored) await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function target(database: Promise<TestDatabase>): Promise<string> {
  const made = await database;
  restored.push(made);
  return made.url;
}

test('a backup is made while Marshal runs, and only its owner can read it', PATIENCE, async () => {
  const { code, stdout, stderr } = await runMarshal(['backup'], { ...backups, DATABASE_URL: service.databaseUrl });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Wrote marshal-\d{4}-\d\d-\d\dT\d{6}Z\.backup \(\d+ kB\) to .*, and read it back\.\n$/);
  expect(readdirSync(folder)).toHaveLength(1);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('it has every table of the schema but those that stay behind', PATIENCE, async () => {
  const all = await tablesOf(service.databaseUrl);
  expect(all).toEqual(expect.arrayContaining(LEFT_OUT));
  const { tables, jobs } = await readArchive(file());
  expect(tables.map(({ name }) => name)).toEqual(all.filter((name) => !LEFT_OUT.includes(name)));
  expect(jobs.rows).toBeGreaterThan(1);
});

test.for([
  ['an empty database', createEmptyDatabase],
  ['the database of a first start', createTestDatabase],
] as const)('it is restored into %s', PATIENCE, async ([, create]) => {
  const url = await target(create());
  const { code, stdout, stderr } = await runMarshal(['restore', file()], { ...backups, DATABASE_URL: url });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Restored [\d,]+ rows of .*Everybody has to sign in again\.\n$/);
  expect(await describeSchema(url)).toEqual(await describeSchema(service.databaseUrl));
  // the sender of Discord messages looks for those that may have been sent since
  const marks = `update discord_post set first_tried_at = null
    where id in (select post_id from delivery where state = $1)`;
  await withSql(url, (ask) => ask(marks, ['queued']));
  await withSql(service.databaseUrl, (ask) => ask(marks, ['queued']));
  expect(await digestRows(url, LEFT_OUT)).toEqual(await digestRows(service.databaseUrl, LEFT_OUT));
  const noted = `select subject_type as type, detail from audit_entry where action = 'backup_restored'`;
  const { madeAt } = await readArchive(file());
  expect(await withSql(url, (ask) => ask(noted))).toEqual([
    { type: 'community', detail: { by: 'command line', madeAt } },
  ]);
  for (const name of LEFT_OUT) {
    expect(await withSql(url, (ask) => ask(`select count(*)::int as count from ${name}`))).toEqual([{ count: 0 }]);
  }
  const second = await startService({ database: { url, drop: () => Promise.resolve() } });
  expect(await findBreaches(second)).toEqual([]);
  await second.stop();
});

test('a connection that is just ending does not refuse it', PATIENCE, async () => {
  const url = await target(createEmptyDatabase());
  const manifest = await readArchive(file());
  let restoring: Promise<unknown> = Promise.resolve();
  await withSql(url, async (ask) => {
    restoring = restore(url, file(), manifest);
    restoring.catch(() => undefined);
    const isGuarded = `select 1 from pg_locks where locktype = 'advisory' and granted and objid = $1::int8::bit(32)::int8::oid`;
    const guarded = vi.waitUntil(async () => (await ask(isGuarded, [MIGRATION_LOCK])).length > 0, PATIENCE);
    await Promise.race([guarded, restoring]);
  });
  expect(await restoring).toMatchObject({ skipped: [] });
});

test('one missing row and one changed character are found by the comparison', PATIENCE, async () => {
  const [url = ''] = restored.map((database) => database.url);
  const before = await digestRows(url, LEFT_OUT);
  await withSql(url, (ask) => ask('delete from seat where ctid = (select ctid from seat limit 1)'));
  await withSql(url, (ask) =>
    ask(`update mission set name = name || '.' where ctid = (select ctid from mission limit 1)`),
  );
  const after = await digestRows(url, LEFT_OUT);
  expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual(['mission', 'seat']);
});
