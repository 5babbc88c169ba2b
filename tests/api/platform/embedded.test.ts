import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isOurServer, launchServer, readRunningServer } from '#server/platform/postgres/embedded-cluster.ts';
import { choosePlace } from '#server/platform/postgres/embedded-place.ts';
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbedded } from '#server/platform/postgres/embedded.ts';
import { createLog } from '#server/platform/log.ts';

const log = createLog('silent');
const isRoot = process.getuid?.() === 0;

let scratch: string;
let dataDir: string;
let started: EmbeddedPostgres[];

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'marshal-embedded-'));
  chmodSync(scratch, 0o711);
  dataDir = scratch;
  started = [];
});

afterEach(async () => {
  for (const database of started) await database.stop();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
});

async function start(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  const database = await startEmbedded({ dataDir, log, onState: () => undefined, ...options });
  started.push(database);
  return database;
}

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A separate application that can be killed; resolves with its output once it has printed `said`. */
async function startApp(said: string): Promise<ChildProcess> {
  const program = `
    const { startEmbedded } = await import('#server/platform/postgres/embedded.ts');
    const { createLog } = await import('#server/platform/log.ts');
    console.log('starting');
    await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: createLog('silent') });
    console.log('ready');`;
  const app = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  for await (const chunk of app.stdout ?? []) {
    output += String(chunk);
    if (output.includes(said)) return app;
  }
  throw new Error(`The application ended before it said "${said}": ${output}`);
}

/** Kill an application as hard as it goes, and wait until its server has noticed. */
async function kill(app: ChildProcess): Promise<void> {
  app.kill('SIGKILL');
  if (app.exitCode === null && app.signalCode === null) await once(app, 'exit');
  const place = choosePlace(dataDir, log);
  await vi.waitFor(() => expect(isOurServer(place, serverPid())).toBe(false), { timeout: 20_000 });
}

function serverPid(): number {
  return readRunningServer(choosePlace(dataDir, log))?.pid ?? 0;
}

describe('a new cluster', () => {
  test('is durable, checksummed, byte-ordered UTF-8 and reachable by its owner alone', async () => {
    const database = await start();
    const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses', 'jit'];
    const settings = await query<{ name: string; setting: string }>(
      database.superuserUrl,
      `select name, setting from pg_settings where name in (${names.map((name) => `'${name}'`).join()}) order by name`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      listen_addresses: process.platform === 'win32' ? '127.0.0.1' : '',
      jit: 'off',
    });
    const [locale] = await query(
      database.url,
      `select datlocale, datlocprovider::text, pg_encoding_to_char(encoding) as encoding
         from pg_database where datname = current_database()`,
    );
    expect(locale).toEqual({ datlocale: 'C.UTF-8', datlocprovider: 'b', encoding: 'UTF8' });
    expect(database.version).toMatch(/^18\./);
    expect(database.state()).toBe('ready');
    const { home } = choosePlace(dataDir, log);
    expect(statSync(join(home, 'password')).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, 'run')).mode & 0o777).toBe(0o700);
  });

  test('gives the application a role that owns its database and is no superuser', async () => {
    const database = await start();
    const [role] = await query(database.url, 'select rolname, rolsuper from pg_roles where rolname = current_user');
    expect(role).toEqual({ rolname: 'marshal', rolsuper: false });
    await query(database.url, 'create schema own; create table own.things (id int)');
  });

  test('keeps its data over a stop and a start', async () => {
    const first = await start();
    await query(first.url, 'create table kept (id int); insert into kept values (7)');
    await first.stop();
    expect(serverPid()).toBe(0);
    const second = await start();
    expect(await query(second.url, 'select id from kept')).toEqual([{ id: 7 }]);
  });

  test('works below a directory whose name is too long for a socket', async () => {
    dataDir = join(scratch, 'a'.repeat(120));
    const database = await start();
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test.runIf(isRoot)('works for root below a directory that nobody else may enter', async () => {
    chmodSync(dataDir, 0o700);
    const database = await start();
    const home = readFileSync(join(dataDir, 'postgres.location'), 'utf8').trim();
    await query(database.url, 'create table kept (id int); insert into kept values (7)');
    await database.stop();
    const again = await start();
    expect(await query(again.url, 'select id from kept')).toEqual([{ id: 7 }]);
    await again.stop();
    rmSync(home, { recursive: true, force: true });
  });
});

describe('when the server dies', () => {
  test('it comes back by itself with everything that was committed', async () => {
    const states: string[] = [];
    const database = await start({ onState: (state) => states.push(state) });
    await query(database.url, 'create table kept (id int); insert into kept values (7)');
    process.kill(serverPid(), 'SIGKILL');
    await vi.waitFor(() => expect(states).toEqual(['restarting', 'ready']), { timeout: 20_000 });
    expect(await query(database.url, 'select id from kept')).toEqual([{ id: 7 }]);
  });

  test('a crashed session restarts all sessions, yet is no death of the server', async () => {
    const states: string[] = [];
    const database = await start({ onState: (state) => states.push(state) });
    const pid = serverPid();
    const client = new Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
    await vi.waitFor(() => expect(states).toEqual(['restarting', 'ready']), { timeout: 20_000 });
    expect(serverPid()).toBe(pid);
  });

  test('after five deaths within a minute it gives up, with a reason', async () => {
    const states: string[] = [];
    let reason = '';
    const database = await start({
      onState: (state, error) => {
        states.push(state);
        reason = error?.message ?? reason;
      },
    });
    for (let death = 1; death <= 5; death += 1) {
      process.kill(serverPid(), 'SIGKILL');
      const last = death === 5 ? 'failed' : 'ready';
      await vi.waitFor(() => expect(states).toHaveLength(2 * death), { timeout: 20_000 });
      expect(states.at(-1)).toBe(last);
    }
    expect(database.state()).toBe('failed');
    expect(reason).toMatch(/^The database crashed 5 times within a minute/);
  });
});

