/** The daily backup: a job of one replica, in the log and in `marshal doctor`. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { readArchive } from '#server/backup/archive.ts';
import { makeDailyBackup } from '#server/backup/daily.ts';
import { nameOf } from '#server/backup/rules/names.ts';
import { createLog } from '#server/platform/log.ts';
import { readEnv } from '#server/platform/env.ts';
import { runMarshal } from '#tests/harness/command-line.ts';
import { createTestDatabase } from '#tests/harness/database.ts';
import { withSql } from '#tests/harness/database-digest.ts';
import { startService } from '#tests/harness/service.ts';

const WAIT = { timeout: 30_000, interval: 20 };
const DAY_MS = 86_400_000;
const root = mkdtempSync(join(tmpdir(), 'marshal-daily-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function newFolder(name: string): string {
  mkdirSync(join(root, name));
  return join(root, name);
}

const backUpNow = (url: string) => withSql(url, (ask) => ask(`select graphile_worker.add_job('back_up')`));

test('the worker makes it, and the log says so', async () => {
  const folder = newFolder('made');
  const lines: string[] = [];
  const service = await startService({
    env: { BACKUP_DIR: folder, LOG_LEVEL: 'info' },
    withJobs: true,
    logTo: { write: (line) => void lines.push(line) },
  });
  const [cron] = await withSql(service.databaseUrl, (ask) =>
    ask(`select count(*)::int as count from graphile_worker._private_known_crontabs where identifier = 'back_up'`),
  );
  expect(cron).toEqual({ count: 1 });
  await backUpNow(service.databaseUrl);
  await vi.waitUntil(() => lines.some((line) => line.includes('backup made')), WAIT);
  const [name = ''] = readdirSync(folder);
  expect((await readArchive(join(folder, name))).tables.length).toBeGreaterThan(40);
  await service.stop();
});

test('a failure is an error in the log, and the job is tried again', async () => {
  const file = join(newFolder('failed'), 'file');
  writeFileSync(file, '');
  const lines: string[] = [];
  const service = await startService({
    env: { BACKUP_DIR: file, LOG_LEVEL: 'info' },
    withJobs: true,
    logTo: { write: (line) => void lines.push(line) },
  });
  await backUpNow(service.databaseUrl);
  await vi.waitUntil(() => lines.some((line) => line.includes(`The folder ${file} cannot be made`)), WAIT);
  await vi.waitUntil(async () => {
    const [job] = await withSql(service.databaseUrl, (ask) =>
      ask(
        `select attempts from graphile_worker.jobs where task_identifier = 'back_up' and locked_at is null and run_at > now()`,
      ),
    );
    return job?.['attempts'] === 1;
  }, WAIT);
  await service.stop();
});

test('without a place for backups there is none', async () => {
  const service = await startService({ withJobs: true });
  const rows = await withSql(service.databaseUrl, (ask) =>
    ask(`select 1 from graphile_worker._private_known_crontabs where identifier = 'back_up'`),
  );
  expect(rows).toEqual([]);
  await service.stop();
});

test('none is made while another is, and what a killed one left goes after a day', async () => {
  const folder = newFolder('several');
  const [old, young] = ['marshal-2026-11-01T031700Z.backup.part', 'marshal-2026-11-02T031700Z.backup.part'];
  for (const name of [old, young]) writeFileSync(join(folder, name), '');
  const twoDaysAgo = new Date(Date.now() - 2 * DAY_MS);
  utimesSync(join(folder, old), twoDaysAgo, twoDaysAgo);
  const database = await createTestDatabase();
  const app = { env: readEnv({ BACKUP_DIR: folder }), log: createLog('silent') };
  await withSql(database.url, async (ask) => {
    await ask('select pg_advisory_lock(7311931)');
    await makeDailyBackup(app, database.url, new Date());
  });
  expect(readdirSync(folder)).toEqual([old, young]);
  await makeDailyBackup(app, database.url, new Date());
  expect(readdirSync(folder)).toEqual([young, expect.stringMatching(/^marshal-.*Z\.backup$/)]);
  await database.drop();
});

test('the doctor warns of a late one, and reports a place that does not answer', async () => {
  const folder = newFolder('examined');
  const database = await createTestDatabase();
  const examine = async (env: Record<string, string>) => {
    const { stdout } = await runMarshal(['doctor'], {
      DATABASE_URL: database.url,
      PORT: '0',
      PUBLIC_URL: 'http://localhost:3000',
      DATA_DIR: root,
      ...env,
    });
    return stdout.split('\n').find((line) => line.includes('Backups: '));
  };
  expect(await examine({})).toMatch(/^warning +Backups: Marshal makes none: set BACKUP_DIR/);
  expect(await examine({ BACKUP_DIR: folder })).toMatch(/^warning +Backups: The newest in .* is none: make one/);
  writeFileSync(join(folder, nameOf(new Date(Date.now() - 3 * DAY_MS))), '');
  expect(await examine({ BACKUP_DIR: folder })).toMatch(/^warning +Backups: The newest in .* is marshal-.*: make one/);
  writeFileSync(join(folder, nameOf(new Date())), '');
  expect(await examine({ BACKUP_DIR: folder })).toMatch(/^ok +Backups: The newest is marshal-/);
  const nowhere = {
    BACKUP_S3_ENDPOINT: 'http://127.0.0.1:9',
    BACKUP_S3_BUCKET: 'b',
    BACKUP_S3_ACCESS_KEY: 'k',
    BACKUP_S3_SECRET_KEY: 's',
  };
  expect(await examine(nowhere)).toMatch(/^FAULT +Backups: The object storage at .* refuses or does not answer/);
  await database.drop();
});
