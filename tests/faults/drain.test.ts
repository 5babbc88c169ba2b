/** Stops under load: reused keep-alive connections lose no request at any moment of the stop. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { findNode } from '#server/cli/pinned-node.js';
import { ROOT } from '#server/cli/programs.js';
import { createDrain, type Drain } from '#server/http/drain.ts';
import { createHttp } from '#server/http/http.ts';
import { createHttpServer } from '#server/http/http-server.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/database.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const CLIENTS = 10;
const STOPS = 50;
const CUT_MS = 12_000;
const READY_MS = 60_000;
/** Time for processes to start, in parallel with those of other files. */
const PATIENCE = { timeout: 180_000 } as const;

interface Load {
  answered: number;
  /** answers that said `Connection: close` */
  goodbyes: number;
  /** requests on a reused connection that were cut without a response */
  cut: string[];
  /** resolves when every client's connection has been refused */
  done: Promise<unknown>;
}

/** Sends one request on the client's only connection. @returns `over` once the server no longer listens */
function ask(agent: Agent, url: string, turn: number, load: Load): Promise<'answered' | 'over'> {
  const isWrite = turn % 3 === 0;
  return new Promise((resolve) => {
    const asked = request(`${url}${isWrite ? '/api/v1/auth/login' : '/api/v1/stats'}`, {
      agent,
      method: isWrite ? 'POST' : 'GET',
      headers: isWrite ? { origin: url, 'content-type': 'application/json' } : {},
    });
    asked.once('response', (response) => {
      load.answered += 1;
      if (response.headers.connection === 'close') load.goodbyes += 1;
      response.resume().once('end', () => resolve('answered'));
      response.once('error', (error) => {
        load.cut.push(`an answer was cut: ${error.message}`);
        resolve('over');
      });
    });
    asked.once('error', (error) => {
      // a refused connection has lost no request; a reused one has
      if (asked.reusedSocket) load.cut.push(error.message);
      resolve('over');
    });
    asked.end(isWrite ? '{"email":"nobody@example.org"' : undefined);
  });
}

/** Clients that send the next request immediately or a moment after a response, and honour `Connection: close`. */
function startLoad(url: string): Load {
  const load: Load = { answered: 0, goodbyes: 0, cut: [], done: Promise.resolve() };
  const runClient = async (client: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = client; (await ask(agent, url, turn, load)) === 'answered'; turn += 1) {
      if (turn % 2 === 0) await pause(Math.random() * 4);
    }
    agent.destroy();
  };
  load.done = Promise.all(Array.from({ length: CLIENTS }, (_, client) => runClient(client)));
  return load;
}

describe('a server in this process', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  /** @returns the outcomes of the clients' requests over this many stops, each at a different moment */
  async function stopOften(stops: number, stop: (server: Server, drain: Drain) => Promise<unknown>) {
    const total = { answered: 0, goodbyes: 0, cut: [] as string[] };
    for (let round = 0; round < stops; round += 1) {
      const { server, drain } = createHttpServer(service.url);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      server.on('request', createHttp(service.app, { publicUrl: url, clientDist: null, isReady: () => true }));
      const load = startLoad(url);
      await vi.waitUntil(() => load.answered > CLIENTS * 2 + (round % 7), { timeout: READY_MS, interval: 5 });
      await stop(server, drain);
      await load.done;
      total.answered += load.answered;
      total.goodbyes += load.goodbyes;
      total.cut.push(...load.cut);
    }
    return total;
  }

  test(
    `${STOPS} stops cut none of ${CLIENTS} busy keep-alive connections, and say goodbye to each`,
    PATIENCE,
    async () => {
      const { answered, goodbyes, cut } = await stopOften(STOPS, (_server, drain) => drain(CUT_MS));
      expect(cut).toEqual([]);
      expect(answered).toBeGreaterThan(STOPS * CLIENTS * 2);
      expect(goodbyes).toBe(STOPS * CLIENTS);
    },
  );

  test("Node's own server.close is found to cut connections", PATIENCE, async () => {
    const { cut } = await stopOften(5, async (server) => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const cutLater = setTimeout(() => server.closeAllConnections(), 100);
      await closed;
      clearTimeout(cutLater);
    });
    expect(cut.length).toBeGreaterThan(5);
  });

  test('idle connections do not delay the stop, and a slow answer is not cut with them', async () => {
    const server = createServer();
    const drain = createDrain(server, 200);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const silent = connect(port, '127.0.0.1');
    await once(silent, 'connect');
    const idle = connect(port, '127.0.0.1');
    server.once('request', (_request, response) => response.end());
    idle.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(idle, 'data');
    const slow = connect(port, '127.0.0.1');
    slow.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [, answer] = (await once(server, 'request')) as [unknown, ServerResponse];
    const began = performance.now();
    const over = drain(CUT_MS);
    await Promise.all([once(silent, 'close'), once(idle, 'close')]);
    answer.end('late');
    expect(String(await once(slow, 'data'))).toContain('late');
    await over;
    expect(performance.now() - began).toBeLessThan(CUT_MS / 2);
  });

  test('an idle connection outlives the pools of proxies', async () => {
    const { headers } = await fetch(`${service.url}/healthz`);
    const [, seconds] = /^timeout=(\d+)$/.exec(headers.get('keep-alive') ?? '') ?? [];
    // Caddy: 120 s; Traefik: 90 s; nginx, HAProxy as shipped here and the load balancers of clouds: 60 to 65 s
    expect(Number(seconds)).toBeGreaterThan(120);
  });
});

describe('the whole process', () => {
  let database: TestDatabase;
  let processes: ChildProcess[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    for (const child of processes) child.kill('SIGKILL');
    processes = [];
  });
  afterAll(() => database.drop());

  async function start(): Promise<{ child: ChildProcess; url: string; ended: Promise<unknown[]> }> {
    const child = spawn(findNode(), [join(ROOT, 'server', 'main.ts')], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        ...process.env,
        DATABASE_URL: database.url,
        PORT: '0',
        PUBLIC_URL: 'http://localhost:3000',
        LOG_LEVEL: 'info',
        BACKGROUND_JOBS: 'off',
      },
    });
    processes.push(child);
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    const port = () => /"port":(\d+).*"msg":"ready"/.exec(output)?.[1];
    await vi.waitFor(() => expect(port(), output).toBeDefined(), { timeout: READY_MS, interval: 50 });
    return { child, url: `http://127.0.0.1:${port()}`, ended: once(child, 'exit') };
  }

  test('ends with code 0 and cuts no request when stopped under load', PATIENCE, async () => {
    const { child, url, ended } = await start();
    const load = startLoad(url);
    await vi.waitUntil(() => load.answered > 300, { timeout: READY_MS });
    child.kill('SIGTERM');
    await load.done;
    expect(load.cut).toEqual([]);
    expect(load.goodbyes).toBe(CLIENTS);
    expect((await ended)[0]).toBe(0);
  });

  test('ends at once on a second signal, even while a request is running', PATIENCE, async () => {
    const { child, url, ended } = await start();
    const { hostname, port } = new URL(url);
    const slow = connect(Number(port), hostname);
    await once(slow, 'connect');
    slow.on('error', () => undefined);
    // a request that is not complete holds the stop up
    slow.write('POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n');
    child.kill('SIGTERM');
    await vi.waitFor(async () => await expect(fetch(url)).rejects.toThrow(), { timeout: READY_MS });
    expect(child.exitCode).toBeNull();
    const told = performance.now();
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(1);
    expect(performance.now() - told).toBeLessThan(CUT_MS / 2);
    slow.destroy();
  });
});
