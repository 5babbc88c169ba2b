import { createFileRoute, redirect } from '@tanstack/react-router';
import { ensureViewer, isAdmin } from '#client/lib/session.ts';

/** Route guard: /admin is for admins only; other pilots are redirected to /home. */
export const Route = createFileRoute('/_signed-in/admin')({
  beforeLoad: async ({ context }) => {
    if (!isAdmin(await ensureViewer(context.queryClient))) {
      throw redirect({ to: '/home', replace: true });
    }
  },
});
