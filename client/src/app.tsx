import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Toaster } from './components/toaster.tsx';
import { styleNonce } from './lib/nonce.ts';
import { queryClient } from './lib/query-client.ts';
import { trpc, trpcClient } from './lib/trpc.ts';
import { router } from './router.ts';
import { schemeManager } from './theme/scheme.ts';
import { theme } from './theme/theme.ts';

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
          <Toaster />
        </QueryClientProvider>
      </trpc.Provider>
    </MantineProvider>
  );
}
