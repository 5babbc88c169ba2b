/** The Express application: headers and checks, then health, metrics, tRPC, the bot's API, REST and the client, in that order. */
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { copy } from '#shared/copy.ts';
import { BATCH_MAX, BODY_BYTES } from '#shared/limits.ts';
import { LIVE_PATH } from '#shared/live.ts';
import { BOT_PATH } from '#shared/schemas/bot.ts';
import type { App } from './context.ts';
import { AppError } from '#server/platform/errors.ts';
import { answerableError } from './errors.ts';
import { serveFixed } from './fixed-answer.ts';
import { warnOfForwarding } from './forwarding.ts';
import { readCallsBody, readJson } from './bodies.ts';
import { createMetricsRoute, measureRequests, traceRequests } from './metrics.ts';
import { nonceOf, requestIdOf, setHeaders, setRequestId } from './headers.ts';
import { createReadinessCheck } from './readiness.ts';
import { allowOrigins, checkContentType, checkOrigin, checkRequestLine, noStore } from './request-checks.ts';
import { createContextReader, createVisitor, readBearer } from './request-context.ts';
import { createRestRouter, sendError } from '#server/http/rest/adapter.ts';
import { createDiscordSignInRouter } from '#server/http/rest/discord-sign-in.ts';
import { createDocsRouter } from '#server/http/rest/docs/router.ts';
import { readOpenApi } from '#server/http/rest/openapi-text.ts';
import { createEventsRoute } from '#server/http/rest/events.ts';
import { createFilesRouter } from '#server/http/rest/files.ts';
import {
  createMissionFilesRouter,
  createMissionFileUpload,
  createRecordingUpload,
} from '#server/http/rest/mission-files.ts';
import { createUnsubscribeRoute } from '#server/http/rest/unsubscribe.ts';
import { appRouter } from '#server/http/routers/app.ts';
import { botRouter } from '#server/http/routers/bot.ts';
import { runInScope } from '#server/platform/request-scope.ts';
import { isBotToken } from '#server/discord/bot/credential.ts';
import { createClientRouter } from './static.ts';
import { presentTrpcError } from './trpc.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const FILE_HEADERS = ['Content-Type', 'ETag', 'Last-Modified', 'Accept-Ranges'];

export interface HttpOptions {
  /** the service's public address; only its origin may write */
  publicUrl: string;
  /** folder of the built client; null when Vite serves it */
  clientDist: string | null;
  /** false while the service drains: /readyz answers 503 and load balancers send no more requests */
  isReady: () => boolean;
}

/** Refuses a batch that is too large, as tRPC would in its own words, and one Idempotency-Key for several calls. */
const checkBatch: RequestHandler = (request, _response, next) => {
  const calls = request.query.batch === '1' ? request.path.split(',').length : 1;
  if (calls > BATCH_MAX) throw new AppError('BAD_REQUEST', copy.batchTooLarge);
  if (calls > 1 && request.get('idempotency-key') !== undefined)
    throw new AppError('BAD_REQUEST', copy.idempotencyKeyInBatch);
  next();
};

/** Sends refusals from before tRPC (origin, content type, size, not JSON) in tRPC's envelope. */
function sendTrpcError(response: Response, error: unknown): void {
  const refusal = presentTrpcError(error, undefined);
  response.status(refusal.data.httpStatus).json({ error: refusal });
}

/** The path for the log, without the secret token of a calendar link or of an email. */
function withoutSecret(path: string): string {
  return path.replace(/(\/(?:calendar|email\/unsubscribe)\/)[^/]+/, '$1…');
}

type ContextOf = ReturnType<typeof createContextReader>;
type ReportBug = (error: unknown, request: Request) => void;

/** Logs bugs with their request, and an unavailable database as a warning; other refusals are not logged. */
function createBugReport({ log }: App): ReportBug {
  return (error, request) => {
    const { isBug, status } = answerableError(error);
    const line = {
      err: error,
      method: request.method,
      path: withoutSecret(request.path),
      // an error of Express may reach this outside of the request's scope
      requestId: requestIdOf(request.res as Response),
    };
    if (isBug) log.error(line, 'request failed');
    else if (status === 503) log.warn({ ...line, err: String(error) }, 'database not available');
  };
}

/** `/healthz`: the process answers. `/readyz`: the database does too, and the service is not draining. */
function mountHealth(http: Express, app: App, isReady: () => boolean): void {
  http.get('/healthz', noStore, (_request, response) => void response.json({ status: 'ok' }));
  const checkDatabase = createReadinessCheck(() => app.orm.em.fork());
  http.get('/readyz', noStore, async (_request, response) => {
    const isUp =
      isReady() &&
      (await checkDatabase().then(
        () => true,
        () => false,
      ));
    response.status(isUp ? 200 : 503).json({ status: isUp ? 'ready' : 'not ready' });
  });
}

function mountTrpc(http: Express, api: RequestHandler[], contextOf: ContextOf, reportBug: ReportBug): void {
  http.use(
    '/trpc',
    api,
    checkBatch,
    readCallsBody,
    createExpressMiddleware({
      router: appRouter,
      maxBatchSize: BATCH_MAX,
      createContext: ({ req, res }) => contextOf(req, res),
      onError: ({ error, req }) => reportBug(error, req),
      responseMeta({ errors, info }) {
        // a batch of several calls keeps tRPC's 207; a single refused call has its own status
        const isBatch = (info?.calls.length ?? 0) > 1;
        const refusals = errors.map(answerableError);
        const headers = new Headers(Object.assign({}, ...refusals.map((refusal) => refusal.headers)));
        // of several refused calls in a batch, the longest wait
        const wait = Math.max(0, ...refusals.map(({ retryAfterSeconds = 0 }) => retryAfterSeconds));
        if (wait > 0) headers.set('Retry-After', String(wait));
        const [refused] = refusals;
        if (isBatch || !refused) return { headers };
        // tRPC would answer a request that it cannot read as text
        headers.set('Content-Type', 'application/json');
        return { status: refused.status, headers };
      },
    }),
  );
}

