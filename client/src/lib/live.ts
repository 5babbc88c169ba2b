import { LIVE_PATH, readLiveEvent, type LiveTopic } from '#shared/live.ts';
import { refreshTopic } from './live-topics.ts';
import { queryClient } from './query-client.ts';
import { isPilot, viewerQuery } from './session.ts';
import { trpcClient } from './trpc.ts';

/** Refetches after a broadcast are spread at random over this time, so that pages do not all refetch at once. */
const SPREAD_MS = 2_000;
/** Back-off after a refused stream, which browsers do not reopen (unlike a broken one). */
const REFUSED_WAIT_MS = { first: 5_000, longest: 300_000 };

let stopListening: (() => void) | null = null;

/** Opens the stream of live updates until `closeLive`. Screens keep polling as well. */
export function openLive(): void {
  stopListening ??= listen();
}

export function closeLive(): void {
  stopListening?.();
  stopListening = null;
}

/** Number of `readViewer` calls; only the latest answer counts. */
let reads = 0;

/**
 * Refetches the signed-in user: the profile changed, or another tab signed in or out. As with every call, the query cache
 * handles an ended session.
 */
async function readViewer(): Promise<void> {
  reads += 1;
  const read = reads;
  const known = queryClient.getQueryData(viewerQuery.queryKey);
  try {
    const viewer = await queryClient.fetchQuery({
      // A unique key: a fetch that began before the change must not answer this one.
      queryKey: ['live', 'viewer', read],
      queryFn: async () => {
        // one request: `me` refuses an ended session, `viewer` says what pages need
        const [, whole] = await Promise.all([trpcClient.auth.me.query(), trpcClient.auth.viewer.query()]);
        return whole;
      },
      retry: false,
      staleTime: 0,
      gcTime: 0,
    });
    if (read !== reads || viewer === null) {
      return;
    }
    if (known && known.id !== viewer.id) {
      // Another user is signed in now: nothing on this page is theirs.
      location.reload();
    } else {
      queryClient.setQueryData(viewerQuery.queryKey, viewer);
    }
  } catch {
    // The server is not reachable; the stream reconnects when it is back.
  }
}

/** Listens only while the tab is visible: browsers limit connections per host, and many tabs would use them up. */
function listen(): () => void {
  let source: EventSource | null = null;
  let refusals = 0;
  let reopening: number | undefined;
  /** topics with a scheduled refetch, and its timer */
  const waiting = new Map<LiveTopic, number>();
  const versions = new Map<LiveTopic, number>();

  const refresh = (topic: LiveTopic, withinMs: number, withViewer: boolean): void => {
    if (waiting.has(topic)) {
      return;
    }
    const timer = window.setTimeout(() => {
      waiting.delete(topic);
      refreshTopic(queryClient, topic);
      if (withViewer) {
        void readViewer();
      }
    }, Math.random() * withinMs);
    waiting.set(topic, timer);
  };

  const close = (): void => {
    source?.close();
    source = null;
    clearTimeout(reopening);
    for (const timer of waiting.values()) {
      clearTimeout(timer);
    }
    waiting.clear();
  };

  /** @param isAwaited the page was just opened or shown again, so it refetches without delay */
  const open = (isAwaited: boolean): void => {
    // The server refuses suspended accounts.
    const isHeard = isPilot(queryClient.getQueryData(viewerQuery.queryKey) ?? null);
    if (source !== null || document.hidden || !isHeard) {
      return;
    }
    clearTimeout(reopening);
    let isFirst = isAwaited;
    const stream = new EventSource(LIVE_PATH);
    source = stream;
    stream.addEventListener('message', ({ data }) => {
      const event = readLiveEvent(String(data));
      if (event === null) {
        return;
      }
      refusals = 0;
      if (event.topic === 'all') {
        refresh('all', isFirst ? 0 : SPREAD_MS, true);
        isFirst = false;
      } else if (versions.get(event.topic) !== event.version) {
        versions.set(event.topic, event.version);
        refresh(event.topic, event.topic === 'stats' ? SPREAD_MS : 0, event.topic === 'profile');
      }
    });
    stream.addEventListener('error', () => {
      if (stream.readyState !== EventSource.CLOSED || source !== stream) {
        return;
      }
      close();
      refusals += 1;
      const wait = Math.min(REFUSED_WAIT_MS.first * 2 ** (refusals - 1), REFUSED_WAIT_MS.longest);
      reopening = window.setTimeout(() => open(false), wait * (0.5 + Math.random() / 2));
      void readViewer();
    });
  };

  const onVisibility = (): void => {
    if (document.hidden) {
      close();
    } else {
      open(true);
    }
  };
  document.addEventListener('visibilitychange', onVisibility);
  open(true);
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    close();
  };
}
