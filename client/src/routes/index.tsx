import { createFileRoute } from '@tanstack/react-router';
import { LandingPage } from '#client/features/landing/landing-page.tsx';
import { ensureViewer } from '#client/lib/session.ts';

export const Route = createFileRoute('/')({
  // Not awaited: only the button in the header depends on the session.
  beforeLoad: ({ context }) => {
    void ensureViewer(context.queryClient);
  },
  component: LandingPage,
});
