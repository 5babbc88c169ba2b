/** A backup of an older release: its rows get their old schema first, and then the newer migrations. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { runMigrations } from 'graphile-worker';
import { afterAll, expect, test } from 'vitest';
import { readArchive } from '#server/backup/archive.ts';
import { backUp } from '#server/backup/back-up.ts';
import { restore } from '#server/backup/restore.ts';
import { connect, MIGRATIONS_PATH } from '#server/schema/orm.ts';
import { createEmptyDatabase, createTestDatabase } from '#tests/harness/database.ts';
import { describeSchema, withSql } from '#tests/harness/database-digest.ts';

const folder = mkdtempSync(join(tmpdir(), 'marshal-older-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The last migration of 0.1.0. */
const LAST = 'Migration20261130000000_first_release';
const NEWER = readdirSync(MIGRATIONS_PATH)
  .map((file) => parse(file).name)
  .filter((name) => name > LAST);

test('it is restored and migrated', async () => {
  const [old, target, current] = [await createEmptyDatabase(), await createEmptyDatabase(), await createTestDatabase()];
  const orm = await connect(old.url, { timeouts: false });
  await orm.migrator.up({ to: LAST });
  await orm.close();
  await runMigrations({ connectionString: old.url });
  for (const { url } of [old, current]) {
    await withSql(url, (ask) =>
      ask(`insert into app_user (id, email, email_key, roles, created_at, updated_at)
        values (gen_random_uuid(), 'old@example.org', 'old@example.org', '{admin}', now(), now())`),
    );
  }
  const file = join(folder, 'old.backup');
  const manifest = await backUp(old.url, file, '0.1.0');
  expect(manifest.migrations.at(-1)).toBe(LAST);

  const { migrated, skipped } = await restore(target.url, file, await readArchive(file));
  expect(skipped).toEqual([]);
  expect(migrated.toSorted()).toEqual(NEWER.toSorted());
  expect(await describeSchema(target.url)).toEqual(await describeSchema(current.url));
  expect(await withSql(target.url, (ask) => ask('select email, roles from app_user'))).toEqual([
    { email: 'old@example.org', roles: ['admin'] },
  ]);
  for (const database of [old, target, current]) await database.drop();
});
