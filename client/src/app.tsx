import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense, useSyncExternalStore } from 'react';
import { Toaster } from './components/toaster.tsx';
import { confirmations } from './lib/confirm-identity.ts';
import { lazyPart } from './lib/lazy-part.ts';
import { styleNonce } from './lib/nonce.ts';
import { queryClient } from './lib/query-client.ts';
import { trpc, trpcClient } from './lib/trpc.ts';
import { router } from './router.ts';
import { schemeManager } from './theme/scheme.ts';
import { theme } from './theme/theme.ts';

/** Few visits need it. If it cannot be loaded, the call that waits for it fails as when it is cancelled. */
const ConfirmIdentity = lazyPart(
  () =>
    import('./features/sign-in/confirm-identity.tsx').catch(() => {
      confirmations.get()?.settle(false);
      return { ConfirmIdentity: () => null };
    }),
  (part) => part.ConfirmIdentity,
);

/** The dialog that calls wait for which the server makes only soon after a sign-in. */
function IdentityCheck() {
  const confirmation = useSyncExternalStore(confirmations.subscribe, confirmations.get);
  return (
    confirmation !== null && (
      <Suspense>
        <ConfirmIdentity confirmation={confirmation} />
      </Suspense>
    )
  );
}

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
          <IdentityCheck />
          <Toaster history={router.history} />
        </QueryClientProvider>
      </trpc.Provider>
    </MantineProvider>
  );
}
