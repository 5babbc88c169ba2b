import { useRouter } from '@tanstack/react-router';
import { useCallback, type MouseEvent } from 'react';

/**
 * Click handler for a container with hundreds of plain links: it navigates on the client without the router's Link, each of
 * which would add a subscription.
 * @returns the container's `onClick`
 */
export function useFastLinks(): (event: MouseEvent) => void {
  const { history } = useRouter();
  return useCallback(
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const href = link?.getAttribute('href');
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      // The router's own links have already prevented the default.
      if (!event.defaultPrevented && isPlain && href?.startsWith('/') === true) {
        event.preventDefault();
        history.push(href);
      }
    },
    [history],
  );
}
