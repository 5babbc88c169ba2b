/** `GET /metrics` for Prometheus: who may read it, the measurement of requests, and the figures read from the database. */
import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { Pool } from 'pg';
import { findNewestTime } from '#server/backup/backups.ts';
import { isScheduled } from '#server/backup/daily.ts';
import { selectMissionCounts } from '#server/board/dashboard.ts';
import { getBotStatus } from '#server/discord/bot/bot-status.ts';
import { countQueuedJobs } from '#server/jobs/queue.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import { inSpan, SpanKind } from '#server/platform/traces.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { appRouter } from '#server/http/routers/app.ts';
import { DAY_MS } from '#server/time/time.ts';
import { LIVE_PATH } from '#shared/live.ts';
import type { App } from './context.ts';
import { isForwarded } from './forwarding.ts';
import { requestIdOf } from './headers.ts';
import { readBearer } from './request-context.ts';

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;
/** The figures from the database are read again after this time, however many ask. */
const FIGURES_MS = 5_000;
/** The place of backups is listed again after this time, since object storage may charge for it. */
const BACKUPS_MS = 600_000;
/** Seats of missions from now until then are counted. */
const SEATS_DAYS = 60;

const TRPC = '/trpc/';

/**
 * The request's route, with the names of its parameters instead of their values, so that there are as many as calls. Several
 * calls in one request are `/trpc/(several)`: the time of each is in the metric of calls.
 */
function routeOf(request: Request): string {
  const [path = ''] = request.originalUrl.split('?', 1);
  if (path.startsWith(TRPC)) {
    const call = path.slice(TRPC.length);
    if (call.includes(',')) return `${TRPC}(several)`;
    return Object.hasOwn(appRouter._def.procedures, call) ? path : '(unknown)';
  }
  const route: unknown = Reflect.get(Object(request.route), 'path');
  return typeof route === 'string' ? request.baseUrl + route : '(other)';
}

/** Middleware that measures every answered request, except event streams, which have no end. */
export function measureRequests({ requests }: Metrics): RequestHandler {
  return (request, response, next) => {
    if (request.path !== LIVE_PATH) {
      const end = requests.startTimer({ method: request.method });
      response.once('close', () => {
        end({ route: routeOf(request), status: response.writableFinished ? String(response.statusCode) : 'aborted' });
      });
    }
    next();
  };
}

/** Middleware that makes a span of every request, in the caller's trace if the request names one. */
export const traceRequests: RequestHandler = (request, response, next) => {
  const options = { kind: SpanKind.SERVER, parent: request.get('traceparent') };
  void inSpan(request.method, options, (span) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    response.once('close', () => {
      const route = routeOf(request);
      span?.updateName(`${request.method} ${route}`).setAttributes({
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': response.statusCode,
        'marshal.request_id': requestIdOf(response),
      });
      resolve();
    });
    next();
    return promise;
  });
};

/** Measures the connections of a pool to the database. */
export function watchConnections({ watch }: Metrics, pool: Pool): void {
  watch('marshal_database_connections', 'Open connections of the pool.', () => pool.totalCount);
  watch('marshal_database_connections_idle', 'Open connections that no call uses.', () => pool.idleCount);
  watch('marshal_database_waiting', 'Calls that wait for a connection.', () => pool.waitingCount);
}

/** Without a token only programs on this machine may read metrics: not what a proxy on this machine passes on. */
function checkReader(request: Request, token: string | undefined): void {
  if (token === undefined) {
    if (!LOOPBACK.test(request.socket.remoteAddress ?? '') || isForwarded(request)) {
      throw new AppError('NOT_FOUND');
    }
    return;
  }
  const given = readBearer(request) ?? '';
  if (!timingSafeEqual(Buffer.from(hashToken(token)), Buffer.from(hashToken(given)))) {
    throw new AppError('TOKEN_INVALID');
  }
}

/** Counts the figures of the whole installation, which are the same in every process. */
async function countFigures({ orm, replica, metrics, env }: App, nowMs: number): Promise<void> {
  const em = orm.em.fork();
  const { queuedJobs, queueLag, seats, replicaLag, botConnected } = metrics;
  // what is no longer counted must not stay as it was: not even when the database fails
  for (const gauge of [queuedJobs, queueLag, seats]) gauge.reset();
  replicaLag.remove();
  botConnected.remove();
  const bot = await getBotStatus(em, env);
  if (bot.state !== 'off') botConnected.set(bot.state === 'online' ? 1 : 0);
  const behind = (await replica?.lag(em)) ?? null;
  if (behind !== null) replicaLag.set(behind);
  for (const { job, state, jobs, plannedMs } of await countQueuedJobs(em)) {
    queuedJobs.set({ job, state }, jobs);
    if (state === 'due') queueLag.set({ job }, Math.max(0, nowMs - plannedMs) / 1000);
  }
  const missions = await selectMissionCounts(em, { startMs: nowMs, endMs: nowMs + SEATS_DAYS * DAY_MS }).execute();
  const filled = missions.reduce((sum, { accepted }) => sum + accepted, 0);
  seats.set({ state: 'filled' }, filled);
  seats.set({ state: 'open' }, missions.reduce((sum, mission) => sum + mission.seats, 0) - filled);
}

async function findBackup({ env, log, metrics: { backupMade } }: App): Promise<void> {
  backupMade.remove();
  if (!isScheduled(env)) return;
  try {
    const time = await findNewestTime(env);
    if (time !== null) backupMade.set(time.getTime() / 1000);
  } catch (error) {
    log.warn({ err: error }, 'backups not listed');
  }
}

/** The route's handler: everything that this process has counted, and the figures of the installation. */
export function createMetricsRoute(app: App): RequestHandler {
  const { registry, streams, databaseUp } = app.metrics;
  let countedAtMs = -Infinity;
  let counting: Promise<void> = Promise.resolve();
  let listedAtMs = -Infinity;
  let listing: Promise<void> = Promise.resolve();
  const refreshBackup = (nowMs: number): Promise<void> => {
    if (Math.abs(nowMs - listedAtMs) < BACKUPS_MS) return listing;
    listedAtMs = nowMs;
    return (listing = findBackup(app));
  };
  const refreshFigures = (nowMs: number): Promise<void> => {
    if (Math.abs(nowMs - countedAtMs) < FIGURES_MS) return counting;
    countedAtMs = nowMs;
    counting = countFigures(app, nowMs).then(
      () => databaseUp.set(1),
      () => databaseUp.set(0),
    );
    return counting;
  };
  return async (request, response) => {
    checkReader(request, app.env.METRICS_TOKEN);
    streams.set(app.live.count());
    await Promise.all([refreshFigures(Date.now()), refreshBackup(Date.now())]);
    response.type(registry.contentType).send(await registry.metrics());
  };
}
