/** Marks in this tab's storage when it last reloaded itself. */
const KEY = 'marshal-reloaded-at';
/** A second failure this soon is no new release: reloading again would loop. */
const PATIENCE_MS = 60_000;
/** A page that is left stands for so long at most, until the next one has come. */
const LEAVING_MS = 10_000;

/** A page that was open during a release asks for files that are gone: fetch the new page, once. */
export function reloadAfterRelease(): void {
  let leftAt = -Infinity;
  addEventListener('beforeunload', () => {
    leftAt = performance.now();
  });
  addEventListener('vite:preloadError', (event) => {
    // Without a network the file is not gone, only far: the page says so itself.
    if (!navigator.onLine) {
      return;
    }
    // Leaving breaks off what was on its way. Firefox tells of that, and a reload would take back where the person goes.
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
      // Without storage nothing tells a loop from a release: leave the error to the page.
      return;
    }
    event.preventDefault();
    location.reload();
  });
}
