/** The API reference page: its files and headers, and its samples, run as programs against the server. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE_LANGUAGES } from '#server/http/rest/docs/code-samples.js';
import { writeQuickStart } from '#server/http/rest/docs/quick-start.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenAlwaysFree, givenMission, type Person } from '#tests/harness/given.ts';
import { FILE_CALLS, UPLOAD_CALLS } from '#server/http/rest/file-calls.ts';
import { REST_TABLE } from '#server/http/rest/read-operations.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
let token: string;
let folder: string;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  const made = await admin.client.call('POST', `/users/${admin.id}/tokens`, {
    name: 'Samples',
    scopes: ['read', 'pilot', 'admin'],
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  token = made.body.token;
  folder = mkdtempSync(join(tmpdir(), 'marshal-samples-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

describe('the page', () => {
  const readPage = async () => (await fetch(`${service.url}/api/v1/docs`)).text();
  const filesOf = (page: string) =>
    [...page.matchAll(/(?:src|href)="(\/api\/v1\/docs\/[^"]+)"/g)].map(([, path = '']) => path);

  test('has no script or style of its own, and nothing from elsewhere', async () => {
    const page = await readPage();
    expect(page).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=/);
    const loaded = [...page.matchAll(/<(?:script|link|img)[^>]*\s(?:src|href)="([^"]+)"/g)].map(([, url]) => url);
    expect(loaded).toHaveLength(6);
    for (const url of loaded) expect(url).toMatch(/^\/[^/]/);
  });

  test('loads less than 500 kB, and 420 bytes for each call, from files that browsers keep for a year', async () => {
    const paths = filesOf(await readPage());
    const folderOf = paths[0]?.replace(/[^/]+$/, '') ?? '';
    const document = `${folderOf}openapi.json`;
    const sizes = new Map<string, number>();
    for (const path of [...paths, `${folderOf}code-samples.js`, document]) {
      const response = await fetch(`${service.url}${path}`, { headers: { 'accept-encoding': 'gzip' } });
      const bytes = await response.bytes();
      const encoding = bytes.length > 1024 ? 'gzip' : null;
      expect([path, response.status, response.headers.get('content-encoding')]).toEqual([path, 200, encoding]);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-security-policy')).not.toMatch(/script-src[^;]*(unsafe|nonce|blob|https?:)/);
      expect(response.headers.get('content-type')).toMatch(/^(text\/(css|javascript)|application\/json)/);
      sizes.set(path, gzipSync(bytes).length);
    }
    expect(paths).toHaveLength(5);
    const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    const ofDocument = sizes.get(document) ?? Infinity;
    expect(all - ofDocument).toBeLessThan(500_000);
    // it grows with the API
    expect(ofDocument).toBeLessThan(420 * (REST_TABLE.length + FILE_CALLS.length + UPLOAD_CALLS.length));
  });

  test('has a document for the viewer that names this server only', async () => {
    const folderOf = filesOf(await readPage())[0]?.replace(/[^/]+$/, '');
    const own = await (await fetch(`${service.url}${folderOf}openapi.json`)).json();
    const served = await (await fetch(`${service.url}/api/v1/openapi.json`)).json();
    expect(own).toEqual({ ...served, servers: [{ url: '/api/v1' }] });
  });

  test.each(['/api/v1/docs/older/viewer.js', '/api/v1/docs/page.ts', '/api/v1/docs/..%2fadapter.ts'])(
    'has no file %s',
    async (path) => {
      const response = await fetch(`${service.url}${path}`);
      expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
    },
  );
});

const run = promisify(execFile);
const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const HAS_CURL = has('curl', '--version');
const HAS_PYTHON = has('python3', '--version');
const HAS_LUA = has('lua5.1', '-e', 'require("socket.http") require("cjson")');

/** How each language runs a file. */
const RUN: Record<string, { file: string; program: string; isThere: boolean }> = {
  curl: { file: 'sample.sh', program: 'bash', isThere: HAS_CURL },
  TypeScript: { file: 'sample.mts', program: process.execPath, isThere: true },
  Python: { file: 'sample.py', program: 'python3', isThere: HAS_PYTHON },
  Lua: { file: 'sample.lua', program: 'lua5.1', isThere: HAS_LUA },
};

