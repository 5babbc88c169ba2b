import type { AnyRouter } from '@tanstack/react-router';

let hasNavigated = false;

/** Note the first change of page. Before it, focus stays where the browser put it, so that the skip link comes first. */
export function watchNavigation(router: AnyRouter): void {
  router.subscribe('onBeforeNavigate', ({ pathChanged, fromLocation }) => {
    if (pathChanged && fromLocation !== undefined) {
      hasNavigated = true;
    }
  });
}

/** Move focus to the new page's heading: screen readers announce it, and the next Tab starts there. */
export function focusHeading(heading: HTMLElement | null): void {
  if (hasNavigated) {
    heading?.focus({ preventScroll: true });
  }
}
