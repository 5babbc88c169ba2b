import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { createTRPCReact } from '@trpc/react-query';
import type { AppRouter } from '#server/routers/app.ts';
import { foreignError } from './errors.ts';

/** Hooks: `trpc.pilot.inbox.useQuery()`; the cache by `trpc.useUtils()`. */
export const trpc = createTRPCReact<AppRouter>();

/** Every failure that our server words comes in tRPC's envelope, one for each call of the batch. */
const OURS = /^\[?\{"error":\{"/;

/**
 * A page of a proxy would look like no answer at all: tRPC fails to read it and forgets its status. A request carries calls
 * of several kinds: each gets an envelope of its own, worded by what it is itself.
 */
export async function fetchAnswer(input: Request | URL | string, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
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

/** Calls outside React (session); also what `trpc.Provider` takes. Ten calls a batch is what the server accepts. */
export const trpcClient = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      url: '/trpc',
      maxItems: 10,
      fetch: (input, init) => fetchAnswer(input, init as RequestInit),
    }),
  ],
});
