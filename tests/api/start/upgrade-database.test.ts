/** An embedded database of PostgreSQL 17, from npm: the start says what to do, the command does it, and it can be undone. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPrograms } from '#server/cli/upgrade-postgres.ts';
import { createLog } from '#server/platform/log.ts';
import { readClusterVersion } from '#server/platform/postgres/embedded-cluster.ts';
import { choosePlace, type Other } from '#server/platform/postgres/embedded-place.ts';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { migrate } from '#server/schema/migrate.ts';
import { runMarshal } from '#tests/harness/command-line.ts';
import { describeSchema, digestRows, withSql } from '#tests/harness/database-digest.ts';

const PATIENCE = { timeout: 240_000 } as const;
const OLD = 17;
const LEFT_OUT = ['roster_change', 'session', 'sign_in_link'];
const log = createLog('silent');

const dataDir = mkdtempSync(join(tmpdir(), 'marshal-upgrade-'));
let home: string;
let native: string;
let rows: Record<string, string>;
let schema: string[];

const marshal = (...args: string[]) => runMarshal(args, { DATA_DIR: dataDir });

async function withCluster<T>(other: Other, work: (url: string) => Promise<T>): Promise<T> {
  const database = await startEmbedded({ dataDir, log, other, onState: () => undefined });
  try {
    return await work(database.url);
  } finally {
    await database.stop();
  }
}

beforeAll(async () => {
  chmodSync(dataDir, 0o711);
  native = await installPrograms(dataDir, OLD);
  await withCluster({ native }, async (url) => {
    await migrate(url);
    await withSql(url, (ask) =>
      ask(`insert into app_user (id, email, email_key, roles, created_at, updated_at)
        select gen_random_uuid(), n || '@example.org', n || '@example.org', '{user}', now(), now() from generate_series(1, 300) n`),
    );
    rows = await digestRows(url, LEFT_OUT);
    schema = await describeSchema(url);
  });
  ({ home } = choosePlace(dataDir, log));
}, 240_000);

afterAll(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));

async function expectUpgraded(): Promise<void> {
  expect(readClusterVersion(home)).toBe(18);
  await withCluster({}, async (url) => {
    expect(await digestRows(url, LEFT_OUT)).toEqual(rows);
    // 18 lists these as constraints; before, they were only marks of their columns
    const described = (await describeSchema(url)).filter((line) => !/^constraint .* NOT NULL \S+$/.test(line));
    expect(described).toEqual(schema);
  });
}

test('a start and other commands name the command', PATIENCE, async () => {
  expect(readClusterVersion(home)).toBe(OLD);
  const { code, stderr } = await marshal('grant-admin', '1@example.org');
  expect(code).toBe(1);
  expect(stderr).toMatch(/was made by PostgreSQL 17 and this is 18\..*upgrade-database/);
});

test('the command refuses while the old server runs', PATIENCE, async () => {
  await withCluster({ native }, async () => {
    expect(await marshal('upgrade-database')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Another Marshal is using'),
    });
  });
});

test('it brings the same rows and the same schema to 18, and keeps the old files', PATIENCE, async () => {
  const { code, stdout } = await marshal('upgrade-database');
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('went from PostgreSQL 17 to 18') });
  expect(readClusterVersion(`${home}.pg17`)).toBe(OLD);
  await expectUpgraded();
  expect((await marshal('upgrade-database')).stdout).toBe('The database is up to date: there is nothing to do.\n');
});

test('it can be undone, and done again', PATIENCE, async () => {
  // as if an earlier run had been killed after its first step
  renameSync(`${home}.pg17`, `${home}.upgraded`);
  const { code, stdout } = await marshal('upgrade-database', '--undo');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('The database of PostgreSQL 17 is back'),
  });
  expect(readClusterVersion(home)).toBe(OLD);
  expect(await withCluster({ native }, (url) => digestRows(url, LEFT_OUT))).toEqual(rows);
  expect((await marshal('upgrade-database')).code).toBe(0);
  await expectUpgraded();
});

test('a start makes no new database between the last two steps, and the command finishes them', PATIENCE, async () => {
  renameSync(home, `${home}.upgraded`);
  const { code, stderr } = await marshal('seed');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('was interrupted: finish it by') });
  expect(existsSync(home)).toBe(false);
  expect((await marshal('upgrade-database')).code).toBe(0);
  await expectUpgraded();
  expect(readdirSync(join(dataDir, 'backups')).filter((name) => name.endsWith('-before-upgrade.backup'))).toHaveLength(
    2,
  );
});
