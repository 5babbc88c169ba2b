import { createFileRoute } from '@tanstack/react-router';
import { AdminPage } from '#client/features/board/admin-page.tsx';
import { readBoardSearch } from '#client/features/board/board-search.ts';
import { loadStart } from '#client/features/board/load-start.ts';

export const Route = createFileRoute('/_signed-in/admin/')({
  component: AdminPage,
  validateSearch: readBoardSearch,
  // Not awaited: the page asks for its other data meanwhile.
  loader: ({ context }) => void loadStart(context.queryClient),
});
