/** Malformed requests, byte by byte: odd paths, methods and headers are refused, and none causes a 500. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttp } from '#server/http/http.ts';
import { createHttpServer } from '#server/http/http-server.ts';
import { createLog } from '#server/platform/log.ts';
import type { RefusalCode } from '#shared/refusals.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findFaults, messageOf, readCodes, request, send } from './raw-http.ts';

let service: Service;
let dist: string;
let site: Server;
let http: RequestListener;
let lines: string[];

beforeAll(async () => {
  service = await startService();
  dist = mkdtempSync(join(tmpdir(), 'marshal-garbage-'));
  mkdirSync(join(dist, 'assets'));
  writeFileSync(join(dist, 'index.html'), '<!doctype html><title>Marshal</title>');
  writeFileSync(join(dist, 'assets', 'app-1a2b3c4d.js'), 'export {};');
  writeFileSync(join(dist, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  lines = [];
  const log = createLog('error', { write: (line) => void lines.push(line) });
  http = createHttp({ ...service.app, log }, { publicUrl: service.url, clientDist: dist, isReady: () => true });
  site = await serve(http);
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  rmSync(dist, { recursive: true, force: true });
  await service.stop();
});

async function serve(listener: RequestListener): Promise<Server> {
  const { server } = createHttpServer(service.url);
  server.on('request', listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const NOT_READ = 'The request could not be read';
const ICON = '/icon.svg';

test.each<[what: string, bytes: string, status: number, code: RefusalCode, sentence: string]>([
  ['half an escape to tRPC', request('GET', '/trpc/%', []), 400, 'BAD_REQUEST', NOT_READ],
  ['half a letter to tRPC', request('GET', '/trpc/%E0%A4%A', []), 400, 'BAD_REQUEST', NOT_READ],
  ['half an escape to the bot', request('GET', '/bot/%', []), 400, 'BAD_REQUEST', NOT_READ],
  ['half an escape to the client', request('GET', '/%', []), 400, 'BAD_REQUEST', NOT_READ],
  ['a way out of the assets', request('GET', '/assets/../x', []), 403, 'FORBIDDEN', 'You are not allowed to do this'],
  ['the same, escaped', request('GET', '/assets/..%2f', []), 403, 'FORBIDDEN', 'You are not allowed to do this'],
  ['a NUL in the path', request('GET', '/assets/%00', []), 400, 'BAD_REQUEST', NOT_READ],
  [
    'If-Match',
    request('GET', ICON, ['If-Match: "x"']),
    412,
    'PRECONDITION_FAILED',
    'This file has changed in the meantime',
  ],
  [
    'If-Unmodified-Since',
    request('GET', ICON, ['If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT']),
    412,
    'PRECONDITION_FAILED',
    'This file has changed in the meantime',
  ],
  [
    'a range past the end',
    request('GET', ICON, ['Range: bytes=999999999-']),
    416,
    'RANGE_NOT_SATISFIABLE',
    'This file has no such part',
  ],
  [
    'an unknown charset',
    request('POST', '/api/v1/auth/login', ours('application/json; charset=x'), '{}'),
    415,
    'NOT_JSON',
    'Please send JSON (Content-Type: application/json)',
  ],
  [
    'an unknown encoding',
    request('POST', '/api/v1/auth/login', [...ours(), 'Content-Encoding: x'], '{}'),
    415,
    'NOT_JSON',
    'Please send JSON (Content-Type: application/json)',
  ],
  [
    'an expectation that nobody knows',
    request('GET', '/', ['Expect: nonsense']),
    417,
    'EXPECTATION_FAILED',
    'This server cannot meet what the Expect header asks for',
  ],
  ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'BAD_REQUEST', NOT_READ],
  ['no HTTP at all', 'hello\r\n\r\n', 400, 'BAD_REQUEST', NOT_READ],
  ['a method that does not exist', request('NONSENSE', '/', []), 400, 'BAD_REQUEST', NOT_READ],
  ['a space in a header name', request('GET', '/', ['Bad Name: x']), 400, 'BAD_REQUEST', NOT_READ],
  [
    'two lengths',
    request('POST', '/api/v1/auth/login', ['Content-Length: 1', 'Content-Length: 2'], '{}'),
    400,
    'BAD_REQUEST',
    NOT_READ,
  ],
  [
    'a body whose chunks are none',
    request('POST', '/api/v1/auth/login', [...ours().slice(0, 2), 'Transfer-Encoding: chunked'], 'zz\r\n'),
    400,
    'BAD_REQUEST',
    NOT_READ,
  ],
  [
    'headers without end',
    request('GET', '/', [`X-Long: ${'x'.repeat(20_000)}`]),
    431,
    'HEADERS_TOO_LARGE',
    'The headers of the request are too large',
  ],
])(
  '%s is refused with its own status, the header set, a code and a sentence',
  async (_what, bytes, status, code, sentence) => {
    lines.length = 0;
    const answer = await send(site, bytes);
    expect(findFaults(answer)).toEqual([]);
    expect([answer?.status, readCodes(answer?.body ?? '{}'), messageOf(answer)]).toEqual([status, [code], sentence]);
    if (status === 416) expect(answer?.headers.get('content-range')).toBe('bytes */41');
    expect(lines).toEqual([]);
  },
);

function ours(type = 'application/json'): string[] {
  return ['Sec-Fetch-Site: same-origin', `Content-Type: ${type}`, 'Content-Length: 2'];
}

