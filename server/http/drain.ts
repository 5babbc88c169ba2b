/** Graceful shutdown (draining) of an HTTP server: keep-alive connections close after an answer, never before a request. */
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/** Stop listening and wait until all connections are closed. @param cutMs connections still open after this are cut */
export type Drain = (cutMs: number) => Promise<void>;

/** How long a connection may stay idle once the server is stopping, ms. */
const IDLE_MS = 5_000;

/**
 * Track a server's connections from the first one on, so that it can be drained.
 *
 * Node's own `close()` also closes idle keep-alive connections, and loses a request that a client has just written to one.
 * Here an idle connection stays open until its next answer, which says `Connection: close`, or for `idleMs`: by then a proxy
 * has seen from `/readyz` that this server is leaving.
 */
export function createDrain(server: Server, idleMs = IDLE_MS): Drain {
  /** each connection with its latest answer: of several pipelined requests the last answer closes it */
  const connections = new Map<Socket, ServerResponse | null>();
  let isDraining = false;

  server.on('connection', (socket) => {
    connections.set(socket, null);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    if (isDraining) response.setHeader('Connection', 'close');
    if (connections.has(socket)) connections.set(socket, response);
  });

  return async (cutMs) => {
    isDraining = true;
    for (const response of connections.values()) {
      if (response !== null && !response.headersSent) response.setHeader('Connection', 'close');
    }
    const closed = new Promise<void>((resolve) => {
      // after the event loop has taken over the connections that the kernel has accepted
      setImmediate(() => NetServer.prototype.close.call(server, () => resolve()));
    });
    // a connection without any request is idle, too: browsers open some in advance
    const closeIdle = setTimeout(() => {
      for (const [socket, response] of connections) {
        if (response === null ? socket.bytesRead === 0 : response.writableFinished) socket.destroy();
      }
    }, idleMs);
    const cut = setTimeout(() => server.closeAllConnections(), cutMs);
    await closed;
    clearTimeout(closeIdle);
    clearTimeout(cut);
    // also stops Node's check for slow requests, as its own close() does
    server.close();
  };
}
