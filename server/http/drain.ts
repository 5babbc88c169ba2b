/** Graceful shutdown of an HTTP server: keep-alive connections end after an answer, never in front of a request. */
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/** Stop listening and wait until every connection has ended. @param cutMs what is still open then is cut */
export type Drain = (cutMs: number) => Promise<void>;

/**
 * Watch a server's connections from its first one on, so that it can be drained.
 *
 * Node's own `close()` also ends idle keep-alive connections, and with them the request that a client has just written
 * into one. Here an idle connection stays: its next answer says `Connection: close`, or it runs into the keep-alive
 * timeout that every earlier answer announced.
 */
export function createDrain(server: Server): Drain {
  /** each with its latest answer: of several asked at once the last one says goodbye */
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
      // after the event loop has accepted what the kernel has accepted for us
      setImmediate(() => NetServer.prototype.close.call(server, () => resolve()));
    });
    // a browser opens connections ahead of need; one that has asked for nothing loses nothing
    const forgetSilent = setTimeout(() => {
      for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
    }, server.keepAliveTimeout);
    const cut = setTimeout(() => server.closeAllConnections(), cutMs);
    await closed;
    clearTimeout(forgetSilent);
    clearTimeout(cut);
    // what Node's own close() does besides: it stops looking for slow requests
    server.close();
  };
}
