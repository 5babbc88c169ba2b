import { useRouterState, type AnyRouter } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';

let isLaterPage = false;
let focusedPath: string | undefined;

/** Watches for the first navigation. Until then the browser's initial focus stays, so that Tab reaches the skip link first. */
export function watchNavigation(router: AnyRouter): void {
  router.subscribe('onBeforeNavigate', ({ pathChanged, fromLocation }) => {
    if (pathChanged && fromLocation !== undefined) {
      isLaterPage = true;
    }
  });
}

/** False on the page that opened first. */
export const hasNavigated = (): boolean => isLaterPage;

/**
 * Focuses the heading once per navigation: screen readers announce it, and the next Tab continues from there. A part of the page
 * that the address names by its hash keeps the focus.
 */
function focusHeading(heading: HTMLElement | null, path: string | undefined): void {
  if (isLaterPage && path !== focusedPath) {
    focusedPath = path;
    // In the next frame, because focus needs the page's layout, which the browser otherwise computes twice.
    requestAnimationFrame(() => {
      if (location.hash !== `#${document.activeElement?.id}`) {
        heading?.focus({ preventScroll: true });
      }
    });
  }
}

/**
 * Focuses the part of the page that the address names by its hash, also when the part appears after the page.
 * @param id id of the part; undefined for one that no address names
 * @returns ref for the part, which needs `tabIndex={-1}`
 */
export function useHashFocus(id: string | undefined): RefObject<HTMLElement | null> {
  const part = useRef<HTMLElement>(null);
  const isNamed = useRouterState({
    select: ({ resolvedLocation }) => id !== undefined && resolvedLocation?.hash === id,
  });
  useEffect(() => {
    if (isNamed) part.current?.focus();
  }, [isNamed]);
  return part;
}

/**
 * Sets the tab's title, and focuses the page's heading after a navigation.
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
