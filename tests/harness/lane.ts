/**
 * HTTP over one bare keep-alive connection, one request after another. For measurements: `fetch` would take more CPU time than
 * the server that is measured.
 */
import { once } from 'node:events';
import { connect } from 'node:net';

export interface LaneAnswer {
  status: number;
  body: string;
}

export interface Lane {
  /** @param request the whole of it, as `composeRequest` makes it */
  ask: (request: string) => Promise<LaneAnswer>;
  close: () => void;
}

interface RequestParts {
  method: string;
  path: string;
  cookie: string;
  origin?: string;
  body?: unknown;
}

/** A request as it is sent. @param origin of the service, which writes must come from */
export function composeRequest({ method, path, cookie, origin, body }: RequestParts): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `Cookie: ${cookie}`,
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  return `${headers.join('\r\n')}\r\n\r\n${text}`;
}

/** @returns the answer at the beginning of what has arrived; null while a part of it is missing */
function readAnswer(text: string): LaneAnswer | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = text.slice(0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`An answer without a length: ${head}`);
  const body = text.slice(end + 4);
  if (body.length < Number(length)) return null;
  return { status: Number(head.slice(9, 12)), body: Buffer.from(body, 'latin1').toString() };
}

/** Open a connection to a port of this machine. */
export async function openLane(port: number): Promise<Lane> {
  const socket = connect(port, '127.0.0.1');
  // a character is a byte, so that lengths can be compared
  socket.setEncoding('latin1');
  await once(socket, 'connect');
  socket.setNoDelay(true);
  let received = '';
  let waiting: { resolve: (answer: LaneAnswer) => void; reject: (error: unknown) => void } | null = null;
  const fail = (error: unknown): void => {
    waiting?.reject(error);
    waiting = null;
  };
  socket.on('data', (text: string) => {
    received += text;
    try {
      const answer = readAnswer(received);
      if (answer === null) return;
      received = '';
      waiting?.resolve(answer);
      waiting = null;
    } catch (error) {
      fail(error);
    }
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The server has closed the connection.')));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) {
          reject(new Error('The connection is closed.'));
          return;
        }
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}
