/** A backup of an older release: its rows get their old schema first, and then the newer migrations. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import { afterAll, expect, test } from 'vitest';
import { readArchive } from '#server/backup/archive.ts';
import { backUp } from '#server/backup/back-up.ts';
import { restore } from '#server/backup/restore.ts';
import { connect } from '#server/schema/orm.ts';
import { createEmptyDatabase, createTestDatabase } from '#tests/harness/database.ts';
import { describeSchema, withSql } from '#tests/harness/database-digest.ts';

const folder = mkdtempSync(join(tmpdir(), 'marshal-older-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Before accounts had invites, leaves and bans. */
const LAST = 'Migration20261122050014';

test('it is restored and migrated', async () => {
  const [old, target, current] = [await createEmptyDatabase(), await createEmptyDatabase(), await createTestDatabase()];
  const orm = await connect(old.url, { timeouts: false });
  await orm.migrator.up({ to: LAST });
  await orm.close();
  await runMigrations({ connectionString: old.url });
  await withSql(old.url, (ask) =>
    ask(`insert into app_user (id, email, email_key, roles, created_at, updated_at)
      values (gen_random_uuid(), 'old@example.org', 'old@example.org', '{admin}', now(), now())`),
  );
  const file = join(folder, 'old.backup');
  const manifest = await backUp(old.url, file, '0.0.9');
  expect(manifest.migrations.at(-1)).toBe(LAST);

  const { migrated, skipped } = await restore(target.url, file, await readArchive(file));
  expect(skipped).toEqual([]);
  expect(migrated.length).toBeGreaterThan(20);
  expect(await describeSchema(target.url)).toEqual(await describeSchema(current.url));
  expect(await withSql(target.url, (ask) => ask('select email, roles from app_user'))).toEqual([
    { email: 'old@example.org', roles: ['admin'] },
  ]);
  for (const database of [old, target, current]) await database.drop();
});
