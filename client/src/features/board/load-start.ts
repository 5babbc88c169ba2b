import type { QueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { trpc, trpcClient } from '#client/lib/trpc.ts';

/** The board waits no longer than this for the guided start. */
const PATIENCE_MS = 500;

/**
 * Loads the guided start before the board is shown, because a checklist that appeared later would move everything below it.
 * Without a quick answer the board appears without it.
 */
export async function loadStart(client: QueryClient): Promise<void> {
  const queryKey = getQueryKey(trpc.admin.community.start, undefined, 'query');
  const load = client.ensureQueryData({ queryKey, queryFn: () => trpcClient.admin.community.start.query() });
  const patience = new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([load, patience]).catch(() => undefined);
}
