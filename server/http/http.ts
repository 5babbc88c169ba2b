/** Express: headers, origin and body rules, then tRPC, REST, health and the client, in that order. */
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { copy } from '#shared/copy.ts';
import { LIVE_PATH } from '#shared/live.ts';
import { BOT_PATH } from '#shared/schemas/bot.ts';
import type { App, RequestContext } from './context.ts';
import { AppError, publicError } from '#server/platform/errors.ts';
import { isForwardingIgnored, warnOfForwarding } from './forwarding.ts';
import { nonceOf, requestIdOf, setHeaders } from './headers.ts';
import { createReadinessCheck } from './readiness.ts';
import { createRestRouter, sendError } from '#server/rest/adapter.ts';
import { readCookie } from '#server/rest/cookies.ts';
import { createDiscordSignInRouter } from '#server/rest/discord-sign-in.ts';
import { renderDocs } from '#server/rest/docs.ts';
import { createEventsRoute } from '#server/rest/events.ts';
import { createFilesRouter } from '#server/rest/files.ts';
import { createOpenApi } from '#server/rest/openapi.ts';
import { appRouter } from '#server/routers/app.ts';
import { botRouter } from '#server/routers/bot.ts';
import { isBotToken } from '#server/discord/bot/credential.ts';
import { createClientRouter } from './static.ts';
import { presentTrpcError } from './trpc.ts';

const BODY_LIMIT = '64kb';
/** The members of a large Discord server come at once. */
const BOT_BODY_LIMIT = '32mb';
const BATCH_MAX = 10;
const USER_AGENT_LENGTH = 300;
const FILE_HEADERS = ['Content-Type', 'ETag', 'Last-Modified', 'Accept-Ranges'];
const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export interface HttpOptions {
  /** where people reach the service: its origin is the one that may write */
  publicUrl: string;
  /** folder of the built client; null while Vite serves it */
  clientDist: string | null;
  /** false once the service drains: readyz says 503 and load balancers look elsewhere */
  isReady: () => boolean;
}

/** The token of an Authorization header; a caller that has one is a script, and its cookies are not looked at. */
function readBearer(request: Request): string | null {
  return /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? null;
}

/** A write must come from our own pages, or say so: browsers add these headers, and no other site can forge them. */
function checkOrigin(publicUrl: string): RequestHandler {
  const ours = new URL(publicUrl).origin;
  return (request, _response, next) => {
    if (!UNSAFE.has(request.method) || readBearer(request) !== null) return next();
    const site = request.get('sec-fetch-site');
    const isOurs = site === undefined ? request.get('origin') === ours : site === 'same-origin';
    if (!isOurs) throw new AppError(403, copy.crossOrigin);
    next();
  };
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/** Only JSON: other content types are how forms of other sites would send, and tRPC would run some of them. */
const checkContentType: RequestHandler = (request, _response, next) => {
  if (UNSAFE.has(request.method) && hasBody(request) && !request.is('application/json')) {
    throw new AppError(415, copy.jsonOnly);
  }
  next();
};

/** The context of a call that no account makes. */
const createVisitor =
  (app: App) =>
  (request: Request): RequestContext => ({
    app,
    now: new Date(),
    viewer: null,
    sessionToken: null,
    address: request.ip ?? '',
    userAgent: null,
    deviceCookie: null,
    isForwardingIgnored: isForwardingIgnored(app, request),
    idempotencyKey: null,
    setCookie: () => undefined,
    clearBrowserCache: () => undefined,
  });

/** Identify the caller, once per request however many calls it batches. */
function createContextReader(app: App) {
  return async (request: Request, response: Response): Promise<RequestContext> => {
    const bearer = readBearer(request);
    const token = bearer ?? readCookie(request.headers.cookie, app.sessions.cookieName);
    const session = await app.sessions.validate(token, bearer !== null);
    const setCookie = (cookie: string) => {
      const start = cookie.slice(0, cookie.indexOf('=') + 1);
      const others = [response.getHeader('Set-Cookie') ?? []].flat().map(String);
      response.setHeader('Set-Cookie', [...others.filter((other) => !other.startsWith(start)), cookie]);
    };
    if (session?.renewedCookie) setCookie(session.renewedCookie);
    return {
      app,
      now: new Date(),
      viewer: session?.viewer ?? null,
      sessionToken: session ? token : null,
      address: request.ip ?? '',
      userAgent: request.get('user-agent')?.slice(0, USER_AGENT_LENGTH) ?? null,
      deviceCookie: readCookie(request.headers.cookie, app.knownDevice.cookieName),
      isForwardingIgnored: isForwardingIgnored(app, request),
      idempotencyKey: request.get('idempotency-key') ?? null,
      setCookie,
      // not the storage: it holds the app's files and the colour scheme, and nothing of a person
      clearBrowserCache: () => void response.setHeader('Clear-Site-Data', '"cache"'),
    };
  };
}

/** What is refused before tRPC sees it (origin, content type, size, not JSON) comes in the envelope its clients read. */
function sendTrpcError(response: Response, error: unknown): void {
  const refusal = presentTrpcError(error, undefined);
  response.status(refusal.data.httpStatus).json({ error: refusal });
}

/** A path as it may stand in a log: a calendar's link is its key. */
function withoutSecret(path: string): string {
  return path.replace(/(\/calendar\/)[^/]+/, '$1…');
}

/** Refuses a missing Host, an unknown expectation and an undecodable path, before the routes can fail on them. */
const checkRequestLine: RequestHandler = (request, _response, next) => {
  if (request.headers.host === undefined && request.httpVersion !== '1.0') throw new AppError(400, copy.invalidInput);
  const { expect } = request.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') throw new AppError(417, copy.expectationFailed);
  if (!isDecodable(request.path)) throw new AppError(400, copy.invalidInput);
  next();
};

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};

