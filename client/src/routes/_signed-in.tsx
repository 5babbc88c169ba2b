import { createFileRoute, redirect } from '@tanstack/react-router';
import { SessionCheck } from '#client/domain-ui/session-check.tsx';
import { ensureViewer } from '#client/lib/session.ts';

/** Without live updates every screen still reads again at its own intervals. */
const ignore = (): void => undefined;

/** Guard: everything in this folder needs a session; /login remembers the page and its search. */
export const Route = createFileRoute('/_signed-in')({
  beforeLoad: async ({ context, location }) => {
    // The bars come along while the server is asked.
    void import('#client/domain-ui/crew-bars.tsx').catch(ignore);
    if ((await ensureViewer(context.queryClient)) === null) {
      // Without a network nobody can say who is signed in, and nobody can sign in.
      if (!navigator.onLine) {
        throw new Error('offline');
      }
      throw redirect({ to: '/login', state: { from: location.href }, replace: true });
    }
  },
  pendingComponent: SessionCheck,
  pendingMs: 0,
  // Beside the page, not before it: nothing waits for live updates.
  onEnter: () => void import('#client/lib/live.ts').then(({ openLive }) => openLive(), ignore),
  onLeave: () => void import('#client/lib/live.ts').then(({ closeLive }) => closeLive(), ignore),
});
