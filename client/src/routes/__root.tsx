import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Navigate, Outlet } from '@tanstack/react-router';
import { AppShell } from '#client/components/app-shell.tsx';

interface RouterContext {
  queryClient: QueryClient;
}

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Root,
  // Any unknown path leads to the landing page.
  notFoundComponent: () => <Navigate to="/" replace />,
});

function Root() {
  return (
    <AppShell>
      <Outlet />
    </AppShell>
  );
}
