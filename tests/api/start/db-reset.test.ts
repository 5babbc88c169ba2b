/** `npm run db:reset` on a real embedded database. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ROOT } from '#server/cli/programs.js';
import { createLog } from '#server/platform/log.ts';
import { launchServer, readRunningServer } from '#server/platform/postgres/embedded-cluster.ts';
import { choosePlace } from '#server/platform/postgres/embedded-place.ts';
import { startEmbedded, type EmbeddedPostgres } from '#server/platform/postgres/embedded.ts';

const RESET = join(ROOT, 'server', 'cli', 'db-reset.js');
const PATIENCE = { timeout: 180_000 } as const;

let dataDir: string;
let started: EmbeddedPostgres[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'marshal-reset-'));
  // for root, whose database runs as another user
  chmodSync(dataDir, 0o711);
  started = [];
});

afterEach(async () => {
  for (const database of started) await database.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

async function start(): Promise<EmbeddedPostgres> {
  const database = await startEmbedded({ dataDir, log: createLog('silent'), onState: () => undefined });
  started.push(database);
  return database;
}

async function query(database: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A stopped database that holds a row. */
async function givenDatabase(): Promise<void> {
  const database = await start();
  await query(database, 'create table kept (id int); insert into kept values (7)');
  await database.stop();
}

/** @param answer what the person at the terminal types; nothing when the input is empty */
async function reset(args: string[] = [], answer = '', env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [RESET, ...args], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: '', DATA_DIR: dataDir, npm_lifecycle_event: '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  child.stdin.end(answer);
  const [code] = await once(child, 'close');
  return { code: Number(code), output, lastLine: output.trimEnd().split('\n').at(-1) };
}

const kept = async () => query(await start(), "select to_regclass('kept')::text as name");

test('deletes the database without asking with --yes, and the next start begins with a new one', PATIENCE, async () => {
  await givenDatabase();
  expect(await reset(['--yes'])).toEqual({
    code: 0,
    output: expect.not.stringContaining('Type yes'),
    lastLine: `Deleted the database in ${join(dataDir, 'postgres')}: \`npm start\` begins with a new one.`,
  });
  expect(readdirSync(dataDir)).toEqual([]);
  expect(await kept()).toEqual([{ name: null }]);
});

test('deletes it after the answer yes', PATIENCE, async () => {
  await givenDatabase();
  expect((await reset([], 'yes\n')).code).toBe(0);
  expect(readdirSync(dataDir)).toEqual([]);
});

test.each([
  ['another answer', 'no\n'],
  ['the end of the input', ''],
])('keeps it after %s', PATIENCE, async (_what, answer) => {
  await givenDatabase();
  const { code, lastLine } = await reset([], answer);
  expect(lastLine).toContain('Nothing was deleted: answer yes, or run `npm run db:reset -- --yes`.');
  expect(code).toBe(1);
  expect(await kept()).toEqual([{ name: 'kept' }]);
});

test('refuses while Marshal uses the database', PATIENCE, async () => {
  const database = await start();
  expect(await reset(['--yes'])).toMatchObject({
    code: 1,
    lastLine: `Marshal is using the database in ${dataDir}: stop it first, then run db:reset again.`,
  });
  expect(await query(database, 'select 7 as id')).toEqual([{ id: 7 }]);
});

test('stops a database server that a killed Marshal left running', PATIENCE, async () => {
  await givenDatabase();
  const place = choosePlace(dataDir, createLog('silent'));
  const orphan = launchServer(place, { listen_addresses: '', unix_socket_directories: join(place.home, 'run') });
  await vi.waitFor(() => expect(readRunningServer(place)?.status).toBe('ready'), { timeout: 20_000 });
  expect((await reset(['--yes'])).code).toBe(0);
  await vi.waitFor(() => expect(orphan.exitCode ?? orphan.signalCode).not.toBeNull());
  expect(readdirSync(dataDir)).toEqual([]);
});

test('refuses when DATABASE_URL is set, and leaves the embedded database alone', PATIENCE, async () => {
  await givenDatabase();
  expect(await reset(['--yes'], '', { DATABASE_URL: 'postgresql://marshal@127.0.0.1:1/marshal' })).toMatchObject({
    code: 1,
    output:
      'DATABASE_URL is set: db:reset deletes the embedded database only, so drop and create yours with its own tools.\n',
  });
  expect(existsSync(join(dataDir, 'postgres', 'data', 'PG_VERSION'))).toBe(true);
});

test('says so when there is nothing to delete', PATIENCE, async () => {
  expect(await reset(['--yes'])).toMatchObject({
    code: 0,
    output: `There is no embedded database in ${dataDir}: nothing to delete.\n`,
  });
  expect(readdirSync(dataDir)).toEqual([]);
});
