import type { QueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { trpc, trpcClient } from '#client/lib/trpc.ts';

/** Asks for the guided start before the board's other data, in a call of its own, since the board waits for it. */
export async function loadStart(client: QueryClient): Promise<void> {
  const queryKey = getQueryKey(trpc.admin.community.start, undefined, 'query');
  await client.prefetchQuery({ queryKey, queryFn: () => trpcClient.admin.community.start.query() });
}
