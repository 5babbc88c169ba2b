import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { createTRPCReact } from '@trpc/react-query';
import type { AppRouter } from '#server/http/routers/app.ts';
import { confirmLink } from './confirm-identity.ts';
import { foreignError } from './errors.ts';

/** React hooks of the API: `trpc.pilot.inbox.useQuery()`; `trpc.useUtils()` accesses the cache. */
export const trpc = createTRPCReact<AppRouter>();

/** Matches Marshal's own errors: tRPC's envelope, one per call of the batch. */
const OURS = /^\[?\{"error":\{"/;

/** The call that public/boot.js began. Only the app's first call may take its answer: later ones need a new one. */
let begunCall: { url: string; response: Promise<Response> } | undefined = Reflect.get(globalThis, 'begunCall');

function takeBegun(url: unknown): Promise<Response> | undefined {
  const begun = begunCall;
  begunCall = undefined;
  return begun?.url === url ? begun?.response : undefined;
}

/**
 * fetch for tRPC that keeps the status of answers from elsewhere, such as a proxy's error page: tRPC could not parse those
 * and would drop the status. Each call of the batch gets its own error envelope.
 */
export async function fetchAnswer(input: Request | URL | string, init?: RequestInit): Promise<Response> {
  const response = await (takeBegun(input) ?? fetch(input, init));
  const { ok, status, url } = response;
  const body = ok ? '' : await response.clone().text();
  return ok || OURS.test(body)
    ? response
    : Response.json(
        url
          .replace(/\?.*|.*\//g, '')
          .split(',')
          .map((procedure) => foreignError(procedure, status, body)),
        { status },
      );
}

/** Client for calls outside React and for `trpc.Provider`. The server accepts at most ten calls per batch. */
export const trpcClient = createTRPCClient<AppRouter>({
  links: [
    confirmLink,
    httpBatchLink({
      url: '/trpc',
      maxItems: 10,
      fetch: (input, init) => fetchAnswer(input, init as RequestInit),
    }),
  ],
});