describe('any request', () => {
  const RUNS = 500;
  const PATHS = [
    '/',
    '/icon.svg',
    '/assets/',
    '/assets/app-1a2b3c4d.js',
    '/home',
    '/healthz',
    '/trpc/',
    '/trpc/auth.viewer',
    '/trpc/pilot.stats,auth.login',
    '/api/v1/',
    '/api/v1/stats',
    '/api/v1/users/x/status',
    '/api/v1/pilot/inbox/x/kneeboard.png',
    '/api/v1/calendar/x.ics',
    '/api/v1/auth/login',
    '/api/v1/auth/discord',
    '/api/v1/docs',
    '/bot/',
  ];
  const PIECES = [
    '',
    '%',
    '%zz',
    '%00',
    '%E0%A4%A',
    '..',
    '../',
    '..%2f',
    '%2e%2e/',
    '//',
    '\\',
    ';a=b',
    '?',
    '?input=%',
    '?input={',
    '?batch=1&input=[]',
    '?a[]=1&a[b]=2',
    '?__proto__=1',
    '#',
    '*',
    '.',
    '~',
    '%ff',
    '\u00e4\u00ff',
    'x'.repeat(3_000),
    '/.env',
    '/__proto__',
    '/constructor',
    '.ics',
    '@',
    ':',
  ];
  const METHODS = [
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'QUERY',
    'M-SEARCH',
    'get',
    'X',
  ];
  const VALUES = [
    '',
    '*',
    'x',
    '"x"',
    'W/"',
    '0',
    '-1',
    '1e9',
    'bytes=999999999-',
    'bytes=-',
    'bytes=0-0,2-1',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'Thu, 99 Foo',
    'gzip',
    'br;q=x',
    'text/html;q=2,*/*',
    'application/json',
    'application/json; charset=x',
    'multipart/form-data',
    'chunked',
    'identity',
    'null',
    '%',
    '\u00ff\u0080',
    'Bearer x',
    'Bearer  %00',
    'session=%zz',
    'session="',
    '100-continue',
    '127.0.0.1, x',
    'for=_;by=',
    'http://[',
    'same-origin',
    'cross-site',
    'x'.repeat(2_000),
  ];
  const NAMES = [
    'Accept',
    'Accept-Encoding',
    'Accept-Language',
    'Authorization',
    'Content-Type',
    'Content-Encoding',
    'Cookie',
    'Expect',
    'Forwarded',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'If-Modified-Since',
    'If-Unmodified-Since',
    'If-Range',
    'Range',
    'Origin',
    'Referer',
    'Sec-Fetch-Site',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'User-Agent',
    'Via',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-HTTP-Method-Override',
    'trpc-accept',
    'Host',
    'Content-Length',
    'Upgrade',
  ];
  const one = (values: readonly string[]) => fc.constantFrom(...values);
  const anyRequest = fc
    .record({
      method: fc.oneof({ weight: 5, arbitrary: one(METHODS.slice(0, 6)) }, one(METHODS)),
      path: fc
        .tuple(one(PATHS), fc.array(one(PIECES), { maxLength: 2 }))
        .map(([path, pieces]) => path + pieces.join('')),
      headers: fc.array(
        fc.tuple(one(NAMES), fc.oneof({ weight: 4, arbitrary: one(VALUES) }, fc.string({ maxLength: 20 }))),
        { maxLength: 4 },
      ),
      body: one(['', '{}', '{', '[]', '"', 'null', '{"email":1}', '\u0000']),
    })
    .map(({ method, path, headers, body }) => ({
      bytes: request(
        method,
        path,
        [
          ...(body === ''
            ? []
            : ['Sec-Fetch-Site: same-origin', 'Content-Type: application/json', `Content-Length: ${body.length}`]),
          ...headers.map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]/g, ' ')}`),
        ],
        body,
      ),
    }));

  /** Faults found by this many requests, each with its request. */
  async function findAll(server: Server, runs: number): Promise<string[]> {
    const faults: string[] = [];
    for (const { bytes } of fc.sample(anyRequest, { seed: 13, numRuns: runs })) {
      for (const fault of findFaults(await send(server, bytes)))
        faults.push(`${fault} <- ${JSON.stringify(bytes.slice(0, 400))}`);
    }
    return faults;
  }

  test('is answered with the security headers, and never with a 500 or a stack in the log', async () => {
    lines.length = 0;
    expect(await findAll(site, RUNS)).toEqual([]);
    expect(lines).toEqual([]);
  });

  test('that led to a 500 would be found', async () => {
    const planted = await serve((asked, response) => {
      if (asked.headers['if-match'] === undefined) return http(asked, response);
      response.writeHead(500).end('{"message":"Unknown error occurred"}');
    });
    const faults = await findAll(planted, RUNS);
    planted.close();
    expect(faults.some((fault) => fault.startsWith('500 '))).toBe(true);
  });

  test.each([
    ['no code', { message: 'Not found' }],
    ['a code that is not in the list', { code: 'GONE', message: 'Not found' }],
    ["tRPC's code alone", [{ error: { message: 'Not found', data: { code: 'NOT_FOUND' } } }]],
  ])('would be found if one refusal had %s', (_what, refusal) => {
    const answer = { status: 404, headers: new Map<string, string>(), body: JSON.stringify(refusal) };
    expect(findFaults(answer)).toContain('404 without a code');
    const body = JSON.stringify({ code: 'NOT_FOUND', message: 'Not found' });
    expect(findFaults({ ...answer, body })).not.toContain('404 without a code');
  });
});
