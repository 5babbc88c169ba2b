/** A busy browser counts as idle after this time. */
const LATEST_MS = 2_000;

/** Resolves once the browser has nothing else to do. */
export function idle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no idle callbacks
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: LATEST_MS });
    else setTimeout(resolve);
  });
}
