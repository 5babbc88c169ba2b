/** Polling: what is due together is fetched at the same moment, so that the calls travel in one batch. */
import { focusManager, type QueryClient } from '@tanstack/react-query';

/** All polling times are multiples of it. */
const STEP_MS = 10_000;

/** Query options for polling: refetches every `ms` while the tab is visible, and when it becomes visible again. */
export const polled = (ms: number) => ({ meta: { pollMs: ms }, staleTime: ms });

/**
 * Polls the queries on screen that have the options of `polled`. TanStack's own `refetchInterval` counts from each query's
 * last answer, and the calls of a page soon travel in batches of one or two.
 */
export function startPolling(client: QueryClient): void {
  let elapsed = 0;
  setInterval(() => {
    elapsed += STEP_MS;
    if (!focusManager.isFocused()) return;
    const isDue = (pollMs: unknown): boolean => typeof pollMs === 'number' && elapsed % pollMs === 0;
    void client.refetchQueries(
      {
        type: 'active',
        predicate: ({ observers }) => observers.some(({ options: { meta } }) => isDue(meta?.['pollMs'])),
      },
      { cancelRefetch: false },
    );
  }, STEP_MS);
}