/** Middleware that gives log lines and jobs the id of the request that causes them. */
const openScope: RequestHandler = (_request, response, next) => {
  runInScope({ requestId: requestIdOf(response) }, next);
};

/** A call of the bot belongs to the interaction that it handles. */
const keepRequestId: RequestHandler = (request, response, next) => {
  const id = request.get('x-request-id');
  if (id !== undefined && UUID.test(id)) setRequestId(response, id);
  next();
};

/** The bot's API, behind its own credential. */
function mountBot(http: Express, app: App, reportBug: ReportBug): void {
  const visitorOf = createVisitor(app);
  const checkBotToken: RequestHandler = (request, _response, next) => {
    if (!isBotToken(app.botToken, readBearer(request))) throw new AppError('BOT_ONLY');
    next();
  };
  http.use(
    BOT_PATH,
    [noStore, checkBotToken, keepRequestId, openScope, checkContentType, readJson(BODY_BYTES.bot)],
    createExpressMiddleware({
      router: botRouter,
      maxBatchSize: BATCH_MAX,
      createContext: ({ req }) => visitorOf(req),
      onError: ({ error, req }) => reportBug(error, req),
    }),
  );
}

/** Mission files and recordings are sent as they are, before the checks for JSON. */
function mountUploads(http: Express, app: App, publicUrl: string, contextOf: ContextOf, reportBug: ReportBug): void {
  const upload = createMissionFileUpload(app, contextOf, reportBug);
  http.post('/api/v1/admin/mission-files', noStore, checkOrigin(publicUrl), upload);
  const uploadRecording = createRecordingUpload(app, contextOf, reportBug);
  http.post('/api/v1/admin/missions/:id/recordings', noStore, checkOrigin(publicUrl), uploadRecording);
}

/** The REST API with its documentation, files, event stream and sign-in with Discord. */
function mountRest(
  http: Express,
  app: App,
  {
    api,
    contextOf,
    callContextOf,
    reportBug,
  }: { api: RequestHandler[]; contextOf: ContextOf; callContextOf: ContextOf; reportBug: ReportBug },
): void {
  http.get('/api/v1/openapi.json', serveFixed(readOpenApi));
  http.use('/api/v1/docs', createDocsRouter(app.env.PUBLIC_URL));
  http.get(LIVE_PATH, noStore, createEventsRoute(app.live, contextOf));
  http.use(
    '/api/v1',
    api,
    createFilesRouter(app, contextOf, reportBug),
    createMissionFilesRouter(app, contextOf, reportBug),
    createDiscordSignInRouter(app, contextOf, reportBug),
    createRestRouter(callContextOf, reportBug),
  );
}

const refuseUnknownPath: RequestHandler = () => {
  throw new AppError('NOT_FOUND');
};

/** Error handlers, which answer in the envelope of tRPC or REST, by path. */
function mountErrors(http: Express, reportBug: ReportBug): void {
  const answerError =
    (send: typeof sendError): ErrorRequestHandler =>
    (error, request, response, next) => {
      if (response.headersSent) return next(error);
      reportBug(error, request);
      response.setHeader('Cache-Control', 'no-store');
      // `send` sets these before it finds that it cannot send the file
      for (const name of FILE_HEADERS) response.removeHeader(name);
      send(response, error, requestIdOf(response));
    };
  http.use(['/trpc', BOT_PATH], answerError(sendTrpcError));
  http.use(answerError(sendError));
}

/** The Express application, ready to listen. */
export function createHttp(app: App, options: HttpOptions): Express {
  const { publicUrl, clientDist, isReady } = options;
  const http = express();
  http.disable('x-powered-by');
  http.set('query parser', 'simple');
  http.set('trust proxy', app.env.TRUST_PROXY);
  http.use(measureRequests(app.metrics), warnOfForwarding(app), setHeaders(publicUrl), openScope, checkRequestLine);

  if (app.env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) http.use(traceRequests);

  const reportBug = createBugReport(app);
  const contextOf = createContextReader(app, { mayRecall: false });
  // events, files and sign-in outlast the request or write, so they look the caller up
  const callContextOf = createContextReader(app, { mayRecall: true });
  const api = [noStore, checkOrigin(publicUrl), checkContentType];
  const { CORS_ORIGINS } = app.env;
  if (CORS_ORIGINS.length > 0) http.use(['/api/v1', '/trpc'], allowOrigins(CORS_ORIGINS));
  mountHealth(http, app, isReady);
  http.get('/metrics', noStore, createMetricsRoute(app));
  mountTrpc(http, api, callContextOf, reportBug);
  mountBot(http, app, reportBug);
  mountUploads(http, app, publicUrl, contextOf, reportBug);
  mountRest(http, app, { api, contextOf, callContextOf, reportBug });
  http.post('/email/unsubscribe/:token', noStore, createUnsubscribeRoute(app));
  // no page of the client has such a path
  http.use(['/api', '/trpc', BOT_PATH, '/metrics'], noStore, refuseUnknownPath);

  if (clientDist !== null) http.use(createClientRouter(clientDist, publicUrl, nonceOf));
  http.use(refuseUnknownPath);
  mountErrors(http, reportBug);
  return http;
}
