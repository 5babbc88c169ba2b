import { createTRPCClient } from '@trpc/client';
import { createTRPCReact } from '@trpc/react-query';
import type { AppRouter } from '#server/routers/app.ts';
import { linksTo } from './links.ts';

/** Hooks: `trpc.pilot.inbox.useQuery()`; the cache by `trpc.useUtils()`. */
export const trpc = createTRPCReact<AppRouter>();

/** Calls outside React (session); also what `trpc.Provider` takes. */
export const trpcClient = createTRPCClient<AppRouter>({ links: linksTo('/trpc') });
