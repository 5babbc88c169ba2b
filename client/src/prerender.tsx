import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { AppShell } from '#client/domain-ui/app-shell.tsx';
import { LandingPage } from './features/landing/landing-page.tsx';
import { trpc, trpcClient } from './lib/trpc.ts';
import { theme } from './theme/theme.ts';

const queryClient = new QueryClient();

/** Router with the front page only, without guards and loaders; link targets need not exist. */
const router = createRouter({
  routeTree: createRootRoute({
    component: () => (
      <AppShell>
        <LandingPage />
      </AppShell>
    ),
  }),
  history: createMemoryHistory({ initialEntries: ['/'] }),
});

/**
 * Prerenders the front page during the build (landing-shell.ts), outside a browser: AppShell and LandingPage must render
 * without `window` and `document`.
 * @param nonce placeholder that the server replaces with the nonce
 */
export async function renderLanding(nonce: string): Promise<string> {
  await router.load();
  return renderToStaticMarkup(
    <MantineProvider theme={theme} withCssVariables={false} getStyleNonce={() => nonce}>
      <trpc.Provider client={trpcClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </trpc.Provider>
    </MantineProvider>,
  );
}
