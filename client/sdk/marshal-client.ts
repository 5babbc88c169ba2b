/** A typed client of Marshal for other programs: token, batches, repeats after Retry-After, refusal codes. */
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  isTRPCClientError,
  splitLink,
  type TRPCClient,
  type TRPCClientError,
} from '@trpc/client';
import { REPEATABLE_CALLS, type AppRouter, type RefusalCode } from './app-router.ts';

export type * from './app-router.ts';

export interface MarshalOptions {
  /** where Marshal runs, such as `https://marshal.example.org` */
  baseUrl: string;
  /** a personal access token, or a function that is asked for one before every request */
  token?: string | (() => string | Promise<string>);
  /** how often a call that is refused with 429 or 503 is sent again; 3 by default */
  retries?: number;
  /** the longest wait before sending again; a call that would have to wait longer fails at once; a minute by default */
  maxWaitMs?: number;
  /** instead of the global fetch, for a proxy or a test */
  fetch?: (address: string, init: RequestInit) => Promise<Response>;
}

export type MarshalClient = TRPCClient<AppRouter>;
export type MarshalError = TRPCClientError<AppRouter>;

/** The server reads at most this many calls in one request. */
const BATCH_MAX = 10;
const FIRST_WAIT_MS = 500;
const BUSY = new Set<number | undefined>([429, 503]);

/** True if sending the same request again may succeed; a batch counts as busy if one of its calls was refused so. */
async function isBusy(response: Response): Promise<boolean> {
  if (response.status !== 207) return BUSY.has(response.status);
  const answers = (await response.clone().json()) as { error?: { data?: { httpStatus?: number } } }[];
  return answers.some(({ error }) => BUSY.has(error?.data?.httpStatus));
}

/** The wait that Retry-After asks for, in seconds or until a date; without the header, one that doubles each time. */
function waitAfter(response: Response, attempt: number): number {
  const asked = response.headers.get('retry-after');
  if (asked === null) return FIRST_WAIT_MS * 2 ** attempt * (0.75 + Math.random() / 2);
  return Math.max(0, /^\d+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now()) || 0;
}

/** @throws the signal's reason as soon as the caller aborts */
function waitFor(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
}

function createKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @returns a client with a method for every call, such as `marshal.pilot.inbox.query()` */
export function createMarshalClient(options: MarshalOptions): MarshalClient {
  const { baseUrl, token, retries = 3, maxWaitMs = 60_000 } = options;
  const url = `${baseUrl.replace(/\/+$/, '')}/trpc`;

  const authorize = async (): Promise<Record<string, string>> => {
    const secret = typeof token === 'function' ? await token() : token;
    return secret === undefined ? {} : { authorization: `Bearer ${secret}` };
  };

  /** Sends a request, and sends it again while the server is busy, if that cannot do anything twice. */
  const send = async (address: string, init: RequestInit): Promise<Response> => {
    const { pathname } = new URL(address);
    const procedure = pathname.slice(pathname.lastIndexOf('/') + 1);
    const isRepeatable = init.method === 'GET' || REPEATABLE_CALLS.has(procedure);
    for (let attempt = 0; ; attempt += 1) {
      const response = await (options.fetch ?? fetch)(address, init);
      const wait = waitAfter(response, attempt);
      if (!isRepeatable || attempt >= retries || wait > maxWaitMs || !(await isBusy(response))) {
        if (response.headers.get('content-type')?.includes('json')) return response;
        throw new Error(`HTTP ${response.status} from ${url}, which is not an answer of Marshal.`);
      }
      await response.body?.cancel();
      await waitFor(wait, init.signal);
    }
  };
  const link = {
    url,
    fetch: (address: URL | RequestInfo, init: object = {}) =>
      send(address instanceof Request ? address.url : address.toString(), init),
  };

  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'mutation',
        // not in batches: a request has one Idempotency-Key, and its repeats have the same
        true: httpLink({
          ...link,
          headers: async ({ op: { context } }) => ({
            ...(await authorize()),
            'idempotency-key': typeof context.idempotencyKey === 'string' ? context.idempotencyKey : createKey(),
          }),
        }),
        false: httpBatchLink({ ...link, maxItems: BATCH_MAX, headers: authorize }),
      }),
    ],
  });
}

/** True for a refusal by Marshal, if codes are given with one of these: `isRefusal(error, 'SEAT_TAKEN')`. */
export function isRefusal<Code extends RefusalCode>(
  error: unknown,
  ...codes: Code[]
): error is MarshalError & { data: { refusal: Code } } {
  const refusal = isTRPCClientError<AppRouter>(error) ? error.data?.refusal : undefined;
  return refusal !== undefined && (codes.length === 0 || codes.some((code) => code === refusal));
}
