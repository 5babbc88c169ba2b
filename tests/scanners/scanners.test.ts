/**
 * Programs that attack web applications, sqlmap and wapiti of Debian, at every call with an admin's access token. They find
 * nothing in Marshal, and they find the holes of a small server beside it. `npm run drill:attacks` runs them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { REST_TABLE } from '#server/http/rest/read-operations.ts';
import { TOKEN_SCOPES } from '#shared/vocabulary.ts';
import { givenWorld, OPERATIONS, type World } from '#tests/api/http/operations.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { restRequest } from '#tests/harness/transports.ts';

const AT_ONCE = 3;
/** Accounts of strangers, files and event streams: no call of the table, or not for a token. */
const SQLMAP = [
  '--batch',
  '--ignore-stdin',
  '--flush-session',
  '--disable-coloring',
  '--dbms=PostgreSQL',
  '--technique=BEUST',
  '--time-sec=2',
  '--timeout=20',
  '--retries=0',
  '--ignore-code=401,403,404,409,422,429,503',
  '--skip-waf',
  '--answers=follow=N',
];
const WAPITI = ['--flush-session', '--no-bugreport', '-f', 'json', '-v', '0', '-d', '1'];
/** the database's own attack module, and those that show text or addresses of a request */
const WAPITI_MODULES = 'sql,timesql,xss,permanentxss,crlf,redirect,exec,file';
const FOUND = 'sqlmap identified the following injection point';
const NOTHING = /all tested parameters do not appear to be injectable|no parameter\(s\) found for testing/;

const scratch = mkdtempSync(join(tmpdir(), 'marshal-scanners-'));
let service: Service;
let world: World;
let token: string;
let holes: Server;
let database: Client;

/** Runs a program to its end. @returns what it printed */
async function run(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: scratch,
    env: { ...process.env, HOME: scratch },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  await once(child, 'close');
  return output;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  service = await startService({ withClient: true });
  world = await givenWorld(service);
  const made = await world.admin.client.trpc.auth.tokens.create.mutate({
    id: world.admin.id,
    name: 'Scanner',
    // that of a game server stands alone
    scopes: TOKEN_SCOPES.filter((scope) => scope !== 'server'),
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  token = made.token;
  database = new Client({ connectionString: service.databaseUrl });
  database.on('error', () => undefined);
  await database.connect();
  // what no program should ever do with the text of a request
  holes = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('content-type', 'text/html');
    if (pathname === '/find') {
      database.query(`select display_name from app_user where display_name = '${searchParams.get('name')}'`).then(
        // several statements in one text have several results
        (results) => response.end(`<p>${[results].flat().at(-1)?.rowCount ?? 0} found</p>`),
        (error: Error) => response.writeHead(500).end(`<p>PostgreSQL: ERROR: ${error.message}</p>`),
      );
      return;
    }
    const links = '<a href="/find?name=Ops">find</a> <a href="/echo?text=hello">echo</a>';
    response.end(`<html><body>${pathname === '/echo' ? `You said ${searchParams.get('text')}` : links}</body></html>`);
  }).listen(0, '127.0.0.1');
  await once(holes, 'listening');
}, 120_000);

afterAll(async () => {
  holes.close();
  await database.end().catch(() => undefined);
  await service.stop();
  rmSync(scratch, { recursive: true, force: true });
});

interface Target {
  name: string;
  method: string;
  path: string;
  body?: string;
}

/** Every call of the table as a request that works, with all values in its path marked. */
function listTargets(): Target[] {
  return REST_TABLE.flatMap(([, , procedure]) => {
    const { method, path, body } = restRequest(procedure, OPERATIONS[procedure]?.input(world.subject));
    const [address = '', query] = path.split('?');
    const marked = address.replaceAll(/\/([0-9a-f-]{36}|\d+)(?=\/|$)/g, '/$1*');
    const target = {
      name: procedure,
      method: method.toUpperCase(),
      path: query === undefined ? marked : `${marked}?${query}`,
    };
    const hasInput = marked !== address || query !== undefined || (body !== undefined && body !== '{}');
    return hasInput ? [{ ...target, ...(body === undefined ? {} : { body }) }] : [];
  });
}

async function scanBySqlmap({ name, method, path, body }: Target, port: number): Promise<string> {
  const file = join(scratch, `${name}.txt`);
  const lines = [
    `${method} /api/v1${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    ...(body === undefined ? [] : ['Content-Type: application/json']),
    '',
    body ?? '',
  ];
  writeFileSync(file, lines.join('\r\n'));
  return run('sqlmap', ['-r', file, `--output-dir=${join(scratch, name)}`, ...SQLMAP]);
}

const report = z.object({
  vulnerabilities: z.record(z.string(), z.array(z.object({ path: z.string(), parameter: z.string().nullable() }))),
});

/** @returns a line for everything that wapiti reports, and the number of requests it wrote down */
async function scanByWapiti(
  url: string,
  name: string,
  starts: readonly string[],
  headers: readonly string[],
): Promise<string[]> {
  const file = join(scratch, `${name}.json`);
  const more = [...starts.flatMap((start) => ['-s', start]), ...headers.flatMap((header) => ['-H', header])];
  const output = await run('wapiti', [
    '-u',
    url,
    '-m',
    WAPITI_MODULES,
    '-o',
    file,
    '--store-session',
    join(scratch, name),
    ...WAPITI,
    ...more,
  ]);
  const text = (() => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      throw new Error(`wapiti wrote no report: ${output.slice(-2_000)}`);
    }
  })();
  return Object.entries(report.parse(JSON.parse(text)).vulnerabilities).flatMap(([kind, found]) =>
    found.map(({ path, parameter }) => `${kind}: ${path} ${parameter ?? ''}`),
  );
}

test('both programs find the planted holes', async () => {
  const url = `http://127.0.0.1:${portOf(holes)}/`;
  const output = await run('sqlmap', ['-u', `${url}find?name=Ops`, `--output-dir=${join(scratch, 'hole')}`, ...SQLMAP]);
  expect(output).toContain(FOUND);
  const found = await scanByWapiti(url, 'holes', [], []);
  expect(found.filter((line) => line.startsWith('SQL Injection: /find'))).not.toEqual([]);
  expect(found.filter((line) => line.startsWith('Cross Site Scripting: /echo'))).not.toEqual([]);
}, 600_000);

test('sqlmap finds nothing in any call', async () => {
  const targets = listTargets();
  expect(targets.length).toBeGreaterThan(100);
  const port = Number(new URL(service.url).port);
  const found: string[] = [];
  const unscanned: string[] = [];
  const queue = [...targets];
  const scan = async (): Promise<void> => {
    for (let target = queue.shift(); target !== undefined; target = queue.shift()) {
      const output = await scanBySqlmap(target, port);
      if (output.includes(FOUND)) found.push(target.name);
      else if (!NOTHING.test(output)) unscanned.push(`${target.name}: ${output.slice(-1_200)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, scan));
  console.log(`sqlmap: ${targets.length} calls`);
  expect(found).toEqual([]);
  expect(unscanned).toEqual([]);
}, 7_200_000);

test('wapiti finds nothing in the pages and in the calls that read', async () => {
  const starts = listTargets()
    .filter(({ method, path }) => method === 'GET' && path.includes('?'))
    .map(({ path }) => `${service.url}/api/v1${path.replaceAll('*', '')}`);
  expect(starts.length).toBeGreaterThan(20);
  const headers = [`Authorization: Bearer ${token}`];
  expect(await scanByWapiti(`${service.url}/`, 'marshal', starts, headers)).toEqual([]);
}, 3_600_000);
