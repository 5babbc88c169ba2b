import { createFileRoute, redirect } from '@tanstack/react-router';
import { panelLink } from '#shared/profile-sections.ts';
import { ensureViewer, isAdmin } from '#client/lib/session.ts';

/** Route guard: /admin is for admins only; other pilots are redirected to /home, and admins who need a second factor to set one up. */
export const Route = createFileRoute('/_signed-in/admin')({
  beforeLoad: async ({ context }) => {
    const viewer = await ensureViewer(context.queryClient);
    if (!isAdmin(viewer)) {
      throw redirect({ to: '/home', replace: true });
    }
    if (viewer?.needsSecondFactor) {
      throw redirect({ ...panelLink('two-step'), replace: true });
    }
  },
});
