import { createTRPCQueryUtils } from '@trpc/react-query';
import { queryClient } from './query-client.ts';
import { type trpc, trpcClient } from './trpc.ts';

type QueryUtils = ReturnType<typeof trpc.useUtils>;

/** The cache's queries outside React: routes load their data beside their code. */
export const queryUtils: Pick<QueryUtils, 'admin' | 'availability' | 'pilot'> = createTRPCQueryUtils({
  queryClient,
  client: trpcClient,
});

/** Starts to load without waiting; a page shows a failure by its own query, which joins or repeats this one. */
export function start(...loads: readonly Promise<unknown>[]): void {
  void Promise.allSettled(loads);
}
