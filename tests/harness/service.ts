/** A whole Marshal for a test file: its own database, its own port, everything real. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { DestinationStream } from 'pino';
import { createTRPCClient, httpBatchLink, type TRPCClient } from '@trpc/client';
import { openApp } from '#server/http/app.ts';
import type { App } from '#server/http/context.ts';
import { readEnv } from '#server/platform/env.ts';
import { createHttp } from '#server/http/http.ts';
import { createHttpServer } from '#server/http/http-server.ts';
import { startWorker } from '#server/jobs/worker.ts';
import { createLog } from '#server/platform/log.ts';
import type { AppRouter } from '#server/http/routers/app.ts';
import { syncAircraft } from '#server/accounts/pilots/aircraft.ts';
import { watchLog } from './watched-log.ts';
import { requireDocumented } from './documented.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export const CLIENT_DIST = fileURLToPath(new URL('../../client/dist', import.meta.url));

export interface Service {
  app: App;
  /** origin without a trailing slash */
  url: string;
  databaseUrl: string;
  stop: () => Promise<void>;
}

export interface ServiceOptions {
  /** on top of a quiet configuration without limits on attempts and writes */
  env?: Record<string, string>;
  /** serve the built client, for browser tests, or the one that TEST_CLIENT names; or the folder of this name */
  withClient?: boolean | string;
  /** receives the log, all of it */
  logTo?: DestinationStream;
  /** the name in its address; Discord takes no links to `localhost` */
  host?: 'localhost' | '127.0.0.1';
  /** run background jobs */
  withJobs?: boolean;
  /** use the database of another service, like a second process; stop this one first */
  beside?: Pick<Service, 'databaseUrl'>;
  /** use this database instead of a new one */
  database?: TestDatabase;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

export async function startService({
  env = {},
  host = 'localhost',
  withClient = false,
  withJobs = false,
  beside,
  database: given,
  logTo,
}: ServiceOptions = {}): Promise<Service> {
  const database = beside
    ? { url: beside.databaseUrl, drop: () => Promise.resolve() }
    : (given ?? (await createTestDatabase()));
  const { server } = createHttpServer(env.PUBLIC_URL ?? `http://${host}`);
  const url = `http://${host}:${await listen(server)}`;
  const config = readEnv({
    PUBLIC_URL: url,
    DATABASE_URL: database.url,
    AUTH_ATTEMPTS_PER_MINUTE: '0',
    WRITES_PER_MINUTE: '0',
    ...env,
  });
  const watched = watchLog(logTo);
  const log = createLog('trace', watched.stream);
  const app = await openApp(config, log, database.url);
  await syncAircraft(app.orm.em.fork());
  server.on(
    'request',
    createHttp(app, {
      publicUrl: url,
      clientDist:
        typeof withClient === 'string' ? withClient : withClient ? (process.env.TEST_CLIENT ?? CLIENT_DIST) : null,
      isReady: () => true,
    }),
  );
  const stopWorker = withJobs ? await startWorker(app, database.url) : null;
  const service: Service = {
    app,
    url,
    databaseUrl: database.url,
    async stop() {
      await stopWorker?.();
      await Promise.all([app.live.stop(), app.accessCache.stop()]);
      await Promise.all([
        app.heavyReads.stop(),
        app.weekSolver.stop(),
        app.missionFiles.stop(),
        app.calendarReader.stop(),
      ]);
      const closed = new Promise((resolve) => server.close(resolve));
      // open browsers would keep their connections, or reconnect
      server.closeAllConnections();
      await closed;
      // drops the database first, because the pool waits for calls that were cut off
      await database.drop();
      await Promise.all([app.orm.close(), app.replica?.close()]);
      watched.check();
    },
  };
  return service;
}

export interface Answer {
  status: number;
  // responses have every shape, and tests compare them as a whole
  // oxlint-disable-next-line typescript/no-explicit-any -- a test names what it expects
  body: any;
  headers: Headers;
}

export interface Client {
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  trpc: TRPCClient<AppRouter>;
  /** the Cookie header as a browser would send it */
  cookie: () => string;
}

/** The token that a client is signed in with; '' for none. */
export function sessionOf(client: Client): string {
  return /(?:^|; )session=([^;]*)/.exec(client.cookie())?.[1] ?? '';
}

/** A client with its own cookie jar: `call` for REST and `trpc` for tRPC, with one session for both. */
export function createClient(service: Pick<Service, 'url'>): Client {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  async function send(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('origin')) headers.set('origin', service.url);
    if (jar.size > 0) headers.set('cookie', cookie());
    const response = await fetch(url, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const value = pair.slice(at + 1);
      if (value === '' || /max-age=0/i.test(line)) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), value);
    }
    return response;
  }

  return {
    cookie,
    async call(method, path, body, headers = {}) {
      const response = await send(`${service.url}/api/v1${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const answer = text === '' ? null : JSON.parse(text);
      if (!response.ok && response.status !== 304) requireDocumented(method, path, answer?.code);
      return { status: response.status, headers: response.headers, body: answer };
    },
    trpc: createTRPCClient<AppRouter>({
      links: [
        httpBatchLink({
          url: `${service.url}/trpc`,
          maxItems: 10,
          fetch: (input, init) => send(input instanceof Request ? input.url : input.toString(), init as RequestInit),
        }),
      ],
    }),
  };
}
