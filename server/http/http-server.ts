/** The Node HTTP server under Express: timeouts, shutdown, and refusals that Node would send without our headers. */
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express from 'express';
import { copy } from '#shared/copy.ts';
import type { RefusalCode } from '#shared/refusals.ts';
import { createDrain, type Drain } from './drain.ts';
import { AppError } from '#server/platform/errors.ts';
import { requestIdOf, setHeaders } from './headers.ts';
import { sendError } from '#server/http/rest/adapter.ts';

/**
 * With Node's defaults a slow client could keep a connection open for minutes, and an idle connection would end after 5 s, while
 * a proxy may be sending the next request on it. Proxies keep theirs for at most two minutes (Caddy), most for 60 to 90 s.
 */
const LIMITS = {
  connectionsCheckingInterval: 1_000,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 125_000,
} as const;

/** Refusals for errors of Node's HTTP parser, by its error code; any other error is a 400. */
const PARSER_REFUSALS: Partial<Record<string, [RefusalCode, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', copy.requestTooSlow],
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', copy.headersTooLarge],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['BODY_TOO_LARGE', copy.bodyTooLarge],
};

/**
 * A server without a request handler: add `createHttp` with `server.on('request', …)`.
 * @param publicUrl the service's public address
 */
export function createHttpServer(publicUrl: string): { server: Server; drain: Drain } {
  // Express refuses a missing Host header instead, since Node would do so without our headers
  const server = createServer({ ...LIMITS, requireHostHeader: false });
  const drain = createDrain(server);
  refuseUnreadable(server, publicUrl);
  // the same for an unknown Expect header
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return { server, drain };
}

/** Answer requests that cannot be parsed or time out with the usual headers and refusals. */
function refuseUnreadable(server: Server, publicUrl: string): void {
  const refusals = express();
  refusals.disable('x-powered-by');
  refusals.use(setHeaders(publicUrl));
  refusals.use((_request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    sendError(response, response.locals.refusal, requestIdOf(response));
  });
  const answering = new WeakMap<Socket, ServerResponse>();
  server.on('request', (request, response) => {
    answering.set(request.socket, response);
    response.once('finish', () => answering.delete(request.socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!(socket instanceof Socket)) return;
    const begun = answering.get(socket);
    if (!socket.writable || begun?.headersSent) {
      socket.destroy(error);
      return;
    }
    begun?.detachSocket(socket);
    const [code, message] = PARSER_REFUSALS[error.code ?? ''] ?? ['BAD_REQUEST', copy.invalidInput];
    const request = Object.assign(new IncomingMessage(socket), { method: 'GET', url: '/' });
    const response = Object.assign(new ServerResponse(request), { locals: { refusal: new AppError(code, message) } });
    response.assignSocket(socket);
    response.setHeader('Connection', 'close');
    response.once('finish', () => socket.destroySoon());
    refusals(request, response);
  });
}
