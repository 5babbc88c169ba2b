import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { CACHE_RETRIES, CACHE_STALE_MS } from '#shared/limits.ts';
import { errorCode, errorStatus } from './errors.ts';

/** Handler for a lost session, set by the router. */
let onSessionLost: () => void = () => undefined;

export function handleSessionLost(handler: () => void): void {
  onSessionLost = handler;
}

function reportError(error: unknown): void {
  if (errorCode(error) === 'NOT_AUTHENTICATED') {
    onSessionLost();
  }
}

/** No retry after a 4xx, which would only repeat, nor while offline. */
function shouldRetry(failures: number, error: unknown): boolean {
  if (!navigator.onLine) {
    return false;
  }
  const status = errorStatus(error);
  return failures < CACHE_RETRIES && !(status !== undefined && status >= 400 && status < 500);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // `always`: without a network a call fails with an error instead of pausing silently.
    queries: {
      staleTime: CACHE_STALE_MS,
      retry: shouldRetry,
      networkMode: 'always',
      refetchOnReconnect: 'always',
    },
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache({ onError: reportError }),
  mutationCache: new MutationCache({ onError: reportError }),
});
