import { createFileRoute } from '@tanstack/react-router';
import { LandingPage } from '#client/features/landing/landing-page.tsx';
import { ensureViewer } from '#client/lib/session.ts';

export const Route = createFileRoute('/')({
  // Not awaited: the page does not wait for the session, only its one button does.
  beforeLoad: ({ context }) => {
    void ensureViewer(context.queryClient);
  },
  component: LandingPage,
});
