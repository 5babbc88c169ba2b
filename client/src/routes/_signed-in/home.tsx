import { createFileRoute } from '@tanstack/react-router';
import { HomeGuide } from '#client/features/board/home-guide.tsx';
import { HomePage } from '#client/features/home/home-page.tsx';
import { loadHome } from '#client/features/home/load-home.ts';
import { isPilot, viewerQuery } from '#client/lib/session.ts';

export const Route = createFileRoute('/_signed-in/home')({
  component: () => <HomePage guide={<HomeGuide />} />,
  // Only ahead of a visit: the page itself asks for all its data in as few requests as possible.
  loader: ({ context, cause }) => {
    const viewer = context.queryClient.getQueryData(viewerQuery.queryKey);
    if (cause === 'preload' && viewer && isPilot(viewer)) loadHome(viewer.id);
  },
});
