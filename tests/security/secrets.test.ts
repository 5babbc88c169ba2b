/** Passwords and access tokens: what is printed, what is stored, and which values ADMIN_PASSWORD accepts. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { z } from 'zod';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { isCommonPassword } from '#server/platform/common-passwords.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/database.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const START_MS = 60_000;
/** A test starts Marshal twice. */
const TEST_MS = 3 * START_MS;
const CHIEF = { email: 'chief@example.org', password: 'only the chief knows' };
const SITE = 'https://marshal.example';

let database: TestDatabase;
let dataDir: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'marshal-secrets-'));
});
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

function run(script: string, args: string[] = [], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', PUBLIC_URL: SITE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = once(child, 'close').then(() => {
    running.delete(child);
    return child.exitCode;
  });
  const said = (text: string) => vi.waitFor(() => expect(output).toContain(text), { timeout: START_MS, interval: 50 });
  /** The address of its API, once it is ready: the log and what it prints for people are two streams, in any order. */
  const api = async () => {
    const ready = () => /"port":(\d+).*"msg":"ready"/.exec(output);
    const [, port] = await vi.waitUntil(ready, { timeout: START_MS, interval: 50 });
    return `http://127.0.0.1:${port}/api/v1`;
  };
  return { child, ended, said, api, output: () => output };
}

/** One start of Marshal with a sample community, to its end. @returns all that it said */
async function startOnce(): Promise<string> {
  const admin = { ADMIN_EMAIL: CHIEF.email, ADMIN_PASSWORD: CHIEF.password };
  const { child, ended, said, output } = run('server/main.ts', [], { SAMPLE_COMMUNITY: 'on', ...admin });
  await said('Stop with Ctrl-C.');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  return output();
}

const filesWith = (secret: string): string[] =>
  readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(secret));

test(
  'a password is printed once, by the start that created it, and stored nowhere',
  async () => {
    const planted = join(dataDir, 'planted.json');
    writeFileSync(planted, JSON.stringify({ pilots: [{ password: 'planted' }] }));
    expect(filesWith('planted'), 'the test finds a planted one').toEqual([planted]);

    const first = await startOnce();
    const second = await startOnce();
    for (const output of [first, second]) {
      expect(output).toContain(`Marshal is ready: ${SITE}`);
      expect(output).not.toContain(CHIEF.password);
    }
    expect(first).toContain(CHIEF.email);
    const made = [...first.matchAll(/^ {2}pilot {3}\S+ {3}(\S+)$/gm)].map(([, password]) => password ?? '');
    expect(made).toHaveLength(3);
    for (const secret of made) expect(second).not.toContain(secret);
    expect(second).toContain('npm run admin:password');
    for (const secret of [CHIEF.password, ...made]) expect(filesWith(secret)).toEqual([]);
  },
  TEST_MS,
);

/** The tables with a row that contains a text, in a database of Marshal. */
async function tablesWith(text: string): Promise<string[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
       where schemaname in ('public', 'graphile_worker')`,
    );
    const found: string[] = [];
    for (const { name } of tables.rows) {
      const { rowCount } = await client.query(`select 1 from ${name} t where strpos(t::text, $1) > 0 limit 1`, [text]);
      if (rowCount) found.push(name);
    }
    return found;
  } finally {
    await client.end();
  }
}

test(
  'an access token is answered once; neither the log nor the database has it',
  async () => {
    const server = run('server/main.ts', [], {
      ADMIN_EMAIL: CHIEF.email,
      ADMIN_PASSWORD: CHIEF.password,
      LOG_LEVEL: 'trace',
    });
    const api = await server.api();
    const call = (path: string, headers: Record<string, string>, body: object) =>
      fetch(`${api}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const signedIn = await call('/auth/login', { origin: SITE }, CHIEF);
    const cookie = signedIn.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const { id } = z.object({ id: z.string() }).parse(await signedIn.json());
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const made = await call(
      `/users/${id}/tokens`,
      { origin: SITE, cookie },
      { name: 'Roster', scopes: ['read'], expiresAt },
    );
    const { token } = z.object({ token: z.string() }).parse(await made.json());
    const authorization = `Bearer ${token}`;
    const statuses = [
      (await fetch(`${api}/auth/me`, { headers: { authorization } })).status,
      (await call('/admin/missions', { authorization }, {})).status,
      (await fetch(`${api}/auth/me`, { headers: { authorization: `${authorization}x` } })).status,
    ];
    expect(statuses).toEqual([200, 403, 401]);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);

    const secret = token.slice('mrsh_'.length, -8);
    expect(server.output()).not.toContain(secret);
    expect(await tablesWith(secret)).toEqual([]);
    // the search finds what is stored
    const hash = createHash('sha256').update(token).digest('hex');
    expect(await tablesWith(hash)).toEqual(['public.personal_access_token']);
  },
  TEST_MS,
);

test(
  'an admin who lost the password gets a new one from the command',
  async () => {
    const command = run('server/cli/marshal.js', ['reset-password', CHIEF.email]);
    expect(await command.ended, command.output()).toBe(0);
    const [, email, password] = /^ {2}(\S+) {3}(\S+)$/m.exec(command.output()) ?? [];
    expect(email).toBe(CHIEF.email);

    const server = run('server/main.ts');
    const api = await server.api();
    const signIn = (body: object) =>
      fetch(`${api}/auth/login`, {
        method: 'POST',
        headers: { origin: SITE, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await signIn(CHIEF)).status).toBe(401);
    expect((await signIn({ email, password })).status).toBe(200);
  },
  TEST_MS,
);

test('ADMIN_PASSWORD=password ends the start with one sentence', async () => {
  const { ended, output } = run('server/main.ts', [], { ADMIN_EMAIL: CHIEF.email, ADMIN_PASSWORD: 'password' });
  expect(await ended).toBe(1);
  expect(output()).toBe('ADMIN_PASSWORD must not be one of the common passwords.\n');
});

/** A word a row. */
const words = (text: string): string[] => text.trim().split(/\s+/);

test.each(
  words(`
    password 12345678 123456789 iloveyou trustno1 qwertyuiop 1qaz2wsx football princess liverpool q1w2e3r4 michelle
    starwars whatever password1 maverick mercedes dragon12`),
)('%s is common: public counts of breaches say so', (password) => expect(isCommonPassword(password)).toBe(true));

test.each(words('PassWord P@ssw0rd p@$$word Pa55word ｐａｓｓｗｏｒｄ pr1ncess f00tball 1loveyou'))(
  '%s is a variant of a common password',
  (password) => expect(isCommonPassword(password)).toBe(true),
);

test.each(words('00000000 87654321 12341234 12121212 123123123 0123456789 9876543210'))(
  '%s is a common pattern of digits',
  (password) => expect(isCommonPassword(password)).toBe(true),
);

test.each([
  'correct horse battery',
  'only the chief knows',
  'k7wzp-3mhq2-x9fjd-ru4te',
  '7391 5508 2264',
  'Fünf Störche fliegen',
  '四つ葉のクローバー',
])('%s is not', (password) => expect(isCommonPassword(password)).toBe(false));