export function createHttp(app: App, options: HttpOptions): Express {
  const { log } = app;
  const http = express();
  http.disable('x-powered-by');
  http.set('query parser', 'simple');
  http.set('trust proxy', app.env.TRUST_PROXY);
  http.use(warnOfForwarding(app), setHeaders(options.publicUrl), checkRequestLine);

  http.get('/healthz', noStore, (_request, response) => void response.json({ status: 'ok' }));
  const checkDatabase = createReadinessCheck(() => app.orm.em.fork());
  http.get('/readyz', noStore, async (_request, response) => {
    const isUp =
      options.isReady() &&
      (await checkDatabase().then(
        () => true,
        () => false,
      ));
    response.status(isUp ? 200 : 503).json({ status: isUp ? 'ready' : 'not ready' });
  });

  const reportBug = (error: unknown, request: Request) => {
    const { isBug, status } = publicError(error);
    const line = {
      err: error,
      method: request.method,
      path: withoutSecret(request.path),
      requestId: requestIdOf(request.res as Response),
    };
    if (isBug) log.error(line, 'request failed');
    else if (status === 503) log.warn({ ...line, err: String(error) }, 'database not available');
  };
  const contextOf = createContextReader(app);
  const visitorOf = createVisitor(app);
  const api = [noStore, checkOrigin(options.publicUrl), checkContentType, express.json({ limit: BODY_LIMIT })];

  http.use(
    '/trpc',
    api,
    createExpressMiddleware({
      router: appRouter,
      maxBatchSize: BATCH_MAX,
      createContext: ({ req, res }) => contextOf(req, res),
      onError: ({ error, req }) => reportBug(error, req),
      responseMeta({ errors, info }) {
        // several calls in one answer keep tRPC's 207; a single refused one answers with its own status
        const isBatch = (info?.calls.length ?? 0) > 1;
        const refused = !isBatch && errors[0] ? publicError(errors[0]) : undefined;
        if (!refused) return {};
        // what tRPC cannot even read, such as a batch that is too large, it would send as text
        const headers = new Headers({ 'Content-Type': 'application/json' });
        if (refused.retryAfterSeconds !== undefined) headers.set('Retry-After', String(refused.retryAfterSeconds));
        return { status: refused.status, headers };
      },
    }),
  );

  const bot: RequestHandler[] = [
    noStore,
    (request, _response, next) => {
      if (!isBotToken(app.botToken, readBearer(request))) throw new AppError(401, copy.botOnly);
      next();
    },
    checkContentType,
    express.json({ limit: BOT_BODY_LIMIT }),
  ];
  http.use(
    BOT_PATH,
    bot,
    createExpressMiddleware({
      router: botRouter,
      maxBatchSize: BATCH_MAX,
      createContext: ({ req }) => visitorOf(req),
      onError: ({ error, req }) => reportBug(error, req),
    }),
  );

  const openApi = createOpenApi(options.publicUrl);
  http.get('/api/v1/openapi.json', noStore, (_request, response) => void response.json(openApi));
  http.get('/api/v1/docs', noStore, (_request, response) => {
    response.type('html').send(renderDocs(openApi, nonceOf(response)));
  });
  http.get(LIVE_PATH, noStore, createEventsRoute(app.live, contextOf));
  http.use('/api/v1', api, createFilesRouter(app, contextOf, reportBug));
  http.use('/api/v1', api, createDiscordSignInRouter(app, contextOf, reportBug));
  http.use('/api/v1', api, createRestRouter(contextOf, reportBug));
  // no page of the client lives under these
  http.use(['/api', '/trpc', BOT_PATH, '/metrics'], noStore, () => {
    throw new AppError(404, copy.notFound);
  });

  if (options.clientDist !== null) http.use(createClientRouter(options.clientDist, options.publicUrl, nonceOf));

  http.use(() => {
    throw new AppError(404, copy.notFound);
  });
  const answerError =
    (send: typeof sendError): ErrorRequestHandler =>
    (error, request, response, next) => {
      if (response.headersSent) return next(error);
      reportBug(error, request);
      response.setHeader('Cache-Control', 'no-store');
      // what `send` had said about a file before it found that it cannot send it
      for (const name of FILE_HEADERS) response.removeHeader(name);
      send(response, error, requestIdOf(response));
    };
  http.use(['/trpc', BOT_PATH], answerError(sendTrpcError));
  http.use(answerError(sendError));
  return http;
}
