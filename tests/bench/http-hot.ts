/**
 * Benchmark of the polled reads: the server's CPU time per request beside two baselines that are measured in the same rounds.
 * `npm run bench -- http-hot`; `--strict` fails at a missed limit. With `node --cpu-prof tests/bench/http-hot.ts` each server
 * writes its profile. Servers are processes of their own, so that the client's work is not counted.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createTestDatabase, startTestServer } from '#tests/harness/database.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, orderOf, respond } from '#tests/harness/orders.ts';
import { startService } from '#tests/harness/service.ts';
import { figure } from './report.ts';
import { median } from './rounds.ts';

const ROUNDS = 9;
const REQUESTS = 250;
const WARM_UP = 800;
/** Before each measurement, since pools close connections that were idle for 10 s, and making one costs milliseconds. */
const RECONNECT = 64;
/** Requests under way at a time. */
const LANES = 16;
const REST_LIMIT = 2;
const TRPC_LIMIT = 3;

const agent = new Agent({ keepAlive: true, maxSockets: LANES });

interface Target {
  name: string;
  server: Server;
  path: string;
  limit?: number;
  /** calls in one request */
  calls?: number;
}

interface Server {
  url: string;
  cpuUs: () => Promise<number>;
  stop: () => Promise<void>;
}

async function hear<Answer>(child: ChildProcess): Promise<Answer> {
  const [answer] = await once(child, 'message');
  return answer as Answer;
}

async function startServer(kind: 'marshal' | 'bare' | 'express', databaseUrl: string): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'http-hot-server.ts'), [kind, databaseUrl]);
  const { url } = await hear<{ url: string }>(child);
  return {
    url,
    async cpuUs() {
      const answer = hear<{ cpuUs: number }>(child);
      child.send('cpu');
      return (await answer).cpuUs;
    },
    async stop() {
      const gone = once(child, 'exit');
      child.send('stop');
      await gone;
    },
  };
}

/** @returns the answer's body @throws Error for any status but 200 */
function get(url: string, cookie: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers: { cookie } }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => (body += text));
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(body)
          : reject(new Error(`${url} answered ${response.statusCode} ${body}`)),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}

async function call({ server, path }: Target, cookie: string, requests: number): Promise<void> {
  let left = requests;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await get(server.url + path, cookie);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** The server's CPU time, microseconds per request. */
async function measure(target: Target, cookie: string): Promise<number> {
  await call(target, cookie, RECONNECT);
  const before = await target.server.cpuUs();
  await call(target, cookie, REQUESTS);
  return ((await target.server.cpuUs()) - before) / REQUESTS;
}

/** A pilot with a status, one order to answer, one accepted mission and a week, and two admins' missions. */
async function givenReader(databaseUrl: string): Promise<{ pilot: Person; cookie: string }> {
  const service = await startService({ database: { url: databaseUrl, drop: () => Promise.resolve() } });
  try {
    const admin = await givenAdmin(service);
    const pilot = await givenPilot(service);
    await givenMissionIn(service, admin, 30);
    await respond(pilot, await orderOf(pilot), 'accepted');
    await givenMissionIn(service, admin, 60);
    await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'now', minutes: 120 });
    return { pilot, cookie: pilot.client.cookie() };
  } finally {
    await service.stop();
  }
}

const trpc = (calls: readonly (readonly [name: string, input?: object])[]): string => {
  const inputs = Object.fromEntries(calls.flatMap(([, input], at) => (input ? [[at, input]] : [])));
  return `/trpc/${calls.map(([name]) => name).join(',')}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
};

function targetsOf(marshal: Server, { id }: Person): Target[] {
  const rest = (name: string, path: string, limit?: number): Target => ({
    name: `${name}, REST`,
    server: marshal,
    path: `/api/v1${path}`,
    ...(limit === undefined ? {} : { limit }),
  });
  return [
    rest('status', `/users/${id}/status`, REST_LIMIT),
    rest('inbox status', '/pilot/inbox/status', REST_LIMIT),
    rest('inbox', '/pilot/inbox'),
    rest('accepted', '/pilot/inbox/accepted'),
    rest('stats', '/stats'),
    rest('window', `/users/${id}/availability/window`),
    { name: 'status, tRPC', server: marshal, path: trpc([['pilot.status', { id }]]), limit: TRPC_LIMIT },
    { name: 'inbox status, tRPC', server: marshal, path: trpc([['pilot.inboxStatus']]), limit: TRPC_LIMIT },
    {
      name: 'status, inbox status and inbox in one batch, tRPC',
      server: marshal,
      path: trpc([['pilot.status', { id }], ['pilot.inboxStatus'], ['pilot.inbox', {}]]),
      calls: 3,
    },
  ];
}

async function run(databaseUrl: string): Promise<boolean> {
  const { pilot, cookie } = await givenReader(databaseUrl);
  const marshal = await startServer('marshal', databaseUrl);
  const bare = await startServer('bare', databaseUrl);
  const plain = await startServer('express', databaseUrl);
  const baseline: Target = {
    name: 'bare node:http with a named prepared statement',
    server: bare,
    path: `/${pilot.id}`,
  };
  const targets = [
    baseline,
    { name: 'bare Express route without a database', server: plain, path: `/${pilot.id}` },
    ...targetsOf(marshal, pilot),
  ];
  const costs = new Map(targets.map((target) => [target, [] as number[]]));
  for (const target of targets) await call(target, cookie, WARM_UP);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const target of targets) costs.get(target)?.push(await measure(target, cookie));
  }
  const base = costs.get(baseline) ?? [];
  let isMet = true;
  for (const target of targets) {
    const own = costs.get(target) ?? [];
    const ratio = median(own.map((cost, round) => cost / (base[round] ?? Number.NaN)));
    const { name, limit, calls = 1 } = target;
    const met = limit === undefined || ratio <= limit;
    isMet &&= met;
    process.stdout.write(
      `${JSON.stringify({
        name,
        'us CPU': figure(median(own)),
        fastest: figure(Math.min(...own)),
        ratio: figure(ratio),
        ...(limit === undefined ? {} : { limit, met }),
        ...(calls === 1 ? {} : { 'ratio of a call': figure(ratio / calls) }),
        bytes: (await get(target.server.url + target.path, cookie)).length,
      })}\n`,
    );
  }
  await Promise.all([marshal, bare, plain].map((server) => server.stop()));
  agent.destroy();
  return isMet;
}

const stopServer = await startTestServer();
const database = await createTestDatabase();
try {
  if (!(await run(database.url)) && process.argv.includes('--strict')) process.exitCode = 1;
} finally {
  await database.drop();
  await stopServer();
}
