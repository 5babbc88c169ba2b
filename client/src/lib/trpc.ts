import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { createTRPCReact } from '@trpc/react-query';
import type { AppRouter } from '#server/routers/app.ts';

/** Hooks: `trpc.pilot.inbox.useQuery()`; the cache by `trpc.useUtils()`. */
export const trpc = createTRPCReact<AppRouter>();

/** Calls outside React (session); also what `trpc.Provider` takes. Ten calls a batch is what the server accepts. */
export const trpcClient = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: '/trpc', maxItems: 10 })] });
