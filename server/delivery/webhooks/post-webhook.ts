/** One HTTP request to a webhook's receiver, which connects to a checked address only. */
import { request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type AddressRules, checkHost } from '#server/platform/checked-hosts.ts';
import { ADDRESS_PROBLEMS, findAddressProblem } from '#server/platform/public-addresses.ts';
import { WEBHOOKS } from '#shared/limits.ts';

/** The rest of a longer answer is not read. */
const ANSWER_BYTES = 4_096;

/** The answer's status, or null without one; the error is null for 2xx. */
export interface PostResult {
  status: number | null;
  error: string | null;
  /** the pause before the next attempt that the answer's Retry-After asks for */
  retryAfterMs?: number;
}

interface PostOptions extends AddressRules {
  timeoutMs?: number;
}

const SENTENCES: Record<string, string> = {
  ENOTFOUND: 'The host could not be found.',
  EAI_AGAIN: 'The host could not be looked up.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was cut.',
  EPIPE: 'The connection was cut.',
  ETIMEDOUT: 'The receiver did not take the connection.',
  EHOSTUNREACH: 'The receiver cannot be reached.',
  ENETUNREACH: 'The receiver cannot be reached.',
  CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another host.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The receiver's certificate is not trusted.",
  SELF_SIGNED_CERT_IN_CHAIN: "The receiver's certificate is not trusted.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The receiver's certificate is not trusted.",
};

function sentenceOf(error: unknown): string {
  // a host with several addresses: each has failed, the first one tells enough
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code: unknown = first instanceof Error ? Reflect.get(first, 'code') : undefined;
  return (typeof code === 'string' && SENTENCES[code]) || 'The connection failed.';
}

function send(
  url: URL,
  headers: Record<string, string>,
  body: string,
  host: Pick<RequestOptions, 'lookup'>,
  signal: AbortSignal,
): Promise<PostResult> {
  const { promise, resolve, reject } = Promise.withResolvers<PostResult>();
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
    // an own connection for each request: no agent, whose sockets or proxy settings could lead elsewhere
    agent: false,
    signal,
    ...host,
  };
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (response) => {
    // the status counts, whatever happens to the rest, which is only read so that the receiver can finish
    const { statusCode: status = 0 } = response;
    const retryAfterMs = readRetryAfter(response.headers['retry-after'], Date.now());
    resolve({ status, error: errorOf(status), ...(retryAfterMs !== null && { retryAfterMs }) });
    let read = 0;
    response
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read > ANSWER_BYTES) request.destroy();
      });
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}

/** The pause of a Retry-After, in seconds or until a date (RFC 9110, 10.2.3). @returns ms; null if there is none to read */
function readRetryAfter(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return ms > 0 ? ms : null;
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The receiver answered ${status}: redirects are not followed.`;
  return `The receiver answered ${status}.`;
}

/** Post a body. Never rejects: the result says what went wrong. */
export async function postWebhook(
  text: string,
  headers: Record<string, string>,
  body: string,
  options: PostOptions,
): Promise<PostResult> {
  const problem = findAddressProblem(text, options.allowPrivate);
  if (problem !== null) return { status: null, error: `${ADDRESS_PROBLEMS[problem]}.` };
  const url = new URL(text);
  const timeoutMs = options.timeoutMs ?? WEBHOOKS.timeoutSeconds * 1000;
  const signal = AbortSignal.timeout(timeoutMs);
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('late')), { once: true });
  });
  try {
    const host = await Promise.race([checkHost(url, options), late]);
    if (host === null) return { status: null, error: `${ADDRESS_PROBLEMS.private}.` };
    return await Promise.race([send(url, headers, body, host, signal), late]);
  } catch (error) {
    if (signal.aborted) return { status: null, error: `No answer within ${timeoutMs / 1000} seconds.` };
    return { status: null, error: sentenceOf(error) };
  }
}
