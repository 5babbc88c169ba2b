import { useRouter } from '@tanstack/react-router';
import { useCallback, type MouseEvent } from 'react';

/**
 * For a box with hundreds of plain links to pages of this site: they are followed without a new page, as the router's own
 * links are, each of which costs a subscription.
 * @returns the box's `onClick`
 */
export function useFastLinks(): (event: MouseEvent) => void {
  const { history } = useRouter();
  return useCallback(
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const href = link?.getAttribute('href');
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      // A link of the router has followed itself by now.
      if (!event.defaultPrevented && isPlain && href?.startsWith('/') === true) {
        event.preventDefault();
        history.push(href);
      }
    },
    [history],
  );
}
