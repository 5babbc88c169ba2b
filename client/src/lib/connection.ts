import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { errorStatus } from './errors.ts';

/** Interval between health checks while the server does not answer. */
const LOOK_EVERY_MS = 5_000;
const LOOK_TIMEOUT_MS = 5_000;
/** Statuses that a proxy sends when the server behind it is down. */
const AWAY = new Set([502, 503, 504]);

/** `offline`: this device has no network. `silent`: the network works, but Marshal does not answer. */
export type Trouble = 'offline' | 'silent' | null;

function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** False once the device has lost its network. */
function useOnline(): boolean {
  return useSyncExternalStore(subscribeOnline, () => navigator.onLine);
}

/** True if the server can be reached. */
export async function isAnswering(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { signal: AbortSignal.timeout(LOOK_TIMEOUT_MS) })).ok;
  } catch {
    return false;
  }
}

/** True for a failed call to which the server gave no answer, as far as this device knows. */
export function isNoAnswer(error: unknown): boolean {
  const status = errorStatus(error);
  return status === undefined || AWAY.has(status);
}

/** Calls back when a query or a mutation got no answer. */
function watchCalls(client: QueryClient, onNoAnswer: () => void): () => void {
  const check = (error: unknown): void => {
    if (isNoAnswer(error)) {
      onNoAnswer();
    }
  };
  const stops = [
    client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && (event.action.type === 'failed' || event.action.type === 'error')) {
        check(event.action.error);
      }
    }),
    client.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.mutation.state.status === 'error') {
        check(event.mutation.state.error);
      }
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

/** True when a call got no answer before `watchCalls` subscribed; this module loads after the page. */
function hasMissedAnswer(client: QueryClient): boolean {
  const errors = [
    ...client
      .getQueryCache()
      .getAll()
      .map(({ state }) => state.fetchFailureReason ?? state.error),
    ...client
      .getMutationCache()
      .getAll()
      .map(({ state }) => state.error),
  ];
  return errors.some((error) => error !== null && isNoAnswer(error));
}

/**
 * Connection trouble between this page and the server. A call without an answer triggers a health check. While the server is
 * silent, the check repeats every five seconds (in visible tabs); when it answers again, all active queries are refetched.
 */
export function useTrouble(): Trouble {
  const client = useQueryClient();
  const isOnline = useOnline();
  const [isSilent, setSilent] = useState(false);
  const looking = useRef(false);

  useEffect(() => {
    if (!isOnline) {
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wasSilent = false;
    let isOver = false;
    const look = async (): Promise<void> => {
      clearTimeout(timer);
      if (looking.current || document.hidden) {
        return;
      }
      looking.current = true;
      const isThere = await isAnswering();
      looking.current = false;
      if (isOver) {
        return;
      }
      setSilent(!isThere);
      if (!isThere) {
        wasSilent = true;
        timer = setTimeout(() => void look(), LOOK_EVERY_MS);
      } else if (wasSilent) {
        wasSilent = false;
        void client.refetchQueries({ type: 'active' });
      }
    };
    const lookIfSilent = (): void => {
      if (wasSilent) {
        void look();
      }
    };
    const stop = watchCalls(client, () => void look());
    if (hasMissedAnswer(client)) {
      void look();
    }
    document.addEventListener('visibilitychange', lookIfSilent);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
      document.removeEventListener('visibilitychange', lookIfSilent);
      setSilent(false);
    };
  }, [client, isOnline]);

  return isOnline ? (isSilent ? 'silent' : null) : 'offline';
}

/** Time at which the cache last received data from the server; null when it is empty. */
export function lastLoadedAt(client: QueryClient): Date | null {
  const times = client
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.data !== undefined && state.data !== null)
    .map(({ state }) => state.dataUpdatedAt);
  const latest = Math.max(0, ...times);
  return latest === 0 ? null : new Date(latest);
}
