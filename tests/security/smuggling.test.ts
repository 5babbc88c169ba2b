/**
 * Request smuggling: requests that HAProxy, with the configuration of docker/scale, and Marshal could split differently. None
 * is more than one request for Marshal, and none reaches the answer of another connection.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpPlain, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ROOT } from '#server/cli/programs.js';
import { createHttp } from '#server/http/http.ts';
import { createHttpServer } from '#server/http/http-server.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { HAPROXY, whyNoHaproxy } from './needs.js';
import { ATTACKS, exchange, portOf, startCarelessFront } from './smuggling.ts';

let service: Service;
let site: Server;
/** addresses of the requests that the server has read */
let requests: string[] = [];

/** Notes what is asked for, and says it in the answer. */
const noting =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    if (request.url !== '/readyz') requests.push(request.url ?? '');
    response.setHeader('x-seen', encodeURI(request.url ?? ''));
    return listener(request, response);
  };
const listen = (server: Server): Promise<void> => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

beforeAll(async () => {
  service = await startService();
  const { server } = createHttpServer(service.url);
  server.on(
    'request',
    noting(createHttp(service.app, { publicUrl: service.url, clientDist: null, isReady: () => true })),
  );
  await listen(server);
  site = server;
});
afterEach(() => {
  requests = [];
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await service.stop();
});

let victims = 0;
/** Somebody else's request. @returns faults of its answer */
async function askAsOther(port: number): Promise<string[]> {
  victims += 1;
  const path = `/api/v1/stats?victim=${victims}`;
  const { statuses, seen } = await exchange(
    port,
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  );
  return statuses.join() === '200' && seen.join() === path
    ? []
    : [`another's request: ${statuses.join()} ${seen.join()}`];
}

/** Sends one attack, then requests of others. @returns what went wrong */
async function attack(port: number, bytes: string): Promise<string[]> {
  requests = [];
  const { statuses } = await exchange(port, bytes);
  const read = [...requests];
  const faults = [...(await askAsOther(port)), ...(await askAsOther(port))];
  if (statuses.some((status) => status >= 500 && status !== 501)) faults.push(`answered ${statuses.join()}`);
  // what follows may be refused as an unreadable request
  if (statuses.filter((status) => status !== 400).length > 1) faults.push(`${statuses.length} answers`);
  if (read.length > 1) faults.push(`${read.length} requests: ${read.join(' ')}`);
  if ([...read, ...requests].some((url) => url.startsWith('/smuggled'))) faults.push('the hidden request was read');
  return faults;
}

async function attackAll(port: number): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, bytes] of Object.entries(ATTACKS)) {
    faults.push(...(await attack(port, bytes)).map((fault) => `${name}: ${fault}`));
  }
  return faults;
}

test('Marshal alone reads one request, or none', async () => {
  expect(await attackAll(portOf(site))).toEqual([]);
}, 120_000);

const whyNot = whyNoHaproxy();
describe.skipIf(whyNot !== null)('behind HAProxy', () => {
  let haproxy: ChildProcess;
  let folder: string;
  let port: number;
  beforeAll(async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    port = portOf(free);
    await new Promise((resolve) => free.close(resolve));
    folder = mkdtempSync(join(tmpdir(), 'marshal-haproxy-'));
    const [web = ''] = readFileSync(join(ROOT, 'docker', 'scale', 'haproxy.cfg'), 'utf8').split(
      '# PostgreSQL for writing',
    );
    const config = web
      .replace('bind :3000', `bind 127.0.0.1:${port}`)
      .replaceAll(/marshal-(\d):3000/g, `127.0.0.1:${portOf(site)}`);
    writeFileSync(join(folder, 'haproxy.cfg'), config);
    haproxy = spawn(HAPROXY, ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' });
    await vi.waitFor(async () => expect(await askAsOther(port)).toEqual([]), { timeout: 10_000 });
  });
  afterAll(() => {
    haproxy.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test('no attack is read as more than one request, and none reaches another connection', async () => {
    expect(await attackAll(port)).toEqual([]);
  }, 120_000);

  test('plain requests one after the other on one connection get one answer each', async () => {
    const paths = [1, 2, 3].map((index) => `/api/v1/stats?turn=${index}`);
    const bytes = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join('');
    expect(await exchange(port, bytes)).toEqual({ statuses: [200, 200, 200], seen: paths });
  });

  test('headers without end are refused', async () => {
    const bytes = `GET / HTTP/1.1\r\nHost: localhost\r\n${`X: ${'y'.repeat(8_000)}\r\n`.repeat(8)}\r\n`;
    const { statuses } = await exchange(port, bytes);
    expect([[400], [431]]).toContainEqual(statuses);
    expect(requests).toEqual([]);
  });
});

test('a front and a server that split requests differently are found', async () => {
  const lenient = createHttpPlain(
    { insecureHTTPParser: true },
    noting((_request, response) => void response.end('{}')),
  );
  await listen(lenient);
  const front = await startCarelessFront(portOf(lenient));
  try {
    const bytes = ATTACKS['CL.TE'] ?? '';
    expect(await attack(portOf(front), bytes)).toContain('the hidden request was read');
  } finally {
    front.close();
    lenient.closeAllConnections();
    lenient.close();
  }
});
