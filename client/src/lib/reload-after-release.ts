/** Session storage key: when this tab last reloaded itself. */
const KEY = 'marshal-reloaded-at';
/** A second failure within this time is not due to a release: reloading again would loop. */
const PATIENCE_MS = 60_000;
/** How long a page can remain after `beforeunload` until the next page has loaded. */
const LEAVING_MS = 10_000;

/** Tells the router that it has reloaded the page for this error, because it would do so without the checks below. */
function keepRouterFromReloading({ message }: Error): void {
  try {
    sessionStorage.setItem(`tanstack_router_reload:${message}`, '1');
  } catch {
    // Without storage the router does not reload.
  }
}

/** Reloads the page once when a chunk is missing, because the page was open during a release. */
export function reloadAfterRelease(): void {
  let leftAt = -Infinity;
  addEventListener('beforeunload', () => {
    leftAt = performance.now();
  });
  addEventListener('vite:preloadError', (event) => {
    keepRouterFromReloading(event.payload);
    // Offline, the file is only unreachable; the page shows that itself.
    if (!navigator.onLine) {
      return;
    }
    // Leaving aborts pending requests, which Firefox reports as errors; a reload would cancel the navigation.
    if (performance.now() - leftAt < LEAVING_MS) {
      return;
    }
    try {
      const last = Number(sessionStorage.getItem(KEY) ?? 0);
      if (Date.now() - last < PATIENCE_MS) {
        return;
      }
      sessionStorage.setItem(KEY, String(Date.now()));
    } catch {
      // Without storage a reload loop cannot be detected: leave the error to the page.
      return;
    }
    event.preventDefault();
    location.reload();
  });
}
