import { LIVE_PATH, readLiveEvent, type LiveTopic } from '#shared/live.ts';
import { refreshTopic } from './live-topics.ts';
import { queryClient } from './query-client.ts';
import { isPilot, viewerQuery } from './session.ts';
import { trpcClient } from './trpc.ts';

/** What every open page hears at the same moment is read again within this time, not at the same moment. */
const SPREAD_MS = 2_000;
/** A refused stream, unlike a broken one, is not opened again by the browser. */
const REFUSED_WAIT_MS = { first: 5_000, longest: 300_000 };

let stopListening: (() => void) | null = null;

/** Hear of changes from the server, until `closeLive`. The polling of each screen goes on beside it. */
export function openLive(): void {
  stopListening ??= listen();
}

export function closeLive(): void {
  stopListening?.();
  stopListening = null;
}

/** How often it was asked who is signed in; only the last answer counts. */
let reads = 0;

/**
 * Ask who is signed in: their profile changed, or another tab signed out or in. No session any more is found out by the
 * query cache, as with every other call.
 */
async function readViewer(): Promise<void> {
  reads += 1;
  const read = reads;
  const known = queryClient.getQueryData(viewerQuery.queryKey);
  try {
    const viewer = await queryClient.fetchQuery({
      // A key of its own: a reading that began before the change must not answer for this one.
      queryKey: ['live', 'viewer', read],
      queryFn: () => trpcClient.auth.me.query(),
      retry: false,
      staleTime: 0,
      gcTime: 0,
    });
    if (read !== reads) {
      return;
    }
    if (known && known.id !== viewer.id) {
      // Somebody else's page now: nothing of what it shows is theirs.
      location.reload();
    } else {
      queryClient.setQueryData(viewerQuery.queryKey, viewer);
    }
  } catch {
    // Not reachable: the stream comes back when the server does.
  }
}

/** Only while the page is seen: browsers allow few connections to one host, and many tabs would use them up. */
function listen(): () => void {
  let source: EventSource | null = null;
  let refusals = 0;
  let reopening: number | undefined;
  /** topics that are about to be read again */
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

  /** @param isAwaited somebody has just come to this page: what they see is made up to date at once */
  const open = (isAwaited: boolean): void => {
    // A suspended account would be refused.
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
