import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router';
import { SessionCheck } from '#client/domain-ui/session-check.tsx';
import { lazyPart } from './lib/lazy-part.ts';
import { watchNavigation } from './lib/page-focus.ts';
import { handleSessionLost, queryClient } from './lib/query-client.ts';
import { viewerQuery } from './lib/session.ts';
import { routeTree } from './route-tree.gen.ts';

/** Discord ids have more digits than a number holds: they stay text, in links as the bot writes them. */
function parseSearchValue(text: string): unknown {
  return /^\d{16,}$/.test(text) ? text : JSON.parse(text);
}

/** Until the app has taken over a page that is being read already: it stays where the reader has scrolled it. */
let isPrerendered = document.querySelector('[data-shell]') !== null;

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  // The query cache decides what is fresh.
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: SessionCheck,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultErrorComponent: lazyPart(
    () => import('./components/page-error.tsx'),
    (part) => part.PageError,
  ),
  scrollRestoration: () => {
    const keeps = isPrerendered;
    isPrerendered = false;
    return !keeps;
  },
  parseSearch: parseSearchWith(parseSearchValue),
  stringifySearch: stringifySearchWith(JSON.stringify, parseSearchValue),
});

watchNavigation(router);

// The server forgot the session (expired, reset, suspended): the guards send the page to /login, which brings it back.
handleSessionLost(() => {
  if (queryClient.getQueryData(viewerQuery.queryKey)) {
    queryClient.setQueryData(viewerQuery.queryKey, null);
    void router.invalidate();
  }
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** /login: the guarded page that sent the visitor there, with its search */
    from?: string;
    /** /discord/registration/success: what the server answered */
    registration?: { message: string; userId: string; signInUrl: string | null };
  }
}
