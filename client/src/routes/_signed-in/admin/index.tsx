import { createFileRoute } from '@tanstack/react-router';
import { AdminPage } from '#client/features/board/admin-page.tsx';
import { readBoardSearch } from '#client/features/board/board-search.ts';

export const Route = createFileRoute('/_signed-in/admin/')({
  component: AdminPage,
  validateSearch: readBoardSearch,
});
