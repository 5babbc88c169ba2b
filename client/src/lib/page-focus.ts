import { useRouterState, type AnyRouter } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';

let hasNavigated = false;
let focusedPath: string | undefined;

/** Note the first change of page. Before it, focus stays where the browser put it, so that the skip link comes first. */
export function watchNavigation(router: AnyRouter): void {
  router.subscribe('onBeforeNavigate', ({ pathChanged, fromLocation }) => {
    if (pathChanged && fromLocation !== undefined) {
      hasNavigated = true;
    }
  });
}

/** Screen readers announce a focused heading, and the next Tab starts there. Once per change of page. */
function focusHeading(heading: HTMLElement | null, path: string | undefined): void {
  if (hasNavigated && path !== focusedPath) {
    focusedPath = path;
    heading?.focus({ preventScroll: true });
  }
}

/**
 * What every page owes its heading: the tab's title, and focus when the page was changed to.
 * @param documentTitle the whole title of the tab
 * @returns ref for the h1, which needs `tabIndex={-1}`
 */
export function usePageHeading(documentTitle: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });

  useEffect(() => {
    document.title = documentTitle;
  }, [documentTitle]);

  useEffect(() => focusHeading(heading.current, path), [path]);

  return heading;
}