describe('a dead application', () => {
  test.runIf(process.platform === 'linux')(
    'its database stops by itself, and the next start has all data',
    async () => {
      const app = await startApp('ready');
      const place = choosePlace(dataDir, log);
      const pid = serverPid();
      expect(isOurServer(place, pid)).toBe(true);
      await kill(app);
      await vi.waitFor(() => expect(isOurServer(place, pid)).toBe(false), { timeout: 20_000 });
      const database = await start();
      expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    },
  );

  test('killed during the first start does not prevent the next one', async () => {
    const app = await startApp('starting');
    await vi.waitFor(() => expect(readdirSync(dataDir).some((name) => name.includes('.new-'))).toBe(true), {
      timeout: 20_000,
      interval: 5,
    });
    await kill(app);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    const database = await start();
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await database.stop();
    // initdb can outlive its parent and make its directory once more, which the start after that removes
    await start();
    expect(readdirSync(dataDir)).toEqual(['postgres']);
  });

  test('a server that it left running is adopted', async () => {
    await (await start()).stop();
    const place = choosePlace(dataDir, log);
    const orphan = launchServer(place, { listen_addresses: '', unix_socket_directories: join(place.home, 'run') });
    await vi.waitFor(() => expect(readRunningServer(place)?.status).toBe('ready'), { timeout: 20_000 });
    const database = await start();
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(serverPid()).toBe(orphan.pid);
    await database.stop();
    await vi.waitFor(() => expect(orphan.exitCode ?? orphan.signalCode).not.toBeNull());
  });
});

describe('contents of DATA_DIR', () => {
  test('a second application is refused, and the first keeps running', async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(/^Another Marshal is using .*: stop it first, or give this one its own/);
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(first.state()).toBe('ready');
  });

  test('an application that stops keeps its claim until its server does, so that the next one does not take that server', async () => {
    const database = await start();
    const watcher = new Client({ connectionString: database.superuserUrl });
    watcher.on('error', () => undefined);
    await watcher.connect();
    const countClaims = async (): Promise<number | null> => {
      const answer = await watcher
        .query<{ claims: number }>("select count(*)::int as claims from pg_locks where locktype = 'advisory'")
        .catch(() => null);
      return answer?.rows[0]?.claims ?? null;
    };
    const seen = [await countClaims()];
    const stopping = database.stop();
    for (let claims = await countClaims(); claims !== null; claims = await countClaims()) seen.push(claims);
    await stopping;
    expect(new Set(seen)).toEqual(new Set([1]));
  });

  test('two applications that start a new DATA_DIR at once: one gets it', async () => {
    const attempts = await Promise.allSettled([startApp('ready'), startApp('ready')]);
    const winners = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    await Promise.all(winners.map(kill));
    expect(winners).toHaveLength(1);
  });

  test.each([
    ['is empty', ''],
    ['names a dead process', '999999\n'],
    ['names a process that is another program by now', `${process.pid}\n`],
  ])('a claim that %s is removed', async (_case, claim) => {
    await (await start()).stop();
    const path = join(choosePlace(dataDir, log).home, 'data', 'postmaster.pid');
    writeFileSync(path, claim, { mode: 0o600 });
    const { uid, gid } = statSync(join(path, '..'));
    if (isRoot) chownSync(path, uid, gid);
    const database = await start();
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test.each([
    ['another password', 'password', 'wrong', /does not accept the password beside it: restore both/],
    ['another major version', join('data', 'PG_VERSION'), '17\n', /was made by PostgreSQL 17 and this is 18/],
    ['a broken setting', join('data', 'postgresql.conf'), 'shared_buffers = many', /does not start .*shared_buffers/],
  ])('%s stops the start with one line', async (_case, file, content, message) => {
    await (await start()).stop();
    writeFileSync(join(choosePlace(dataDir, log).home, file), content);
    const failure: unknown = await start().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    const { message: line } = failure as Error;
    expect(line).toMatch(message);
    expect(line).not.toContain('\n');
    expect(serverPid()).toBe(0);
  });

  test('a missing password stops the start with one line', async () => {
    await (await start()).stop();
    const password = join(choosePlace(dataDir, log).home, 'password');
    rmSync(password);
    await expect(start()).rejects.toThrow(
      new RegExp(
        `^The password of the embedded database cannot be read from ${password}: put that file back from a .*$`,
      ),
    );
    expect(serverPid()).toBe(0);
  });

  test('a directory that is no cluster is left unchanged', async () => {
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres', 'mine.txt'), 'keep');
    await expect(start()).rejects.toThrow(/exists but holds no database: move it away/);
    expect(readFileSync(join(dataDir, 'postgres', 'mine.txt'), 'utf8')).toBe('keep');
  });
});