/** Runs a sample as its own program. @returns what it printed */
async function runSample(language: string, source: string): Promise<string> {
  const { file, program } = RUN[language] ?? { file: '', program: '' };
  const path = join(folder, file);
  writeFileSync(path, source);
  const { stdout } = await run(program, [path], { env: { PATH: process.env.PATH, MARSHAL_TOKEN: token } });
  return stdout;
}

describe.for(SAMPLE_LANGUAGES)('a sample in %s', ([language, write]) => {
  const isMissing = !RUN[language]?.isThere;
  const url = (path: string) => `${service.url}/api/v1${path}`;

  test.skipIf(isMissing)('reads with the token', async () => {
    const call = { method: 'get', url: url('/auth/me'), needsToken: true, body: undefined };
    expect(await runSample(language, write({ ...call, answerType: 'application/json' }))).toContain(admin.email);
  });

  test.skipIf(isMissing)('makes a public call without it', async () => {
    const call = { method: 'get', url: url('/stats'), needsToken: false, body: undefined };
    const source = write({ ...call, answerType: 'application/json' });
    expect(source).not.toContain('MARSHAL_TOKEN');
    expect(await runSample(language, source)).toContain('missionsRunning');
  });

  test.skipIf(isMissing)('sends a body with every kind of value, and with quotes', async () => {
    const name = `${language}: "it's" \\ näxt $HOME \`week\``;
    const slot = { weekday: 1, startLocal: '10:00', endLocal: '11:00', aircraftCodeId: 0, notes: null };
    const body = { name, isActive: false, slots: [slot], extra: {}, more: [], yes: true };
    const path = `/users/${admin.id}/availability/templates`;
    const call = { method: 'post', url: url(path), needsToken: true, body, answerType: 'application/json' };
    await runSample(language, write(call));
    const { body: templates } = await admin.client.call('GET', path);
    expect(templates).toContainEqual({
      id: expect.any(String),
      name,
      isActive: false,
      slots: [slot],
      version: expect.any(String),
    });
  });
});

describe('the quick start', () => {
  const quickStart = () => writeQuickStart(service.url);

  test.skipIf(!HAS_CURL)('reads the account in curl', async () => {
    const [, ...lines] = quickStart().curl.split('\n');
    expect(JSON.parse(await runSample('curl', lines.join('\n')))).toMatchObject({ id: admin.id, email: admin.email });
  });

  test.skipIf(!HAS_PYTHON)('lists the inbox in Python', async () => {
    await givenAlwaysFree(service, admin.id);
    await givenMission(service, admin);
    const { body: orders } = await admin.client.call('GET', '/pilot/inbox');
    expect(orders).toHaveLength(1);
    const [{ label, status, startUtc }] = orders;
    expect(await runSample('Python', quickStart().python)).toBe(`${label} ${status} ${startUtc}\n`);
  });

  test.skipIf(!HAS_LUA)("announces today's missions in a DCS server's Lua", async () => {
    const { mission } = await givenMission(service, admin, { name: 'Op Lua' });
    await query(
      service.app.orm.em.fork(),
      sql`update mission set starts_at = date_trunc('day', now() at time zone 'utc') at time zone 'utc' + interval '12 hours',
                             ends_at = date_trunc('day', now() at time zone 'utc') at time zone 'utc' + interval '14 hours'
          where id = ${mission.id}`,
    );
    // the functions that the simulator gives its hooks
    const simulator = `
      net = { json2lua = require("cjson").decode, send_chat = function(text, toAll) assert(toAll) print(text) end }
      log = { ERROR = 1, write = function(_, _, text) error(text) end }
      DCS = { setUserCallbacks = function(callbacks) callbacks.onSimulationStart() end }
    `;
    expect(await runSample('Lua', `${simulator}\n${quickStart().lua}`)).toMatch(
      /^Op Lua starts at \d{4}-\d\d-\d\dT12:00:00/,
    );
  });
});
