import { createFileRoute, redirect } from '@tanstack/react-router';
import { ensureViewer, isAdmin } from '#client/lib/session.ts';

/** Guard: everything under /admin is for admins; other pilots go home. */
export const Route = createFileRoute('/_signed-in/admin')({
  beforeLoad: async ({ context }) => {
    if (!isAdmin(await ensureViewer(context.queryClient))) {
      throw redirect({ to: '/home', replace: true });
    }
  },
});
