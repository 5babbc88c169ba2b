import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query';
import type { AppRouter } from '#server/routers/app.ts';
import { queryClient } from './query-client.ts';

/** Hooks: `trpc.pilot.inbox.useQuery()`. */
export const trpc = createTRPCReact<AppRouter>();

const links = [httpBatchLink({ url: '/trpc', maxItems: 10 })];

/** What `trpc.Provider` needs. */
export const trpcReactClient = trpc.createClient({ links });

/** Calls outside React (guards, session). */
export const trpcClient = createTRPCClient<AppRouter>({ links });

/** Query cache outside React: `trpcUtils.pilot.inbox.invalidate()`. */
export const trpcUtils = createTRPCQueryUtils<AppRouter>({ queryClient, client: trpcReactClient });
