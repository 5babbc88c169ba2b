import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router';
import { SessionCheck } from '#client/domain-ui/session-check.tsx';
import { lazyPart } from './lib/lazy-part.ts';
import { watchNavigation } from './lib/page-focus.ts';
import { handleSessionLost, queryClient } from './lib/query-client.ts';
import { viewerQuery } from './lib/session.ts';
import type { SlotRequest } from './lib/slot-request.ts';
import { routeTree } from './route-tree.gen.ts';

/** Keeps Discord ids as text, because they have more digits than a number can hold. */
function parseSearchValue(text: string): unknown {
  return /^\d{16,}$/.test(text) ? text : JSON.parse(text);
}

/** True until the app has replaced the prerendered front page; the scroll position must stay then. */
let isPrerendered = document.querySelector('[data-shell]') !== null;

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  // The query cache decides when data is stale.
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

// Load the parts of the opened page while its guards ask the server. The router loads them again, and reports failures.
const [opened] = router.getMatchedRoutes(router.latestLocation.pathname);
for (const route of opened) {
  void router.loadRouteChunk(route)?.catch(() => undefined);
}

watchNavigation(router);

// The session ended (expired, reset, suspended): the guards redirect to /login, which returns to this page afterwards.
let isLeaving = false;
handleSessionLost(() => {
  // The viewer may be nobody already: a page that is back online reads that again, too.
  const isGuarded = router.state.matches.some(({ routeId }) => routeId === '/_signed-in');
  queryClient.setQueryData(viewerQuery.queryKey, null);
  if (isGuarded && !isLeaving) {
    isLeaving = true;
    void router.invalidate().finally(() => {
      isLeaving = false;
    });
  }
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** for /login: the guarded page that redirected there, with its search parameters */
    from?: string;
    /** for /login: a sign-in that was begun elsewhere waits for its second factor */
    secondStep?: boolean;
    /** for the registration: the request from the front page */
    slotRequest?: SlotRequest;
    /** for /home: the registration has just been completed */
    isNewcomer?: boolean;
    /** for /discord/registration/success: the server's answer */
    registration?: { message: string; userId: string; signInUrl: string | null };
  }
}
