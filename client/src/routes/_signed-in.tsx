import { createFileRoute, redirect } from '@tanstack/react-router';
import { SessionCheck } from '#client/domain-ui/session-check.tsx';
import { ensureViewer } from '#client/lib/session.ts';

/** Without live updates screens still poll. */
const ignore = (): void => undefined;

/** Route guard: everything in this folder needs a session; /login returns to the page afterwards. */
export const Route = createFileRoute('/_signed-in')({
  beforeLoad: async ({ context, location }) => {
    // Load the bars while the session is checked.
    void import('#client/domain-ui/crew-bars.tsx').catch(ignore);
    if ((await ensureViewer(context.queryClient)) === null) {
      // Offline, the session cannot be checked and signing in is impossible.
      if (!navigator.onLine) {
        throw new Error('offline');
      }
      throw redirect({ to: '/login', state: { from: location.href }, replace: true });
    }
  },
  pendingComponent: SessionCheck,
  pendingMs: 0,
  // Not awaited: the page does not wait for live updates.
  onEnter: () => void import('#client/lib/live.ts').then(({ openLive }) => openLive(), ignore),
  onLeave: () => void import('#client/lib/live.ts').then(({ closeLive }) => closeLive(), ignore),
});
