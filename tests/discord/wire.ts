/** A proxy between a bot and its server that counts calls and can be cut. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Wire {
  /** the address that the bot calls */
  url: string;
  /** names of the procedures that were called, in order: `sync.beat` … */
  readonly calls: readonly string[];
  setCut: (isCut: boolean) => void;
  /** Answers some calls with a status and no server, by the procedure and its body; null for the others. */
  setRefusal: (refuse: (call: string, body: string) => 400 | 413 | null) => void;
  /** Takes calls and answers none of them, until `setHanging(false)` cuts them off. */
  setHanging: (isHanging: boolean) => void;
  stop: () => Promise<void>;
}

export async function startWire(serverUrl: string): Promise<Wire> {
  const calls: string[] = [];
  let isCut = false;
  let isHanging = false;
  let refuse: Parameters<Wire['setRefusal']>[0] = () => null;
  const server = createServer((request, response) => {
    if (isCut) {
      request.socket.destroy();
      return;
    }
    if (isHanging) return;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '/';
      calls.push(path.replace(/^\/bot\//, '').replace(/\?.*/, ''));
      const status = refuse(calls.at(-1) ?? '', Buffer.concat(chunks).toString('utf8'));
      if (status !== null) {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: 'Refused', code: -32_600, data: { httpStatus: status } } }));
        return;
      }
      const headers = Object.fromEntries(
        ['authorization', 'content-type'].map((name) => [name, String(request.headers[name] ?? '')]),
      );
      const body = request.method === 'POST' ? { body: Buffer.concat(chunks) } : {};
      fetch(`${serverUrl}${path}`, { method: request.method ?? 'GET', headers, ...body })
        .then(async (answer) => {
          response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
          response.end(await answer.text());
        })
        .catch(() => request.socket.destroy());
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    setRefusal: (value) => {
      refuse = value;
    },
    setHanging(value) {
      isHanging = value;
      if (!value) server.closeAllConnections();
    },
    setCut(value) {
      isCut = value;
      if (value) server.closeAllConnections();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
