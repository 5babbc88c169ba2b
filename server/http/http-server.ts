/** The Node HTTP server under Express: time limits, shutdown, and the refusals that Node would send without our headers. */
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express from 'express';
import { copy } from '#shared/copy.ts';
import type { RefusalCode } from '#shared/refusals.ts';
import { createDrain, type Drain } from './drain.ts';
import { AppError } from '#server/platform/errors.ts';
import { requestIdOf, setHeaders } from './headers.ts';
import { sendError } from '#server/rest/adapter.ts';

/** With Node's own intervals 200 slow sockets stay open for 20 s (design: reliability). */
const LIMITS = { connectionsCheckingInterval: 1_000, headersTimeout: 10_000, requestTimeout: 15_000 } as const;

/** Answers to the errors of Node's HTTP parser, by its error code; any other one is a 400. */
const PARSER_REFUSALS: Partial<Record<string, [RefusalCode, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', copy.requestTooSlow],
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', copy.headersTooLarge],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['BODY_TOO_LARGE', copy.bodyTooLarge],
};

/**
 * A server without a request handler yet: add `createHttp` by `server.on('request', …)`.
 * @param publicUrl where people reach the service
 */
export function createHttpServer(publicUrl: string): { server: Server; drain: Drain } {
  // Node would refuse a missing Host without our headers; Express does instead
  const server = createServer({ ...LIMITS, requireHostHeader: false });
  const drain = createDrain(server);
  refuseUnreadable(server, publicUrl);
  // as would an expectation that nobody can meet
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return { server, drain };
}

/** Answer requests that cannot be read, or do not end, with the header set and the sentence of every refusal. */
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
