import { useRouter, type RouterHistory } from '@tanstack/react-router';
import { useMemo, type MouseEvent } from 'react';

/** Click handler for a container of plain links: they navigate on the client. */
export function fastLinks(history: RouterHistory): (event: MouseEvent) => void {
  return (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const href = link?.getAttribute('href');
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    // The router's own links have already prevented the default.
    if (!event.defaultPrevented && isPlain && href?.startsWith('/') === true) {
      event.preventDefault();
      history.push(href);
    }
  };
}

/**
 * The same for a container with hundreds of plain links: the router's Link would add a subscription for each.
 * @returns the container's `onClick`; undefined outside the router, where links load the page
 */
export function useFastLinks(): ((event: MouseEvent) => void) | undefined {
  const router: ReturnType<typeof useRouter> | undefined = useRouter({ warn: false });
  return useMemo(() => router && fastLinks(router.history), [router]);
}
