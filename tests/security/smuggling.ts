/** Requests that two readers may split differently (request smuggling), and a front that splits them wrongly. */
import { connect, createServer, type AddressInfo, type Server } from 'node:net';

/** Answers that are on their way need no longer. */
const QUIET_MS = 300;
const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\nX: ';
const CHUNKED = `0\r\n\r\n${SMUGGLED}`;

const post = (headers: readonly string[], body: string, line = 'POST /api/v1/auth/logout HTTP/1.1'): string =>
  [line, 'Host: localhost', 'Content-Type: application/json', ...headers, '', body].join('\r\n');
const length = (text: string): string => `Content-Length: ${text.length}`;
const size = (text: string): string => text.length.toString(16);

/** Each is one request by one reading, and more than one by another. */
export const ATTACKS: Readonly<Record<string, string>> = {
  'CL.TE': post([length(CHUNKED), 'Transfer-Encoding: chunked'], CHUNKED),
  'TE.CL': post(['Content-Length: 4', 'Transfer-Encoding: chunked'], `${size(SMUGGLED)}\r\n${SMUGGLED}\r\n0\r\n\r\n`),
  ...Object.fromEntries(
    [
      'Transfer-Encoding: xchunked',
      'Transfer-Encoding : chunked',
      'Transfer-Encoding:\tchunked',
      'Transfer-Encoding: chunked, identity',
      'Transfer-Encoding: identity, chunked',
      'Transfer-Encoding: gzip, chunked',
      'Transfer-Encoding:\x0bchunked',
      'Transfer-Encoding: "chunked"',
      'Transfer-Encoding: CHUNKED',
      'Transfer_Encoding: chunked',
      ' Transfer-Encoding: chunked',
      'X: x\nTransfer-Encoding: chunked',
      'X: x\rTransfer-Encoding: chunked',
      'Transfer-Encoding:\r\n chunked',
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
      'Transfer-Encoding: \x00chunked',
    ].map((header) => [`TE.TE ${JSON.stringify(header)}`, post([length(CHUNKED), header], CHUNKED)]),
  ),
  'two lengths': post([length(CHUNKED), 'Content-Length: 0'], CHUNKED),
  'two lengths, the other way around': post(['Content-Length: 0', length(CHUNKED)], CHUNKED),
  'a list of lengths': post(['Content-Length: 0, 5'], SMUGGLED),
  'a signed length': post([`Content-Length: +${SMUGGLED.length}`], SMUGGLED),
  'a negative length': post(['Content-Length: -1'], SMUGGLED),
  'a hexadecimal length': post([`Content-Length: 0x${size(SMUGGLED)}`], SMUGGLED),
  'a length with a space before its colon': post([`Content-Length : ${SMUGGLED.length}`], SMUGGLED),
  'a length with a NUL': post([`Content-Length: ${SMUGGLED.length}\x00`], SMUGGLED),
  'a length beyond 64 bits': post([`Content-Length: 18446744073709551616`], SMUGGLED),
  'a chunk with an extension': post(['Transfer-Encoding: chunked'], `2;\r\n${SMUGGLED}\r\n0\r\n\r\n`),
  'a chunk with a bare line feed in its extension': post(
    ['Transfer-Encoding: chunked'],
    `2;\nxx\r\n${size(SMUGGLED)}\r\n0\r\n\r\n${SMUGGLED}`,
  ),
  'chunks with bare line feeds': post(['Transfer-Encoding: chunked'], `0\n\n${SMUGGLED}`),
  'a negative chunk': post(['Transfer-Encoding: chunked'], `-1\r\n${SMUGGLED}`),
  'a chunk of more than 64 bits': post(['Transfer-Encoding: chunked'], `10000000000000000\r\n${SMUGGLED}`),
  'a chunk with 0x': post(['Transfer-Encoding: chunked'], `0x0\r\n\r\n${SMUGGLED}`),
  'bare line feeds': post([length(CHUNKED)], CHUNKED).replaceAll('\r\n', '\n'),
  'a bare carriage return': post([`X: y\rContent-Length: ${CHUNKED.length}`], CHUNKED),
  'a name with a space': post([`X y: z`, 'Content-Length: 0'], ''),
  'a folded header': post(['X: y', ` ${length(CHUNKED)}`], CHUNKED),
  'a header without a name': post([': x', 'Content-Length: 0'], ''),
  'a line break in an escape': `GET /x%0d%0aHost:%20evil%0d%0a%0d%0aGET%20/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  'a line break in the address': `GET /x\r\n\r\nGET /smuggled HTTP/1.1\r\n HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  'a body of a GET': `GET /api/v1/stats HTTP/1.1\r\nHost: localhost\r\n${length(SMUGGLED)}\r\n\r\n${SMUGGLED}`,
  'HTTP/1.0 with chunks': post(
    ['Connection: keep-alive', length(CHUNKED), 'Transfer-Encoding: chunked'],
    CHUNKED,
    'POST /x HTTP/1.0',
  ),
  'HTTP/0.9': 'GET /smuggled\r\n',
  'HTTP/1.9': post([length(CHUNKED)], CHUNKED, 'POST /x HTTP/1.9'),
  'HTTP/2 in the clear': `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${SMUGGLED}`,
  'an upgrade to HTTP/2': post(
    ['Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__', 'Connection: Upgrade, HTTP2-Settings', length(SMUGGLED)],
    SMUGGLED,
  ),
  'an upgrade to a socket': post(['Upgrade: websocket', 'Connection: Upgrade', 'Content-Length: 0'], SMUGGLED),
  'a connection that drops a length': post(['Connection: close, Content-Length', length(CHUNKED)], CHUNKED),
  'a tunnel': `CONNECT /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n${SMUGGLED}`,
  'an expectation': post(['Expect: 100-continue', length(SMUGGLED)], SMUGGLED),
  'an unknown expectation': post(['Expect: 200-ok', length(SMUGGLED)], SMUGGLED),
};

/** Writes bytes to a port. @returns the statuses and the addresses that the answers are about, once no more come */
export function exchange(port: number, bytes: string): Promise<{ statuses: number[]; seen: string[] }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const read = () => ({
      statuses: Array.from(text.matchAll(/HTTP\/1\.[01] (\d{3}) /g), ([, status]) => Number(status)).filter(
        (status) => status !== 100,
      ),
      seen: Array.from(text.matchAll(/^x-seen: (.*)\r$/gim), ([, seen]) => seen ?? ''),
    });
    socket.setTimeout(QUIET_MS, () => {
      socket.destroy();
      resolve(read());
    });
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) resolve(read());
      else reject(error);
    });
    socket.once('close', () => resolve(read()));
    socket.write(bytes, 'latin1');
  });
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A front with one connection to its server for everybody, which goes by the length and not by the chunks. */
export async function startCarelessFront(port: number): Promise<Server> {
  const back = connect(port, '127.0.0.1');
  let answerTo: (chunk: Buffer | string) => void = () => undefined;
  back.on('data', (chunk) => answerTo(chunk)).on('error', () => undefined);
  const front = createServer((client) => {
    client.on('error', () => undefined);
    client.on('data', (chunk) => {
      answerTo = (answer) => client.write(answer);
      const text = chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n') + 4;
      const body = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
      back.write(text.slice(0, end + body), 'latin1');
    });
  });
  front.once('close', () => back.destroy());
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  return front;
}
