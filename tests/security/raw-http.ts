/** Raw HTTP over a socket: requests that no client would send, and the faults of their answers. */
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { refusalCode } from '#shared/refusals.ts';

const ANSWER_MS = 20_000;

/** An answer as it was sent, chunks joined. */
export interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/** Write bytes and read until the server closes the connection. @returns the first response, or null if there is none */
export function send(server: Server, bytes: string): Promise<RawAnswer | null> {
  return new Promise((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error(`no answer to ${JSON.stringify(bytes)}`)));
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // a server that closes while we still write
      if (['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) resolve(readAnswer(text));
      else reject(error);
    });
    socket.once('close', () => resolve(readAnswer(text)));
    socket.write(bytes, 'latin1');
  });
}

function readAnswer(text: string): RawAnswer | null {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [first = '', ...rest] = head.split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1];
  if (status === undefined) return null;
  const headers = rest.map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  const sent = body.join('\r\n\r\n');
  const isChunked = headers.some(([name, value]) => name === 'transfer-encoding' && value === 'chunked');
  // lengths and chunks take turns; our JSON holds no line breaks
  const chunks = () => sent.split('\r\n').filter((_part, index) => index % 2 === 1);
  return { status: Number(status), headers: new Map(headers), body: isChunked ? chunks().join('') : sent };
}

/** The bytes of a request. */
export const request = (method: string, path: string, headers: readonly string[], body = ''): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', body].join('\r\n');

/** Codes of a refusal by either transport, one for each call of a batch. */
export function readCodes(body: string): unknown[] {
  const refusals = [JSON.parse(body)].flat() as { code?: unknown; error?: { data?: { refusal?: unknown } } }[];
  return refusals.map(({ code, error }) => (error === undefined ? code : error.data?.refusal));
}

const isCode = (code: unknown): boolean => refusalCode.safeParse(code).success;

/** Faults of an answer, independent of the request. */
export function findFaults(answer: RawAnswer | null): string[] {
  if (answer === null) return ['no answer'];
  const { status, headers, body } = answer;
  const faults = status >= 500 ? [`${status} ${body}`] : [];
  for (const [name, value] of [
    ['content-security-policy', /default-src 'none'/],
    ['x-content-type-options', /^nosniff$/],
    ['referrer-policy', /^no-referrer$/],
    ['x-request-id', /^[0-9a-f-]{36}$/],
  ] as const) {
    if (!value.test(headers.get(name) ?? '')) faults.push(`${status} without ${name}`);
  }
  if (status >= 400) {
    if (headers.get('cache-control') !== 'no-store') faults.push(`${status} that may be kept`);
    if (headers.get('content-type')?.startsWith('application/json') !== true) faults.push(`${status} that is no JSON`);
    if (/\bat .*\.[jt]s:\d|node_modules/.test(body)) faults.push(`${status} with a stack`);
    // an answer to HEAD has no body
    if (body !== '' && !readCodes(body).every(isCode)) faults.push(`${status} without a code`);
  }
  return faults;
}

/** The sentence of a refusal by either transport. */
export function messageOf(answer: RawAnswer | null): unknown {
  const body = JSON.parse(answer?.body ?? '{}') as { message?: unknown; error?: { message?: unknown } };
  return body.message ?? body.error?.message;
}
