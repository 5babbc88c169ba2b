import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from './lib/lazy-part.ts';
import { styleNonce } from './lib/nonce.ts';
import { queryClient } from './lib/query-client.ts';
import { trpc, trpcClient } from './lib/trpc.ts';
import { router } from './router.ts';
import { schemeManager } from './theme/scheme.ts';
import { theme } from './theme/theme.ts';

/** Loaded after the first render, since there are no toasts before. */
const Toaster = lazyPart(
  () => import('./components/toaster.tsx'),
  (part) => part.Toaster,
);

export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={schemeManager}
      withCssVariables={false}
      getStyleNonce={styleNonce}
    >
      <trpc.Provider client={trpcClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} context={{ queryClient }} />
          <Suspense>
            <Toaster />
          </Suspense>
        </QueryClientProvider>
      </trpc.Provider>
    </MantineProvider>
  );
}
