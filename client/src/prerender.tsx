import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { AppShell } from '#client/domain-ui/app-shell.tsx';
import { LandingPage } from './features/landing/landing-page.tsx';
import { trpc, trpcClient } from './lib/trpc.ts';
import { resolveCssVariables, theme } from './theme/theme.ts';

const queryClient = new QueryClient();

/** The one page, without guards and loaders: what it links to need not exist here. */
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
 * The front page as a visitor's browser first renders it. Runs while building (landing-shell.ts), outside a browser:
 * AppShell and LandingPage must render without `window` and `document`.
 * @param nonce what stands for the nonce until a server answers with the page
 */
export async function renderLanding(nonce: string): Promise<string> {
  await router.load();
  return renderToStaticMarkup(
    <MantineProvider theme={theme} cssVariablesResolver={resolveCssVariables} getStyleNonce={() => nonce}>
      <trpc.Provider client={trpcClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </trpc.Provider>
    </MantineProvider>,
  );
}
