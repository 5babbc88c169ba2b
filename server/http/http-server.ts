/** The Node HTTP server under Express: time limits, shutdown, and the refusals that Node would send without our headers. */
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express from 'express';
import { copy } from '#shared/copy.ts';
import { createDrain, type Drain } from './drain.ts';
import { AppError } from '#server/platform/errors.ts';
import { requestIdOf, setHeaders } from './headers.ts';
import { sendError } from '#server/rest/adapter.ts';

/** With Node's own intervals 200 slow sockets stay open for 20 s (design: reliability). */
const LIMITS = { connectionsCheckingInterval: 1_000, headersTimeout: 10_000, requestTimeout: 15_000 } as const;

/** Answers to the errors of Node's HTTP parser, by error code; any other one is a 400. */
const REFUSALS: Partial<Record<string, [status: 408 | 413 | 431, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, copy.requestTooSlow],
  HPE_HEADER_OVERFLOW: [431, copy.headersTooLarge],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, copy.bodyTooLarge],
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
    const [status, message] = REFUSALS[error.code ?? ''] ?? [400, copy.invalidInput];
    const request = Object.assign(new IncomingMessage(socket), { method: 'GET', url: '/' });
    const response = Object.assign(new ServerResponse(request), { locals: { refusal: new AppError(status, message) } });
    response.assignSocket(socket);
    response.setHeader('Connection', 'close');
    response.once('finish', () => socket.destroySoon());
    refusals(request, response);
  });
}
