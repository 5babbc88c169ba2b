import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { createTRPCReact } from '@trpc/react-query';
import type { AppRouter } from '#server/routers/app.ts';
import { ForeignAnswer } from './errors.ts';

/** Hooks: `trpc.pilot.inbox.useQuery()`; the cache by `trpc.useUtils()`. */
export const trpc = createTRPCReact<AppRouter>();

/** Without this a page of a proxy would look like no answer at all: tRPC fails to read it and forgets its status. */
export async function fetchAnswer(input: Request | string, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (response.ok || response.headers.get('content-type')?.includes('json') === true) {
    return response;
  }
  throw new ForeignAnswer(response.status, await response.text(), /\/(admin|discord)\./.test(response.url));
}

/** Calls outside React (session); also what `trpc.Provider` takes. Ten calls a batch is what the server accepts. */
export const trpcClient = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      url: '/trpc',
      maxItems: 10,
      fetch: (input, init) => fetchAnswer(input instanceof Request ? input : String(input), init as RequestInit),
    }),
  ],
});
