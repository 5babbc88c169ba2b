/** Component catalogue page: every component of `components/` and `domain-ui/` in its states. */
import '#client/theme/styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { getQueryKey } from '@trpc/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { AppShell } from '#client/domain-ui/app-shell.tsx';
import { queryClient } from '#client/lib/query-client.ts';
import { viewerQuery } from '#client/lib/session.ts';
import { trpc, trpcClient } from '#client/lib/trpc.ts';
import { schemeManager } from '#client/theme/scheme.ts';
import { theme } from '#client/theme/theme.ts';
import { CONTROLS } from './controls.tsx';
import { DISPLAYS } from './displays.tsx';
import { DOMAIN_UI, VIEWER } from './domain-ui.tsx';
import classes from './catalogue.module.css';

queryClient.setQueryData(viewerQuery.queryKey, VIEWER);
// for the notice of an account that is about to be deleted
const deletion = { dueAt: '2026-12-07T18:00:00.000Z', hasPassword: true };
queryClient.setQueryData(getQueryKey(trpc.auth.deletion, undefined, 'query'), deletion);

function Catalogue() {
  return (
    <AppShell>
      <h1>Component catalogue</h1>
      {Object.entries({ ...CONTROLS, ...DISPLAYS, ...DOMAIN_UI }).map(([file, states]) => (
        <section key={file} className={classes.component} aria-label={file}>
          <h2>{file}</h2>
          <div className={classes.states}>
            {Object.entries(states).map(([state, specimen]) => (
              <div key={state} className={classes.state}>
                <p className={classes.name}>{state}</p>
                <div className={classes.specimen}>{specimen}</div>
              </div>
            ))}
          </div>
        </section>
      ))}
    </AppShell>
  );
}

const router = createRouter({
  routeTree: createRootRoute({ component: Catalogue, notFoundComponent: () => null }),
  history: createMemoryHistory({ initialEntries: ['/dev/components'] }),
});

const root = document.querySelector('#root');
if (root === null) {
  throw new Error('index.html has no #root.');
}
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={schemeManager}
      withCssVariables={false}
    >
      <trpc.Provider client={trpcClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </trpc.Provider>
    </MantineProvider>
  </StrictMode>,
);
