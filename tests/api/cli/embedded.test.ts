/** `npm run marshal` with the embedded database: without one, beside a Marshal that uses it, and alone. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { isOurServer, readRunningServer } from '#server/platform/postgres/embedded-cluster.ts';
import { choosePlace } from '#server/platform/postgres/embedded-place.ts';
import { startEmbedded, type EmbeddedPostgres } from '#server/platform/postgres/embedded.ts';
import { migrate } from '#server/schema/migrate.ts';
import { runMarshal } from '#tests/harness/command-line.ts';

const PATIENCE = { timeout: 180_000 } as const;
const log = createLog('silent');

let parent: string;
let dataDir: string;
let running: EmbeddedPostgres | null;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'marshal-cli-'));
  // so long that the socket is in a folder of its own below /tmp
  dataDir = join(parent, 'long'.repeat(20));
  mkdirSync(dataDir);
  // for root, whose database runs as another user
  for (const folder of [parent, dataDir]) chmodSync(folder, 0o711);
  running = null;
});

afterEach(async () => {
  await running?.stop();
  rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
});

const marshal = (...args: string[]) => runMarshal(args, { DATA_DIR: dataDir });

async function query(sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: running?.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** True if a server runs on the database. */
function isRunning(): boolean {
  const place = choosePlace(dataDir, log);
  const server = readRunningServer(place);
  return server !== null && isOurServer(place, server.pid);
}

test('without a database there is one sentence, and none is made', PATIENCE, async () => {
  expect(await marshal('grant-admin', 'someone@example.org')).toEqual({
    code: 1,
    stdout: '',
    stderr: `There is no database in ${dataDir}: start Marshal once, set DATA_DIR to its folder, or set DATABASE_URL.\n`,
  });
  const { stdout } = await marshal('doctor');
  expect(stdout).toContain(`ok       Database: There is none in ${dataDir} yet: the first start creates it.`);
  expect(isRunning()).toBe(false);
});

test('a command works beside a Marshal that uses the database, and when none does', PATIENCE, async () => {
  running = await startEmbedded({ dataDir, log, onState: () => undefined });
  await migrate(running.url);
  await query(`insert into app_user (id, email, email_key, roles, created_at, updated_at)
    values (gen_random_uuid(), 'someone@example.org', 'someone@example.org', '{user}', now(), now())`);

  const beside = await marshal('grant-admin', 'someone@example.org');
  expect(beside).toEqual({ code: 0, stdout: 'someone@example.org is an admin now.\n', stderr: '' });
  expect(running.state()).toBe('ready');
  expect(await query('select roles from app_user')).toEqual([{ roles: ['user', 'admin'] }]);

  await running.stop();
  running = null;
  const alone = await marshal('grant-admin', 'someone@example.org');
  expect(alone).toEqual({ code: 0, stdout: 'someone@example.org is an admin already.\n', stderr: '' });
  expect(isRunning()).toBe(false);
});
