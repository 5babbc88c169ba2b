import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Navigate, Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { AppShell } from '#client/domain-ui/app-shell.tsx';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { usePaletteKeys, usePaletteView } from '#client/lib/palette.ts';

interface RouterContext {
  queryClient: QueryClient;
}

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Root,
  // Unknown paths redirect to the landing page.
  notFoundComponent: () => <Navigate to="/" replace />,
});

/** Loads on first use, because few visits open it. */
const Palette = lazyPart(
  () => import('#client/features/palette/palette.tsx'),
  (part) => part.Palette,
);

function Root() {
  const view = usePaletteView();
  usePaletteKeys();
  return (
    <>
      <AppShell>
        <Outlet />
      </AppShell>
      <Suspense>{view !== null && <Palette view={view} />}</Suspense>
    </>
  );
}
